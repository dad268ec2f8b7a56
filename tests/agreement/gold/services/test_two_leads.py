"""Two leads who have the same pair open: whoever is second is told what the first has done."""

from __future__ import annotations

import pytest

from agreement.gold.services.drafts import draft_decide, draft_exclude, draft_reopen, draft_save
from agreement.gold.services.exclusions import pair_exclude, pair_include
from agreement.models import Exclusion
from annotation.errors import Conflict
from tests.agreement.gold.home import home
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def test_of_two_leads_the_second_is_told_what_the_first_has_done() -> None:
    at = home()
    draft = at.open()
    zoe = UserFactory(username="zoe")
    seen = at.status(draft).fingerprint
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0, 1], [0]), ("1", [3], [])]))
    with pytest.raises(Conflict, match="newer version"):
        draft_exclude(draft=draft, pair=at.pair, by=zoe, base=0, seen=seen, reason="a menu")
    with pytest.raises(Conflict, match="have changed since you opened it"):
        draft_exclude(draft=draft, pair=at.pair, by=zoe, base=1, seen="before", reason="a menu")
    draft_decide(draft=draft, pair=at.pair, by=at.by, base=1, seen=seen)
    for base in (0, 2):
        with pytest.raises(Conflict, match="This pair is decided"):
            draft_decide(draft=draft, pair=at.pair, by=zoe, base=base, seen=seen)
        with pytest.raises(Conflict, match="This pair is decided"):
            draft_exclude(draft=draft, pair=at.pair, by=zoe, base=base, seen=seen, reason="a menu")
    assert at.status(draft).state == "decided" and not Exclusion.objects.exists()
    draft_reopen(draft=draft, pair=at.pair, by=at.by)
    draft_exclude(draft=draft, pair=at.pair, by=at.by, base=2, seen=seen, reason="a menu")
    with pytest.raises(Conflict, match="This pair is excluded"):
        draft_exclude(draft=draft, pair=at.pair, by=zoe, base=2, seen=seen, reason="a list")
    draft_exclude(draft=draft, pair=at.pair, by=at.by, base=2, seen=seen, reason="a menu of a restaurant")
    assert Exclusion.objects.get().reason == "a menu of a restaurant"


def test_the_reason_of_whoever_excluded_a_pair_is_replaced_by_nobody_else() -> None:
    at = home()
    zoe = UserFactory(username="zoe")
    pair_exclude(pair=at.pair, reason="a menu", by=at.by)
    with pytest.raises(Conflict, match="Someone else has excluded this pair already"):
        pair_exclude(pair=at.pair, reason="a list", by=zoe)
    pair_exclude(pair=at.pair, reason="a menu of a restaurant", by=at.by)
    found = Exclusion.objects.get()
    assert (found.reason, found.made_by) == ("a menu of a restaurant", at.by)
    assert pair_include(pair=at.pair) and pair_exclude(pair=at.pair, reason="a list", by=zoe).made_by == zoe
