"""Work and disputes as bytes: what is read is what was written."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest

from agreement.metrics.documents import Collection, RatingQuestion
from agreement.report.compute.disputes import disputes
from agreement.report.compute.serialized import from_bytes, to_bytes
from tests.agreement.metric_documents import collection, document, work

QUESTION = RatingQuestion("similar", "How similar?", ("1", "2"), (1.0, 2.0))


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal in content and type, arrays included."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and bool(np.array_equal(one, other))
    if is_dataclass(one):
        return all(same(getattr(one, each.name), getattr(other, each.name)) for each in fields(one) if each.compare)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


WORKED = collection(
    document(
        1,
        replace(work(0, ("0044500", "00"), when=1.5, seconds=3), units=(((0, 4, 4), (5, 9, 5)), ())),
        work(1, ("0144500", "22"), linked=True, highlights=True, accepted=2, round=1, answers={"similar": "2"}),
    ),
    document(300, work(0, ("", "0")), work(2, ("", "3"))),
)


@pytest.mark.parametrize(
    "made",
    [
        WORKED,
        replace(WORKED, questions=(QUESTION, replace(QUESTION, values=None)), sides=(1,), graded=False),
        collection(),
    ],
    ids=["marks", "questions", "nothing"],
)
def test_what_is_read_is_what_was_written(made: Collection) -> None:
    found = disputes(made)
    assert found or not made.documents
    read, disputed = from_bytes(to_bytes(made, found))
    assert same(read, made)
    assert same(disputed, found)
