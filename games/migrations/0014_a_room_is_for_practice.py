from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0013_the_coach_weighs_decisions"),
    ]

    operations = [
        migrations.AddField(
            model_name="room",
            name="practice",
            field=models.BooleanField(
                default=False, editable=False, verbose_name="practice room"
            ),
        ),
        migrations.AddConstraint(
            model_name="room",
            constraint=models.CheckConstraint(
                condition=models.Q(("practice", False), ("is_public", False), _connector="OR"),
                name="a_practice_room_is_private",
            ),
        ),
        migrations.AddConstraint(
            model_name="room",
            constraint=models.UniqueConstraint(
                condition=models.Q(("practice", True)),
                fields=("owner",),
                name="one_practice_room_a_person",
            ),
        ),
    ]
