"""The plan page: seen before it is made, and made as it was seen."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from annotation.models import Annotator, Assignment
from tests.annotation.work import House, house
from tests.factories import PairFactory

pytestmark = pytest.mark.django_db


def ready() -> tuple[House, dict[str, Any]]:
    home = house()
    home.assignment.delete()
    PairFactory.create_batch(5, project=home.project)
    people = Annotator.objects.filter(project=home.project, role="annotator")
    body = {"people": [person.pk for person in people], "trial": 1, "overlap": 2, "seed": 1}
    return home, {**body, "qualification": 0, "overlap_people": 0}


def post(home: House, body: dict[str, Any], **more: Any) -> Any:
    return home.lead.post(reverse("plan", args=(home.project.slug,)), body, **more)


def digest(page: str) -> str:
    found = re.search(r'name="digest" value="(\w+)"', page)
    assert found
    return found.group(1)


def test_a_change_of_the_form_draws_the_plan_anew_and_gives_out_nothing() -> None:
    home, body = ready()
    response = post(home, body, headers={"HX-Request": "true"})
    page = response.content.decode()
    assert response.status_code == 200 and "<html" not in page
    assert "9 assignments would be given out" in page
    assert not Assignment.objects.exists()


def test_without_scripts_the_plan_stands_on_the_page() -> None:
    home, body = ready()
    page = post(home, body).content.decode()
    assert "<html" in page and "9 assignments would be given out" in page


def test_the_plan_that_was_seen_is_made() -> None:
    home, body = ready()
    seen = digest(post(home, body).content.decode())
    response = post(home, {**body, "step": "make", "digest": seen})
    assert response["Location"] == reverse("project", args=(home.project.slug,))
    assert Assignment.objects.count() == 9


def test_a_plan_that_nobody_saw_is_not_made() -> None:
    home, body = ready()
    response = post(home, {**body, "step": "make", "digest": "another"})
    assert response.status_code == 422 and "changed since" in response.content.decode()
    assert not Assignment.objects.exists()


def test_asking_for_too_much_is_said_in_the_fragment() -> None:
    home, body = ready()
    response = post(home, {**body, "trial": 50}, headers={"HX-Request": "true"})
    assert response.status_code == 200 and "50 pairs are asked for" in response.content.decode()


def test_only_annotators_of_the_project_are_planned_for() -> None:
    home, body = ready()
    outsider = house().assignment.annotator
    response = post(home, {**body, "people": [outsider.pk]})
    assert response.status_code == 422 and not Assignment.objects.filter(pair__project=home.project).exists()
