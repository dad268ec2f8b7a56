"""Every URL of the site, opened by a blind adjudicator: none of them reveals who annotated.

A URL without an entry in `VISITS` fails the test: whoever adds one says there how a blind adjudicator opens it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.services.people import person_end_access
from tests.blind.site import NAMES, Site, site
from tests.blind.visits import VISITS

pytestmark = pytest.mark.django_db


def routes(of: URLResolver | None = None) -> Iterator[str]:
    """The name of every URL of the site; a URL without a name is identified by its pattern."""
    for pattern in (of or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from routes(pattern)
        elif isinstance(pattern, URLPattern):
            yield pattern.name or str(pattern.pattern)


def visit(client: Client, name: str, at: Site) -> Iterator[str]:
    """The complete response of a URL, including headers and messages after a redirect."""
    for method, args, data in VISITS[name](at):
        address = reverse(name, args=args) + (f"?seen={data['seen']}" if "seen" in data else "")
        if name.startswith("api-") and method != "get":
            response = getattr(client, method)(address, json.dumps(data), content_type="application/json")
        else:
            response = getattr(client, method)(address, data)
        assert response.status_code < 500, f"{method} {address}: {response.status_code}"
        body = b"".join(response.streaming_content) if response.streaming else response.content
        said = f"{method} {address} {data}\n{response.headers}\n{body.decode()}"
        while response.status_code in (301, 302):
            response = client.get(response["Location"])
            said += f"\n{response.headers}\n{response.content.decode()}"
        yield said


def named(said: str) -> list[str]:
    """The names and ids of annotators in a response, apart from the request's own values.

    Request ids and tokens of forms are left out: they are random and hold a name or an id now and then.
    """
    _question, answer = said.split("\n", 1)
    answer = re.sub(r"[A-Za-z0-9]{32,}", "", answer)
    found = [name for name in NAMES if name.lower() in answer.lower()]
    return found + re.findall(r"(?<!\d)(?:8[01]0000[1-3]|8[23]000\d\d)(?!\d)", answer)


def test_every_address_is_visited() -> None:
    assert set(routes()) == set(VISITS), "say in VISITS how a blind adjudicator opens a new address"


@pytest.mark.long
@pytest.mark.any_database
@pytest.mark.takes(8)
@pytest.mark.parametrize(("rule", "ended"), [("agreed", False), ("pick", False), ("pick", True)])
def test_no_address_names_an_annotator(rule: str, ended: bool) -> None:
    at = site(rule)
    if ended:  # whose access was ended is still named by others
        for person in at.people:
            person_end_access(annotator=person)
    for name in sorted(VISITS):
        with transaction.atomic():  # each address is visited in the same state
            answers = list(visit(at.adjudicator, name, at))
            transaction.set_rollback(True)
        for said in answers:
            question = said.split("\n", 1)[0]  # what someone sends may come back to them
            assert not [each for each in named(said) if each not in question], f"{name}: {said}"


def test_the_walk_would_find_a_name() -> None:
    """Leads may know the names and see them at the same URLs, so the names searched for do occur there."""
    at = site()
    names = {
        "people",
        "agreement-pair",
        "adjudication",
        "gold-version",
        "manual-adjudication",
        "api-assignment",
        "work",
    }
    names |= {
        "api-manual-adjudication-annotation",
        "api-manual-adjudication-submit",
    }  # by a conflict, which carries the draft
    assert {name for name in names if any(named(said) for said in visit(at.lead, name, at))} == names
