"""What the figures say, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.utils.translation import override

from agreement.metrics.bootstrap import Estimate
from agreement.report.compute.disputes import Cause, LikelyCause
from agreement.report.compute.effect import Highlights
from agreement.report.compute.summary_rows import summary_row
from agreement.report.render.sentences import CAUSES, cause_text, conclusion, row_name
from tests.agreement.metric_documents import collection, document, work


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (LikelyCause(Cause.SAME_LABELS), "same labels"),
        (LikelyCause(Cause.DIFFERENT_ANSWERS), "same labels, different answers"),
        (LikelyCause(Cause.NOTHING_MARKED, ("A2",)), "A2 marked nothing"),
        (LikelyCause(Cause.NOTHING_MARKED, ("0",)), "“0” marked nothing"),
        (LikelyCause(Cause.NOTHING_MARKED_LATE, ("A2",)), "A2 marked nothing in the second half"),
        (LikelyCause(Cause.DIFFERENT_WORDS), "different words marked"),
        (LikelyCause(Cause.LONGER_SPANS, ("A1",)), "same regions, longer spans by A1"),
        (LikelyCause(Cause.DIFFERENT_LABELS, labels=("4", "2")), "labels “Far” and “2” on the same words"),
        (LikelyCause(Cause.ONE_SIDED_SPANS, ("A1", "7"), counts=(3, 0)), "one-sided spans: 3 by A1, 0 by “7”"),
        (LikelyCause(Cause.DIFFERENT_BOUNDARIES), "same regions, different boundaries"),
    ],
)
def test_causes(found: LikelyCause, said: str) -> None:
    assert cause_text(found, {"4": "Far", "3": "Near"}) == said


def test_every_cause_has_words() -> None:
    assert set(CAUSES) == set(Cause)


def test_a_difference_is_named_and_none_is_no_proof() -> None:
    found = Highlights(20, 20, (), Estimate(1.0), ("active minutes", "spans"))
    assert conclusion(found).startswith(
        "With pre-labels, these outcomes differ by more than chance would explain: active minutes, spans."
    )
    assert "does not show which labels are better" in conclusion(found)
    assert conclusion(replace(found, differing=())).startswith(
        "No outcome differs by more than chance would explain; this does not prove"
    )


def test_rows_are_named_by_their_value_or_by_two_people() -> None:
    row = summary_row("dev", collection(document(1, work(0, ("44", "0")), work(1, ("40", "0")))), resamples=2)
    assert [row_name(row), row_name(replace(row, name=""))] == ["dev", "none"]
    assert row_name(replace(row, name="", people=("A1", "A2"))) == "A1 and A2"
    with override("de"):
        assert row_name(replace(row, name="", people=("A1", "A2"))) == "A1 und A2"
