"""A site on which a program publishes: every response that the document of the API has for publications."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.urls import reverse

from agreement.models import Publication
from tests.agreement.card_facts import CARD_FACTS

PUSH = {"repository": "owner/towns", "tag": "v1", "token": "hf_secret"}
PUBLISHING: dict[str, tuple[int, ...]] = {
    "card_facts": (403, 403, 403, 200, 404, 403),
    "card_facts_save": (403, 403, 403, 200, 404, 403),
    "publications": (403, 403, 403, 200, 404, 403),
    "publication_request": (403, 403, 403, 200, 404, 403),
    "publication": (403, 403, 403, 200, 404, 403),
    "publication_card": (403, 403, 403, 200, 404, 403),
    "publication_delete": (403, 403, 403, 200, 404, 403),
    "publication_retry": (403, 403, 403, 200, 404, 403),
    "publication_difference": (403, 403, 403, 422, 404, 403),
    "pushes": (403, 403, 403, 200, 404, 403),
    "push_request": (403, 403, 403, 409, 404, 403),
    "consents": (403, 403, 403, 200, 404, 403),
    "consent_change": (403, 403, 403, 200, 404, 403),
}
"""What everyone gets, in the order of the test's `ALL`."""
REQUESTS: dict[str, Any] = {
    "card_facts_save": {"revision": 0, "facts": CARD_FACTS},
    "publication_request": {"format": "jsonl"},
    "publication_difference": {"one": 1, "other": 1},
    "push_request": PUSH,
    "consent_change": {"withdrawn": True},
}


def addresses(slug: str, number: int, person: int) -> dict[str, str]:
    """The address of each operation, for a publication and a person."""
    return {
        "card_facts": reverse("api-card-facts", args=(slug,)),
        "card_facts_save": reverse("api-card-facts", args=(slug,)),
        "publications": reverse("api-publications", args=(slug,)),
        "publication_request": reverse("api-publications", args=(slug,)),
        "publication_difference": reverse("api-publication-difference", args=(slug,)),
        "publication": reverse("api-publication", args=(slug, number)),
        "publication_card": reverse("api-publication-card", args=(slug, number)),
        "publication_delete": reverse("api-publication", args=(slug, number)),
        "publication_retry": reverse("api-publication-retry", args=(slug, number)),
        "pushes": reverse("api-publication-pushes", args=(slug, number)),
        "push_request": reverse("api-publication-pushes", args=(slug, number)),
        "consents": reverse("api-consents", args=(slug,)),
        "consent_change": reverse("api-consent", args=(slug, person)),
    }


def published(at: Any) -> Iterator[tuple[str, Any]]:
    """Facts, publications, what differs between them, pushes and consent."""
    dataset = {"format": "hub", "licence": "cc-by-4.0"}
    yield "publication_request", at.ask("publication_request", body=dataset)  # nothing is stated yet
    Publication.objects.update(format="hub", licence="cc-by-4.0")
    yield "publication_retry", at.ask("publication_retry")
    for revision in (0, 0):
        body = {"revision": revision, "facts": {**CARD_FACTS, "pay": f"{revision} francs"}}
        yield "card_facts_save", at.ask("card_facts_save", body=body)
    yield "card_facts_save", at.ask("card_facts_save", body={"revision": 0, "facts": {"contact": "Ben"}})
    yield "card_facts", at.ask("card_facts")
    yield "publication", at.ask("publication")
    yield "publication_card", at.ask("publication_card")
    Publication.objects.create(project=at.home.project, number=2, format="hub")
    yield "publication_difference", at.ask("publication_difference", body={"one": 1, "other": 2})
    at.publication = 2
    yield "publication_delete", at.ask("publication_delete")
    yield "consent_change", at.ask("consent_change", body={"withdrawn": True})
    yield "consent_change", at.ask("consent_change", body={"withdrawn": True})
    yield "consents", at.ask("consents")
    at.publication = 1
    for name in ("publication_retry", "publication_delete", "publication_retry"):
        yield name, at.ask(name)
    made = at.ask("publication_request", body=dataset)
    yield "publication_request", made
    at.publication = made.json()["number"]
    yield "publication_request", at.ask("publication_request", body={**dataset, "splits": "train=100"})
    numbers = {"one": at.publication, "other": at.publication + 1}
    yield "publication_difference", at.ask("publication_difference", body=numbers)
    yield "publication_difference", at.ask("publication_difference", body={"one": 1, "other": "x"})
    yield "publications", at.ask("publications")
    yield "publication_delete", at.ask("publication_delete")
    yield "push_request", at.ask("push_request", body=PUSH)
    yield "push_request", at.ask("push_request", body=PUSH)
    yield "pushes", at.ask("pushes")
