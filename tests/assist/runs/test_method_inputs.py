"""Rows as methods see them: ranges, gold at the revision that was named, and proposals the scheme allows."""

from __future__ import annotations

import math
from typing import Any

import pytest

from annotation.models import Annotation, Revision, Source, Verdict
from annotation.text.schemes import PRESETS
from annotation.text.spans import parse_spans
from assist.methods.base import Proposal, ProposalReason, Result
from assist.runs.method_inputs import (
    gold_labels,
    gold_values,
    highlight_input,
    pair_inputs,
    proposed_spans,
    read_pairs,
    snapshot,
)
from tests.factories import AssignmentFactory, PairFactory, ProjectFactory

pytestmark = pytest.mark.django_db


def spans(label: str, side: str = "b", start: int = 0, end: int = 3) -> dict[str, Any]:
    """'Die' of the usual side B, marked."""
    return {"v": 1, "spans": [{"id": "s", "label": label, "fragments": [{"side": side, "start": start, "end": end}]}]}


def test_a_pair_becomes_an_input_of_its_texts() -> None:
    pair = PairFactory(split="dev")
    (given,) = pair_inputs(read_pairs([pair.pk]), pair.project.labels)
    assert (given.id, given.split, given.gold_a, given.gold_b) == (str(pair.pk), "dev", None, None)
    assert (given.b.language, given.b.words()[:3]) == ("de", ["Die", "Bibliothek", "ist"])
    assert len(given.b.paragraphs) == 2


def test_translations_stand_in_the_language_of_the_other_side() -> None:
    pair = PairFactory(translations={"b": ["The library is open.", "Open library."]})
    (given,) = pair_inputs(read_pairs([pair.pk]), pair.project.labels)
    assert (given.translations_a, [each.language for each in given.translations_b]) == ([], ["en", "en"])
    assert given.translations_b[0].words() == ["The", "library", "is", "open", "."]


def test_pairs_come_in_the_order_asked_for_and_those_gone_are_left_out() -> None:
    one, two = PairFactory(), PairFactory()
    assert read_pairs([two.pk, 0, one.pk]) == [two, one]


def test_gold_goes_before_annotators_and_only_submitted_work_counts() -> None:
    first, second = PairFactory.create_batch(2, project=ProjectFactory())
    for pair in (first, second):
        for verdict in (Verdict.SUBMITTED, Verdict.REJECTED, Verdict.NONE):
            assignment = AssignmentFactory(pair=pair)
            Annotation.objects.create(
                source=Source.HUMAN, pair=pair, assignment=assignment, verdict=verdict, spans=spans("1")
            )
    Annotation.objects.create(source=Source.GOLD, verdict="submitted", pair=first, gold_version=0, spans=spans("3"))
    newest = Annotation.objects.create(
        source=Source.GOLD, verdict="submitted", pair=first, gold_version=2, spans=spans("5")
    )
    taken = snapshot(first.project)
    assert taken["pairs"] == [first.pk, second.pk]
    assert [newest.pk, 0] in taken["annotations"]
    assert len(taken["annotations"]) == 2
    values = [given.gold_b for given in pair_inputs([first, second], first.project.labels, taken["annotations"])]
    assert [value and value[0] for value in values] == [1.0, 0.2]


def test_gold_is_read_as_it_was_when_the_snapshot_was_taken() -> None:
    pair = PairFactory()
    row = Annotation.objects.create(
        source=Source.GOLD, verdict="submitted", pair=pair, gold_version=0, revision=1, spans=spans("5")
    )
    taken = snapshot(pair.project)
    Revision.objects.create(annotation=row, number=1, spans=spans("5"))
    row.spans, row.revision = spans("1"), 2
    row.save()
    (given,) = pair_inputs([pair], pair.project.labels, taken["annotations"])
    assert given.gold_b is not None
    assert given.gold_b[0] == 1.0


def test_graded_gold_is_the_mean_of_the_heaviest_labels_and_punctuation_is_unknown() -> None:
    pair = PairFactory()
    rows = [
        Annotation.objects.create(source=Source.HUMAN, pair=pair, assignment=AssignmentFactory(pair=pair), spans=each)
        for each in (spans("4"), {"v": 1, "spans": [*spans("2")["spans"], {**spans("3")["spans"][0], "id": "t"}]})
    ]
    values = gold_values(pair, PRESETS["graded"], [row.parsed_spans for row in rows])
    assert values["b"][0] == pytest.approx((0.8 + 0.6) / 2)
    assert values["b"][1] == 0
    assert math.isnan(values["b"][-1])
    assert len(values["a"]) == len(pair.a.tokens)


def test_of_ungraded_labels_new_weighs_most_and_a_side_never_marked_has_no_gold() -> None:
    pair = PairFactory()
    row = Annotation(source=Source.GOLD, verdict="submitted", pair=pair, gold_version=0, spans=spans("inferable"))
    values = gold_values(pair, PRESETS["xparade"], [row.parsed_spans])
    assert (list(values), values["b"][0], values["b"][-1]) == (["b"], 0.5, 0.0)


def test_proposals_become_spans_of_whole_tokens_with_the_nearest_label() -> None:
    pair = PairFactory()
    (span,) = proposed_spans(pair, [Proposal(((0, 2),), ((0, 1), (2, 3)), 0.83)], PRESETS["graded"])
    assert span == {
        "label": "4",
        "origin": "accepted",
        "score": 0.83,
        "level": 1,
        "fragments": [
            {"side": "a", "start": 0, "end": 11},
            {"side": "b", "start": 0, "end": 3},
            {"side": "b", "start": 15, "end": 18},
        ],
    }


def test_proposals_are_cut_to_what_the_scheme_lets_be_marked() -> None:
    pair = PairFactory()
    proposals = [Proposal(((0, 2),), ((0, 1),), 0.9), Proposal(((0, 1),), (), 0.9)]
    (span,) = proposed_spans(pair, proposals, PRESETS["xparade"])
    assert (span["label"], [part["side"] for part in span["fragments"]]) == ("new", ["b"])
    assert proposed_spans(pair, proposals, PRESETS["likert"]) == []


def test_a_predicted_label_goes_before_the_nearest_and_is_told_from_it() -> None:
    pair = PairFactory()
    proposals = [Proposal(((0, 1),), (), 0.9, label="2"), Proposal(((0, 1),), (), 0.9, label="none of the scheme's")]
    predicted, plain = proposed_spans(pair, proposals, PRESETS["graded"])
    assert (predicted["label"], predicted["predicted"]) == ("2", "2")
    assert "predicted" not in plain and plain["label"] in {"4", "5"}


def test_labels_are_kept_with_the_schemes_default_for_what_is_unmarked() -> None:
    pair = PairFactory()
    sizes = len(pair.a.tokens), len(pair.b.tokens)
    result = Result("1", [0.0] * sizes[0], [0.0] * sizes[1], labels={"b": ["new", ""] + [""] * (sizes[1] - 2)})
    assert highlight_input(pair, result, PRESETS["xparade"]).labels == {"b": ["new"] + ["same"] * (sizes[1] - 1)}


def test_gold_labels_are_the_heaviest_of_an_annotation_and_what_most_say() -> None:
    pair = PairFactory()
    one, two, three = (
        parse_spans({"spans": [each for label, end in said for each in spans(label, end=end)["spans"]]})
        for said in ([("new", 3)], [("inferable", 14)], [])
    )
    scheme = PRESETS["xparade"]
    assert gold_labels(pair, scheme, []) == {}
    assert gold_labels(pair, scheme, [one])["b"][:3] == ["new", "", ""]
    assert gold_labels(pair, scheme, [one, two])["b"][:3] == ["new", "inferable", ""]  # of equally many the heaviest
    assert gold_labels(pair, scheme, [two, two, one])["b"][:2] == ["inferable", "inferable"]
    assert gold_labels(pair, scheme, [one, three, three])["b"][0] == ""
    assert "a" not in gold_labels(pair, scheme, [one])
    heavier = parse_spans({"spans": [{**spans("inferable")["spans"][0], "id": "x"}, spans("new")["spans"][0]]})
    assert gold_labels(pair, scheme, [heavier])["b"][0] == "new"


def test_the_reason_of_a_proposal_is_kept() -> None:
    pair = PairFactory()
    proposal = Proposal(((0, 1),), ((0, 1),), 1.0, 3, ProposalReason("number", "5", "6"))
    (span,) = proposed_spans(pair, [proposal], PRESETS["graded"])
    assert span["reason"] == {"kind": "number", "a": "5", "b": "6"}
    (plain,) = proposed_spans(pair, [Proposal(((0, 1),), (), 0.9)], PRESETS["graded"])
    assert "reason" not in plain
