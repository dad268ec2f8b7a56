"""Exports stream: what they hold does not grow with the project, and of a dataset only counts of each document, from
which its card's figures are computed. `benchmarks/exports.py` measures large ones.
"""

from __future__ import annotations

import gc
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest

from agreement.data import annotation_arrays
from agreement.data.annotation_arrays import collection_blocks, collection_of
from agreement.metrics import alpha, bootstrap
from agreement.publication.export import export
from agreement.report.compute import document_counting, document_counts
from annotation.formats import dataset_formats, export_formats
from annotation.formats.hub import writer
from annotation.models import Annotation, Annotator, Assignment, Pair, Project, Revision, Source, Text
from annotation.services.project_archive.check import read_manifest
from annotation.services.texts import text_digest
from tests.factories import ProjectFactory

pytestmark = pytest.mark.django_db
PAIRS = 700
LENGTH = 10_000
MAX_PEAK_BYTES = 10 * 2**20
FEW, MANY = 400, 800
BYTES_A_PAIR = 5_000


@pytest.fixture
def project() -> Project:
    """Texts of 14 MB; a batch of 200 pairs, which an export may hold, has 4 MB."""
    made: Project = ProjectFactory(slug="long")
    person = Annotator.objects.create(project=made, alias="1")
    content = [f"word{number:08}".ljust(LENGTH, "x") for number in range(2 * PAIRS)]
    tokens = [[0, 4]]
    texts = Text.objects.bulk_create(
        Text(
            language="en",
            content=each,
            tokens=tokens,
            sentences=[],
            paragraphs=[[0, len(each)]],
            tokenizer="given",
            splitter="none",
            digest=text_digest("en", each, [(0, 4)]),
        )
        for each in content
    )
    pairs = Pair.objects.bulk_create(
        Pair(project=made, a=texts[2 * index], b=texts[2 * index + 1], external_id=f"p{index}", position=index)
        for index in range(PAIRS)
    )
    assigned = Assignment.objects.bulk_create(
        Assignment(pair=pair, annotator=person, order=pair.position, status="done") for pair in pairs
    )
    work = Annotation.objects.bulk_create(
        Annotation(source="human", pair=each.pair, assignment=each, revision=1, verdict="submitted")
        for each in assigned
    )
    Revision.objects.bulk_create(Revision(annotation=each, number=1, spans=each.spans) for each in work)
    return made


@pytest.mark.long
@pytest.mark.takes(2)
@pytest.mark.parametrize(
    "to",
    [
        # All but the archive read rows by one selector, so one of them is enough on a second database.
        pytest.param(name, marks=() if name in ("archive", "jsonl") else pytest.mark.any_database)
        for name in sorted(export_formats().keys() - dataset_formats().keys())
    ],
)
def test_an_export_holds_a_few_pairs_at_a_time(project: Project, tmp_path: Path, to: str) -> None:
    told: list[int] = []

    def peak_of(attempt: str) -> int:
        told.clear()
        tracemalloc.start()
        try:
            export(project=project, to=to, out=tmp_path / f"{attempt}-{to}", on_progress=told.append)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    # Python's table of interned strings, which has the names of all paths, doubles now and then: once at most in two.
    peak = peak_of("first")
    if peak >= MAX_PEAK_BYTES:
        peak = min(peak, peak_of("second"))
    assert peak < MAX_PEAK_BYTES, f"{peak / 2**20:.1f} MB"
    assert told == sorted(told) and told and told[-1] <= PAIRS, "progress is told"


@pytest.mark.any_database
def test_the_limit_is_what_holding_everything_would_exceed(project: Project) -> None:
    tracemalloc.start()
    held = list(Text.objects.values_list("content", flat=True))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(held) == 2 * PAIRS and peak > MAX_PEAK_BYTES


def test_a_project_that_can_be_archived_is_read_again(project: Project, tmp_path: Path) -> None:
    """The manifest's numbers are those of the rows."""
    export(project=project, to="archive", out=tmp_path / "long.zip")
    with zipfile.ZipFile(tmp_path / "long.zip") as packed:
        packed.extractall(tmp_path / "unpacked")
    found = read_manifest(tmp_path / "unpacked").tables
    assert (found["annotation.text"].rows, found["annotation.pair"].rows) == (2 * PAIRS, PAIRS)


def annotated(slug: str, size: int) -> Project:
    """Pairs of two short texts, each with the work of three people, and gold."""
    made: Project = ProjectFactory(slug=slug)
    people = [Annotator.objects.create(project=made, alias=str(number)) for number in range(3)]
    words = [[start, start + 4] for start in range(0, 200, 5)]
    texts = Text.objects.bulk_create(
        Text(
            language="de" if number % 2 else "en",
            content=(content := f"{slug}{number:06}".ljust(200, "x")),
            tokens=words,
            sentences=[[0, 200]],
            paragraphs=[[0, 200]],
            tokenizer="given",
            splitter="none",
            digest=text_digest("en", content, [(0, 4)]),
        )
        for number in range(2 * size)
    )
    pairs = Pair.objects.bulk_create(
        Pair(project=made, a=texts[2 * index], b=texts[2 * index + 1], external_id=f"p{index}", position=index)
        for index in range(size)
    )
    assigned = Assignment.objects.bulk_create(
        Assignment(pair=pair, annotator=person, order=pair.position, status="done")
        for pair in pairs
        for person in people
    )

    def spans(seed: int) -> dict[str, Any]:
        fragments = [
            {"side": side, "start": words[(seed * 7 + index) % 40][0], "end": words[(seed * 7 + index) % 40][1]}
            for index, side in enumerate("ab")
        ]
        return {"v": 1, "spans": [{"id": "s", "label": str(seed % 5 + 1), "origin": "manual", "fragments": fragments}]}

    Annotation.objects.bulk_create(
        Annotation(source="human", pair=each.pair, assignment=each, revision=1, verdict="submitted", spans=spans(seed))
        for seed, each in enumerate(assigned)
    )
    Annotation.objects.bulk_create(
        Annotation(source="gold", pair=pair, gold_version=0, verdict="submitted", spans=spans(seed))
        for seed, pair in enumerate(pairs)
    )
    return made


@pytest.mark.any_database
@pytest.mark.long
@pytest.mark.takes(24)
def test_a_dataset_with_its_card_holds_counts_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The krippendorff package gets the tokens of small projects, for which it takes up to 60 MB.
    for module in (alpha, document_counting, document_counts):
        monkeypatch.setattr(module, "PACKAGE_UNITS", 100)
    monkeypatch.setattr(annotation_arrays, "BLOCK", 50)
    monkeypatch.setattr(bootstrap, "PART", 100)
    monkeypatch.setattr(writer, "ROWS", 100)
    export(project=annotated("first", 3), to="hub", out=tmp_path / "first")  # libraries are loaded once

    def peak_of(slug: str, size: int) -> int:
        made, told = annotated(slug, size), list[int]()
        gc.collect()
        tracemalloc.start()
        try:
            export(project=made, to="hub", out=tmp_path / slug, on_progress=told.append)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert told == sorted(told) and {size // 3, 2 * size // 3} <= set(told) and 2 * size // 3 < told[-1] <= size
        assert "Agreement, main phase" in (tmp_path / slug / "README.md").read_text(encoding="utf-8")
        return peak

    few, many = peak_of("few", FEW), peak_of("many", MANY)
    assert (many - few) / (MANY - FEW) < BYTES_A_PAIR, f"{few / 2**20:.1f} and {many / 2**20:.1f} MB"


@pytest.mark.any_database
def test_the_same_work_held_at_once_would_exceed_that() -> None:
    made = annotated("held", FEW)
    tracemalloc.start()
    held = collection_of(made, source=Source.HUMAN, phase="main")
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(held.documents) == FEW and size / FEW > 2 * BYTES_A_PAIR


@pytest.mark.long
@pytest.mark.takes(6)
def test_what_was_read_of_a_block_is_freed_before_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """An annotation and its assignment know each other, so that only the garbage collector frees them."""
    monkeypatch.setattr(annotation_arrays, "BLOCK", 2)
    made = annotated("freed", 8)
    gc.collect()
    for block in collection_blocks(made, source=Source.HUMAN, phase="main"):
        there = sum(type(each) is Annotation for each in gc.get_objects())
        assert there <= 3 * len(block.documents)


def test_a_dataset_can_be_cancelled_while_its_figures_are_computed(tmp_path: Path) -> None:
    class Cancelled(Exception):
        pass

    told: list[int] = []

    def on_progress(done: int) -> None:
        told.append(done)
        if done > 15:  # of 30: they have been read, and about half of the draws have been made
            raise Cancelled

    with pytest.raises(Cancelled):
        export(project=annotated("cancelled", 30), to="hub", out=tmp_path / "out", on_progress=on_progress)
    assert list(tmp_path.iterdir()) == []
    assert told.count(10) > 50, "asked many times in a step, not between steps alone"
