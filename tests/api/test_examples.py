"""The examples of requests in the API's document, sent as they are printed."""

from __future__ import annotations

import pytest

from agreement.publication.splits import Splits
from tests.agreement.card_facts import state_card_facts
from tests.api.document import operations
from tests.api.site import site
from tests.assist.conftest import fakes, notified  # noqa: F401

pytestmark = [pytest.mark.any_database, pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]


def test_the_documents_examples_are_accepted() -> None:
    examples = {
        name: next(iter(body["examples"].values()))["value"]
        for name, (_, _, described) in operations().items()
        if "examples" in (body := described.get("requestBody", {}).get("content", {}).get("application/json", {}))
    }
    assert {"card_facts_save", "publication_request", "push_request", "consent_change"} <= set(examples)
    at = site()
    pair = at.home.assignment.pair
    pair.metadata = {"document": examples["documents_excluded"]["documents"][0]}
    pair.save()
    examples["qualification_rule_set"]["revision"] = at.ask("qualification_rule").json()["revision"]
    deletion = examples.pop("project_delete")
    unarchive = examples.pop("project_archived")
    found = {name: at.ask(name, body=body).status_code for name, body in examples.items() if "publi" not in name}
    assert found == {name: 409 if name in ("push_request", "mining_import") else 200 for name in found}
    state_card_facts(at.home.project, base=1)
    # The site has too few pairs for several splits.
    assert len(Splits.parse(examples["publication_request"]["splits"]).shares) > 1
    asked = {**examples["publication_request"], "splits": "train=100"}
    at.publication = at.ask("publication_request", body=asked).json()["number"]
    assert at.ask("push_request", body=examples["push_request"]).status_code == 200
    assert at.ask("project_archived", body=unarchive).status_code == 200
    assert at.ask("project_delete", body=deletion).status_code == 200
