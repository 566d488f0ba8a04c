"""Archives of all of somebody's sheets: whole, once, resumed, theirs alone, gone after a day."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring import archive, ledger
from scoring.archive import Written
from scoring.models import Export, ExportPart
from tests.scoring.finished import finished, gin, knock, opened

pytestmark = pytest.mark.django_db
HEADING = ("sheet", "players")


def written(sheet):
    return Written(
        files={f"{sheet.id}.json": json.dumps({"totals": sheet.standing.totals})},
        row=(str(sheet.id), " – ".join(sheet.names)),
        at=sheet.started_at,
    )


def build(export_id, write=written, **more):
    return archive.build(export_id, write, HEADING, **more)


def opened_archive(export_id, user):
    packed = archive.archive_of(export_id, user.pk)
    return zipfile.ZipFile(io.BytesIO(packed))


def index(packed):
    return list(csv.reader(io.StringIO(packed.read("index.csv").decode("utf-8-sig"))))


def made(user, **more):
    export_id = archive.begin(user.pk)
    assert build(export_id, **more) is False
    return export_id


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(archive, "A_PART", 2)


def test_everything_somebody_sat_at_or_kept_is_in_it_once(alice, bob, charlie, small_parts):
    mine = [finished([alice, bob]), opened([bob, alice]), finished([alice, bob], how="called_off")]
    mine.append(opened(["Léa", "Zoé"], source="paper", keeper_id=alice.pk))
    finished([bob, charlie])
    export_id = made(alice)
    packed = opened_archive(export_id, alice)
    assert packed.testzip() is None
    assert packed.namelist() == [*(f"{sheet}.json" for sheet in mine), "index.csv"]
    assert json.loads(packed.read(f"{mine[0]}.json")) == {"totals": list(ledger.totals(mine[0]))}
    assert index(packed) == [
        list(HEADING),
        [str(mine[0]), "alice – bob"],
        [str(mine[1]), "bob – alice"],
        [str(mine[2]), "alice – bob"],
        [str(mine[3]), "Léa – Zoé"],
    ]
    progress = archive.progress_of(alice.pk)
    assert (progress.state, progress.done, progress.total) == ("ready", 4, 4)
    assert not ExportPart.objects.exists()


def test_nothing_at_all_is_an_archive_too(alice):
    packed = opened_archive(made(alice), alice)
    assert packed.namelist() == ["index.csv"]


def test_only_the_latest_edition_is_taken_along(alice, bob):
    old = finished([alice, bob], [knock(0, 60), gin(0, 30)], source="paper", keeper_id=alice.pk)
    new = ledger.edition(old, [knock(1, 60), gin(1, 30)])
    assert opened_archive(made(alice), alice).namelist() == [f"{new}.json", "index.csv"]


def test_a_game_corrected_meanwhile_is_in_it_once(alice, bob, small_parts):
    sheets = [
        finished([alice, bob], source="paper", keeper_id=alice.pk) for _number in range(4)
    ]
    export_id = archive.begin(alice.pk)
    assert build(export_id, seconds=0) is True
    behind = ledger.edition(sheets[0], [gin(0, 95)])  # packed already
    ahead = ledger.edition(sheets[3], [gin(0, 96)])
    build(export_id)
    assert set(opened_archive(export_id, alice).namelist()) == {
        f"{sheets[0]}.json", f"{sheets[1]}.json", f"{sheets[2]}.json", f"{ahead}.json", "index.csv",
    }  # fmt: skip
    assert behind not in (sheets[0], ahead)


def test_whoever_comes_after_a_dead_builder_goes_on_behind_its_last_part(alice, bob, small_parts):
    sheets = [finished([alice, bob]) for _number in range(5)]
    export_id = archive.begin(alice.pk)
    seen = []

    def dying(sheet):
        if sheet.id == sheets[3]:
            raise MemoryError
        seen.append(sheet.id)
        return written(sheet)

    with pytest.raises(MemoryError):
        build(export_id, dying)
    assert archive.progress_of(alice.pk).done == 2
    again = []
    build(export_id, lambda sheet: again.append(sheet.id) or written(sheet))
    assert again == sheets[2:]
    assert len(opened_archive(export_id, alice).namelist()) == 6


def test_building_again_changes_nothing(alice, bob):
    finished([alice, bob])
    export_id = made(alice)
    before = archive.archive_of(export_id, alice.pk)
    assert build(export_id) is False
    assert archive.archive_of(export_id, alice.pk) == before


def test_two_builders_at_once_pack_nothing_twice(alice, bob, small_parts):
    sheets = [finished([alice, bob]) for _number in range(5)]
    export_id = archive.begin(alice.pk)

    def overtaken(sheet):
        if sheet.id == sheets[2]:
            build(export_id, seconds=0)  # the other is faster
        return written(sheet)

    build(export_id, overtaken)
    build(export_id)
    names = opened_archive(export_id, alice).namelist()
    assert names == [*(f"{sheet}.json" for sheet in sheets), "index.csv"]


def test_asking_while_one_is_built_gives_that_one(alice, bob):
    finished([alice, bob])
    export_id = archive.begin(alice.pk)
    assert archive.begin(alice.pk) == export_id
    assert archive.begin(bob.pk) != export_id
    assert Export.objects.filter(user=alice).count() == 1


def test_the_database_lets_one_be_built_at_a_time(alice):
    archive.begin(alice.pk)
    refused = pytest.raises(IntegrityError, match=r"one_export_at_a_time|export\.user_id")
    with refused, transaction.atomic():
        Export.objects.create(user=alice)


def test_a_new_archive_takes_the_place_of_the_old_one(alice, bob):
    old = made(alice)
    finished([alice, bob])
    new = made(alice)
    assert archive.archive_of(old, alice.pk) is None
    assert len(opened_archive(new, alice).namelist()) == 2


def test_nobody_else_gets_it(alice, bob):
    export_id = made(alice)
    assert archive.archive_of(export_id, bob.pk) is None
    assert archive.progress_of(bob.pk) is None


def test_what_is_not_ready_is_not_there(alice):
    assert archive.archive_of(archive.begin(alice.pk), alice.pk) is None


def test_after_a_day_it_is_gone(alice, bob):
    old, young = made(alice), made(bob)
    Export.objects.filter(pk=old).update(made_at=timezone.now() - timedelta(hours=24, seconds=1))
    Export.objects.filter(pk=young).update(made_at=timezone.now() - timedelta(hours=23))
    archive.drop_old()
    assert archive.archive_of(old, alice.pk) is None
    assert archive.archive_of(young, bob.pk) is not None


def test_a_builder_that_says_nothing_for_a_minute_is_taken_for_dead(alice, bob):
    quiet, going_on = archive.begin(alice.pk), archive.begin(bob.pk)
    Export.objects.filter(pk=quiet).update(moved_at=timezone.now() - timedelta(seconds=61))
    assert archive.silent() == [quiet]
    assert archive.silent(timedelta()) == [quiet, going_on]


def test_after_three_failures_it_has_failed_and_another_can_be_made(alice):
    export_id = archive.begin(alice.pk)
    for _number in range(2):
        archive.failed(export_id)
        assert archive.progress_of(alice.pk).state == "building"
    archive.failed(export_id)
    assert archive.progress_of(alice.pk).state == "failed"
    assert build(export_id) is False
    assert archive.begin(alice.pk) != export_id


def test_a_part_costs_the_same_however_many_sheets(alice, bob):
    def asked():
        export_id = archive.begin(alice.pk)
        with CaptureQueriesContext(connection) as statements:
            build(export_id)
        return len(statements)

    finished([alice, bob])
    few = asked()
    for _number in range(9):
        finished([alice, bob])
    assert asked() == few


def test_a_game_older_than_zip_files_can_be_packed(alice, bob):
    opened([alice, bob], started_at=timezone.now().replace(year=1970))
    assert len(opened_archive(made(alice), alice).namelist()) == 2
