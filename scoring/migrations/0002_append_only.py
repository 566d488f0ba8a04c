"""Triggers: a line is never changed or deleted, and belongs to a seat of its sheet.

On SQLite Django rebuilds an altered table and silently drops its triggers: a later migration that
alters scoring_scoreline or scoring_scoresheet must run ``write_triggers`` again. Deleting lines is
refused on PostgreSQL only, because Django's test flush deletes rows on SQLite.
"""

from django.db import migrations

SQLITE = [
    """
    CREATE TRIGGER lines_are_never_changed BEFORE UPDATE ON scoring_scoreline
    BEGIN SELECT RAISE(ABORT, 'lines_are_never_changed'); END
    """,
    """
    CREATE TRIGGER lines_belong_to_a_seat BEFORE INSERT ON scoring_scoreline
    WHEN NOT EXISTS (
        SELECT 1 FROM scoring_sheetseat WHERE sheet_id = NEW.sheet_id AND seat = NEW.seat
    )
    BEGIN SELECT RAISE(ABORT, 'lines_belong_to_a_seat'); END
    """,
    """
    CREATE TRIGGER rules_of_a_sheet_are_frozen BEFORE UPDATE ON scoring_scoresheet
    WHEN NEW.rules IS NOT OLD.rules OR NEW.replaces_id IS NOT OLD.replaces_id
    BEGIN SELECT RAISE(ABORT, 'rules_of_a_sheet_are_frozen'); END
    """,
]
POSTGRESQL = [
    """
    CREATE FUNCTION scoring_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '%', TG_NAME USING ERRCODE = 'integrity_constraint_violation';
    END $$
    """,
    """
    CREATE TRIGGER lines_are_never_changed BEFORE UPDATE OR DELETE ON scoring_scoreline
    FOR EACH ROW EXECUTE FUNCTION scoring_refuse()
    """,
    """
    CREATE FUNCTION scoring_require_seat() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT 1 FROM scoring_sheetseat WHERE sheet_id = NEW.sheet_id AND seat = NEW.seat
        ) THEN
            RAISE EXCEPTION '%', TG_NAME USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER lines_belong_to_a_seat BEFORE INSERT ON scoring_scoreline
    FOR EACH ROW EXECUTE FUNCTION scoring_require_seat()
    """,
    """
    CREATE TRIGGER rules_of_a_sheet_are_frozen BEFORE UPDATE ON scoring_scoresheet
    FOR EACH ROW
    WHEN (NEW.rules IS DISTINCT FROM OLD.rules OR NEW.replaces_id IS DISTINCT FROM OLD.replaces_id)
    EXECUTE FUNCTION scoring_refuse()
    """,
]
TRIGGERS = {
    "lines_are_never_changed": "scoring_scoreline",
    "lines_belong_to_a_seat": "scoring_scoreline",
    "rules_of_a_sheet_are_frozen": "scoring_scoresheet",
}


def write_triggers(apps, schema_editor):
    drop_triggers(apps, schema_editor)
    for statement in SQLITE if schema_editor.connection.vendor == "sqlite" else POSTGRESQL:
        schema_editor.execute(statement, params=None)


def drop_triggers(apps, schema_editor):
    postgresql = schema_editor.connection.vendor == "postgresql"
    for trigger, table in TRIGGERS.items():
        schema_editor.execute(
            f"DROP TRIGGER IF EXISTS {trigger}" + (f" ON {table}" if postgresql else "")
        )
    if postgresql:
        for function in ("scoring_refuse", "scoring_require_seat"):
            schema_editor.execute(f"DROP FUNCTION IF EXISTS {function}()")


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_sheets")]

    operations = [migrations.RunPython(write_triggers, drop_triggers)]
