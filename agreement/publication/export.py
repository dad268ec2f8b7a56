"""Export: a project in any of the formats, written to a temporary path and then moved into place in one step."""

from __future__ import annotations

import json
import math
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import override

from agreement.publication.card import Tally, Terms, card_text, published_figures, published_reports
from agreement.publication.splits import Splits, assign
from agreement.selectors import gold_newest
from annotation.errors import Conflict, Invalid
from annotation.formats import export_formats, hub
from annotation.formats.base import Dataset, Format
from annotation.formats.record import FormatError, PairRecord
from annotation.models import Guideline, Project
from annotation.selectors.records import own_names, pair_records, published_aliases, published_names
from annotation.snapshot import snapshot
from annotation.temporary import LOCK, leftovers_remove, temporary_folder

STAGING = ".export-"
KEPT = Splits()
FIGURES = "agreement.json"
SHIPPED = Path(__file__).with_name("shipped")
"""What goes into every dataset as it is."""


def export(
    *,
    project: Project,
    to: str,
    out: Path,
    terms: Terms | None = None,
    gold: int | None = None,
    splits: Splits = KEPT,
    progress: Callable[[int], None] | None = None,
) -> list[Path]:
    """Write a project to `out` in the format `to`, with gold of a version (None: the newest); returns the files.

    `splits` are drawn for this export; the project's own stay as they are. `progress` is called with the number of
    pairs written so far. Raises Invalid for an unknown format and for a scheme that the format doesn't support,
    Conflict if `out` contains something else; then nothing is left behind.
    """
    chosen = export_format(to)
    scheme = project.labels
    _free(out, chosen)
    out.parent.mkdir(parents=True, exist_ok=True)
    leftovers_remove(STAGING, out.parent, unlocked=math.inf)
    with temporary_folder(STAGING, out.parent) as staging, snapshot():
        inside = staging / out.name
        gold = gold_newest(project) if gold is None else gold
        names = own_names(project) if chosen.whole else published_names(project)
        found = pair_records(project, gold=gold, names=names, submitted_only=not chosen.whole)
        records = _counted(_in_splits(found, assign(project, splits)), progress)
        try:
            if chosen.dataset:
                written = _dataset(chosen.dataset, project, records, inside, gold, terms or Terms(), splits)
            else:
                written = chosen.write(records, scheme, inside)
        except FormatError as error:
            raise Invalid(str(error), where=project.slug, hint=_("Choose another format.")) from error
        if out.is_dir():
            shutil.rmtree(out)
        for made in (path for path in staging.iterdir() if path.name != LOCK):
            made.replace(out.parent / made.name)
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
) -> list[Path]:
    scheme = project.labels
    tally = Tally(scheme)
    guidelines = dict(Guideline.objects.filter(project=project).values_list("version", "text"))
    written = dataset.write(map(tally.see, records), scheme, out, guidelines)
    front = dataset.front(out, project.name, terms.licence)
    with override("en"):
        reports = published_reports(project, published_aliases(project))
        text = card_text(project, tally=tally, gold=gold, reports=reports, terms=terms, splits=splits, front=front)
    (out / "README.md").write_text(text, encoding="utf-8")
    figures = {"phases": {report.phase: published_figures(report) for report in reports}}
    (out / FIGURES).write_text(json.dumps(figures, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    shipped = [Path(shutil.copyfile(path, out / path.name)) for path in sorted(SHIPPED.glob("*.py"))]
    return [*written, out / FIGURES, *shipped]


def _in_splits(records: Iterator[PairRecord], splits: Mapping[str, str]) -> Iterator[PairRecord]:
    for record in records:
        record.split = splits.get(record.id, record.split)
        yield record


def _counted(records: Iterator[PairRecord], progress: Callable[[int], None] | None) -> Iterator[PairRecord]:
    for number, record in enumerate(records, 1):
        yield record
        if progress is not None and number % 100 == 0:
            progress(number)


def _free(out: Path, chosen: Format) -> None:
    """Raises Conflict if `out` contains anything but an earlier export of the same kind."""
    free = not os.path.lexists(out) or (out.is_dir() and not any(out.iterdir()))
    earlier = out.is_file() if chosen.ending else bool(chosen.marker) and (out / chosen.marker).is_file()
    if out.is_symlink() or (not free and not earlier):
        raise Conflict(_("%(out)s already exists.") % {"out": out}, where="OUT", hint=_("Choose another location."))


def push(*, folder: Path, repository: str, token: str) -> str:
    """Push an exported dataset folder to the hub as the private dataset `repository`; returns its URL.

    Raises Invalid if the folder is not a dataset, the token is missing or the hub refuses.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

    if not (folder / hub.ABOUT).is_file():
        raise Invalid(_("Only a dataset folder (--to hub) can be pushed to a hub."), where=str(folder))
    if not token:
        raise Invalid(_("A token is needed to push a dataset to a hub."), where="HF_TOKEN", hint=_("Set HF_TOKEN."))
    try:
        api = HfApi(token=token)
        address = api.create_repo(repository, repo_type="dataset", private=True, exist_ok=True)
        api.upload_folder(repo_id=repository, repo_type="dataset", folder_path=folder)
    except (HfHubHTTPError, ValueError, OSError) as error:
        raise Invalid(str(error), where=repository, hint=_("No changes were made.")) from error
    return str(address)
