"""A chain behind the decks of each game, and what each seat gave; neither is ever changed."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

# table, trigger, when it refuses an update
PROMISES = [
    (
        "games_shuffle",
        "a_published_chain_is_never_changed",
        """NEW.game_id <> OLD.game_id OR NEW.first_hand <> OLD.first_hand
        OR NEW.secret <> OLD.secret OR NEW.commitment <> OLD.commitment
        OR OLD.settled_at IS NOT NULL""",
    ),
    (
        "games_seed",
        "a_seed_is_given_once",
        """NEW.shuffle_id <> OLD.shuffle_id OR NEW.seat <> OLD.seat
        OR NEW.substitute <> OLD.substitute OR (OLD.replaced AND NOT NEW.replaced)
        OR (OLD.hash <> '' AND NEW.hash <> OLD.hash)
        OR (OLD.given <> '' AND NEW.given <> OLD.given)""",
    ),
]


def write_triggers(apps, schema_editor):
    for table, trigger, when in PROMISES:
        if schema_editor.connection.vendor == "sqlite":
            statement = SQLITE.format(trigger=trigger, table=table, when=when)
        else:
            statement = POSTGRESQL.format(trigger=trigger, table=table, when=when)
        schema_editor.execute(statement, params=None)


def drop_triggers(apps, schema_editor):
    postgresql = schema_editor.connection.vendor == "postgresql"
    for table, trigger, _when in PROMISES:
        schema_editor.execute(
            f"DROP TRIGGER IF EXISTS {trigger}" + (f" ON {table}" if postgresql else "")
        )


# The architecture's list of triggers is read from these lines:
# CREATE TRIGGER a_published_chain_is_never_changed, CREATE TRIGGER a_seed_is_given_once
SQLITE = """
CREATE TRIGGER {trigger} BEFORE UPDATE ON {table} WHEN {when}
BEGIN SELECT RAISE(ABORT, '{trigger}'); END
"""
POSTGRESQL = """
CREATE TRIGGER {trigger} BEFORE UPDATE ON {table} FOR EACH ROW WHEN ({when})
EXECUTE FUNCTION games_refuse()
"""


class Migration(migrations.Migration):

    dependencies = [("games", "0015_games_are_played_for_chips")]

    operations = [
        migrations.CreateModel(
            name="Shuffle",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("first_hand", models.PositiveIntegerField(verbose_name="first hand")),
                ("secret", models.CharField(max_length=64)),
                ("commitment", models.CharField(max_length=64, verbose_name="published before")),
                ("opened_at", models.DateTimeField(verbose_name="opened")),
                ("deadline", models.DateTimeField(null=True, verbose_name="deadline")),
                ("settled_at", models.DateTimeField(null=True, verbose_name="settled")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="shuffles",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "verbose_name": "shuffle",
                "verbose_name_plural": "shuffles",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "first_hand"), name="one_chain_a_stretch"
                    ),
                    models.UniqueConstraint(
                        condition=Q(settled_at=None),
                        fields=("game",),
                        name="one_open_shuffle_a_game",
                    ),
                    models.CheckConstraint(
                        condition=Q(deadline=None, settled_at__isnull=False)
                        | Q(deadline__isnull=False, settled_at=None),
                        name="a_shuffle_waits_or_is_settled",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Seed",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField(verbose_name="seat")),
                ("substitute", models.CharField(max_length=64)),
                (
                    "hash",
                    models.CharField(blank=True, default="", max_length=64, verbose_name="hash"),
                ),
                ("given", models.CharField(blank=True, default="", max_length=64)),
                ("replaced", models.BooleanField(default=False, verbose_name="replaced")),
                (
                    "shuffle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seeds",
                        to="games.shuffle",
                    ),
                ),
            ],
            options={
                "verbose_name": "seed",
                "verbose_name_plural": "seeds",
                "constraints": [
                    models.UniqueConstraint(fields=("shuffle", "seat"), name="one_seed_a_seat"),
                    models.CheckConstraint(
                        condition=Q(given="") | ~Q(hash=""), name="bytes_come_after_their_hash"
                    ),
                    models.CheckConstraint(
                        condition=Q(replaced=False) | Q(given=""),
                        name="what_was_given_is_not_replaced",
                    ),
                ],
            },
        ),
        migrations.RunPython(write_triggers, drop_triggers),
    ]
