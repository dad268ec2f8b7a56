"""The glossary over the API: read, added to, changed and emptied by leads."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from annotation.models.glossary import GlossaryEntry
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
    assert made == {**ENTRY, "id": made["id"], "revision": 1, "note": ""}
    listed = home.lead.get(reverse("api-glossary", args=(home.project.slug,))).json()
    assert listed["entries"] == [made] and listed["revision"]
    changed = send(home, "put", {**ENTRY, "revision": 1, "translations": ["Recht"], "note": "one"}, made["id"]).json()
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


def test_a_change_names_its_revision_and_is_refused_with_the_newer_entry() -> None:
    home = house()
    made = send(home, "post", ENTRY).json()
    refused = send(home, "put", {**ENTRY, "note": "one"}, made["id"])
    assert (refused.status_code, refused.json()["error"]["where"]) == (422, "revision")
    newer = send(home, "put", {**ENTRY, "revision": 1, "note": "one"}, made["id"]).json()
    assert newer["revision"] == 2
    conflict = send(home, "put", {**ENTRY, "revision": 1, "note": "two"}, made["id"])
    assert conflict.status_code == 409 and conflict.json()["error"]["code"] == "conflict"
    assert conflict.json()["entry"] == newer
    assert send(home, "put", {**ENTRY, "revision": 1, "note": "one"}, made["id"]).json() == newer
    address = reverse("api-glossary-entry", args=(home.project.slug, made["id"]))
    assert home.lead.delete(f"{address}?revision=1").status_code == 409
    assert home.lead.delete(f"{address}?revision=x").status_code == 422
    assert home.lead.delete(f"{address}?revision=2").json() == newer
