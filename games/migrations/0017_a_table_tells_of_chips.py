import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0016_cards_are_shuffled_by_all"),
        ("scoring", "0008_chips_are_never_made_nor_lost"),
    ]

    operations = [
        migrations.AddField(
            "message",
            "sheet",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="scoring.scoresheet",
            ),
        ),
        migrations.RemoveConstraint("message", "a_message_says_something"),
        migrations.AddConstraint(
            "message",
            models.CheckConstraint(
                condition=~Q(text="") | Q(sheet__isnull=False), name="a_message_says_something"
            ),
        ),
        migrations.AddConstraint(
            "message",
            models.CheckConstraint(
                condition=Q(sheet=None) | Q(user=None, name="", text=""),
                name="what_a_table_says_is_nobodys",
            ),
        ),
        migrations.AddConstraint(
            "message", models.UniqueConstraint(fields=["sheet"], name="a_game_is_told_of_once")
        ),
    ]
