"""The papers' published data through a project and out again: equal in content, and the papers' numbers come out.

The exported files are read here by code of its own, which knows nothing of the formats' readers.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from itertools import permutations
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import krippendorff
import numpy as np
import pytest

from agreement.publication.export import export
from annotation.formats.omissions import GOLD
from annotation.models import Project
from annotation.services.imports import import_files
from annotation.services.projects import preset
from tests.paths import published

pytestmark = [pytest.mark.any_database, pytest.mark.django_db, pytest.mark.data]
NAMES = ("new information", "new information (inferable)", "connotation difference")
Labels = dict[int, int]


def marks_of(item: dict[str, Any]) -> dict[Any, dict[str, list[int]]]:
    """By annotator: the marked tokens by the published name of their label, without the language tag."""
    return {
        each["annotator_id"]: {name: sorted(set(each["spans"].get(name, ())) - {0}) for name in NAMES}
        for each in item["annotations"]
    }


@pytest.mark.parametrize(
    ("direction", "alpha", "macro"), [("en-es", 0.657, (62.5, 2.9)), ("es-en", 0.693, (63.4, 3.4))]
)
def test_xparade(tmp_path: Path, direction: str, alpha: float, macro: tuple[float, float]) -> None:
    files = sorted(published("xparade", "complete_data_es").glob(f"{direction}-adj-*.json"))
    import_files(slug="parade", paths=files, format="xparade", scheme=preset("xparade-extended"))
    omitted = Counter[str]()
    export(project=Project.objects.get(slug="parade"), to="xparade", out=tmp_path / "out", omitted=omitted)
    assert not omitted, "everything is carried"
    items: list[dict[str, Any]] = []
    for path in files:
        theirs = json.loads(path.read_text("utf-8"))
        written = json.loads((tmp_path / "out" / path.name).read_text("utf-8"))
        for one, other in zip(written, theirs, strict=True):
            assert (one["tokens"], one["text"], one["premise"]) == (other["tokens"], other["text"], other["premise"])
            assert marks_of(one) == marks_of(other)
            assert {name: sorted(found) for name, found in one["labels"].items()} == {
                name: sorted(found) for name, found in other["labels"].items()
            }
        items += written
    assert any(marks["connotation difference"] for item in items for marks in marks_of(item).values())
    found = [labels_of(item) for item in items]
    assert round(nominal_alpha(items, found), 3) == alpha
    figures = pairwise_f1(items, found)
    assert (round(100 * fmean(figures), 1), round(100 * pstdev(figures), 1)) == macro


def labels_of(item: dict[str, Any]) -> dict[Any, Labels]:
    """By annotator: the label of every token (0 same, 1 inferable or connotation, 2 new)."""
    result: dict[Any, Labels] = {}
    for person, marks in marks_of(item).items():
        labels = dict.fromkeys((int(index) for index in item["tokens"] if index != "0"), 0)
        for name, value in zip(reversed(NAMES), (1, 1, 2), strict=True):
            labels |= dict.fromkeys(marks[name], value)
        result[person] = labels
    return result


def nominal_alpha(items: list[dict[str, Any]], found: list[dict[Any, Labels]]) -> float:
    people = sorted({person for labels in found for person in labels})
    rows: list[list[float]] = [[] for _ in people]
    for item, labels in zip(items, found, strict=True):
        for row, person in zip(rows, people, strict=True):
            own = labels.get(person, {})
            row += [own.get(int(index), np.nan) for index in item["tokens"] if index != "0"]
    return float(krippendorff.alpha(np.array(rows), level_of_measurement="nominal"))


def pairwise_f1(items: list[dict[str, Any]], found: list[dict[Any, Labels]]) -> list[float]:
    """Macro F1 of each ordered pair of annotators over all tokens that both saw."""
    people = sorted({person for labels in found for person in labels})
    result = []
    for one, other in permutations(people, 2):
        both = [
            (a[token], b[token])
            for labels in found
            if (a := labels.get(one)) and (b := labels.get(other))
            for token in a
        ]
        if not both:
            continue
        scores = []
        for value in (0, 1, 2):
            hits = sum(1 for a, b in both if a == b == value)
            total = sum(int(a == value) + int(b == value) for a, b in both)
            scores.append(2 * hits / total if total else 0.0)
        result.append(fmean(scores))
    return result


@pytest.mark.long
@pytest.mark.parametrize(("phase", "folder"), [("main", "annotations_raw"), ("trial", "annotations_trial")])
def test_swissgov(tmp_path: Path, phase: str, folder: str) -> None:
    source = published("swissgov")
    import_files(slug="gov", paths=[source], format="swissgov", options={"language": "de", "phase": phase})
    omitted = Counter[str]()
    export(project=Project.objects.get(slug="gov"), to="swissgov", out=tmp_path / "out", omitted=omitted)
    assert not omitted and GOLD.text() not in omitted
    mine, theirs = folder_spans(tmp_path / "out" / folder), folder_spans(source / folder)
    assert mine == theirs
    assert folder_pages(tmp_path / "out" / folder) == folder_pages(source / folder)
    figures = {side: overlap(mine, side) for side in ("text2", "text1")}
    printed = {"main": ((11.17, 18.09), (10.22, 17.22)), "trial": ((23.02, 36.64), (16.63, 27.99))}[phase]
    assert tuple(figures.values()) == printed


Positions = tuple[tuple[int, int], ...]
Spans = dict[tuple[str, str], list[tuple[float, Positions, Positions]]]


def folder_spans(folder: Path) -> Spans:
    """By annotator and document: the score and the positions of every span, in order."""
    result: Spans = {}
    for path in sorted(folder.glob("annotations*/de/*.jsonl")):
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        result[path.parts[-3], path.name] = [
            (line["score"], *(tuple(sorted(map(tuple, line[f"{key}_positions"]))) for key in ("text1", "text2")))
            for line in lines
        ]
    return result


def folder_pages(folder: Path) -> list[tuple[str, str]]:
    """The names of pages, line by line."""
    paths = sorted(folder.glob("annotations*/de/*.jsonl"))
    found = [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]
    return [(line["page_en"], line["page_other"]) for line in found]


def overlap(spans: Spans, side: str) -> tuple[float, float]:
    """Mean IoU and F1 in percent over the documents in which both marked a span."""
    documents: dict[str, list[set[tuple[int, int]]]] = defaultdict(list)
    both = Counter(name for (_, name), found in spans.items() if found)
    for (_, name), found in sorted(spans.items()):
        if both[name] == 2:
            documents[name].append({place for _, one, other in found for place in (one if side == "text1" else other)})
    ious, f1s = [], []
    for one, other in documents.values():
        common, union = len(one & other), len(one | other)
        ious.append(common / union if union else 0.0)
        f1s.append(2 * common / (len(one) + len(other)) if one or other else 0.0)
    return round(100 * fmean(ious), 2), round(100 * fmean(f1s), 2)
