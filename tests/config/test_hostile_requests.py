"""Every URL, with parameters, fields and bodies that no well-behaved client sends: refused, never a server error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.annotation.work import House, house
from tests.api.document import operation_of
from tests.paths import ROOT

pytestmark = pytest.mark.django_db
DIGITS = "9" * 5000
HOSTILE = (DIGITS, "-1", "٣", "a\0b", "%ED%A0%80", "1e999")
NUMBERS = (
    *(("guidelines", "version"), ("gold-compare", "other"), ("gold-compare", "one"), ("agreement-spans", "matched")),
    *(("agreement-disagreements", "tenth"), ("agreement-disagreements", "least"), ("agreement-documents", "page")),
)
READ = re.compile(r"""(?:GET|POST|given|number_of\(request|number_param\(request\.\w+)(?:\.get\(|\[|, )"(\w+)\"""")
FIELD = re.compile(r"^    (\w+) = (?:forms\.\w+|\w+Field)\(", re.M)


@cache
def names() -> list[str]:
    """The parameters and fields that any of our views or forms reads."""
    found: set[str] = {"page", "choices", "version", "lang", "as", "next"}
    for app in ("annotation", "assist", "agreement", "operation"):
        for path in (ROOT / app).rglob("*.py"):
            text = path.read_text()
            found.update(READ.findall(text))
            if "forms" in str(path):
                found.update(FIELD.findall(text))
    return sorted(found)


def addresses(home: House) -> list[str]:
    """Every URL of the site for this project, with existing ids; and with an invalid id."""
    ids = {"people": home.assignment.annotator_id, "pairs": home.assignment.pair_id, "default": home.assignment.pk}
    found = []
    for route in routes(get_resolver().url_patterns):
        for number in ("", "99999999999999999999", DIGITS):
            key = next((key for key in ids if f"{key}/<int" in route), "default")
            one = re.sub(r"<slug:slug>", home.project.slug, route)
            one = re.sub(r"<int:\w+>", number or str(ids[key]), one)
            one = re.sub(r"<\w+:\w+>|\(\?P<\w+>([^|)]*)[^)]*\)", lambda found: found.group(1) or "x", one)
            if one == one.replace("<", "") and (not number or number in one):
                found.append("/" + one.lstrip("^").rstrip("$").replace("\\", ""))
    return found


def routes(patterns: list[Any], before: str = "") -> Iterator[str]:
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from routes(each.url_patterns, before + str(each.pattern))
        elif isinstance(each, URLPattern):
            yield before + str(each.pattern)


@pytest.fixture
def lead() -> tuple[Client, House]:
    home = house()
    home.lead.raise_request_exception = True
    return home.lead, home


def test_the_walk_finds_parameters_and_addresses(lead: tuple[Client, House]) -> None:
    assert {"version", "other", "one", "matched", "tenth", "least", "first", "last", "q", "seed"} <= set(names())
    assert len(addresses(lead[1])) > 80


@pytest.mark.parametrize(("name", "parameter"), NUMBERS)
def test_a_parameter_that_is_no_number_is_refused_by_its_name(
    name: str, parameter: str, lead: tuple[Client, House]
) -> None:
    client, home = lead
    for value in HOSTILE:
        address = reverse(name, args=[home.project.slug])
        response = client.get(f"{address}?{parameter}={value if value.startswith('%') else quote(value)}")
        assert response.status_code == 422, value
        assert parameter in response.content.decode()


@pytest.mark.long
@pytest.mark.takes(8)
@pytest.mark.parametrize(
    "value",
    [
        pytest.param(DIGITS, id="digits"),
        pytest.param("a\0b", id="NUL"),
        pytest.param("a\r\nb", id="lines", marks=pytest.mark.any_database),
    ],
)
def test_no_parameter_of_any_address_is_a_fault(value: str, lead: tuple[Client, House]) -> None:
    client, home = lead
    numbers = {parameter for _, parameter in NUMBERS}
    query = "&".join(f"{name}={quote(value)}" for name in names() if name not in numbers)
    for address in addresses(home):
        assert client.get(f"{address}?{query}").status_code < 500, address


def test_the_refusal_of_a_nul_character_says_which_field_has_it(lead: tuple[Client, House]) -> None:
    client, home = lead
    address = reverse("pairs", args=(home.project.slug,))
    for response in (client.post(address, {"answer": "a\0b"}), client.get(address, {"answer": "a\0b"})):
        assert response.status_code == 422
        assert "The value of “answer” contains a NUL character." in response.content.decode()
    for response in (client.post(address, {"a\0b": "x"}), client.get(address, {"a\0b": "x"})):
        assert "The value of “a\\0b” contains a NUL character." in response.content.decode()


@pytest.mark.parametrize("key", [str(2**63), "9" * 20, "-1", "٣"])
def test_a_key_of_a_person_that_no_row_can_have_is_refused(key: str, lead: tuple[Client, House]) -> None:
    client, home = lead
    slug, person = home.project.slug, home.assignment.annotator.pk
    for address in (reverse("plan", args=(slug,)), reverse("plan-again", args=(slug,))):
        response = client.post(address, {"people": [person, key]})
        assert response.status_code < 500 and response.context["form"].errors["people"], address
    response = client.post(reverse("person", args=(slug, person)), {"action": "replace", "newcomer": key})
    assert response.status_code < 500


@pytest.mark.long
@pytest.mark.takes(30)
def test_no_field_of_any_form_is_a_fault(lead: tuple[Client, House]) -> None:
    client, home = lead
    for address in addresses(home):
        if "/logout" in address or address.startswith("/api/") or DIGITS in address:
            continue
        actions = ("role", "assign-share", "replace") if "/people/" in address else ("include", "make")
        for action, value in zip(actions, (DIGITS, "a\0b", "٣"), strict=False):
            fields = dict.fromkeys(names(), value) | {"action": action, "step": action}
            assert client.post(address, fields).status_code < 500, (address, action)


BODIES = {
    "digits": '{"revision": ' + DIGITS + ', "spans": []}',
    "float": '{"revision": 1e999, "spans": []}',
    "nan": '{"revision": NaN}',
    "deep list": '{"revision": 0, "spans": ' + "[" * 100_000,
    "deep object": '{"revision": 0, "spans": ' + '{"a":' * 100_000 + "1" + "}" * 100_000 + "}",
    "below the limit": '{"revision": 0, "spans": ' + "[" * 90 + "]" * 90 + "}",
    "surrogate in a label": '{"revision": 0, "spans": [{"label": "\\ud800", "fragments": []}]}',
    "surrogate in a key": '{"revision": 0, "spans": [], "answers": {"\\ud800": "x"}}',
    "surrogate in a comment": '{"revision": 0, "spans": [], "comment": "\\udfff"}',
    "NUL": '{"revision": 0, "spans": [], "comment": "\\u0000", "method": "\\u0000", "verdict": "\\u0000"}',
    "twice": '{"revision": 0, "revision": 1}',
    "not UTF-8": b'{"revision": "\xff\xfe"}',
    "list": "[]",
    "number": "7",
    "empty": "",
    "nothing": "null",
    "too large": '{"revision": 0, "spans": "' + "x" * 2_700_000 + '"}',
    "odd": '{"revision": [], "spans": {"spans": {}}, "answers": [], "read": {"a": [99999]}, "settings": {"a": [[]]}}',
}


UNREADABLE = ("float", "nan", "deep list", "deep object", "twice", "not UTF-8", "too large")
NO_OBJECT = ("list", "number", "empty", "nothing")
"""Bodies that are refused as they are read, so that nothing in them reaches a database."""


@pytest.mark.long
@pytest.mark.takes(1)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.any_database if name in (*UNREADABLE, *NO_OBJECT) else ())
        for name in BODIES
    ],
)
@pytest.mark.parametrize("method", ["post", "put"])
def test_no_body_is_a_fault_and_each_refusal_says_where(name: str, method: str, lead: tuple[Client, House]) -> None:
    """Addresses that refuse the method are asked with one body: it does not read them."""
    _, home = lead
    kind, asked = "application/json", 0
    for address in addresses(home):
        if not address.startswith("/api/") or DIGITS in address:
            continue
        if name != "digits" and not operation_of(method, address):
            continue
        client = home.annotator if "assignments" in address else home.lead
        response = getattr(client, method)(address, BODIES[name], content_type=kind)
        asked += 1
        assert response.status_code < 500, (address, name)
        if response.status_code in (400, 422):
            error = response.json()["error"]
            assert error["message"] and error["where"], (address, error)
    assert asked > (60 if method == "post" else 20)
