"""Triggers: an account changes by its postings alone, one after the other; an entry adds up to nothing.

That an entry adds up is known when its transaction ends: PostgreSQL has triggers for that moment.
SQLite has none, but foreign keys that may wait until then: a row of an entry that does not add up
points nowhere, and is gone once it does. On SQLite Django rebuilds an altered table and silently
drops its triggers, and stumbles over those of others that name it: a later migration that alters a
table of chips runs ``drop_triggers`` first and ``write_triggers`` after.
Deletes are refused on PostgreSQL only, because Django's test flush deletes rows on SQLite.
"""

from django.db import migrations

UNCHANGED = [
    "CREATE TRIGGER postings_are_never_changed BEFORE UPDATE ON scoring_chipposting",
    "CREATE TRIGGER entries_are_never_changed BEFORE UPDATE ON scoring_chipentry",
    "CREATE TRIGGER seats_of_a_wager_are_never_changed BEFORE UPDATE ON scoring_wagerseat",
]
# What may not be, of the row as it would be: NEW, and as it was: OLD.
REFUSED = {
    "CREATE TRIGGER accounts_begin_empty BEFORE INSERT ON scoring_chipaccount": """
        NEW.balance <> 0 OR NEW.postings_made <> 0
    """,
    "CREATE TRIGGER accounts_stay_whose_they_are BEFORE UPDATE ON scoring_chipaccount": """
        NEW.kind <> OLD.kind OR {new.user_id} OR {new.room} OR {new.wager_id}
    """,
    "CREATE TRIGGER balances_come_from_postings BEFORE UPDATE ON scoring_chipaccount": """
        (NEW.balance <> OLD.balance OR NEW.postings_made <> OLD.postings_made) AND NOT (
            NEW.postings_made = OLD.postings_made + 1 AND EXISTS (
                SELECT 1 FROM scoring_chipposting WHERE account_id = NEW.id
                AND number = NEW.postings_made AND balance = NEW.balance
            )
        )
    """,
    "CREATE TRIGGER postings_follow_one_another BEFORE INSERT ON scoring_chipposting": """
        NOT EXISTS (
            SELECT 1 FROM scoring_chipaccount WHERE id = NEW.account_id
            AND postings_made = NEW.number - 1 AND balance = NEW.balance - NEW.amount
        )
    """,
    "CREATE TRIGGER a_wager_keeps_its_stakes BEFORE UPDATE ON scoring_wager": """
        {new.stakes} OR {new.sheet_id} OR {new.room} OR {new.put_up_at}
    """,
}
CARRIED = """
    UPDATE scoring_chipaccount SET balance = NEW.balance, postings_made = NEW.number
    WHERE id = NEW.account_id
"""


def condition(text, differs):
    """The condition with what differs spelled for a database, where either may be null."""
    for column in ("user_id", "room", "wager_id", "stakes", "sheet_id", "put_up_at"):
        text = text.replace(f"{{new.{column}}}", f"NEW.{column} {differs} OLD.{column}")
    return text


def named(beginning):
    """The name of a trigger and its table, of the words it begins with."""
    words = beginning.split()
    return words[2], words[-1]


def sqlite():
    for beginning, text in REFUSED.items():
        refusal = f"BEGIN SELECT RAISE(ABORT, '{named(beginning)[0]}'); END"
        yield f"{beginning} WHEN {condition(text, 'IS NOT')} {refusal}"
    for beginning in UNCHANGED:
        yield f"{beginning} BEGIN SELECT RAISE(ABORT, '{named(beginning)[0]}'); END"
    yield f"""
        CREATE TRIGGER postings_change_balances AFTER INSERT ON scoring_chipposting
        BEGIN {CARRIED}; END
    """
    yield """
        CREATE TABLE IF NOT EXISTS scoring_unbalanced_entry (
            entry_id INTEGER PRIMARY KEY,
            rest BIGINT NOT NULL,
            nowhere INTEGER NOT NULL REFERENCES scoring_chipentry (id)
                DEFERRABLE INITIALLY DEFERRED
        )
    """
    yield """
        CREATE TRIGGER entries_add_up_to_nothing AFTER INSERT ON scoring_chipposting
        BEGIN
            INSERT INTO scoring_unbalanced_entry (entry_id, rest, nowhere)
            VALUES (NEW.entry_id, NEW.amount, -1)
            ON CONFLICT (entry_id) DO UPDATE SET rest = rest + NEW.amount;
            DELETE FROM scoring_unbalanced_entry WHERE entry_id = NEW.entry_id AND rest = 0;
        END
    """


def postgresql():
    for beginning, text in REFUSED.items():
        name, _table = named(beginning)
        yield f"""
            CREATE FUNCTION scoring_{name}() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF {condition(text, 'IS DISTINCT FROM')} THEN
                    RAISE EXCEPTION '%', TG_NAME USING ERRCODE = 'integrity_constraint_violation';
                END IF;
                RETURN NEW;
            END $$
        """
        yield f"{beginning} FOR EACH ROW EXECUTE FUNCTION scoring_{name}()"
    for beginning in UNCHANGED:
        each = beginning.replace("UPDATE", "UPDATE OR DELETE")
        yield f"{each} FOR EACH ROW EXECUTE FUNCTION scoring_refuse()"
    yield f"""
        CREATE FUNCTION scoring_postings_change_balances() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN {CARRIED}; RETURN NULL; END $$
    """
    yield """
        CREATE TRIGGER postings_change_balances AFTER INSERT ON scoring_chipposting
        FOR EACH ROW EXECUTE FUNCTION scoring_postings_change_balances()
    """
    yield """
        CREATE FUNCTION scoring_entries_add_up_to_nothing() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF (SELECT sum(amount) FROM scoring_chipposting WHERE entry_id = NEW.entry_id) <> 0 THEN
                RAISE EXCEPTION '%', TG_NAME USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN NULL;
        END $$
    """
    yield """
        CREATE CONSTRAINT TRIGGER entries_add_up_to_nothing AFTER INSERT ON scoring_chipposting
        DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION scoring_entries_add_up_to_nothing()
    """


ON_TABLES = {
    **dict(named(beginning) for beginning in [*REFUSED, *UNCHANGED]),
    "postings_change_balances": "scoring_chipposting",
    "entries_add_up_to_nothing": "scoring_chipposting",
}


def write_triggers(apps, schema_editor):
    drop_triggers(apps, schema_editor)
    on_sqlite = schema_editor.connection.vendor == "sqlite"
    for statement in sqlite() if on_sqlite else postgresql():
        schema_editor.execute(statement, params=None)


def drop_triggers(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        for name in ON_TABLES:
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}")
        schema_editor.execute("DROP TABLE IF EXISTS scoring_unbalanced_entry")
        return
    for name, table in ON_TABLES.items():
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")
        if "never_changed" not in name:
            schema_editor.execute(f"DROP FUNCTION IF EXISTS scoring_{name}()")


class Migration(migrations.Migration):
    dependencies = [("scoring", "0007_chips_are_kept_in_balance")]

    operations = [migrations.RunPython(write_triggers, drop_triggers)]
