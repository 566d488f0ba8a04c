"""Archives of all of somebody's sheets: the only writer of exports and their parts.

An archive is built part by part, each kept as soon as it is packed, so whoever comes after a
builder that died goes on behind the last part, and one that comes twice finds nothing to do.
How a sheet is written down is the caller's to say.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import monotonic

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.db.models.lookups import GreaterThan
from django.utils import timezone

from scoring import ledger
from scoring.models import Export, ExportPart, ScoreSheet, SheetSeat

A_PART = 50  # sheets
KEPT = timedelta(days=1)
SILENT = timedelta(minutes=1)  # then its builder is taken for dead
TRIES = 3
ROWS = "rows.json"  # in a part: its rows of the index
FIRST = Coalesce("original_id", "pk")
OLDEST_IN_A_ZIP = datetime(1980, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Written:
    """One sheet as its files, by their names, and its row of the index."""

    files: dict[str, str]
    row: tuple[str, ...]
    at: datetime


Writer = Callable[[ledger.SheetReading], Written]
Beside = Callable[[int], Mapping[str, str]]  # of a person: what else they take along, by file


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an export is."""

    id: int
    state: str
    done: int
    total: int
    made_at: datetime
    gone_at: datetime


def begin(user_id: int) -> int:
    """A new export of everything this person has; the one being built, if there is one.

    An older one that is done goes: nobody fills the database by asking again.
    """
    try:
        with transaction.atomic():
            started = Export.objects.create(user_id=user_id, total=_sheets_of(user_id).count())
    except IntegrityError:
        running = Export.objects.filter(user_id=user_id, state=Export.State.BUILDING)
        found = running.values_list("pk", flat=True).first()
        if found is None:
            raise
        return found
    Export.objects.filter(user_id=user_id, pk__lt=started.pk).delete()
    return started.pk


def progress_of(user_id: int) -> Progress | None:
    """The latest export of this person."""
    mine = Export.objects.filter(user_id=user_id).order_by("-pk")
    row = mine.values_list("pk", "state", "done", "total", "made_at").first()
    return None if row is None else Progress(*row, row[-1] + KEPT)


def owner_of(export_id: int) -> int | None:
    """Whose sheets an export takes along."""
    return Export.objects.filter(pk=export_id).values_list("user_id", flat=True).first()


def archive_of(export_id: int, user_id: int) -> bytes | None:
    """The archive, for its owner; for anybody else there is none."""
    mine = Export.objects.filter(pk=export_id, user_id=user_id, state=Export.State.READY)
    found = mine.values_list("archive", flat=True).first()
    return None if found is None else bytes(found)


def build(
    export_id: int,
    write: Writer,
    heading: Sequence[str],
    seconds: float | None = None,
    beside: Beside = lambda user_id: {},
) -> bool:
    """Build on, for so many seconds at the most; False once there is nothing left to do here."""
    until = None if seconds is None else monotonic() + seconds
    while _add_part(export_id, write, heading, beside):
        if until is not None and monotonic() >= until:
            return True
    return False


def failed(export_id: int) -> None:
    """A builder could not go on: another tries, and after a few the export has failed."""
    with transaction.atomic():
        export = _locked(export_id)
        if export is None:
            return
        export.tries += 1
        if export.tries >= TRIES:
            export.state = Export.State.FAILED
            ExportPart.objects.filter(export_id=export_id).delete()
        export.moved_at = timezone.now()
        export.save(update_fields=["tries", "state", "moved_at"])


def forget(user_id: int) -> None:
    """Keep no archive of somebody, built or being built."""
    Export.objects.filter(user_id=user_id).delete()


def drop_old() -> None:
    """Nothing is kept longer than a day."""
    Export.objects.filter(made_at__lt=timezone.now() - KEPT).delete()


def silent(since: timedelta = SILENT) -> list[int]:
    """Exports nobody has built on for so long, oldest first."""
    quiet = Export.objects.filter(
        state=Export.State.BUILDING, moved_at__lte=timezone.now() - since
    )
    return list(quiet.order_by("pk").values_list("pk", flat=True))


def _add_part(export_id: int, write: Writer, heading: Sequence[str], beside: Beside) -> bool:
    """Pack the next sheets, or close the archive; False if nothing is left to do or to say."""
    known = Export.objects.filter(pk=export_id, state=Export.State.BUILDING)
    user_id = known.values_list("user_id", flat=True).first()
    if user_id is None:
        return False
    last = ExportPart.objects.filter(export_id=export_id).order_by("-number")
    number, behind = last.values_list("number", "last").first() or (0, 0)
    next_ones = _sheets_of(user_id, behind).values_list(FIRST, "pk")
    firsts = dict(next_ones.order_by(FIRST)[:A_PART])
    if not firsts:
        _close(export_id, number, heading, beside(user_id))
        return False
    read = ledger.read_sheets(list(firsts.values()))
    packed = _packed([write(read[sheet_id]) for sheet_id in firsts.values() if sheet_id in read])
    with transaction.atomic():
        export = _locked(export_id)
        if export is None or _parts(export_id) != number:
            return False  # somebody else is at it
        ExportPart.objects.create(
            export=export, number=number + 1, last=max(firsts), archive=packed
        )
        export.done += len(firsts)
        export.total = max(export.total, export.done)
        export.moved_at = timezone.now()
        export.save(update_fields=["done", "total", "moved_at"])
    return True


def _sheets_of(user_id: int, behind: int = 0) -> QuerySet[ScoreSheet]:
    """The latest edition of every sheet somebody sat at or kept, by the first edition.

    So a game that is corrected meanwhile is in the archive once.
    """
    seats = SheetSeat.objects.filter(user_id=user_id)
    mine = Q(pk__in=seats.values("sheet_id")) | Q(keeper_id=user_id)
    current = ScoreSheet.objects.filter(mine, replaced_by=None)
    return current.filter(GreaterThan(FIRST, behind))


def _locked(export_id: int) -> Export | None:
    """The export while it is being built, without its bytes."""
    building = Export.objects.filter(pk=export_id, state=Export.State.BUILDING)
    return building.select_for_update().defer("archive").first()


def _parts(export_id: int) -> int:
    return ExportPart.objects.filter(export_id=export_id).count()


def _packed(sheets: Sequence[Written]) -> bytes:
    """A part: the files of some sheets, and their rows of the index."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as part:
        for sheet in sheets:
            for name, text in sheet.files.items():
                part.writestr(_entry(name, sheet.at), text)
        part.writestr(ROWS, json.dumps([sheet.row for sheet in sheets]))
    return packed.getvalue()


def _entry(name: str, at: datetime) -> zipfile.ZipInfo:
    """A file in an archive, with the time of its game; a zip knows none before 1980."""
    entry = zipfile.ZipInfo(name, max(at, OLDEST_IN_A_ZIP).timetuple()[:6])
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _close(
    export_id: int, parts: int, heading: Sequence[str], beside: Mapping[str, str]
) -> None:
    """Make the archive of its parts, which go, and of what goes along with them."""
    whole = io.BytesIO()
    index = io.StringIO()
    rows = csv.writer(index)
    rows.writerow(heading)
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in _opened(export_id):
            rows.writerows(json.loads(part.read(ROWS)))
            for entry in part.infolist():
                if entry.filename != ROWS:
                    archive.writestr(_renewed(entry), part.read(entry))
        archive.writestr(_entry("index.csv", timezone.now()), "\ufeff" + index.getvalue())
        for name, text in beside.items():
            archive.writestr(_entry(name, timezone.now()), text)
    with transaction.atomic():
        export = _locked(export_id)
        if export is None or _parts(export_id) != parts:
            return
        export.state, export.archive = Export.State.READY, whole.getvalue()
        export.moved_at = timezone.now()
        export.save(update_fields=["state", "archive", "moved_at"])
        ExportPart.objects.filter(export_id=export_id).delete()


def _opened(export_id: int) -> Iterator[zipfile.ZipFile]:
    parts = ExportPart.objects.filter(export_id=export_id).order_by("number")
    for packed in parts.values_list("archive", flat=True).iterator(chunk_size=1):
        with zipfile.ZipFile(io.BytesIO(bytes(packed))) as part:
            yield part


def _renewed(entry: zipfile.ZipInfo) -> zipfile.ZipInfo:
    """The same file for another archive."""
    again = zipfile.ZipInfo(entry.filename, entry.date_time)
    again.compress_type = zipfile.ZIP_DEFLATED
    return again
