"""Triggers: a move is never changed or deleted, and a dealt hand keeps its deck.

On SQLite Django rebuilds an altered table and silently drops its triggers: a later migration that
alters games_move or games_hand must run ``write_triggers`` again. Deleting is refused on
PostgreSQL only, because Django's test flush deletes rows on SQLite.
"""

from django.db import migrations

SQLITE = [
    """
    CREATE TRIGGER moves_are_never_changed BEFORE UPDATE ON games_move
    BEGIN SELECT RAISE(ABORT, 'moves_are_never_changed'); END
    """,
    """
    CREATE TRIGGER moves_are_made_in_open_hands BEFORE INSERT ON games_move
    WHEN (SELECT ended_at FROM games_hand WHERE id = NEW.hand_id) IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'moves_are_made_in_open_hands'); END
    """,
    """
    CREATE TRIGGER a_dealt_hand_is_never_changed BEFORE UPDATE ON games_hand
    WHEN NEW.deck IS NOT OLD.deck OR NEW.dealer IS NOT OLD.dealer OR OLD.ended_at IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'a_dealt_hand_is_never_changed'); END
    """,
]
POSTGRESQL = [
    """
    CREATE FUNCTION games_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '%', TG_NAME USING ERRCODE = 'integrity_constraint_violation';
    END $$
    """,
    """
    CREATE TRIGGER moves_are_never_changed BEFORE UPDATE OR DELETE ON games_move
    FOR EACH ROW EXECUTE FUNCTION games_refuse()
    """,
    """
    CREATE FUNCTION games_require_open_hand() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (SELECT 1 FROM games_hand WHERE id = NEW.hand_id AND ended_at IS NOT NULL) THEN
            RAISE EXCEPTION '%', TG_NAME USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER moves_are_made_in_open_hands BEFORE INSERT ON games_move
    FOR EACH ROW EXECUTE FUNCTION games_require_open_hand()
    """,
    """
    CREATE TRIGGER a_dealt_hand_is_never_changed BEFORE UPDATE ON games_hand
    FOR EACH ROW
    WHEN (NEW.deck IS DISTINCT FROM OLD.deck OR NEW.dealer IS DISTINCT FROM OLD.dealer
          OR OLD.ended_at IS NOT NULL)
    EXECUTE FUNCTION games_refuse()
    """,
]
TRIGGERS = {
    "moves_are_never_changed": "games_move",
    "moves_are_made_in_open_hands": "games_move",
    "a_dealt_hand_is_never_changed": "games_hand",
}


def write_triggers(apps, schema_editor):
    drop_triggers(apps, schema_editor)
    for statement in SQLITE if schema_editor.connection.vendor == "sqlite" else POSTGRESQL:
        schema_editor.execute(statement, params=None)  # a % in them is no placeholder


def drop_triggers(apps, schema_editor):
    postgresql = schema_editor.connection.vendor == "postgresql"
    for trigger, table in TRIGGERS.items():
        schema_editor.execute(
            f"DROP TRIGGER IF EXISTS {trigger}" + (f" ON {table}" if postgresql else "")
        )
    if postgresql:
        for function in ("games_refuse", "games_require_open_hand"):
            schema_editor.execute(f"DROP FUNCTION IF EXISTS {function}()")


class Migration(migrations.Migration):
    dependencies = [("games", "0001_rooms_and_tables")]

    operations = [migrations.RunPython(write_triggers, drop_triggers)]
