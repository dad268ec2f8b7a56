"""An archived project refuses every change, at every address that makes one: a new address is covered, or fails."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import transaction
from django.db.models import Model
from django.urls import reverse

from annotation.models import Annotation, Project, Revision
from annotation.services.archiving import project_archive
from config.archive_guard import ALLOWED
from tests.access.site import Filled, filled
from tests.access.test_matrix import expected, routes
from tests.api.site import SAVE
from tests.assist.conftest import fakes, notified, own_data  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]
NOT_OF_A_PROJECT = {
    *("set_language", "login", "logout", "password-reset", "password-reset-new", "join", "account", "project-new"),
    *("tokens", "token-revoke", "api-projects"),
    *("api-preferences", "account-export", "account-delete"),
}
"""Addresses that accept something and are about no project, or about one that is known only by a link."""
VALID = {"api-annotation": SAVE, "api-submit": {"revision": 0, "verdict": "submitted"}, "api-reopen": {}}
"""What only services can refuse, for the address names no project."""


@pytest.fixture
def at() -> Filled:
    made = filled()
    project_archive(project=made.project, by=None)
    return made


def writing() -> list[tuple[str, str, dict[str, Any]]]:
    """Every address and method that may change something."""
    return [
        (name, method, arguments)
        for name, arguments in routes()
        for method in ("POST", "PUT", "PATCH", "DELETE")
        if (name, method) in expected() and name not in NOT_OF_A_PROJECT
    ]


def test_every_change_is_refused(at: Filled) -> None:
    wrong = []
    asked = [each for each in writing() if each[0] not in ALLOWED]
    for name, method, arguments in asked:
        row = expected()[name, method]
        roles = [role for role in ("annotator", "adjudicator", "lead") if row[role] not in ("401", "403", "404", "405")]
        for role in [role for role in roles if name not in VALID or role == "annotator"]:
            body = json.dumps(VALID.get(name, {})) if name.startswith("api-") else {}
            kind = {"content_type": "application/json"} if name.startswith("api-") else {}
            with transaction.atomic():
                response = getattr(at.clients[role], method.lower())(at.address(name, arguments), body, **kind)
                transaction.set_rollback(True)
            if response.status_code != 409 or b"is archived" not in response.content:
                wrong.append(f"{method} {name} as {role}: {response.status_code}")
    assert len(asked) >= 60
    assert not wrong, "\n".join(wrong)


def test_the_list_of_what_is_allowed_names_addresses_that_accept_something() -> None:
    assert set(ALLOWED) <= {name for name, _method, _arguments in writing()}


def test_those_outside_are_told_nothing(at: Filled) -> None:
    for role in ("outsider", "elsewhere", "ended"):
        response = at.clients[role].post(reverse("project-settings", args=(at.project.slug,)), {})
        assert response.status_code == 404 and b"archived" not in response.content


@pytest.mark.long
def test_every_page_can_still_be_read(at: Filled) -> None:
    for name, arguments in routes():
        row = expected().get((name, "GET"), {})
        if "slug" not in arguments or row.get("lead") != "200":
            continue
        assert at.clients["lead"].get(at.address(name, arguments)).status_code == 200, name


def test_a_part_of_a_page_gets_a_notice(at: Filled) -> None:
    address = reverse("plan", args=(at.project.slug,))
    response = at.clients["lead"].post(address, {}, headers={"HX-Request": "true"})
    assert response.status_code == 409 and b"<html" not in response.content and b"is archived" in response.content


def test_nothing_is_lost_when_a_save_is_refused(at: Filled) -> None:
    before = _rows(Annotation), _rows(Revision)
    address = reverse("api-annotation", args=(at.assignment.pk,))
    response = at.clients["annotator"].put(address, SAVE, content_type="application/json")
    assert response.status_code == 409
    assert response.json()["error"] == {
        "code": "archived",
        "message": "This project is archived: it can be read, not changed.",
        "where": at.project.name,
        "hint": "A lead can unarchive it.",
    }
    assert (_rows(Annotation), _rows(Revision)) == before


def _rows(model: type[Model]) -> list[dict[str, Any]]:
    return list(model._default_manager.order_by("pk").values())


def test_the_other_projects_of_its_people_are_not_touched(at: Filled) -> None:
    assert Project.objects.filter(archived=None).count() == 1  # that of 'elsewhere'
    other = Project.objects.get(archived=None)
    response = at.clients["elsewhere"].post(reverse("guidelines-edit", args=(other.slug,)), {"text": "x", "base": 0})
    assert response.status_code == 302
