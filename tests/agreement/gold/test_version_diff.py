"""Whether two annotations are the same, told without their texts: as the list of what differs says."""

from __future__ import annotations

import random
from typing import Any

import pytest

from agreement.gold.version_diff import rows_of, same_content
from annotation.models import Annotation
from annotation.text.schemes import PRESETS
from tests.annotation.work import house

pytestmark = pytest.mark.django_db


def annotation(rng: random.Random, tokens: list[tuple[int, int]]) -> Annotation:
    """A few spans of one or two fragments each, in any order, with ids and comments of their own."""
    spans: list[dict[str, Any]] = []
    for n in range(rng.randrange(3)):
        fragments = [
            {"side": "a", "start": tokens[at][0], "end": tokens[at][1]}
            for at in rng.sample(range(3), rng.randrange(1, 3))
        ]
        spans.append(
            {
                "id": f"s{rng.random()}",
                "label": rng.choice("12"),
                "origin": "manual",
                "comment": str(n),
                "fragments": fragments,
            }
        )
    rng.shuffle(spans)
    return Annotation(spans={"v": 1, "spans": spans}, answers={}, provenance={})


def test_what_is_the_same_has_no_differences_and_what_is_not_has_some() -> None:
    pair = house().assignment.pair
    pair.project.scheme = PRESETS["graded"].to_json()
    rng, tokens = random.Random(3), list(pair.a.tokens)
    seen = set()
    for _ in range(400):
        one, other = annotation(rng, tokens), annotation(rng, tokens)
        same = same_content(pair.project.labels, one, other)
        assert same == (not rows_of(pair, one, other, None)), (one.spans, other.spans)
        seen.add(same)
    assert seen == {True, False}
