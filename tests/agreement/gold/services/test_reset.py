"""A pair in progress is reset to the rule's decision: its saved work is deleted."""

from __future__ import annotations

import pytest

from agreement.gold.services.drafts import draft_close, draft_decide, draft_reset, draft_save
from agreement.selectors import gold_annotations
from annotation.errors import Conflict
from tests.agreement.gold.home import home, labels

pytestmark = pytest.mark.django_db


def test_a_started_pair_is_reset_to_what_the_rule_says() -> None:
    at = home()
    draft = at.open("union")
    shown, ruled = labels(at.status(draft).spans), [gold.span.label for gold in at.status(draft).decision.spans]
    with pytest.raises(Conflict, match="not in progress"):
        draft_reset(draft=draft, pair=at.pair)
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0], [])]))
    draft_reset(draft=draft, pair=at.pair)
    assert at.status(draft).state == "open" and labels(at.status(draft).spans) == shown
    with pytest.raises(Conflict):
        draft_save(draft=draft, pair=at.pair, by=at.by, base=1, sent=at.work([("3", [0], [])]))
    version = draft_close(draft=draft, by=at.by).version
    assert version is not None
    assert labels(gold_annotations(at.project, version.number).get().parsed_spans) == ruled


def test_a_decided_pair_is_not_reset() -> None:
    at = home()
    draft = at.open()
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0, 1], [0])]))
    draft_decide(draft=draft, pair=at.pair, by=at.by, base=1, seen=at.status(draft).fingerprint)
    with pytest.raises(Conflict, match="not in progress"):
        draft_reset(draft=draft, pair=at.pair)
    assert labels(at.status(draft).spans) == ["3"]
