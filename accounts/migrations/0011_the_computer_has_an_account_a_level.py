from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0010_a_forgotten_password_waits_for_a_link"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="bot",
            field=models.CharField(
                blank=True, default="", editable=False, max_length=10, verbose_name="computer"
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("bot", ""),
                    models.Q(
                        ("email", ""),
                        ("is_active", False),
                        ("is_guest", False),
                        ("is_staff", False),
                        ("is_superuser", False),
                        ("password__startswith", "!"),
                    ),
                    _connector="OR",
                ),
                name="a_bot_is_nobodys",
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("bot__in", ("", "beginner", "regular", "strong", "expert"))
                ),
                name="a_bot_has_a_known_level",
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                condition=models.Q(("bot", ""), _negated=True),
                fields=("bot",),
                name="one_bot_a_level",
            ),
        ),
    ]
