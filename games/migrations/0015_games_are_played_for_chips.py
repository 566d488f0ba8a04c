"""Rooms and games say what they are played for; a game that has started keeps that, too.

On SQLite the altered table loses its triggers, so all of games_game's are written again.
"""

from importlib import import_module

from django.db import migrations, models

before = import_module("games.migrations.0003_seats_play_and_rules_stay")

OF_GAMES = [name for name, table in before.TRIGGERS.items() if table == "games_game"]
RULES = {
    "sqlite": "NEW.rules IS NOT OLD.rules",
    "postgresql": "NEW.rules IS DISTINCT FROM OLD.rules",
}


def write(schema_editor, with_stakes):
    vendor = schema_editor.connection.vendor
    statements = before.SQLITE if vendor == "sqlite" else before.POSTGRESQL
    for name in OF_GAMES:
        on = " ON games_game" if vendor == "postgresql" else ""
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}{on}")
        written = next(one for one in statements if f"CREATE TRIGGER {name} " in one)
        if with_stakes:
            rules = RULES[vendor]
            written = written.replace(rules, f"{rules} OR {rules.replace('rules', 'stakes')}")
        schema_editor.execute(written, params=None)  # a % in them is no placeholder


def with_stakes(apps, schema_editor):
    write(schema_editor, True)


def without_stakes(apps, schema_editor):
    write(schema_editor, False)


class Migration(migrations.Migration):
    dependencies = [("games", "0014_a_room_is_for_practice")]

    operations = [
        # Backwards: the last thing done, once the columns are gone and SQLite's triggers with them.
        migrations.RunPython(migrations.RunPython.noop, without_stakes),
        migrations.AddField(
            "room", "stakes", models.JSONField(blank=True, default=dict, verbose_name="stakes")
        ),
        migrations.AddField(
            "game", "stakes", models.JSONField(blank=True, default=dict, verbose_name="stakes")
        ),
        # Backwards: the first thing done, since PostgreSQL drops no column a trigger reads.
        migrations.RunPython(with_stakes, without_stakes),
    ]
