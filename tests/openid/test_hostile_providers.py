"""Answers of a provider that are wrong, late, or not its own: nobody enters by one."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
import requests
from django.test import Client
from django.urls import reverse

from annotation.models.identities import Identity
from config.openid import requests_session
from tests.factories import UserFactory
from tests.openid.conftest import begin, log_in, visit
from tests.openid.provider import CLIENT, PATIENCE, SITE_OF_OTHERS, Provider

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture(autouse=True)
def anna(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    from config.openid import provider as sites  # of django-allauth, which is part of the site only now

    # The provider is asked again what its addresses are.
    monkeypatch.setattr(sites, "_described", {})
    Identity.objects.create(user=UserFactory(), issuer=provider.issuer, subject=provider.person["sub"])


def refused(client: Client, response: Any, status: int, said: str) -> None:
    page = response.content.decode()
    assert response.status_code == status and said in page, page
    assert "_auth_user_id" not in client.session


NOW = int(time.time())
CLAIMS: dict[str, dict[str, Any]] = {
    "another issuer": {"iss": "https://id.example.org"},
    "no issuer": {"iss": None},
    "another audience": {"aud": "another-site"},
    "several audiences": {"aud": [CLIENT, "another-site"]},
    "another party": {"aud": [CLIENT, "another-site"], "azp": "another-site"},
    "no audience": {"aud": None},
    "expired": {"exp": NOW - 600, "iat": NOW - 900},
    "no end": {"exp": None},
    "of tomorrow": {"iat": NOW + 86_400, "nbf": NOW + 86_400, "exp": NOW + 2 * 86_400},
    "another nonce": {"nonce": "x" * 43},
    "no nonce": {"nonce": None},
    "a nonce that is none": {"nonce": ["x"]},
    "no subject": {"sub": None},
    "an empty subject": {"sub": ""},
    "a long subject": {"sub": "x" * 256},
    "a number as subject": {"sub": 248289761001},
}


@pytest.mark.parametrize("which", sorted(CLAIMS))
def test_a_token_that_says_something_else(provider: Provider, which: str) -> None:
    provider.claims = CLAIMS[which]
    client = Client()
    refused(client, log_in(client), 502, "can't be trusted")


@pytest.mark.parametrize("wrong", ["signature", "unsigned", "symmetric", "key-id", "no identity"])
def test_a_token_that_it_did_not_sign(provider: Provider, wrong: str) -> None:
    provider.wrong = {wrong}
    client = Client()
    refused(client, log_in(client), 502, "can't be trusted")


def test_someone_elses_description_of_a_person(provider: Provider) -> None:
    provider.in_userinfo, provider.wrong = True, {"userinfo"}
    client = Client()
    refused(client, log_in(client), 502, "can't be trusted")


@pytest.mark.parametrize(
    ("discovered", "said"),
    [
        ({"issuer": SITE_OF_OTHERS}, "can't be trusted"),
        ({"issuer": 7}, "can't be trusted"),
        ({"token_endpoint": "file:///etc/passwd"}, "can't be trusted"),
        ({"jwks_uri": None}, "can't be trusted"),
        ({"userinfo_endpoint": []}, "can't be trusted"),
        ({"authorization_endpoint": "javascript:alert(1)"}, "can't be trusted"),
    ],
)
def test_a_description_of_itself_that_is_wrong(provider: Provider, discovered: dict[str, Any], said: str) -> None:
    provider.discovered = discovered
    client = Client()
    refused(client, client.post(reverse("openid")), 502, said)


PATHS = ("/.well-known/openid-configuration", "/token", "/jwks")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("how", ["down", "page", "list", "large", "redirect"])
def test_no_answer_or_one_that_is_none(provider: Provider, how: str, path: str) -> None:
    client = Client()
    if path == PATHS[0]:
        provider.wrong = {f"{how} {path}"}
        response = client.post(reverse("openid"))
    else:
        back = visit(begin(client))
        provider.wrong = {f"{how} {path}"}
        response = client.get(back)
    assert response.status_code == 502 and "_auth_user_id" not in client.session
    assert "/elsewhere" not in provider.asked


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"[" * 100_000, "application/json"),
        (b'{"a":' + b"9" * 5000 + b"}", "application/json"),
        (b'["access_token", "keys", "issuer"]', "application/json"),
        (b'"access_token"', "application/json"),
        (b"\xff\xfe", "application/json"),
        (b"{}", ""),
    ],
)
def test_an_answer_of_no_known_shape(provider: Provider, path: str, body: bytes, kind: str) -> None:
    client = Client()
    back = "" if path == PATHS[0] else visit(begin(client))
    provider.raw[path] = body, kind
    refused(client, client.get(back) if back else client.post(reverse("openid")), 502, "can't be trusted")


@pytest.mark.parametrize("endpoint", ["http://[x", "http://a..b/token"])
def test_an_address_that_can_not_be_read(provider: Provider, endpoint: str) -> None:
    provider.discovered = {"token_endpoint": endpoint}
    client = Client()
    response = client.post(reverse("openid"))
    if response.status_code == 200:
        response = client.get(visit(response["Refresh"].partition(";url=")[2]))
    refused(client, response, 502, "can't be trusted")


@pytest.mark.processes
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("how", ["slow", "drip"])
def test_one_that_is_slow_is_not_waited_for(
    provider: Provider, how: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests_session, "SECONDS", 1.0)
    provider.wrong = {f"{how} {path}"}
    client, began = Client(), time.monotonic()
    response = client.post(reverse("openid")) if path == PATHS[0] else log_in(client)
    refused(client, response, 502, "can't be reached at the moment")
    assert time.monotonic() - began < PATIENCE / 2


def test_one_that_is_silent_keeps_few_waiting(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    """All other pages are answered by the same threads."""
    monkeypatch.setattr(requests_session, "SECONDS", 2.0)
    monkeypatch.setattr(requests_session, "SLOT_WAIT_SECONDS", 0.1)
    provider.wrong = {f"slow {PATHS[0]}"}
    many = 3 * requests_session.MAX_CONCURRENT

    together = Barrier(many)

    def ask(_: int) -> bool:
        together.wait()
        with pytest.raises(requests.RequestException) as refusal:
            requests_session.BoundedSession().get(provider.issuer + PATHS[0])
        return "too many wait" in str(refusal.value)

    with ThreadPoolExecutor(many) as pool:
        turned_away = sum(pool.map(ask, range(many)))
    assert len(provider.asked) == requests_session.MAX_CONCURRENT
    assert turned_away == many - requests_session.MAX_CONCURRENT
    provider.wrong = set()
    for _ in range(many):
        requests_session.BoundedSession().get(provider.issuer + PATHS[0])


def test_one_that_is_gone(provider: Provider) -> None:
    provider.discovered = {"token_endpoint": "http://127.0.0.1:9/token"}
    client = Client()
    refused(client, log_in(client), 502, "can't be reached at the moment")


def test_a_person_who_cancels(provider: Provider) -> None:
    provider.wrong = {"denied"}
    client = Client()
    response = log_in(client)
    refused(client, response, 403, "You cancelled the log-in")
    assert "<b>no</b>" not in response.content.decode()


def test_a_log_in_that_was_started_in_another_browser(provider: Provider) -> None:
    """Otherwise someone could have others work in their account."""
    back, client = visit(begin(Client())), Client()
    refused(client, client.get(back), 400, "started in another browser")
    asked = len(provider.asked)
    for query in ("", "?code=x", "?state=x&code=y", "?state=", "?error=access_denied"):
        refused(client, client.get(reverse("openid-callback") + query), 400, "started in another browser")
    assert len(provider.asked) == asked


def test_a_way_back_works_once(provider: Provider) -> None:
    client = Client()
    back = visit(begin(client))
    assert client.get(back).status_code == 302
    client.logout()
    refused(client, client.get(back), 400, "started in another browser")


def test_a_code_of_another_log_in(provider: Provider) -> None:
    """A stolen code is of no use: the provider gives a token only to the browser that began (PKCE)."""
    stolen = visit(begin(Client())).partition("code=")[2].partition("&")[0]
    client = Client()
    own = visit(begin(client))
    code = own.partition("code=")[2].partition("&")[0]
    refused(client, client.get(own.replace(code, stolen)), 502, "can't be trusted")


def test_the_log_names_no_one_and_holds_no_secret(provider: Provider, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    client = Client()
    back = visit(begin(client))
    caplog.clear()
    client.get(back)
    provider.wrong = {"signature"}
    log_in(Client())
    ours = "\n".join(
        each.getMessage() for each in caplog.records if each.name.startswith(("config", "annotation", "diptych"))
    )
    code = back.partition("code=")[2].partition("&")[0]
    for secret in (code, "anna", provider.person["sub"], "opens-userinfo", "eyJ"):
        assert secret not in ours
