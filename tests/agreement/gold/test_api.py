"""The JSON of manual adjudication, and who may read it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from agreement.gold.services.drafts import draft_close
from agreement.models import Exclusion
from annotation.models import Annotation, Role, Source
from annotation.serializers.workspace import AssignmentSerializer
from annotation.text.spans import spans_document
from tests.agreement.access import member, statuses
from tests.agreement.gold.home import Home, home
from tests.agreement.work import spans_of

pytestmark = pytest.mark.django_db


def address(at: Home, name: str = "api-manual-adjudication") -> str:
    return reverse(name, args=[at.project.slug, at.pair.pk])


def put(client: Client, at: Home, base: int, *marks: Any) -> Any:
    body = {"revision": base, "spans": spans_document(spans_of(at.pair, marks))}
    return client.put(address(at, "api-manual-adjudication-annotation"), body, content_type="application/json")


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("api-manual-adjudication", "get"),
        ("api-manual-adjudication-annotation", "put"),
        ("api-manual-adjudication-submit", "post"),
        ("api-manual-adjudication-reopen", "post"),
    ],
)
def test_who_may(name: str, method: str) -> None:
    at = home()
    at.open()
    found = statuses(at.project, address(at, name), method)
    assert (found["stranger"], found["annotator"], found["nobody"]) == (404, 403, 403)
    assert {found["lead"], found["adjudicator"]} <= {200, 409, 415, 422}


def test_the_pair_as_the_workspace_opens_it() -> None:
    at = home()
    at.open()
    body = member(at.project, Role.ADJUDICATOR).get(address(at)).json()
    missing = {name for name, field in AssignmentSerializer().fields.items() if field.required} - set(body)
    assert not missing
    assert [region["state"] for region in body["adjudication"]["regions"]] == ["disputed", "agreed"]
    assert sorted(body["adjudication"]["people"]) == ["A1", "A2"]
    assert [span["label"] for span in body["annotation"]["spans"]["spans"]] == ["1"]
    assert body["position"] == {"n": 1, "of": 1, "done": 0}
    assert body["editable"] and not body["reopen"]


def test_blind_names_nobody() -> None:
    at = home()
    at.project.settings = {"adjudication_blind": True}
    at.project.save()
    at.open()
    response = member(at.project, Role.LEAD).get(address(at))
    assert response.json()["adjudication"]["people"] == ["A", "B"]
    assert "A1" not in response.content.decode() and "A2" not in response.content.decode()


def test_saved_decided_reopened() -> None:
    at = home()
    at.open()
    client = member(at.project, Role.ADJUDICATOR)
    assert put(client, at, 0, ("4", [0, 1], [0]), ("1", [3], [])).json()["revision"] == 1
    refused = put(client, at, 0, ("2", [0, 1], [0]))
    assert refused.status_code == 409 and refused.json()["annotation"]["revision"] == 1
    submit = client.get(address(at)).json()["urls"]["submit"]
    body = {"revision": 1, "verdict": "submitted"}
    stale = client.post(submit[:-1], body, content_type="application/json")
    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "stale"), "other work seen"
    assert client.post(submit, body, content_type="application/json").json() == {"status": "done", "next": None}
    assert Annotation.objects.get(decided__isnull=False).spans["spans"][0]["label"] == "4"
    shown = client.get(address(at)).json()
    assert (shown["editable"], shown["reopen"], shown["adjudication"]["state"]) == (False, True, "decided")
    assert client.post(address(at, "api-manual-adjudication-reopen")).json() == {"status": "started", "revision": 2}
    assert not Annotation.objects.filter(decided__isnull=False).exists()


def test_a_pair_is_decided_at_its_documented_address() -> None:
    at = home()
    at.open()
    client = member(at.project, Role.ADJUDICATOR)
    put(client, at, 0, ("4", [0, 1], [0]), ("1", [3], []))
    body = {"revision": 1, "verdict": "submitted"}
    answer = client.post(address(at, "api-manual-adjudication-submit"), body, content_type="application/json")
    assert answer.json() == {"status": "done", "next": None}


def test_what_a_page_of_a_closed_draft_sends_does_not_reach_the_next_one() -> None:
    at = home()
    draft = at.open()
    client = member(at.project, Role.LEAD)
    urls = client.get(address(at)).json()["urls"]
    draft_close(draft=draft, by=at.by)
    at.open()
    spans = spans_document(spans_of(at.pair, [("4", [0, 1], [0])]))
    sent = {
        "assignment": client.get(urls["assignment"]),
        "annotation": client.put(urls["annotation"], {"revision": 0, "spans": spans}, content_type="application/json"),
        "submit": client.post(
            urls["submit"], {"revision": 0, "verdict": "rejected", "reason": "x"}, content_type="application/json"
        ),
        "reopen": client.post(urls["reopen"]),
    }
    for name, answer in sent.items():
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "closed"), name
        assert f"gold version {draft.number} is no longer open" in answer.json()["error"]["message"]
    assert not Exclusion.objects.exists()
    assert not Annotation.objects.filter(gold_version=draft.number + 1).exists()
    fresh = client.get(address(at)).json()["urls"]["annotation"]
    saved = client.put(fresh, {"revision": 0, "spans": spans}, content_type="application/json")
    assert saved.status_code == 200
    assert client.get(f"{address(at)}?draft=next").status_code == 422


def test_a_decision_of_an_older_version_is_reopened_with_its_unmarked_regions_and_its_comment() -> None:
    at = home()
    draft = at.open()
    client = member(at.project, Role.LEAD)
    shown = client.get(address(at)).json()
    key = shown["adjudication"]["regions"][0]["key"]
    body = {"revision": 0, "spans": {"v": 1, "spans": []}, "unmarked": [key], "comment": "a slip of A2"}
    assert client.put(shown["urls"]["annotation"], body, content_type="application/json").status_code == 200
    verdict = {"revision": 1, "verdict": "submitted"}
    assert client.post(shown["urls"]["submit"], verdict, content_type="application/json").status_code == 200
    draft_close(draft=draft, by=at.by)
    at.open()
    decided = client.get(address(at)).json()
    assert (decided["adjudication"]["state"], decided["annotation"]["unmarked"]) == ("decided", [key])
    assert client.post(decided["urls"]["reopen"]).status_code == 200
    reopened = client.get(address(at)).json()["annotation"]
    assert (reopened["unmarked"], reopened["comment"], reopened["revision"]) == ([key], "a slip of A2", 1)
    assert client.post(decided["urls"]["submit"], verdict, content_type="application/json").status_code == 200


def test_regions_left_unmarked_are_kept_with_the_gold() -> None:
    at = home()
    at.open()
    client = member(at.project, Role.ADJUDICATOR)
    key = client.get(address(at)).json()["adjudication"]["regions"][0]["key"]
    body = {"revision": 0, "spans": {"v": 1, "spans": []}, "unmarked": [key]}
    saved = client.put(address(at, "api-manual-adjudication-annotation"), body, content_type="application/json")
    assert saved.status_code == 200
    gold = Annotation.objects.get(source=Source.GOLD)
    assert (gold.unmarked, gold.dismissed) == ([key], [])
    assert client.get(address(at)).json()["annotation"]["unmarked"] == [key]
    refused = client.put(
        address(at, "api-manual-adjudication-annotation"),
        body | {"revision": 7, "comment": "!"},
        content_type="application/json",
    )
    assert refused.json()["annotation"]["unmarked"] == [key]
    former = {"revision": 1, "spans": {"v": 1, "spans": []}, "dismissed": [key]}
    again = client.put(address(at, "api-manual-adjudication-annotation"), former, content_type="application/json")
    assert again.status_code == 200, "by its former name"
    gold.refresh_from_db()
    assert (gold.unmarked, gold.dismissed) == ([key], [])
    both = {
        **former,
        "revision": 2,
        **{name: [f"{name}{n}" for n in range(6000)] for name in ("unmarked", "dismissed")},
    }
    refused = client.put(address(at, "api-manual-adjudication-annotation"), both, content_type="application/json")
    assert refused.status_code == 422 and "At most 10000 regions" in refused.content.decode()


def test_left_out_and_other_verdicts() -> None:
    at = home()
    at.open()
    client, to = member(at.project, Role.ADJUDICATOR), address(at, "api-manual-adjudication-submit")

    def verdict(name: str, reason: str = "") -> int:
        body = {"revision": 0, "verdict": name, "reason": reason}
        return client.post(to, body, content_type="application/json").status_code

    assert verdict("rejected") == 422
    assert verdict("skipped") == 422
    assert verdict("rejected", "a menu") == 200
    assert Exclusion.objects.get().reason == "a menu"
    assert client.get(address(at)).json()["adjudication"]["reason"] == "a menu"


def test_without_a_draft_or_without_work() -> None:
    at = home()
    client = member(at.project, Role.LEAD)
    assert client.get(address(at)).status_code == 409
    at.open()
    at.pair = type(at.pair).objects.create(
        project=at.project, a=at.pair.a, b=at.pair.b, external_id="alone", position=999
    )
    assert client.get(address(at)).status_code == 404


@pytest.mark.parametrize("saved", [True, False])
def test_a_conflict_carries_the_draft_as_the_pair_shows_it(saved: bool) -> None:
    at = home()
    at.open()
    client = member(at.project, Role.ADJUDICATOR)
    if saved:
        put(client, at, 0, ("4", [0, 1], [0]))
    shown = client.get(address(at)).json()
    refused = put(client, at, 7, ("2", [0, 1], [0]))
    assert refused.status_code == 409 and refused.json()["annotation"] == shown["annotation"]
    body = {"revision": 7, "verdict": "submitted"}
    refused = client.post(shown["urls"]["submit"], body, content_type="application/json")
    assert refused.status_code == 409 and refused.json()["annotation"] == shown["annotation"]
    assert Annotation.objects.filter(source=Source.GOLD).count() == saved


def test_nothing_is_not_saved_on_a_revision_that_was_never_saved() -> None:
    at = home()
    at.open()
    response = put(member(at.project, Role.ADJUDICATOR), at, 99)
    assert (response.status_code, response.json()["error"]["code"]) == (409, "conflict")
    assert not Annotation.objects.filter(source=Source.GOLD).exists()
