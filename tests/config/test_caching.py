"""What browsers may keep."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.annotation.work import house

pytestmark = pytest.mark.django_db


def test_nothing_that_a_logged_in_user_is_shown_is_kept() -> None:
    at = house()
    slug, assignment = at.project.slug, at.assignment.pk
    for client, address in (
        (at.annotator, reverse("home")),
        (at.annotator, reverse("api-assignment", args=(assignment,))),
        (at.lead, reverse("agreement-download", args=(slug, "csv"))),
        (at.lead, reverse("people", args=(slug,))),
        (at.stranger, reverse("people", args=(slug,))),
    ):
        assert "no-store" in client.get(address)["Cache-Control"], address


def test_what_is_the_same_for_everyone_is_left_as_it_is() -> None:
    assert not Client().get(reverse("schema")).has_header("Cache-Control")
