"""Triggers: only a seat of the game deals and moves, and what a game was is never changed.

On SQLite Django rebuilds an altered table and silently drops its triggers: a later migration that
alters games_move, games_hand or games_game must run ``write_triggers`` again.
"""

from django.db import migrations

SQLITE = [
    """
    CREATE TRIGGER moves_are_made_by_a_seat BEFORE INSERT ON games_move
    WHEN NOT EXISTS (
        SELECT 1 FROM games_hand h JOIN games_gameseat c ON c.game_id = h.game_id
        WHERE h.id = NEW.hand_id AND c.seat = NEW.seat
    )
    BEGIN SELECT RAISE(ABORT, 'moves_are_made_by_a_seat'); END
    """,
    """
    CREATE TRIGGER hands_are_dealt_by_a_seat BEFORE INSERT ON games_hand
    WHEN NOT EXISTS (
        SELECT 1 FROM games_gameseat WHERE game_id = NEW.game_id AND seat = NEW.dealer
    )
    BEGIN SELECT RAISE(ABORT, 'hands_are_dealt_by_a_seat'); END
    """,
    """
    CREATE TRIGGER a_started_game_keeps_its_rules BEFORE UPDATE ON games_game
    WHEN OLD.started_at IS NOT NULL AND (
        NEW.rules IS NOT OLD.rules OR NEW.sheet_id IS NOT OLD.sheet_id
        OR NEW.started_at IS NOT OLD.started_at
    )
    BEGIN SELECT RAISE(ABORT, 'a_started_game_keeps_its_rules'); END
    """,
    """
    CREATE TRIGGER a_finished_game_stays_finished BEFORE UPDATE ON games_game
    WHEN OLD.ended_at IS NOT NULL AND NEW.ended_at IS NOT OLD.ended_at
    BEGIN SELECT RAISE(ABORT, 'a_finished_game_stays_finished'); END
    """,
]
POSTGRESQL = [
    """
    CREATE FUNCTION games_require_seat_to_move() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT 1 FROM games_hand h JOIN games_gameseat c ON c.game_id = h.game_id
            WHERE h.id = NEW.hand_id AND c.seat = NEW.seat
        ) THEN
            RAISE EXCEPTION '%', TG_NAME USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER moves_are_made_by_a_seat BEFORE INSERT ON games_move
    FOR EACH ROW EXECUTE FUNCTION games_require_seat_to_move()
    """,
    """
    CREATE FUNCTION games_require_seat_to_deal() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT 1 FROM games_gameseat WHERE game_id = NEW.game_id AND seat = NEW.dealer
        ) THEN
            RAISE EXCEPTION '%', TG_NAME USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER hands_are_dealt_by_a_seat BEFORE INSERT ON games_hand
    FOR EACH ROW EXECUTE FUNCTION games_require_seat_to_deal()
    """,
    """
    CREATE TRIGGER a_started_game_keeps_its_rules BEFORE UPDATE ON games_game
    FOR EACH ROW
    WHEN (OLD.started_at IS NOT NULL AND (
        NEW.rules IS DISTINCT FROM OLD.rules OR NEW.sheet_id IS DISTINCT FROM OLD.sheet_id
        OR NEW.started_at IS DISTINCT FROM OLD.started_at
    ))
    EXECUTE FUNCTION games_refuse()
    """,
    """
    CREATE TRIGGER a_finished_game_stays_finished BEFORE UPDATE ON games_game
    FOR EACH ROW
    WHEN (OLD.ended_at IS NOT NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at)
    EXECUTE FUNCTION games_refuse()
    """,
]
TRIGGERS = {
    "moves_are_made_by_a_seat": "games_move",
    "hands_are_dealt_by_a_seat": "games_hand",
    "a_started_game_keeps_its_rules": "games_game",
    "a_finished_game_stays_finished": "games_game",
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
        for function in ("games_require_seat_to_move", "games_require_seat_to_deal"):
            schema_editor.execute(f"DROP FUNCTION IF EXISTS {function}()")


class Migration(migrations.Migration):
    dependencies = [("games", "0002_moves_are_never_changed")]

    operations = [migrations.RunPython(write_triggers, drop_triggers)]
