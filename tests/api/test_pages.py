"""Which lists of the API come in pages, that they do so alike, and which come whole."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agreement.models import Publication, Push
from annotation.invitees import Invitee
from annotation.models import JobStatus
from annotation.models.imports import Import, ImportStatus
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.services.glossary import glossary_entry_save
from annotation.services.guidelines import guideline_write
from annotation.services.invitations import invitations_create
from annotation.services.threads import MAX_MESSAGES
from annotation.services.webhooks import MAX_WEBHOOKS
from assist.models import Run
from assist.runs import services
from tests.annotation.work import doc
from tests.api.document import document, operations
from tests.api.glossary import ENTRY
from tests.api.site import Site, site
from tests.assist.conftest import fakes, notified  # noqa: F401
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, UserFactory
from tests.paths import ROOT

pytestmark = [pytest.mark.any_database, pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]
API = (ROOT / "docs/api.md").read_text()
WHOLE = {
    "assignment": {"paragraph_alignment"},
    "project": {"progress"},
    "card_facts": {"missing"},
    "checklist": {"steps"},
    "publication_difference": {"terms", "changes", "labels"},
    "comparison": {"encoders", "files", "rows"},
    "manual_adjudication_pair": {"paragraph_alignment"},
    "import": {"rejections"},
    "item_making": {"files"},
    "thread": {"words", "read_by", "messages"},
    "assignment_next": {"upcoming"},
    "pair": {"assignments", "annotations"},
    "plan_now": {"people", "common", "presets"},
    "qualification_person": {"pairs", "steps"},
    "run": {"failures"},
    "settings": {"verdicts", "closed_phases"},
    "time": {"people", "months", "corrections"},
    "webhooks": {"webhooks"},
    "webhook": {"events"},
}
"""By operation, the lists that come whole: those of one thing or of a report, and lists with a stated maximum."""
ALSO: dict[str, dict[str, Any]] = {"gold_compare": {"one": 1, "other": 0}}
"""Parameters that a list needs besides the page."""


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = document()["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def _shape(operation: str) -> dict[str, Any]:
    """The properties of what a GET answers."""
    content = operations()[operation][2]["responses"]["200"]["content"]["application/json"]["schema"]
    assert "$ref" in content, f"{operation} answers with a list instead of an object"
    found: dict[str, Any] = _resolved(content)["properties"]
    return found


def _reads() -> list[str]:
    return sorted(name for name, (method, _, _) in operations().items() if method == "get")


@cache
def _paged() -> list[str]:
    return [name for name in _reads() if "pages" in _shape(name)]


def test_every_list_of_the_api_is_paged_or_named_as_whole() -> None:
    whole = {}
    for name in _reads():
        shape = _shape(name)
        if name in _paged():
            asked = {each["name"] for each in operations()[name][2]["parameters"]}
            assert {"page", "size"} <= asked and {"count", "page", "pages"} <= shape.keys(), name
            assert "422" in operations()[name][2]["responses"], name
        elif lists := {
            key for key, each in shape.items() if _resolved(each).get("type") in ("array", ["array", "null"])
        }:
            whole[name] = lists
    assert whole == WHOLE


def test_the_documentation_names_every_paged_list() -> None:
    told = API[API.index("Lists are paginated") :].split("\n\n")[0]
    below = told[told.index("below `/api/projects/SLUG/`:") :].split(":", 1)[1]
    named = {re.sub(r"\b(ID|N)\b", "*", each) for each in re.findall(r"`([^`]+/)`", below)}
    addresses = {
        re.sub(r"\{\w+\}", "*", path)
        for path, found in document()["paths"].items()
        if found.get("get", {}).get("operationId") in _paged()
    }
    assert addresses == {"/api/projects/"} | {f"/api/projects/*/{each}" for each in named}


def test_what_is_no_page_or_size_is_refused_by_every_list() -> None:
    at = site()
    for name in _paged():
        largest = 50 if name == "threads" else 200
        for wrong in ({"page": 0}, {"page": "x"}, {"page": 2**63}, {"size": 0}, {"size": largest + 1}):
            refused = at.ask(name, body={**ALSO.get(name, {}), **wrong})
            assert refused.status_code == 422, (name, wrong)
            assert refused.json()["error"]["where"] in wrong, (name, wrong)


def people(at: Site) -> None:
    AnnotatorFactory(project=at.home.project, user=UserFactory())


def an_import(at: Site) -> None:
    Import.objects.create(project=at.home.project, slug=at.home.project.slug, status=JobStatus.FAILED)


def an_invitation(at: Site) -> None:
    invitations_create(project=at.home.project, people=[Invitee("", "")], by=lead_of(at))


def an_entry(at: Site) -> None:
    words = at.home.project.glossary.count()
    glossary_entry_save(project=at.home.project, **{**ENTRY, "term": f"word {words}"})


def a_version(at: Site) -> None:
    versions = at.home.project.guidelines.count()
    guideline_write(project=at.home.project, text=f"Mark {versions}.", base=versions)


def a_comment(at: Site) -> None:
    assignment = AssignmentFactory(pair=PairFactory(project=at.home.project), annotator_id=at.person)
    annotation_save(assignment=assignment, by=None, base=0, sent=AnnotationInput(spans=doc(), comment="Hm."))
    annotation_submit(assignment=assignment, by=None, base=1, verdict="submitted")


def a_publication(at: Site) -> None:
    number = Publication.objects.count() + 1
    Publication.objects.create(project=at.home.project, number=number, format="jsonl", status=JobStatus.DONE)


def a_push(at: Site) -> None:
    publication = Publication.objects.get(project=at.home.project, number=1)
    Push.objects.create(publication=publication, repository="town/hours", tag=f"v{Push.objects.count()}")


def a_run(at: Site) -> None:
    seconds = 0.001 * (1 + Run.objects.count())
    services.run_request(project=at.home.project, method="fake", settings={"seconds": seconds})


def lead_of(at: Site) -> Any:
    return at.home.project.annotators.get(role="lead").user


NEW: dict[str, tuple[str, str, Callable[[Site], None], bool]] = {
    "people": ("people", "id", people, True),
    "imports": ("imports", "id", an_import, False),
    "invitations": ("invitations", "id", an_invitation, False),
    "glossary": ("entries", "id", an_entry, True),
    "guidelines": ("versions", "version", a_version, False),
    "monitor": ("queue", "id", a_comment, True),
    "publications": ("publications", "number", a_publication, False),
    "pushes": ("pushes", "id", a_push, False),
    "consents": ("people", "person", people, True),
    "qualification": ("people", "person", people, True),
    "runs": ("runs", "requested", a_run, False),
}
"""By operation: the list in its answer, what orders it, what adds to it, and whether the oldest comes first."""


@pytest.mark.parametrize("name", NEW)
def test_a_list_comes_in_pages_of_a_stable_order(name: str) -> None:
    key, order, add, ascending = NEW[name]
    at = site()
    for _ in range(4):
        add(at)
    whole = at.ask(name, body={"size": 200}).json()
    rows = whole[key]
    assert len(rows) >= 4 and (whole["count"], whole["page"], whole["pages"]) == (len(rows), 1, 1)
    assert at.ask(name).json() == whole, "the first hundred"
    assert [row[order] for row in rows] == sorted((row[order] for row in rows), reverse=not ascending)
    parts, pages = [], -(-len(rows) // 3)
    for number in range(1, pages + 1):
        part = at.ask(name, body={"page": number, "size": 3}).json()
        assert (part["count"], part["page"], part["pages"]) == (len(rows), number, pages)
        assert {each: part[each] for each in part.keys() - {key, "page", "pages"}} == {
            each: whole[each] for each in whole.keys() - {key, "page", "pages"}
        }
        parts += part[key]
    assert parts == rows
    last = at.ask(name, body={"page": pages + 7, "size": 3}).json()
    assert (last["page"], last[key]) == (pages, rows[3 * (pages - 1) :])


def a_pair(at: Site) -> None:
    PairFactory(project=at.home.project)


ADDED = {name: add for name, (_key, _order, add, _oldest_first) in NEW.items() if name != "runs"} | {"pairs": a_pair}


@pytest.mark.parametrize("name", ADDED)
def test_a_list_makes_as_many_statements_however_long_it_is(name: str) -> None:
    add = ADDED[name]
    at = site()

    def statements() -> int:
        at.ask(name)
        with CaptureQueriesContext(connection) as captured:
            assert at.ask(name).status_code == 200
        return len(captured)

    add(at)
    before = statements()
    for _ in range(4):
        add(at)
    assert statements() == before


def test_an_empty_list_is_one_page() -> None:
    at = site()
    Import.objects.all().delete()
    assert at.ask("imports").json() == {"count": 0, "page": 1, "pages": 1, "imports": []}
    assert at.ask("pushes", body={"page": 4}).json() == {"count": 0, "page": 1, "pages": 1, "pushes": []}


def test_people_are_listed_by_role() -> None:
    at = site()
    everyone = at.ask("people").json()["people"]
    for role in ("annotator", "adjudicator", "lead"):
        found = at.ask("people", body={"role": role}).json()
        assert found["people"] == [each for each in everyone if each["role"] == role] and found["people"]
        assert found["count"] == len(found["people"])
    assert at.ask("people", body={"role": "owner"}).json()["error"]["where"] == "role"


def test_runs_and_imports_are_listed_by_status() -> None:
    at = site()
    a_run(at)
    Run.objects.filter(pk=Run.objects.latest("pk").pk).update(status=JobStatus.DONE)
    an_import(at)
    for name, status in (("runs", "done"), ("runs", "queued"), ("imports", "failed"), ("imports", "queued")):
        everything, found = at.ask(name).json(), at.ask(name, body={"status": status}).json()
        assert found[name] == [each for each in everything[name] if each["status"] == status] and found[name]
        assert found["count"] == len(found[name]) < everything["count"]
    assert at.ask("runs", body={"status": "sending"}).status_code == 422
    assert at.ask("imports", body={"status": "sending"}).status_code == 422, "such imports are not listed"


def test_an_import_whose_upload_is_not_complete_is_in_no_page() -> None:
    at = site()
    before = at.ask("imports").json()
    an_import(at)
    Import.objects.filter(pk=Import.objects.latest("pk").pk).update(status=ImportStatus.SENDING)
    assert at.ask("imports").json() == before


def test_a_new_version_of_the_guidelines_comes_with_the_first_page() -> None:
    at = site()
    made = at.ask("guidelines_write", body={"text": "Mark none.", "base": 1}).json()
    assert made == at.ask("guidelines").json() and [each["version"] for each in made["versions"]] == [2, 1]


def test_the_maximum_of_a_list_that_comes_whole_is_the_stated_one() -> None:
    text = " ".join(API.split())
    assert f"webhooks ({MAX_WEBHOOKS} at most)" in text and f"messages of a thread ({MAX_MESSAGES} at most)" in text
