"""Counts that are joined block by block give every figure that all documents at once give, to the last digit."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from agreement.metrics import alpha, classification, overlap, unitizing
from agreement.metrics.arrays import Floats
from agreement.metrics.bootstrap import Estimate, draws, estimate, mean, terms
from agreement.metrics.documents import Collection, marked
from agreement.report.compute import document_counting
from agreement.report.compute import document_counts as counts_module
from agreement.report.compute.document_counting import Counting, counts_of
from agreement.report.compute.document_counts import KINDS, DocumentCounts
from agreement.report.compute.figures import figures, figures_of
from agreement.report.compute.summary_rows import by_column, by_kind_of_span, summary_row
from agreement.report.project_report import used_counts
from tests.agreement.metric_documents import collection, document, work

RESAMPLES = 100


def random_collection(people: int, *, graded: bool = True, documents: int = 40) -> Collection:
    """Documents by one person or more, with overlapping spans on one side or both, units and sentences."""
    draw = random.Random(people)
    names = tuple(f"A{number}" for number in range(people))
    found = []
    for number in range(documents):
        tokens = draw.randint(1, 12), draw.randint(3, 9)

        def codes(length: int) -> str:
            return "".join(draw.choice("000012345" if graded else "0012") for _ in range(length))

        annotations = []
        for person in sorted(draw.sample(range(people), draw.randint(1, people))):
            units = tuple(
                tuple(
                    (start, start + draw.randint(1, 30), draw.randint(1, 2))
                    for start in (draw.randrange(length) for _ in range(draw.randrange(3)))
                )
                for length in tokens
            )
            sides = (codes(tokens[0]), codes(tokens[1])) if draw.random() > 0.2 else ("0" * tokens[0], "0" * tokens[1])
            annotations.append(work(person, sides, linked=draw.random() > 0.5, units=units, seconds=draw.randrange(99)))
        one = document(number, *annotations, split=draw.choice(("dev", "test")))
        object.__setattr__(one, "sentences", tuple(np.sort(np.arange(length) % 3) for length in tokens))
        found.append(one)
    return collection(*found, people=names, graded=graded)


def in_blocks(whole: Collection, size: int) -> DocumentCounts:
    joined = Counting(whole)
    for start in range(0, len(whole.documents), size):
        joined.add(counts_of(whole.of(whole.documents[start : start + size])))
    return joined.all_counts()


@pytest.mark.parametrize(("people", "graded"), [(2, True), (3, True), (6, True), (5, False)])
@pytest.mark.parametrize("size", [1, 7])
def test_figures_of_blocks_are_those_of_the_whole(people: int, graded: bool, size: int) -> None:
    whole = random_collection(people, graded=graded)
    assert figures_of(in_blocks(whole, size), RESAMPLES) == figures(whole, RESAMPLES)


def test_so_are_those_of_more_blocks_than_are_joined_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_counting, "PARTS_PER_JOIN", 3)
    whole = random_collection(3)
    assert figures_of(in_blocks(whole, 2), RESAMPLES) == figures(whole, RESAMPLES)


@pytest.mark.parametrize("people", [3, 6])
def test_rows_of_a_part_are_those_of_its_documents(people: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Point values are the package's for a part with few tokens, although there are too many of them in the whole."""
    whole = random_collection(people)
    counted = [
        sum(d.tokens[0] + d.tokens[1] for d in whole.shared().documents if d.split == s) for s in ("dev", "test")
    ]
    for limit in (min(counted), max(counted), sum(counted) - 1, min(counted) - 1):
        for module in (alpha, document_counting, counts_module):
            monkeypatch.setattr(module, "PACKAGE_UNITS", limit)
        rows = by_column(in_blocks(whole, 4), "split", "split")
        assert [row.name for row in rows] == ["dev", "test"]
        for row in rows:
            own = whole.keep(lambda each, row=row: each.split == row.name)  # type: ignore[misc]
            assert row == summary_row(row.name, own, filters=row.filters)


@pytest.mark.parametrize("people", [3, 5])
def test_rows_of_a_kind_are_those_of_its_spans(people: int) -> None:
    whole = random_collection(people)
    for row in by_kind_of_span(in_blocks(whole, 5)):
        assert row == summary_row(row.name, whole.spans_where(KINDS[row.name]), filters=row.filters)


@pytest.mark.parametrize("people", [2, 3, 6])
def test_figures_are_those_of_a_second_implementation(people: int) -> None:
    """Token by token over arrays of all documents, as the definitions say, each with its own draws."""
    used = random_collection(people).shared()
    found, weights, count = figures(used, RESAMPLES), draws(len(used.documents), RESAMPLES), len(used.documents)
    pooled, labels = used.pooled(), len(used.labels)

    def alphas(codes: Any, values: Floats, owners: Any, distance: alpha.Distance) -> Estimate:
        return estimate(
            alpha.coincidences(codes, owners, len(values), count),
            lambda sums: alpha.alpha_of(sums, values, distance),
            weights,
            value=alpha.alpha(codes, values, distance),
        )

    for distance in alpha.DISTANCES:
        assert found.alpha[distance] == alphas(pooled.codes, used.values, pooled.documents, distance)
        for side, name in enumerate("ab"):
            one = used.pooled(side)
            assert found.side_alpha[name][distance] == alphas(one.codes, used.values, one.documents, distance)
    for side, name in enumerate("ab"):
        rows = []
        for each in used.documents:
            pairs = [overlap.counts(marked(x, side), marked(y, side)) for x, y in combinations(each.annotations, 2)]
            rows.append(mean(terms(overlap.iou(np.stack(pairs))).sum(axis=0)))
        expected = estimate(terms(np.array(rows)), mean, weights)
        assert (found.sides[name]["iou"].value, found.sides[name]["iou"].low) == (expected.value, expected.low)
    confusions = classification.confusions(pooled.codes, pooled.documents, labels, count)
    macro = estimate(confusions, lambda sums: classification.mean_defined(classification.macro_f1_of(sums)), weights)
    assert (found.macro_f1.mean.low, found.macro_f1.mean.high) == (macro.low, macro.high)
    assert found.macro_f1.mean.value == pytest.approx(macro.value)
    assert np.array_equal(found.confusion, confusions.sum(axis=(0, 1)))
    majority = classification.against_majority(pooled.codes, pooled.documents, labels, count)
    for index, name in enumerate(used.annotators):
        if name in found.majority:
            own = estimate(majority[:, index], classification.macro_f1_of, weights)
            assert (found.majority[name].value, found.majority[name].low) == (own.value, own.low)
        else:
            assert not majority[:, index].any()
    packed = np.zeros((count, labels * labels + labels))
    for row, each in zip(packed, used.documents, strict=True):
        for side in (0, 1):
            row += unitizing.continuum([one.units[side] for one in each.annotations], each.lengths[side], labels).packed
    for name, binary in (("nominal", False), ("binary", True)):
        expected = estimate(
            packed,
            lambda sums, binary=binary: unitizing.alpha_u_of(sums, labels, binary=binary),  # type: ignore[misc]
            weights,
        )
        assert (found.unitizing[name].value, found.unitizing[name].low) == (expected.value, expected.low)
    assert found.annotators == {
        name: found.annotators[name]
        for index, name in enumerate(used.annotators)
        if any(one.annotator == index for each in used.documents for one in each.annotations)
    }
    for index, name in enumerate(used.annotators):
        annotations = [one for each in used.documents for one in each.annotations if one.annotator == index]
        if annotations:
            assert found.annotators[name].spans == sum(len(one.spans) for one in annotations)
            assert found.annotators[name].seconds == sum(one.seconds for one in annotations)
            assert found.annotators[name].tokens == sum(len(s.a) + len(s.b) for one in annotations for s in one.spans)


@pytest.mark.parametrize("code", [0, 1, 4])
def test_sentences_are_compared_by_whether_they_have_a_label(code: int) -> None:
    used = random_collection(4).shared()
    weights = draws(len(used.documents), RESAMPLES)
    columns, owners = [], []
    for index, each in enumerate(used.documents):
        for side in (0, 1):
            for sentence in np.unique(each.sentences[side]):
                column = np.full(4, -1)
                for one in each.annotations:
                    column[one.annotator] = (one.codes[side][each.sentences[side] == sentence] == code).any()
                columns.append(column)
                owners.append(index)
    codes, values = np.array(columns).T, np.arange(2.0)
    expected = estimate(
        alpha.coincidences(codes, np.array(owners), 2, len(used.documents)),
        lambda sums: alpha.alpha_of(sums, values, "nominal"),
        weights,
        value=alpha.alpha(codes, values, "nominal"),
        why=alpha.UNDEFINED,
    )
    assert figures(used, RESAMPLES).sentences[used.labels[code]] == expected


def test_counts_take_few_bytes_a_document() -> None:
    """Real documents have many more tokens than labels; what is kept does not grow with their tokens."""

    def size(length: int) -> int:
        documents = [
            document(n, *(work(who, ("0" * length + "12", "3" + "0" * length)) for who in range(3))) for n in range(50)
        ]
        found = in_blocks(collection(*documents, people=("A1", "A2", "A3")), 10)
        rows = (found.documents, found.annotations, found.annotation_pairs, found.sentences)
        held = sum(column.nbytes for each in rows for column in each.columns.values())
        return (held + sum(packed.nbytes for each in rows for packed in each.packed.values())) // 50

    assert size(2000) <= 2 * size(20) < 1500


def test_counts_are_handed_over_and_copied_only_where_documents_are_excluded() -> None:
    marks = [document(n, *(work(who, ("0012", "300")) for who in range(2))) for n in range(4)]
    empty = document(4, work(0, ("0012", "300")), work(1, ("0000", "000")))
    for documents, kept in ((marks, 4), ([*marks, empty], 4)):
        whole = collection(*documents, people=("A1", "A2"))
        joined = Counting(whole)
        joined.add(counts_of(whole))
        found = joined.take_counts()
        assert not joined.joined and not joined.parts, "nobody else holds them"
        used = used_counts(found)
        assert len(used) == kept and (used is found) == (len(documents) == kept)
