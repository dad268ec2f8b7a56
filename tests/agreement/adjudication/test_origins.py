"""Where each span of manually adjudicated gold comes from."""

from __future__ import annotations

import json

import pytest

from agreement.adjudication.base import GoldSpan
from agreement.adjudication.origins import origins, sources_of
from agreement.adjudication.reasons import Code, make_reason
from tests.agreement.adjudication.cases import case, span
from tests.paths import ROOT

VECTORS = json.loads((ROOT / "tests" / "vectors" / "origins.json").read_text(encoding="utf-8"))
GIVEN = case([span("3", [0, 1], [4])], [span("4", [1, 2], [4]), span("2", [8])])


@pytest.mark.parametrize("row", VECTORS, ids=lambda row: row["name"])
def test_how_a_span_came_about(row: dict[str, object]) -> None:
    people = [[span(*each) for each in spans] for spans in row["people"]]  # type: ignore[attr-defined]
    how, sources = sources_of(case(*people), span(*row["span"]))  # type: ignore[misc]
    assert (how, [source - 10 for source in sources]) == (row["how"], row["sources"])


def test_the_rules_own_is_the_rules_and_says_who_let_its_doubt_stand() -> None:
    sure, unsure = span("3", [0, 1], [4], "x"), span("2", [8], [], "y")
    found = origins(
        GIVEN,
        [sure, unsure],
        by="lena",
        rule="majority",
        proposed=[GoldSpan(sure, (10, 11)), GoldSpan(unsure, (11,), make_reason(Code.TIE))],
        before={},
    )
    assert found["x"] == {"annotations": [10, 11], "rule": "majority"}
    assert found["y"] == {"annotations": [11], "rule": "majority", "unsure": {"code": "tie"}, "by": "lena"}


def test_what_was_not_touched_keeps_its_origin_and_what_was_gets_a_new_one() -> None:
    kept, moved = span("3", [0, 1], [4], "x"), span("2", [8], [], "y")
    before = {"x": (kept, {"rule": "hand", "by": "mia"}), "y": (moved, {"rule": "hand", "by": "mia"})}
    found = origins(GIVEN, [kept, span("2", [8, 9], [], "y")], by="lena", rule="agreed", proposed=(), before=before)
    assert found["x"] == {"rule": "hand", "by": "mia"}
    assert found["y"] == {"annotations": [11], "rule": "hand", "how": "changed", "by": "lena"}
