"""Every address × everyone who may ask × every method, as `table.txt` says.

Addresses come from the URL configuration, with the keys of a real project: a new one fails until it has a line in the
table, and so does a line without an address. What pages and answers contain is tested beside each view.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.services.people import person_end_access
from tests.access.site import ROLES, filled
from tests.assist.conftest import fakes, notified, own_data  # noqa: F401

pytestmark = [pytest.mark.any_database, pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]
METHODS = (("GET", "HEAD"), ("POST",), ("PUT",), ("PATCH",), ("DELETE",), ("OPTIONS",))
"""All methods. HEAD follows GET, so that a report that GET computes is not computed again."""
TABLE = Path(__file__).with_name("table.txt")
LOGIN = "login"


@pytest.fixture(autouse=True)
def plain_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refusals without their pages, which would take most of the time: this is about who gets which."""

    def plain(_request: Any, _template: str, _context: Any = None, status: int = 200) -> HttpResponse:
        return HttpResponse(status=status)

    monkeypatch.setattr("config.errors.render", plain)


def routes(of: URLResolver | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every address by its name (by its pattern if it has none), with the names of its arguments."""
    for pattern in (of or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from routes(pattern)
        elif isinstance(pattern, URLPattern):
            arguments = getattr(pattern.pattern, "regex").groupindex  # noqa: B009
            yield pattern.name or str(pattern.pattern), arguments


@cache
def expected() -> dict[tuple[str, str], dict[str, str]]:
    """By name and method, what everyone gets."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            name, method, *cells = line.split()
            assert len(cells) == len(ROLES), line
            assert (name, method) not in found, line
            found[name, method] = dict(zip(ROLES, cells, strict=True))
    return found


def wanted(name: str, method: str, role: str) -> str:
    """What the table says; a method without a line is refused."""
    row = expected().get((name, "GET" if method == "HEAD" else method))
    if row is not None:
        return row[role]
    if role != "anonymous" or name == "api-docs":
        return "405"
    if name.startswith("api-"):
        return "403"
    # What a page accepts is told only to those who are logged in.
    if method in ("GET", "HEAD") and expected().get((name, "POST"), {}).get(role) == "401":
        return LOGIN
    return "401" if method == "POST" and expected().get((name, "GET"), {}).get(role) == LOGIN else "405"


def outcomes(client: Client, methods: Sequence[str], address: str) -> list[str]:
    """For each method the status of its answer, or 'login' for a redirect to the log-in page.

    They are asked one after the other; then the site is as it was.
    """
    cookies = SimpleCookie(client.cookies)
    json = {"content_type": "application/json"} if address.startswith("/api/") else {}
    found = []
    with transaction.atomic():
        for method in methods:
            given: Any = None if method in ("GET", "HEAD") else "{}" if json else {}
            response = getattr(client, method.lower())(address, given, **json)
            if response.streaming:
                b"".join(response.streaming_content)
            to_login = response.status_code == 302 and response["Location"].startswith(f"{reverse('login')}?next=")
            found.append(LOGIN if to_login else str(response.status_code))
        transaction.set_rollback(True)
    client.cookies = cookies
    return found


def outcome(client: Client, method: str, address: str) -> str:
    """What one method answers."""
    return outcomes(client, [method], address)[0]


def test_every_address_has_lines_and_every_line_an_address() -> None:
    assert {name for name, _ in expected()} == {name for name, _ in routes()}


QUICK = ("anonymous", "annotator")
"""Those who are always tried; the others only with the tests that take long."""


@pytest.mark.takes(5)
@pytest.mark.parametrize(
    "role", [each if each in QUICK else pytest.param(each, marks=pytest.mark.long) for each in ROLES]
)
def test_everyone_gets_what_the_table_says(role: str) -> None:
    at = filled()
    wrong = []
    for name, arguments in routes():
        address = at.address(name, arguments)
        for methods in METHODS:
            for method, found in zip(methods, outcomes(at.clients[role], methods, address), strict=True):
                if found != wanted(name, method, role):
                    wrong.append(f"{method} {name} ({address}): {found} instead of {wanted(name, method, role)}")
    assert not wrong, "\n".join(wrong)


def test_keys_of_another_project_are_not_found() -> None:
    """Even by someone who leads this project, under its address."""
    own, other = filled(), filled("museum")
    tried = 0
    for name, arguments in routes():
        if "slug" not in arguments or "pk" not in arguments:
            continue
        given = {**other.arguments(name, arguments), "slug": own.project.slug}
        for method in ("GET", "POST"):
            if (name, method) in expected():
                assert outcome(own.clients["lead"], method, reverse(name, kwargs=given)) == "404", (name, method)
                tried += 1
    assert tried > 20


def test_whatever_changes_something_needs_a_token() -> None:
    at = filled()
    client = at.clients["lead"]
    client.handler.enforce_csrf_checks = True
    for name, arguments in routes():
        address = at.address(name, arguments)
        for method in ("POST", "PUT", "DELETE"):
            if (name, method) in expected():
                assert outcome(client, method, address) == "403", (name, method)


def test_a_log_in_that_is_closed_opens_nothing() -> None:
    """An account that is deactivated is an anonymous one from then on, in every browser."""
    at = filled()
    user = at.person.user
    assert user is not None
    user.is_active = False
    user.save()
    for name, arguments in routes():
        address = at.address(name, arguments)
        assert outcome(at.clients["annotator"], "GET", address) == wanted(name, "GET", "anonymous"), name


def test_access_that_ends_ends_in_open_browsers_too() -> None:
    at = filled()
    person_end_access(annotator=at.person)
    address = reverse("work", args=(at.project.slug, at.assignment.pk))
    assert outcome(at.clients["annotator"], "GET", address) == "404"
