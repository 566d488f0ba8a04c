"""Hands, editions, tallies, links and invitations; with triggers that keep hands as written.

On SQLite Django rebuilds an altered table and silently drops its triggers, and stumbles over those
that name it: they are dropped first and all written again. A later migration that alters
scoring_scoresheet, scoring_scoreline or scoring_sheethand does the same: ``drop_triggers`` first,
``write_triggers`` last.
"""

from importlib import import_module

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

LINES = import_module("scoring.migrations.0002_append_only")
ENDED = import_module("scoring.migrations.0003_an_ended_sheet_takes_no_hands")

# What a sheet is never changes; whoever keeps it may, when accounts are merged or deleted.
FROZEN = ("rules", "replaces_id", "original_id", "source", "first_dealer", "started_at")
SQLITE = [
    f"""
    CREATE TRIGGER rules_of_a_sheet_are_frozen BEFORE UPDATE ON scoring_scoresheet
    WHEN {" OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in FROZEN)}
    BEGIN SELECT RAISE(ABORT, 'rules_of_a_sheet_are_frozen'); END
    """,
    """
    CREATE TRIGGER hands_of_a_sheet_are_never_changed BEFORE UPDATE ON scoring_sheethand
    BEGIN SELECT RAISE(ABORT, 'hands_of_a_sheet_are_never_changed'); END
    """,
    """
    CREATE TRIGGER hands_are_won_by_a_seat BEFORE INSERT ON scoring_sheethand
    WHEN NEW.winner IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM scoring_sheetseat WHERE sheet_id = NEW.sheet_id AND seat = NEW.winner
    )
    BEGIN SELECT RAISE(ABORT, 'hands_are_won_by_a_seat'); END
    """,
]
POSTGRESQL = [
    f"""
    CREATE TRIGGER rules_of_a_sheet_are_frozen BEFORE UPDATE ON scoring_scoresheet
    FOR EACH ROW
    WHEN ({" OR ".join(f"NEW.{column} IS DISTINCT FROM OLD.{column}" for column in FROZEN)})
    EXECUTE FUNCTION scoring_refuse()
    """,
    """
    CREATE TRIGGER hands_of_a_sheet_are_never_changed BEFORE UPDATE OR DELETE ON scoring_sheethand
    FOR EACH ROW EXECUTE FUNCTION scoring_refuse()
    """,
    """
    CREATE FUNCTION scoring_require_winner() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT 1 FROM scoring_sheetseat WHERE sheet_id = NEW.sheet_id AND seat = NEW.winner
        ) THEN
            RAISE EXCEPTION '%', TG_NAME USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER hands_are_won_by_a_seat BEFORE INSERT ON scoring_sheethand
    FOR EACH ROW WHEN (NEW.winner IS NOT NULL) EXECUTE FUNCTION scoring_require_winner()
    """,
]
NEW = {
    "hands_of_a_sheet_are_never_changed": "scoring_sheethand",
    "hands_are_won_by_a_seat": "scoring_sheethand",
}
OLD = {**LINES.TRIGGERS, "an_ended_sheet_takes_no_hands": "scoring_scoreline"}


def drop_triggers(apps, schema_editor):
    """All of them on SQLite; PostgreSQL keeps its triggers whatever becomes of a table."""
    if schema_editor.connection.vendor == "sqlite":
        for trigger in (*NEW, *OLD):
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {trigger}")
    else:
        schema_editor.execute(
            "DROP TRIGGER IF EXISTS rules_of_a_sheet_are_frozen ON scoring_scoresheet"
        )


def write_triggers(apps, schema_editor):
    drop_triggers(apps, schema_editor)
    if schema_editor.connection.vendor == "sqlite":
        old = [one for one in LINES.SQLITE if "rules_of_a_sheet_are_frozen" not in one]
        statements = [*old, *ENDED.SQLITE, *SQLITE]
    else:
        drop_new_triggers(apps, schema_editor)
        statements = POSTGRESQL
    for statement in statements:
        schema_editor.execute(statement, params=None)  # a % in them is no placeholder


def drop_new_triggers(apps, schema_editor):
    postgresql = schema_editor.connection.vendor == "postgresql"
    if not postgresql:
        drop_triggers(apps, schema_editor)
        return
    for trigger, table in {**NEW, "rules_of_a_sheet_are_frozen": "scoring_scoresheet"}.items():
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {trigger} ON {table}")
    schema_editor.execute("DROP FUNCTION IF EXISTS scoring_require_winner()")


def write_old_triggers(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        statements = [*LINES.SQLITE, *ENDED.SQLITE]
    else:
        statements = [one for one in LINES.POSTGRESQL if "rules_of_a_sheet_are_frozen" in one]
    for statement in statements:
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0003_an_ended_sheet_takes_no_hands'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(drop_triggers, write_old_triggers),
        migrations.CreateModel(
            name='PadInvitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField(verbose_name='seat')),
                ('state', models.CharField(choices=[('asked', 'Asked'), ('accepted', 'Accepted'), ('declined', 'Declined')], default='asked', max_length=8, verbose_name='state')),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='asked')),
            ],
            options={
                'verbose_name': 'invitation to a pad',
                'verbose_name_plural': 'invitations to a pad',
            },
        ),
        migrations.CreateModel(
            name='ShareLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token', models.CharField(max_length=22, unique=True)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='made')),
                ('revoked_at', models.DateTimeField(null=True, verbose_name='revoked')),
            ],
            options={
                'verbose_name': 'share link',
                'verbose_name_plural': 'share links',
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='SheetHand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='hand')),
                ('kind', models.CharField(choices=[('knock', 'Knock'), ('gin', 'Gin'), ('big_gin', 'Big gin'), ('undercut', 'Undercut'), ('first_knock', 'First to knock'), ('void', 'Void')], max_length=11, verbose_name='kind')),
                ('winner', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='won by seat')),
                ('knocker_deadwood', models.PositiveSmallIntegerField(default=0, verbose_name="knocker's deadwood")),
                ('defender_deadwood', models.PositiveSmallIntegerField(default=0, verbose_name="defender's deadwood")),
                ('spade', models.BooleanField(default=False, verbose_name='spade')),
                ('idle', models.BooleanField(default=False, verbose_name='nobody drew from the stock')),
                ('entry', models.UUIDField(blank=True, null=True, verbose_name='entry')),
                ('written_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='written')),
            ],
            options={
                'verbose_name': 'hand',
                'verbose_name_plural': 'hands',
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField(verbose_name='seat')),
                ('started_at', models.DateTimeField(verbose_name='started')),
                ('ended_at', models.DateTimeField(verbose_name='ended')),
                ('preset', models.CharField(max_length=30, verbose_name='rules')),
                ('source', models.CharField(max_length=8, verbose_name='source')),
                ('result', models.CharField(choices=[('won', 'Won'), ('lost', 'Lost'), ('none', 'No winner')], max_length=4, verbose_name='result')),
                ('points', models.IntegerField(verbose_name='points')),
                ('opponent_points', models.IntegerField(verbose_name="opponent's points")),
                ('hand_points', models.PositiveIntegerField(verbose_name='points of hands')),
                ('hands', models.PositiveIntegerField(verbose_name='hands')),
                ('hands_won', models.PositiveIntegerField(verbose_name='hands won')),
                ('gins', models.PositiveIntegerField(verbose_name='gins')),
                ('big_gins', models.PositiveIntegerField(verbose_name='big gins')),
                ('undercuts', models.PositiveIntegerField(verbose_name='undercuts')),
                ('undercut_by', models.PositiveIntegerField(verbose_name='undercut by the opponent')),
                ('knocks', models.PositiveIntegerField(verbose_name='knocks')),
                ('knock_deadwood', models.PositiveIntegerField(verbose_name='deadwood when knocking')),
                ('caught', models.PositiveIntegerField(verbose_name='caught')),
                ('caught_deadwood', models.PositiveIntegerField(verbose_name='deadwood when caught')),
                ('best_hand', models.PositiveIntegerField(verbose_name='best hand')),
                ('shutout', models.BooleanField(verbose_name='won by a shutout')),
            ],
            options={
                'verbose_name': 'tally',
                'verbose_name_plural': 'tallies',
            },
        ),
        migrations.AddField(
            model_name='scoresheet',
            name='first_dealer',
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='first dealer'),
        ),
        migrations.AddField(
            model_name='scoresheet',
            name='keeper',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='kept by'),
        ),
        migrations.AddField(
            model_name='scoresheet',
            name='original',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='editions', to='scoring.scoresheet', verbose_name='first edition'),
        ),
        migrations.AddField(
            model_name='scoresheet',
            name='source',
            field=models.CharField(choices=[('table', 'Played here'), ('paper', 'Real cards'), ('imported', 'Imported')], default='table', max_length=8, verbose_name='source'),
        ),
        migrations.AddConstraint(
            model_name='scoresheet',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('original', None), ('replaces', None)), models.Q(('original__isnull', False), ('replaces__isnull', False), models.Q(('original', models.F('pk')), _negated=True)), _connector='OR'), name='an_edition_knows_the_first'),
        ),
        migrations.AddConstraint(
            model_name='scoresheet',
            constraint=models.CheckConstraint(condition=models.Q(('source__in', ('table', 'paper', 'imported'))), name='a_sheet_is_of_the_table_paper_or_imported'),
        ),
        migrations.AddConstraint(
            model_name='scoresheet',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('source', 'table'), _negated=True), models.Q(('first_dealer', None), ('keeper', None)), _connector='OR'), name='a_sheet_of_the_table_has_no_keeper'),
        ),
        migrations.AddConstraint(
            model_name='scoresheet',
            constraint=models.CheckConstraint(condition=models.Q(('first_dealer', None), ('first_dealer__lte', 3), _connector='OR'), name='the_first_dealer_has_a_seat'),
        ),
        migrations.AddField(
            model_name='padinvitation',
            name='sheet',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='scoring.scoresheet', verbose_name='score sheet'),
        ),
        migrations.AddField(
            model_name='padinvitation',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pad_invitations', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='sharelink',
            name='made_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='sharelink',
            name='sheet',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links', to='scoring.scoresheet', verbose_name='score sheet'),
        ),
        migrations.AddField(
            model_name='sheethand',
            name='sheet',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hands', to='scoring.scoresheet', verbose_name='score sheet'),
        ),
        migrations.AddField(
            model_name='tally',
            name='opponent_user',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='opponent'),
        ),
        migrations.AddField(
            model_name='tally',
            name='sheet',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tallies', to='scoring.scoresheet', verbose_name='score sheet'),
        ),
        migrations.AddField(
            model_name='tally',
            name='user',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='user'),
        ),
        migrations.AddConstraint(
            model_name='padinvitation',
            constraint=models.UniqueConstraint(fields=('sheet', 'seat'), name='one_invitation_a_seat'),
        ),
        migrations.AddConstraint(
            model_name='padinvitation',
            constraint=models.UniqueConstraint(fields=('sheet', 'user'), name='invited_once_a_sheet'),
        ),
        migrations.AddConstraint(
            model_name='padinvitation',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ('asked', 'accepted', 'declined'))), name='an_invitation_is_asked_accepted_or_declined'),
        ),
        migrations.AddConstraint(
            model_name='sharelink',
            constraint=models.CheckConstraint(condition=models.Q(('revoked_at', None), ('revoked_at__gte', models.F('made_at')), _connector='OR'), name='a_link_is_revoked_after_it_is_made'),
        ),
        migrations.AddConstraint(
            model_name='sheethand',
            constraint=models.UniqueConstraint(fields=('sheet', 'number'), name='one_result_a_hand'),
        ),
        migrations.AddConstraint(
            model_name='sheethand',
            constraint=models.UniqueConstraint(fields=('sheet', 'entry'), name='one_entry_once'),
        ),
        migrations.AddConstraint(
            model_name='sheethand',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='hands_count_from_one'),
        ),
        migrations.AddConstraint(
            model_name='sheethand',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('idle', False), ('kind__in', ('knock', 'gin', 'big_gin', 'undercut', 'first_knock')), ('winner__isnull', False)), models.Q(('defender_deadwood', 0), ('kind', 'void'), ('knocker_deadwood', 0), ('winner', None)), _connector='OR'), name='a_void_hand_alone_has_no_winner'),
        ),
        migrations.AddConstraint(
            model_name='sheethand',
            constraint=models.CheckConstraint(condition=models.Q(('defender_deadwood__lte', 98), ('knocker_deadwood__lte', 10)), name='deadwood_is_what_ten_cards_can_hold'),
        ),
        migrations.AddIndex(
            model_name='tally',
            index=models.Index(fields=['user', '-ended_at', '-sheet'], name='tallies_of_a_player'),
        ),
        migrations.AddIndex(
            model_name='tally',
            index=models.Index(fields=['user', 'opponent_user', '-ended_at', '-sheet'], name='tallies_of_two_players'),
        ),
        migrations.AddConstraint(
            model_name='tally',
            constraint=models.UniqueConstraint(fields=('sheet', 'seat'), name='one_tally_a_seat'),
        ),
        migrations.AddConstraint(
            model_name='tally',
            constraint=models.CheckConstraint(condition=models.Q(('result__in', ('won', 'lost', 'none'))), name='a_game_is_won_lost_or_neither'),
        ),
        migrations.RunPython(write_triggers, drop_new_triggers),
    ]
