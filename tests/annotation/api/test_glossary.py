"""The glossary over the API: read, added to, changed and emptied by leads."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from annotation.models import GlossaryEntry
from tests.annotation.work import House, house

pytestmark = pytest.mark.django_db
ENTRY: dict[str, Any] = {
    "term_language": "en",
    "translation_language": "de",
    "term": "law",
    "translations": ["Recht", "Gesetz"],
}


def send(home: House, method: str, body: Any, pk: int | None = None) -> Any:
    name, more = ("api-glossary-entry", (pk,)) if pk else ("api-glossary", ())
    address = reverse(name, args=(home.project.slug, *more))
    return getattr(home.lead, method)(address, body, content_type="application/json")


def test_entries_are_added_changed_and_deleted() -> None:
    home = house()
    made = send(home, "post", ENTRY).json()
    assert made == {**ENTRY, "id": made["id"], "note": ""}
    listed = home.lead.get(reverse("api-glossary", args=(home.project.slug,))).json()
    assert listed["entries"] == [made] and listed["revision"]
    changed = send(home, "put", {**ENTRY, "translations": ["Recht"], "note": "one"}, made["id"]).json()
    assert (changed["translations"], changed["note"]) == (["Recht"], "one")
    assert home.lead.get(reverse("api-glossary", args=(home.project.slug,))).json()["revision"] != listed["revision"]
    assert send(home, "delete", None, made["id"]).json() == changed and not GlossaryEntry.objects.exists()
    assert send(home, "delete", None, made["id"]).status_code == 404


@pytest.mark.parametrize(
    ("body", "status", "where"),
    [
        ({**ENTRY, "term": "a\x07"}, 422, "term"),
        ({**ENTRY, "translations": []}, 422, "translations"),
        ({**ENTRY, "translations": "Recht"}, 422, "translations"),
        ({**ENTRY, "term_language": "english"}, 422, "term_language"),
        ({**ENTRY, "surprise": 1}, 422, "surprise"),
        ({**ENTRY, "term": "right"}, 409, "term"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_the_field(body: dict[str, Any], status: int, where: str) -> None:
    home = house()
    send(home, "post", {**ENTRY, "term": "right"})
    refused = send(home, "post", body)
    assert refused.status_code == status and refused.json()["error"]["where"].split(".")[0] == where
    assert GlossaryEntry.objects.count() == 1
