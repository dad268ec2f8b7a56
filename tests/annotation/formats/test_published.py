"""The published files give exactly the published counts."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from annotation.formats import rsd, swissgov, xparade
from annotation.formats.record import PairRecord
from annotation.formats.swissgov.folder import FOLDERS
from annotation.formats.xparade import writer as xparade_writer
from annotation.text.schemes import SIDES
from annotation.text.spans import covered_indices
from tests.paths import published

pytestmark = pytest.mark.data


@pytest.mark.parametrize(
    ("direction", "tokens", "labels"),
    [
        ("en-es", {"dev": 8565, "test": 8245}, {"new": (7032, 507), "inferable": (1981, 444)}),
        ("es-en", {"dev": 8933, "test": 8069}, {"new": (8183, 581), "inferable": (1468, 382)}),
    ],
)
def test_xparade(direction: str, tokens: dict[str, int], labels: dict[str, tuple[int, int]]) -> None:
    folder = published("xparade", "complete_data_es")
    parsed = xparade.read(sorted(folder.glob(f"{direction}-adj-*.json")), {})
    assert Counter(record.split for record in parsed.records) == {"dev": 93, "test": 93}
    found = Counter[str]()
    marked, spans = Counter[str](), Counter[str]()
    for record in parsed.records:
        found[record.split] += len(record.b.tokens or [])
        for span in record.gold or []:
            spans[span.label] += 1
            marked[span.label] += len(covered_indices(span.on("b"), record.b.tokens or []))
    assert found == tokens
    assert {label: (marked[label], spans[label]) for label in spans} == labels


@pytest.mark.parametrize("folder", ["complete_data_es", "complete_data_hi", "complete_data_zh"])
def test_xparade_is_written_as_it_was_published(folder: str, tmp_path: Path) -> None:
    for path in sorted(published("xparade", folder).glob("*.json")):
        parsed = xparade.read([path], {})
        (written,) = xparade_writer.write(parsed.records, parsed.scheme, tmp_path / path.stem)
        assert written.name == path.name
        assert json.loads(written.read_text()) == json.loads(path.read_text())


@pytest.mark.parametrize(
    ("phase", "documents", "used", "spans", "tokens"),
    [("main", 25, 21, [348, 75], [2543, 839]), ("trial", 3, 3, [89, 51], [430, 589])],
)
def test_swissgov(phase: str, documents: int, used: int, spans: list[int], tokens: list[int]) -> None:
    parsed = swissgov.read([published("swissgov")], {"language": "de", "phase": phase})
    both = [record for record in parsed.records if len(record.annotations) == 2]
    marked = [record for record in both if all(annotation.spans for annotation in record.annotations)]
    assert (len(both), len(marked)) == (documents, used)
    assert [sum(len(record.annotations[person].spans) for record in marked) for person in (0, 1)] == spans
    assert [sum(tokens_marked(record, person) for record in marked) for person in (0, 1)] == tokens


def tokens_marked(record: PairRecord, person: int) -> int:
    grids = {"a": record.a.tokens or [], "b": record.b.tokens or []}
    return sum(
        len(covered_indices(span.on(side), grids[side])) for span in record.annotations[person].spans for side in SIDES
    )


def test_swissgov_pages_contain_every_annotated_word_verbatim() -> None:
    parsed = swissgov.read([published("swissgov")], {"language": "de"})
    assert parsed.warnings == {"empty files (the annotator marked nothing)": 24}


def test_swissgov_is_written_as_it_was_published(tmp_path: Path) -> None:
    source = published("swissgov")
    for phase, folder in FOLDERS.items():
        parsed = swissgov.read([source], {"phase": phase})
        swissgov.write(parsed.records, parsed.scheme, tmp_path)
        for path in sorted((source / folder).rglob("*.jsonl")):
            written = tmp_path / path.relative_to(source)
            assert written.is_file(), path.name
            for mine, theirs in zip(lines(written), lines(path), strict=True):
                for key in ("text1", "text2", "text1_positions", "text2_positions"):
                    assert sorted(mine[key]) == sorted(theirs[key])
                assert (mine["score"], mine["pair"]) == (theirs["score"], theirs["pair"])


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_rsd_gold(tmp_path: Path) -> None:
    path = published("swissgov", "gold_labels", "gold_admin_de.jsonl")
    parsed = rsd.read([path], {})
    assert len(parsed.records) == 224
    rsd.write(parsed.records, parsed.scheme, tmp_path / "out.jsonl")
    values = Counter[float]()
    for mine, theirs in zip(lines(tmp_path / "out.jsonl"), lines(path), strict=True):
        assert {key: mine[key] for key in theirs} == theirs
        values.update([*mine["labels_a"], *mine["labels_b"]])
    assert values == {-1: 23409, 0: 132773, 0.2: 988, 0.4: 4099, 0.6: 4416, 0.8: 1766, 1: 5592}
    assert sum(values.values()) == 173043


def test_ists(tmp_path: Path) -> None:
    path = published("ists", "gold_en.jsonl")
    parsed = rsd.read([path], {})
    assert Counter(record.metadata["subset"] for record in parsed.records) == {
        "ists": 100,
        "ists_negatives": 100,
        "ists_documents": 100,
        "ists_permutations": 100,
    }
    rsd.write(parsed.records, parsed.scheme, tmp_path / "out.jsonl")
    for mine, theirs in zip(lines(tmp_path / "out.jsonl"), lines(path), strict=True):
        assert {key: mine[key] for key in theirs} == theirs
