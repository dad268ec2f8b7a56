"""Pairs excluded from the gold, one by one, among the changes of their project."""

from __future__ import annotations

import importlib

import pytest
from django.apps import apps

from agreement.gold.services.exclusions import pair_exclude, pair_include
from annotation.models.lifecycle import ProjectEvent
from annotation.selectors.audit import AuditTrail, Topic
from tests.agreement.gold.home import Home, home

pytestmark = pytest.mark.django_db


def newest_events(at: Home) -> list[tuple[str, str]]:
    """What was done, newest first, and with which pair."""
    return [(each.what, each.about) for each in AuditTrail(at.project, kind=Topic.GOLD)[0:3]]


def test_what_was_excluded_and_included_again_stays_among_the_changes() -> None:
    at = home()
    pair_exclude(pair=at.pair, reason="a menu", by=at.by)
    pair_exclude(pair=at.pair, reason="a menu of a restaurant", by=at.by)
    pair_include(pair=at.pair)
    assert not pair_include(pair=at.pair)
    pair_exclude(pair=at.pair, reason="a list", by=at.by)
    name = at.pair.external_id
    assert newest_events(at) == [
        ("Pair excluded from the gold", name),
        ("Pair included in the gold again", name),
        ("Pair excluded from the gold", name),
    ]


def test_exclusions_from_before_are_among_them_too() -> None:
    at = home()
    row = pair_exclude(pair=at.pair, reason="a menu", by=at.by)
    ProjectEvent.objects.all().delete()
    importlib.import_module("agreement.migrations.0020_exclusions_in_changes").record(apps, None)
    event = ProjectEvent.objects.get()
    assert (event.made, event.made_by, event.details) == (row.made, at.by, {"pair": at.pair.external_id})
    assert newest_events(at) == [("Pair excluded from the gold", at.pair.external_id)]
