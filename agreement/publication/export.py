"""Export: a project in any of the formats, written to a temporary path and then moved into place in one step."""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override

from agreement.publication.card import (
    Content,
    DatasetCounts,
    Terms,
    card_metadata,
    card_text,
    has_figures,
    published_figures,
    published_reports,
)
from agreement.publication.facts import CardFacts, check_description, check_licence, facts_of
from agreement.publication.splits import Splits, assign
from agreement.selectors import NEWEST_GOLD, gold_newest, gold_withheld, withdrawals
from annotation.consistent_reads import snapshot
from annotation.errors import Conflict, Invalid
from annotation.formats import export_formats
from annotation.formats.base import Dataset, Format, Omitted
from annotation.formats.record import FormatError, PairRecord
from annotation.formats.safe_paths import files_inside
from annotation.models import Guideline, Pair, Project
from annotation.progress import OnAdvance, OnDone, ignore_progress
from annotation.selectors.export_records import pair_records, project_aliases, published_aliases, published_names
from annotation.services.project_archive.write import project_archive_write
from annotation.services.public_names import public_names_keep
from annotation.temporary_folders import LOCK, leftovers_remove, temporary_folder
from annotation.text.schemes import Scheme

STAGING = ".export-"
KEEP_SPLITS = Splits()
CARD = "README.md"
FIGURES = "agreement.json"
SHIPPED = Path(__file__).with_name("shipped")
"""What goes into every dataset as it is."""


def check_scheme(chosen: Format, project: Project) -> None:
    """Raises Invalid if a format can't hold the labels of the project's scheme."""
    try:
        chosen.check_scheme(project.labels)
    except FormatError as error:
        raise _scheme_refusal(project, error) from error


def _scheme_refusal(project: Project, error: FormatError) -> Invalid:
    return Invalid(str(error), where=project.slug, hint=_("Choose another format."))


def check_splits(chosen: Format, splits: Splits) -> None:
    """Raises Invalid for splits that a format can't have."""
    if chosen.project and splits.shares:
        raise Invalid(_("An archive keeps the splits that pairs have."), where="splits")


def export(
    *,
    project: Project,
    to: str,
    out: Path,
    terms: Terms | None = None,
    gold: int | None = NEWEST_GOLD,
    splits: Splits = KEEP_SPLITS,
    facts: CardFacts | None = None,
    on_progress: OnDone | None = None,
    omitted: Counter[str] | None = None,
    named: bool = False,
) -> list[Path]:
    """Write a project to `out` in the format `to`, with the gold of a version; returns the files.

    `gold` is a version's number, or None for no gold. `facts` are stated on a dataset's card instead of the project's
    own. `splits` are drawn for this export; the project's own stay as they are. `on_progress` gets the number of pairs
    written so far; for a dataset's card they are read and computed first, which is two thirds of the work.
    An earlier export in `out` is replaced, and what no export wrote there stays. `omitted` gets what the format
    can't hold; `named`: people in an archive have their own names. Raises Invalid for an unknown format or licence and
    for a scheme that the format doesn't support, Conflict if `out` contains something else; then nothing is left.
    """
    chosen = export_format(to)
    terms = terms or Terms()
    check_licence(terms.licence)
    check_description(terms.description)
    check_splits(chosen, splits)
    if named and not chosen.project:
        raise Invalid(_("Only an archive can contain people's real names."), where="names")
    scheme = project.labels
    _resume(out, chosen)
    _check_replaceable(out, chosen)
    out.parent.mkdir(parents=True, exist_ok=True)
    leftovers_remove(STAGING, out.parent, unlocked=math.inf)
    if not chosen.complete:
        public_names_keep(project)
    with temporary_folder(STAGING, out.parent) as staging, snapshot():
        inside = staging / out.name
        gold = gold_newest(project) if gold == NEWEST_GOLD else gold
        names = consenting_annotators(
            project, project_aliases(project) if chosen.complete else published_names(project)
        )
        withheld = set() if gold is None else gold_withheld(project, gold)
        pairs = pair_records(project, gold=gold, names=names, submitted_only=not chosen.complete, without_gold=withheld)
        on_report: OnAdvance = ignore_progress
        if on_progress is not None and chosen.dataset:
            on_report, on_progress = _split_progress(project, on_progress)
        drawn = assign(project, splits)
        records = _reporting_progress(_with_splits(pairs, drawn), on_progress)
        if omitted is not None and chosen.omitted:
            records = _counting_omissions(records, chosen.omitted, scheme, omitted)
        try:
            if chosen.project:
                written = project_archive_write(project=project, out=inside, names=named, on_progress=on_progress)
            elif chosen.dataset:
                written = _dataset(
                    chosen.dataset, project, records, inside, gold, terms, splits, drawn, facts, on_report
                )
            else:
                written = chosen.write(records, scheme, inside)
        except FormatError as error:
            raise _scheme_refusal(project, error) from error
        for entry in (path for path in staging.iterdir() if path.name != LOCK):
            if entry.is_dir() and out.is_dir() and any(out.iterdir()):
                _replace(out, entry, chosen)
            else:
                entry.replace(out.parent / entry.name)
    return [out.parent / path.relative_to(staging) for path in written]


def export_format(to: str) -> Format:
    """The format with that name. Raises Invalid if there is none that can be exported."""
    formats = export_formats()
    if to not in formats:
        raise Invalid(_("There is no format “%(to)s”.") % {"to": to}, where="format", hint=", ".join(formats))
    return formats[to]


def _dataset(
    dataset: Dataset,
    project: Project,
    records: Iterator[PairRecord],
    out: Path,
    gold: int | None,
    terms: Terms,
    splits: Splits,
    drawn: Mapping[str, str],
    stated: CardFacts | None,
    on_progress: OnAdvance,
) -> list[Path]:
    # First: what the report needs is free again when rows are written.
    with override("en"):
        people = consenting_annotators(project, published_names(project))
        public = {alias: name for alias, name in published_aliases(project).items() if name in people.values()}
        reports = published_reports(project, public, drawn, on_progress)
    scheme = project.labels
    totals = DatasetCounts(scheme)
    guidelines = dict(Guideline.objects.filter(project=project).values_list("version", "text"))
    written = dataset.write(map(totals.count, records), scheme, out, guidelines)
    own, revision = facts_of(project)
    facts = stated or own
    front = dataset.front_matter(out, project.name, terms.licence, card_metadata(scheme, totals, facts))
    with override("en"):
        content = Content(
            project=project,
            totals=totals,
            gold=gold,
            reports=reports,
            terms=terms,
            facts=facts,
            revision=revision if facts == own else 0,
            splits=splits,
            people=people,
            public=public,
            withdrawn=len(withdrawals(project)),
            rows=first_rows(out),
        )
        text = card_text(content, front)
    (out / CARD).write_text(text, encoding="utf-8")
    figures = {"phases": {report.phase: published_figures(report) for report in reports if has_figures(report)}}
    (out / FIGURES).write_text(json.dumps(figures, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    shipped = [Path(shutil.copyfile(path, out / path.name)) for path in sorted(SHIPPED.glob("*.py"))]
    return [*written, out / FIGURES, *shipped]


def consenting_annotators(project: Project, names: Mapping[int, str]) -> dict[int, str]:
    """Those of the annotators who have not withdrawn their consent."""
    gone = withdrawals(project)
    return {pk: name for pk, name in names.items() if pk not in gone}


def content_digest(folder: Path) -> str:
    """SHA-256 of a folder without its card, which has a date: of a line for each file, as `sha256sum` prints it."""
    lines = [f"{_sha256(path)}  {name}\n" for path, name in files_inside(folder) if name != CARD]
    return hashlib.sha256("".join(sorted(lines, key=lambda line: line[66:])).encode()).hexdigest()


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def first_rows(folder: Path) -> dict[str, dict[str, Any]]:
    """The first row of each configuration of a dataset folder."""
    # pyarrow, which only datasets need
    from pyarrow.parquet import ParquetFile

    rows: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob("*/*.parquet")):
        if path.parent.name not in rows:
            with ParquetFile(path) as file:
                batch = next(file.iter_batches(batch_size=1), None)
                if batch is not None:
                    rows[path.parent.name] = batch.to_pylist()[0]
    return rows


def _with_splits(records: Iterator[PairRecord], splits: Mapping[str, str]) -> Iterator[PairRecord]:
    for record in records:
        record.split = splits.get(record.id, record.split)
        yield record


def _reporting_progress(records: Iterator[PairRecord], on_progress: OnDone | None) -> Iterator[PairRecord]:
    for number, record in enumerate(records, 1):
        yield record
        if on_progress is not None and number % 100 == 0:
            on_progress(number)


def _split_progress(project: Project, on_progress: OnDone) -> tuple[OnAdvance, OnDone]:
    """Two callbacks: for documents read and computed for a report, a third of the work each, and for pairs written."""
    total, ahead = Pair.objects.filter(project=project).count(), 0

    def on_report(documents: int) -> None:
        nonlocal ahead
        ahead = min(ahead + documents, 2 * total)
        on_progress(ahead // 3)

    return on_report, lambda written: on_progress((2 * total + written) // 3)


def _counting_omissions(
    records: Iterator[PairRecord], omissions: Omitted, scheme: Scheme, omitted: Counter[str]
) -> Iterator[PairRecord]:
    for record in records:
        omitted.update(omissions(record, scheme))
        yield record


def _replace(out: Path, written: Path, chosen: Format) -> None:
    """Put the folder `written` in the place of an earlier export, with everything in that which no export wrote.

    If this process is killed, the new export is there or the old one; what else was in the folder is in it or in
    `_backup_path`, from where the next export takes it.
    """
    aside = _backup_path(out)
    out.rename(aside)
    try:
        written.rename(out)
    except BaseException:
        aside.rename(out)
        raise
    _merge(aside, out, chosen)


def _backup_path(out: Path) -> Path:
    """Where an earlier export is while another takes its place."""
    return out.with_name(f".before-{out.name}")


def _resume(out: Path, chosen: Format) -> None:
    """Finish what a killed export began."""
    aside = _backup_path(out)
    if not chosen.files or aside.is_symlink() or not aside.is_dir():
        return
    if not os.path.lexists(out):
        aside.rename(out)
    elif (out / chosen.marker).is_file():
        _merge(aside, out, chosen)


def _merge(old: Path, new: Path, chosen: Format, inside: str = "") -> None:
    """Move what no export wrote from the folder `old` to `new`, and remove the rest."""
    for path in sorted(old.iterdir()):
        name, target = inside + path.name, new / path.name
        if path.is_dir() and not path.is_symlink():
            below = (f"{name}/{each.relative_to(path).as_posix()}" for each in path.rglob("*"))
            if target.is_dir() or any(_is_ours(each, chosen) for each in below):
                _merge(path, target, chosen, f"{name}/")
                continue
        elif _is_ours(name, chosen):
            path.unlink()
            continue
        new.mkdir(exist_ok=True)
        path.rename(target)
    old.rmdir()


def _is_ours(name: str, chosen: Format) -> bool:
    """Whether an export writes a file of this name (`folder/file`) into its folder."""
    return bool(chosen.files and chosen.files.fullmatch(name))


def _check_replaceable(out: Path, chosen: Format) -> None:
    """Raises Conflict if `out` contains anything but an earlier export of the same kind."""
    free = not os.path.lexists(out) or (out.is_dir() and not any(out.iterdir()))
    earlier = out.is_file() if chosen.ending else bool(chosen.files) and (out / chosen.marker).is_file()
    if out.is_symlink() or (not free and not earlier):
        raise Conflict(_("%(out)s already exists.") % {"out": out}, where="OUT", hint=_("Choose another location."))
