"""Reproduces two papers from their published files by import, agreement and adjudication, next to the printed numbers.

Printed values: X-PARADE (Rodriguez, Erk, Durrett 2024), tables 2, 3 and 5; SwissGov-RSD (Wastl, Vamvas, Sennrich 2025),
tables 2 and 6. Four cells of the latter result from a mistake in the authors' script, which pairs the labels of exact
matches by their order in the file: `MISPRINTS` has their values with labels paired by span.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.utils import load_backend

from agreement.gold.services.versions import gold_create
from agreement.report.project_report import agreement_report
from agreement.selectors import gold_annotations
from annotation.errors import Invalid
from annotation.formats import swissgov, xparade
from annotation.formats.swissgov.folder import FOLDERS, annotator_folders
from annotation.models import Pair, Phase, Project
from annotation.selectors.annotations import IMPORTED
from annotation.services.imports import import_files
from annotation.text.spans import covered_indices

Numbers = Mapping[str, float]
XPARADE: dict[str, Numbers] = {
    "EN-ES": {
        "alpha": 0.657, "macro F1": 62.5, "macro F1, sd": 2.9,
        "F1 of new": 84.5, "F1 of new, sd": 1.4, "F1 of inferable": 17.4, "F1 of inferable, sd": 6.9,
        "tokens same": 7797, "tokens new": 7032, "tokens inferable": 1981,
        "spans same": 791, "spans new": 507, "spans inferable": 444,
    },
    "ES-EN": {
        "alpha": 0.693, "macro F1": 63.4, "macro F1, sd": 3.4,
        "F1 of new": 86.9, "F1 of new, sd": 1.1, "F1 of inferable": 17.4, "F1 of inferable, sd": 8.3,
        "tokens same": 7351, "tokens new": 8183, "tokens inferable": 1468,
        "spans same": 776, "spans new": 581, "spans inferable": 382,
    },
}  # fmt: skip
SWISSGOV: dict[str, Numbers] = {
    "EN-DE, main": {
        "spans, first annotator": 348, "spans, second annotator": 75,
        "tokens, first annotator": 2543, "tokens, second annotator": 839,
        "IoU, English": 11.17, "IoU, other": 10.22, "F1, English": 18.09, "F1, other": 17.22,
        "matched at 50": 23, "matched at 75": 14, "matched at 90": 8, "matched exactly": 7,
        "Spearman at 50": 66.16, "Spearman at 75": 74.80, "Spearman at 90": 77.93, "Spearman, exact": 83.17,
    },
    "EN-DE, trial": {
        "spans, first annotator": 89, "spans, second annotator": 51,
        "tokens, first annotator": 430, "tokens, second annotator": 589,
        "IoU, English": 23.02, "IoU, other": 16.63, "F1, English": 36.64, "F1, other": 27.99,
        "matched at 50": 17, "matched at 75": 8, "matched at 90": 6, "matched exactly": 6,
        "Spearman at 50": 40.45, "Spearman at 75": 48.30, "Spearman at 90": 3.33, "Spearman, exact": 3.33,
    },
    "EN-FR, main": {"matched exactly": 23, "Spearman, exact": 91.09},
    "EN-IT, main": {"Spearman, exact": 82.76},
    "EN-IT, trial": {"Spearman, exact": 52.64},
}  # fmt: skip
MISPRINTS: dict[str, Numbers] = {
    "EN-FR, main": {"matched exactly": 25, "Spearman, exact": 98.75},
    "EN-IT, main": {"Spearman, exact": 91.70},
    "EN-IT, trial": {"Spearman, exact": 47.52},
}
_DIRECTION = re.compile(r"^([a-z]{2})-([a-z]{2})[-.]")


@dataclass(frozen=True, slots=True)
class ReproducedNumber:
    """One number of a paper: `ours` rounded as printed, and the one `printed` (None: not printed as far as we know).

    `corrected` is the printed value without the authors' mistake, if there is one.
    """

    data: str
    name: str
    ours: float | None
    printed: float | None = None
    corrected: float | None = None

    @property
    def same(self) -> bool | None:
        """Whether ours is the printed value, or the corrected one if that is a mistake; None if none is known."""
        expected = self.printed if self.corrected is None else self.corrected
        return None if expected is None else self.ours == expected

    @property
    def remark(self) -> str:
        if self.same is None:
            return "not printed, or not known here"
        if self.corrected is not None:
            return f"printed by mistake; paired by span {self.corrected:g}: {'same' if self.same else 'DIFFERS'}"
        return "same" if self.same else "DIFFERS"


def reproduce(data: str, path: Path) -> list[ReproducedNumber]:
    """Every number of 'xparade' or 'swissgov' from the files at `path`, computed in a database of its own.

    Raises Invalid (such as ImportRefused) if the files are missing or cannot be read.
    """
    with _database_in_memory(), transaction.atomic():
        cells = list(_xparade(path) if data == "xparade" else _swissgov(path))
        # What a commit would do is for the site: workers have nothing to do here.
        transaction.set_rollback(True)
    return cells


@contextmanager
def _database_in_memory() -> Iterator[None]:
    """Within the block this thread uses an empty database; in the site's own, everyone's saves would have to wait."""
    site = connections[DEFAULT_DB_ALIAS]
    engine = "config.sqlite3"
    configuration = {**site.settings_dict, "ENGINE": engine, "NAME": ":memory:", "OPTIONS": settings.SQLITE}
    connections[DEFAULT_DB_ALIAS] = load_backend(engine).DatabaseWrapper(configuration, DEFAULT_DB_ALIAS)
    ContentType.objects.clear_cache()
    try:
        call_command("migrate", verbosity=0)
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = site
        ContentType.objects.clear_cache()


def _xparade(path: Path) -> Iterator[ReproducedNumber]:
    directions: dict[str, list[Path]] = {}
    for file in sorted(path.rglob("*.json")) if path.is_dir() else [path]:
        if match := _DIRECTION.match(file.name):
            directions.setdefault("-".join(match.groups()), []).append(file)
    if not directions:
        raise Invalid("it contains no file of X-PARADE (such as en-es-adj-dev.json)", where=str(path))
    for direction, files in sorted(directions.items()):
        name = direction.upper()
        project = _import_project(f"reproduce {name}", files, xparade.FORMAT.name, {})
        report = agreement_report(project, resamples=1).to_json()
        outcome = gold_create(project=project, rule="xparade", phase=Phase.MAIN)
        ours: dict[str, float | None] = {
            "alpha": _round(report["alpha"]["nominal"], 3),
            **_spread("macro F1", report["macro_f1"]),
            **_spread("F1 of new", report["label_f1"]["new"]),
            **_spread("F1 of inferable", report["label_f1"]["inferable"]),
            **{f"tokens {label}": count for label, count in outcome.tokens.items()},
            **{f"spans {label}": count for label, count in outcome.spans.items()},
        }
        yield from _cells(name, ours, XPARADE, {})
        if outcome.version is not None:
            wrong = _differing(project, outcome.version.number)
            yield ReproducedNumber(name, "tokens whose adjudicated label is not the released one", wrong, 0)


def _spread(name: str, value: Mapping[str, float | None]) -> dict[str, float | None]:
    return {name: _percent(value["mean"], 1), f"{name}, sd": _percent(value["sd"], 1)}


def _differing(project: Project, number: int) -> int:
    """The number of tokens on which the imported gold and version `number` differ."""
    versions = [
        {annotation.pair_id: annotation.parsed_spans for annotation in gold_annotations(project, each)}
        for each in (IMPORTED, number)
    ]
    wrong = 0
    for pair in Pair.objects.filter(project=project).select_related("b"):
        labels = [
            {token: span.label for span in spans[pair.pk] for token in covered_indices(span.on("b"), pair.b.tokens)}
            for spans in versions
            if pair.pk in spans
        ]
        if len(labels) == 2:
            wrong += sum(labels[0].get(token) != labels[1].get(token) for token in range(len(pair.b.tokens)))
        else:
            wrong += len(pair.b.tokens)
    return wrong


def _swissgov(path: Path) -> Iterator[ReproducedNumber]:
    root = path if any((path / folder).is_dir() for folder in FOLDERS.values()) else path / "annotations"
    has_files = False
    for phase, folder in FOLDERS.items():
        people = annotator_folders(root / folder)
        for language in sorted({item.name for person in people for item in person.iterdir() if item.is_dir()}):
            has_files = True
            name = f"EN-{language.upper()}, {phase}"
            options = {"language": language, "phase": phase}
            project = _import_project(f"reproduce {name}", [root], swissgov.FORMAT.name, options)
            report = agreement_report(project, phase=phase, resamples=1).to_json()
            yield from _cells(name, _swissgov_numbers(report), SWISSGOV, MISPRINTS)
    if not has_files:
        raise Invalid("it contains neither annotations_raw nor annotations_trial", where=str(path))


def _swissgov_numbers(report: Mapping[str, Any]) -> dict[str, float | None]:
    ours: dict[str, float | None] = {"documents": report["documents"], "documents left out": report["left_out"]}
    for ordinal, counts in zip(("first", "second"), report["annotators"].values(), strict=False):
        ours[f"spans, {ordinal} annotator"] = counts["spans"]
        ours[f"tokens, {ordinal} annotator"] = counts["tokens"]
    for measure, title in (("iou", "IoU"), ("f1", "F1")):
        for side, name in (("a", "English"), ("b", "other")):
            ours[f"{title}, {name}"] = _percent(report["sides"][side][measure], 2)
    for at in ("50", "75", "90"):
        ours[f"matched at {at}"] = report["fuzzy"][at]["count"]
        ours[f"Spearman at {at}"] = _percent(report["fuzzy"][at]["spearman"], 2)
    ours["matched exactly"] = report["exact"]["count"]
    ours["Spearman, exact"] = _percent(report["exact"]["spearman"], 2)
    return ours


def _import_project(name: str, paths: list[Path], format: str, options: dict[str, str]) -> Project:
    report = import_files(slug=name, paths=paths, format=format, options=options)
    return Project.objects.get(slug=report.project)


def _cells(
    data: str, ours: Mapping[str, float | None], printed: Mapping[str, Numbers], slips: Mapping[str, Numbers]
) -> Iterator[ReproducedNumber]:
    figures, corrected = printed.get(data, {}), slips.get(data, {})
    for name, value in ours.items():
        yield ReproducedNumber(data, name, value, figures.get(name), corrected.get(name))


def _round(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def _percent(value: float | None, digits: int) -> float | None:
    return None if value is None else round(100 * value, digits)
