"""What the log `diptych.security` says: who logged in, failed to, and was given what, by keys alone."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.log_context import log_context
from annotation.models import Annotator, Role, User
from annotation.services.people import person_add
from config.logs import Plain
from tests.annotation.work import house
from tests.factories import ProjectFactory, UserFactory

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"
NEW = "battery staple horse"


@pytest.fixture(autouse=True)
def at_info(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="diptych.security")


def events(caplog: pytest.LogCaptureFixture) -> list[tuple[str, dict[str, Any]]]:
    found = [record for record in caplog.records if record.name == "diptych.security"]
    keys = ("account", "annotator", "project", "role", "by", "publication")
    return [(each.getMessage(), {key: vars(each)[key] for key in keys if key in vars(each)}) for each in found]


def test_log_ins_and_passwords(caplog: pytest.LogCaptureFixture) -> None:
    user: User = UserFactory(username="anna.secret")
    client, login = Client(), reverse("login")
    client.post(login, {"username": "anna.secret", "password": "wrong wrong wrong"})
    client.post(login, {"username": "anna.secret", "password": PASSWORD})
    changed = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert client.post(reverse("account"), changed).status_code == 302
    client.post(reverse("logout"))
    about = {"account": user.pk}
    wanted = [("log-in failed", {}), ("logged in", about), ("password changed", about), ("logged out", about)]
    assert events(caplog) == wanted
    for secret in ("anna.secret", PASSWORD, NEW, "wrong wrong"):
        assert all(secret not in str(vars(record)) for record in caplog.records if record.name == "diptych.security")


def test_a_name_that_is_locked(caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(11):
        Client().post(reverse("login"), {"username": "nobody", "password": "wrong"})
    assert [what for what, _ in events(caplog)][-1] == "log-in locked"


def test_roles_and_access(caplog: pytest.LogCaptureFixture) -> None:
    at = house()
    annotator = at.assignment.annotator
    page = reverse("person", args=(at.project.slug, annotator.pk))
    caplog.clear()
    for sent in ({"action": "role", "role": "adjudicator"}, {"action": "end-access", "confirmed": "1"},
                 {"action": "restore-access"}, {"action": "password-link"}):  # fmt: skip
        assert at.lead.post(page, sent).status_code in (200, 302)
    about = {"account": annotator.user_id, "annotator": annotator.pk, "project": at.project.pk}
    lead = User.objects.get(memberships__role=Role.LEAD).pk
    assert events(caplog) == [
        ("role changed", {**about, "role": "adjudicator"}),
        ("access ended", about),
        ("access restored", about),
        ("password link made", {"account": annotator.user_id, "by": lead}),
    ]


def test_a_plain_line_says_it_too() -> None:
    record = logging.makeLogRecord({"name": "diptych.security", "msg": "role changed", "account": 3, "role": "lead"})
    with log_context(user=7):
        assert Plain().format(record).endswith("role changed account=3 role=lead user=7")


def test_new_people(caplog: pytest.LogCaptureFixture) -> None:
    project = ProjectFactory()
    added: Annotator = person_add(project=project, username="dora", role="lead").annotator
    about = {"account": added.user_id, "project": project.pk}
    wanted = [("account created", about), ("person added", {**about, "annotator": added.pk, "role": "lead"})]
    assert events(caplog) == wanted
