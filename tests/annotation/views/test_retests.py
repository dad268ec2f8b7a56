"""Re-tests: previewed before they are assigned."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Annotation, Assignment
from tests.annotation.work import House, house

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def ready() -> tuple[House, dict[str, Any]]:
    home = house()
    Annotation.objects.create(
        assignment=home.assignment, pair=home.assignment.pair, source="human", verdict="submitted"
    )
    Assignment.objects.update(status="done")
    Annotation.objects.update(changed=timezone.now() - timedelta(days=20))
    return home, {"people": [home.assignment.annotator_id], "phase": "main", "pairs": 5, "days": 14, "seed": 1}


def test_pairs_are_previewed_then_assigned() -> None:
    home, body = ready()
    address = reverse("plan-again", args=(home.project.slug,))
    page = home.lead.post(address, body, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in page and "1 pair will be assigned again" in page
    assert not Assignment.objects.filter(round=1).exists()
    found = re.search(r'name="digest" value="(\w+)"', page)
    assert found
    response = home.lead.post(address, {**body, "step": "make", "digest": found.group(1)})
    assert response["Location"] == reverse("project", args=(home.project.slug,))
    assert Assignment.objects.filter(round=1).count() == 1


def test_what_has_changed_meanwhile_is_shown_in_a_new_preview() -> None:
    home, body = ready()
    address = reverse("plan-again", args=(home.project.slug,))
    refused = home.lead.post(address, {**body, "step": "make", "digest": "another"})
    page = refused.content.decode()
    assert refused.status_code == 422 and "Submissions have changed" in page
    found = re.search(r'name="digest" value="(\w+)"', page)
    assert found and "1 pair will be assigned again" in page
    assert home.lead.post(address, {**body, "step": "make", "digest": found.group(1)}).status_code == 302


def test_too_recent_work_is_refused_on_the_page() -> None:
    home, body = ready()
    page = home.lead.post(reverse("plan-again", args=(home.project.slug,)), {**body, "days": 30})
    assert page.status_code == 422 and page.content.decode().count("that long ago") == 1
    again = home.lead.post(
        reverse("plan-again", args=(home.project.slug,)), {**body, "days": 30}, headers={"HX-Request": "true"}
    )
    assert again.content.decode().count("that long ago") == 1


def test_without_people_or_phase_the_page_says_what_to_choose() -> None:
    home, body = ready()
    for headers in ({}, {"HX-Request": "true"}):
        sent = {**body, "people": [], "phase": ""}
        page = home.lead.post(reverse("plan-again", args=(home.project.slug,)), sent, headers=headers)
        words = page.content.decode()
        assert "Choose at least one person." in words and "This field is required." not in words
        assert "* Choose" not in words
        assert "Choose the phase whose pairs are assigned again." in words
