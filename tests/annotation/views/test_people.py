"""The people page and one person's page: come in, get work, hand over, go."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Annotator, Assignment, Role
from tests.annotation.work import House, house
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory

pytestmark = pytest.mark.django_db


def page_of(home: House, person: Annotator) -> str:
    return reverse("person", args=(home.project.slug, person.pk))


def test_a_new_person_gets_a_password_that_is_shown_once_and_opens() -> None:
    home = house()
    address = reverse("people", args=(home.project.slug,))
    page = home.lead.post(address, {"username": "dora", "alias": "D", "role": "annotator"}).content.decode()
    password = re.search(r'class="secret">([^<]+)<', page)
    assert password
    body = {"username": "dora", "password": password.group(1)}
    assert Client().post(reverse("login"), body).status_code == 302
    assert password.group(1) not in home.lead.get(address).content.decode()


def test_a_name_that_is_taken_is_said() -> None:
    home = house()
    user = home.assignment.annotator.user
    assert user
    response = home.lead.post(
        reverse("people", args=(home.project.slug,)), {"username": user.username, "role": "annotator"}
    )
    assert response.status_code == 422 and "already" in response.content.decode()


def test_a_role_is_changed() -> None:
    home = house()
    person = home.assignment.annotator
    home.lead.post(page_of(home, person), {"action": "role", "role": "adjudicator"})
    person.refresh_from_db()
    assert person.role == Role.ADJUDICATOR


def test_the_last_lead_cannot_step_down() -> None:
    home = house()
    lead = Annotator.objects.get(project=home.project, role=Role.LEAD)
    for body in ({"action": "role", "role": "annotator"}, {"action": "end-access"}):
        assert home.lead.post(page_of(home, lead), body).status_code == 422
    lead.refresh_from_db()
    assert lead.role == Role.LEAD and lead.user is not None


def test_somebody_is_brought_in_mid_way() -> None:
    home = house()
    for _ in range(3):
        AssignmentFactory(pair=PairFactory(project=home.project), annotator=home.assignment.annotator)
    newcomer = AnnotatorFactory(project=home.project)
    assert "0 pairs), and an equal share" in home.lead.get(page_of(home, newcomer)).content.decode()
    home.lead.post(page_of(home, newcomer), {"action": "bring-in", "seed": 1})
    assert Assignment.objects.filter(annotator=newcomer).count() == 2


def test_somebody_takes_over_and_the_leavers_log_in_no_longer_opens_the_project() -> None:
    home = house()
    newcomer = AnnotatorFactory(project=home.project)
    body = {"action": "replace", "newcomer": newcomer.pk, "end_access": "on"}
    assert home.lead.post(page_of(home, home.assignment.annotator), body).status_code == 302
    home.assignment.refresh_from_db()
    assert home.assignment.annotator == newcomer
    assert home.annotator.get(reverse("project", args=(home.project.slug,))).status_code == 404


def test_nobody_of_another_project_takes_over() -> None:
    home = house()
    outsider = AnnotatorFactory()
    response = home.lead.post(page_of(home, home.assignment.annotator), {"action": "replace", "newcomer": outsider.pk})
    assert response.status_code == 422


def test_access_ends_and_the_work_stays() -> None:
    home = house()
    home.lead.post(page_of(home, home.assignment.annotator), {"action": "end-access"})
    assert home.annotator.get(reverse("project", args=(home.project.slug,))).status_code == 404
    assert Assignment.objects.filter(pk=home.assignment.pk).exists()
