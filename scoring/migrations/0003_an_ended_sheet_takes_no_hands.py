"""A trigger: once a sheet has ended, no hand is written on it any more.

On SQLite Django rebuilds an altered table and silently drops its triggers: a later migration that
alters scoring_scoreline must run ``write_triggers`` again.
"""

from django.db import migrations

SQLITE = [
    """
    CREATE TRIGGER an_ended_sheet_takes_no_hands BEFORE INSERT ON scoring_scoreline
    WHEN NEW.hand IS NOT NULL
        AND (SELECT ended_at FROM scoring_scoresheet WHERE id = NEW.sheet_id) IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'an_ended_sheet_takes_no_hands'); END
    """,
]
POSTGRESQL = [
    """
    CREATE FUNCTION scoring_require_open_sheet() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (
            SELECT 1 FROM scoring_scoresheet WHERE id = NEW.sheet_id AND ended_at IS NOT NULL
        ) THEN
            RAISE EXCEPTION '%', TG_NAME USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER an_ended_sheet_takes_no_hands BEFORE INSERT ON scoring_scoreline
    FOR EACH ROW WHEN (NEW.hand IS NOT NULL) EXECUTE FUNCTION scoring_require_open_sheet()
    """,
]


def write_triggers(apps, schema_editor):
    drop_triggers(apps, schema_editor)
    for statement in SQLITE if schema_editor.connection.vendor == "sqlite" else POSTGRESQL:
        schema_editor.execute(statement, params=None)


def drop_triggers(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TRIGGER IF EXISTS an_ended_sheet_takes_no_hands")
    else:
        schema_editor.execute(
            "DROP TRIGGER IF EXISTS an_ended_sheet_takes_no_hands ON scoring_scoreline"
        )
        schema_editor.execute("DROP FUNCTION IF EXISTS scoring_require_open_sheet()")


class Migration(migrations.Migration):
    dependencies = [("scoring", "0002_append_only")]

    operations = [migrations.RunPython(write_triggers, drop_triggers)]
