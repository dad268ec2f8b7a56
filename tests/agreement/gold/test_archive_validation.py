"""Versions of the gold in an archive have the form that pages and exports expect, or are refused."""

from __future__ import annotations

from typing import Any

import pytest

from agreement.gold.archive_validation import gold_check
from agreement.models import GoldVersion
from annotation.formats.record import FormatError
from annotation.hooks import ON_IMPORT_OF_ARCHIVE
from tests.factories import ProjectFactory

pytestmark = pytest.mark.django_db
GENUINE: dict[str, Any] = {
    "rule": "pick",
    "parameters": {"rejections": 2, "annotator": "A2", "choices": {"A1": "A2"}},
    "counts": {
        "pairs": 2, "excluded": 4, "unsure": 0, "by_hand": 1, "tokens": {"new": 3}, "spans": {"new": 1},
        "answers": {"q": {"yes": 2}}, "reliability": {"A2": 0.5},
    },
    "excluded": {
        "A1": {"code": "rejected", "n": 2},
        "A2": {"code": "picked-absent", "name": "A2"},
        "A3": {"code": "other", "text": "Not a\ntranslation."},
        "A4": {"code": "nearly-all-new", "n": 2, "share": 99.5},
    },
}  # fmt: skip
ODD: list[tuple[str, Any]] = [
    ("excluded", {"A1": {"n": 3}}),
    ("excluded", {"A1": {"code": "unknown"}}),
    ("excluded", {"A1": {"code": ["rejected"]}}),
    ("excluded", {"A1": [1]}),
    ("excluded", {"A1": {"code": "rejected"}}),
    ("excluded", {"A1": {"code": "rejected", "n": "<b>9"}}),
    ("excluded", {"A1": {"code": "picked-absent", "name": {"a": "b"}}}),
    ("excluded", {"A1\n## H": {"code": "rejected", "n": 2}}),
    ("parameters", {"annotator": ["A2"]}),
    ("parameters", {"choices": [1]}),
    ("parameters", {"choices": {"A1": 5}}),
    ("parameters", {"x\n## H": "y"}),
    ("parameters", {"x": "a\x07"}),
    ("counts", {"pairs": "x"}),
    ("counts", {"pairs": [1]}),
    ("counts", {"by_hand": -1}),
    ("counts", {"tokens": [1]}),
    ("counts", {"answers": {"q": {"yes": 1}}}),
    ("counts", {"reliability": {"A2": "high"}}),
    ("rule", "no`such<script>"),
]


def version(**changes: Any) -> GoldVersion:
    return GoldVersion.objects.create(project=ProjectFactory(), number=3, phase="main", **GENUINE | changes)


def test_what_is_made_here_is_accepted_and_archives_are_checked() -> None:
    gold_check(version().project)
    gold_check(version(rule="of-a-later-version", parameters={"any": None, "more": True}, counts={}).project)
    assert "agreement.gold.archive_validation.gold_check" in ON_IMPORT_OF_ARCHIVE.names


@pytest.mark.parametrize(("column", "value"), ODD)
def test_what_is_not_is_refused_with_the_version_and_the_column(column: str, value: Any) -> None:
    with pytest.raises(FormatError, match=f"agreement.goldversion, version 3, {column}: a stored value"):
        gold_check(version(**{column: value}).project)


def test_a_draft_needs_a_rule_that_can_be_applied() -> None:
    gold_check(version(open=True).project)
    with pytest.raises(FormatError, match="version 3, rule: unknown here"):
        gold_check(version(open=True, rule="of-a-later-version").project)
    with pytest.raises(FormatError, match="version 3, parameters: There is no setting"):
        gold_check(version(open=True, parameters={"other": 1}).project)
