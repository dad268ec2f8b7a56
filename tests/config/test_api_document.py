"""The API's document is made once for each language and format, and served as it was made."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from django.test import Client

from config import api_document
from config.openapi import OneAtATime
from tests.api.document import document

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One entry for each time that the document is made."""
    document()
    api_document.rendered.cache_clear()
    times: list[str] = []
    make = OneAtATime.get_schema

    def counted(self: OneAtATime, *args: Any, **kwargs: Any) -> Any:
        times.append("made")
        return make(self, *args, **kwargs)

    monkeypatch.setattr(OneAtATime, "get_schema", counted)
    return times


def test_it_is_made_once_for_a_language_and_a_format(client: Client, made: list[str]) -> None:
    first, again = client.get("/api/schema/?format=json"), client.get("/api/schema/?format=json&search=anything")
    assert first.content == again.content and len(made) == 1
    assert first["Content-Type"] == "application/vnd.oai.openapi+json"
    assert first["Content-Disposition"] == 'inline; filename="Diptych.json"'
    assert json.loads(first.content)["paths"].keys() == document()["paths"].keys()
    in_german = client.get("/api/schema/?format=json&lang=de")
    assert len(made) == 2 and in_german.content != first.content
    # A language that the site does not have is the reader's own.
    assert client.get("/api/schema/?format=json&lang=xx").content == first.content and len(made) == 2


def test_the_reader_chooses_the_format(client: Client) -> None:
    as_yaml = client.get("/api/schema/")
    assert as_yaml["Content-Type"] == "application/vnd.oai.openapi; charset=utf-8"
    compact = client.get("/api/schema/", headers={"Accept": "application/json; indent=1"})
    assert compact["Content-Type"] == "application/json" and compact.content.startswith(b'{\n "openapi"')
    assert yaml.load(as_yaml.content, yaml.CSafeLoader) == json.loads(compact.content)
    assert client.get("/api/schema/", headers={"Accept": "text/html"}).status_code == 406
