"""The texts of scripts in the user's language: which page names which catalogue, what is in it, how long it is kept."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from annotation.models import User
from config import script_texts
from config.caching import PublicCacheMiddleware
from script import messages
from tests.annotation.work import House, house

OTHERS = ("de", "fr", "it", "es")
NAMED = re.compile(r'<script defer src="([^"]+)"></script>\s*<script type="module"')


def named(home: House, **headers: str) -> list[str]:
    """The catalogues that the workspace names right before its modules."""
    address = reverse("work", args=(home.project.slug, home.assignment.pk))
    return NAMED.findall(home.annotator.get(address, headers=headers).content.decode())


@pytest.mark.django_db
@pytest.mark.parametrize("language", OTHERS)
def test_a_page_names_the_catalogue_of_its_own_language(language: str) -> None:
    home = house()
    assert named(home, accept_language=language) == [script_texts.catalogue_address(language)]
    User.objects.update(preferences={"language": language})
    assert named(home, accept_language="en") == [script_texts.catalogue_address(language)]


@pytest.mark.django_db
def test_in_english_there_is_nothing_to_load() -> None:
    home = house()
    assert [len(named(home, accept_language=code)) for code in ("de", "en", "de")] == [1, 0, 1]
    assert script_texts.catalogue_address("en") is None


@pytest.mark.parametrize("language", OTHERS)
def test_it_has_the_translations_of_scripts_and_no_others(language: str) -> None:
    view = script_texts.Catalogue()
    with override(language):
        view.get(HttpRequest())
    # What is not translated yet is shown in English.
    translated = [each for each in messages.read(language, "djangojs") if each.id and any(messages.forms(each)[0][1:])]
    expected = {str(messages.forms(each)[0][0]) for each in translated}
    assert view.get_catalog().keys() == expected
    assert "Saved" in expected


@pytest.mark.parametrize("language", OTHERS)
def test_anyone_may_load_it_and_keep_it_for_good(language: str) -> None:
    """Even without an account; with the same content and headers for everyone, whatever their browser asks for."""
    address = script_texts.catalogue_address(language)
    assert address is not None
    sent = [Client().get(address), Client(headers={"accept-language": "en", "accept-encoding": "gzip"}).get(address)]
    for response in sent:
        assert response.status_code == 200
        assert response["Content-Type"] == 'text/javascript; charset="utf-8"'
        assert response["Content-Language"] == language
        assert set(response["Cache-Control"].split(", ")) == {"public", "max-age=31536000", "immutable"}
        assert response["Vary"] == "Accept-Encoding" and not response.cookies
    assert sent[0].content == script_texts.catalogue(language)[0]
    assert sent[1]["Content-Encoding"] == "gzip" and len(sent[1].content) < len(sent[0].content) / 2


def test_at_an_address_of_another_version_nothing_is_kept() -> None:
    response = Client().get(reverse("javascript-catalog", args=("de", "0")))
    assert response.content == script_texts.catalogue("de")[0]
    assert response["Cache-Control"] == "no-cache"


def test_the_address_changes_with_the_translations(monkeypatch: pytest.MonkeyPatch) -> None:
    before = script_texts.catalogue_address("de")
    more = {"A new sentence": "Ein neuer Satz"}
    monkeypatch.setattr(script_texts.Catalogue, "get_catalog", lambda self: more)
    assert script_texts.catalogue_address("de") == before, "read once"
    monkeypatch.setattr(settings, "DEBUG", True)
    assert script_texts.catalogue_address("de") != before, "during development, read each time"


@pytest.mark.parametrize("language", ["nl", "xx", "DE"])
def test_an_unknown_language_is_not_found(language: str) -> None:
    assert Client().get(reverse("javascript-catalog", args=(language, "0"))).status_code == 404


def test_it_can_only_be_read() -> None:
    assert Client().post(reverse("javascript-catalog", args=("de", "0"))).status_code == 405


@pytest.mark.parametrize(("kept", "left"), [("public, max-age=1, immutable", None), ("public, max-age=1", "Cookie")])
def test_only_what_never_changes_is_the_same_for_everyone(kept: str, left: str | None) -> None:
    def respond(request: HttpRequest) -> HttpResponse:
        return HttpResponse(headers={"Cache-Control": kept, "Vary": "Cookie"})

    response: Any = PublicCacheMiddleware(respond)(HttpRequest())
    assert response.get("Vary") == left
