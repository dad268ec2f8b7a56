"""Access to pages. Outsiders learn of no project; annotators see neither leads' pages nor others' work."""

from __future__ import annotations

import pytest
from django.urls import URLPattern, reverse

from annotation.urls import urlpatterns
from tests.annotation.work import House, house

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
LEADS = (
    "project-settings",
    "project-scheme",
    "project-scheme-preview",
    "project-scheme-export",
    "project-duplicate",
    "project-archive",
    "project-delete",
    "project-changes",
    "project-changes-csv",
    "guidelines-reopen",
    "import",
    "plan",
    "plan-change",
    "plan-again",
    "people",
    "invitations",
    "qualification",
    "qualification-rule",
    "person",
    "pairs",
    "threads",
    "pair",
    "guidelines-edit",
    "glossary",
    "webhooks",
)
MEMBERS = ("project", "guidelines", "time", "timesheet")
OWN = ("home", "account", "tokens", "logged-in")
RESET = ("password-reset", "password-reset-sent", "password-reset-done")
OPEN = ("healthz", "login", "logout", *RESET)
ELSEWHERE = {"project-new", "work", "work-next", "password-reset-new"}  # each has a test of its own below
ELSEWHERE |= {"thread"}  # see test_threads
ELSEWHERE |= {"work-worker"}  # the same for everyone: see test_workspace
# see test_invitations
ELSEWHERE |= {"join", "join-link", "invitation-revoke", "invitation-renew"}
GLOSSARY = {
    *("glossary-upload", "glossary-entry", "glossary-delete", "glossary-restore"),
    *("glossary-download", "glossary-download-tbx"),
}  # see test_glossary
ELSEWHERE |= {"webhook", "webhook-act", "webhook-resend", "webhook-delete"}  # see test_webhooks
ELSEWHERE |= {"openid", "openid-callback", "openid-new", "openid-account"}  # see tests/openid
ELSEWHERE |= {"qualification-person"}  # see test_qualification
IMPORTS = {
    *("import-result", "import-start", "import-cancel"),  # of one import: see test_imports
    *("import-recheck", "import-sample"),  # see test_imports
}


def address(name: str, home: House) -> str:
    more = {
        "person": (home.assignment.annotator_id,),
        "pair": (home.assignment.pair_id,),
        "work": (home.assignment.pk,),
    }
    args = () if name in (*OWN, *OPEN, "project-new") else (home.project.slug, *more.get(name, ()))
    return reverse(name, args=args)


def status(name: str, who: str) -> int:
    home = house()
    response = getattr(home, who).get(address(name, home))
    if response.status_code == 302 and response["Location"].startswith(reverse("login")):
        assert f"next={address(name, home)}" in response["Location"]
        return 401
    return int(response.status_code)


def test_every_page_is_in_one_of_the_lists() -> None:
    named = {str(pattern.name) for pattern in urlpatterns if isinstance(pattern, URLPattern)}
    names = {name for name in named if not name.startswith("api-")}
    assert names == {*LEADS, *MEMBERS, *OWN, *OPEN, *ELSEWHERE, *GLOSSARY, *IMPORTS}


@pytest.mark.parametrize("name", LEADS)
@pytest.mark.parametrize(
    ("who", "expected"),
    [
        ("lead", 200),
        ("superuser", 200),
        ("adjudicator", 403),
        ("annotator", 403),
        ("stranger", 404),
        ("anonymous", 401),
    ],
)
def test_leads_pages(name: str, who: str, expected: int) -> None:
    assert status(name, who) == expected


@pytest.mark.parametrize("name", MEMBERS)
@pytest.mark.parametrize(
    ("who", "expected"),
    [
        ("lead", 200),
        ("superuser", 200),
        ("adjudicator", 200),
        ("annotator", 200),
        ("stranger", 404),
        ("anonymous", 401),
    ],
)
def test_members_pages(name: str, who: str, expected: int) -> None:
    assert status(name, who) == expected


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize(("who", "expected"), [("annotator", 200), ("stranger", 200), ("anonymous", 401)])
def test_ones_own_pages(name: str, who: str, expected: int) -> None:
    assert status(name, who) == expected


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        ("annotator", 200),
        ("lead", 200),
        ("adjudicator", 200),
        ("superuser", 200),
        ("other", 403),
        ("stranger", 404),
        ("anonymous", 401),
    ],
)
def test_the_workspace(who: str, expected: int) -> None:
    assert status("work", who) == expected


@pytest.mark.parametrize(
    ("who", "expected"), [("annotator", 302), ("lead", 302), ("stranger", 404), ("anonymous", 401)]
)
def test_the_link_to_the_next_pair(who: str, expected: int) -> None:
    assert status("work-next", who) == expected


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        ("lead", 200),
        ("superuser", 200),
        ("annotator", 403),
        ("adjudicator", 403),
        ("stranger", 403),
        ("anonymous", 401),
    ],
)
def test_a_new_project(who: str, expected: int) -> None:
    assert status("project-new", who) == expected


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("project-settings", {"name": "Mine"}),
        ("people", {"username": "dora", "role": "lead"}),
        ("person", {"action": "end-access"}),
        ("plan", {"step": "make"}),
        ("plan-change", {"step": "make"}),
        ("guidelines-edit", {"text": "Mine", "base": 0}),
        ("pair", {"comment": "Mine"}),
        ("import", {"step": "import"}),
    ],
)
def test_an_annotator_changes_nothing_on_leads_pages(name: str, body: dict[str, object]) -> None:
    home = house()
    assert home.annotator.post(address(name, home), body).status_code == 403


def test_an_assignment_under_another_projects_address_is_not_found() -> None:
    home, other = house(), house()
    assert home.lead.get(reverse("work", args=(home.project.slug, other.assignment.pk))).status_code == 404
    mixed = reverse("work", args=(other.project.slug, home.assignment.pk))
    assert home.superuser.get(mixed).status_code == 404


def test_a_person_or_pair_of_another_project_is_not_found() -> None:
    home, other = house(), house()
    for name, pk in (("person", other.assignment.annotator_id), ("pair", other.assignment.pair_id)):
        assert home.lead.get(reverse(name, args=(home.project.slug, pk))).status_code == 404
