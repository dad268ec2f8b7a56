"""The qualification: every response that the document of the API has for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.urls import reverse

from annotation.models import Annotation, Annotator, Assignment, Phase, Project
from annotation.services.annotations import annotation_submit
from annotation.services.qualification import person_advance, rule_save
from tests.annotation.work import LIBRARY, doc, span
from tests.factories import AssignmentFactory, PairFactory

if TYPE_CHECKING:
    from tests.api.site import Site

LEADS = (403, 403, 403, 200, 404, 403)
ACCESS: dict[str, tuple[int, ...]] = {
    "qualification": LEADS,
    "qualification_rule": LEADS,
    "qualification_rule_set": (403, 403, 403, 409, 404, 403),
    "qualification_person": LEADS,
    "qualification_decide": LEADS,
}
REQUESTS: dict[str, Any] = {
    "qualification_rule_set": {"revision": "an older one", "rule": {"least": 0.8}},
    "qualification_decide": {"action": "words", "revision": "0.0", "words": "Mark numbers too."},
}


def addresses(slug: str, person: int) -> dict[str, str]:
    rule = reverse("api-qualification-rule", args=(slug,))
    one = reverse("api-qualification-person", args=(slug, person))
    return {
        "qualification": reverse("api-qualification", args=(slug,)),
        "qualification_rule": rule,
        "qualification_rule_set": rule,
        "qualification_person": one,
        "qualification_decide": one,
    }


def rule_made(project: Project, person: Annotator) -> None:
    """A pass rule; `person` may annotate nonetheless."""
    rule_save(project=project, rule={"least_pairs": 1}, base="")
    person_advance(annotator=person, by=None)


def qualified(at: Site) -> Iterator[tuple[str, Any]]:
    """Rules saved and refused; a person judged, advanced, told to retry, and each decision undone."""
    project = at.home.project
    person = Annotator.objects.get(pk=at.person)
    for n in range(2):
        pair = PairFactory(project=project)
        Annotation.objects.create(
            source="gold", verdict="submitted", pair=pair, gold_version=0, spans=doc(span(LIBRARY))
        )
        if not n:
            work = AssignmentFactory(pair=pair, annotator=person, phase=Phase.QUALIFICATION)
            annotation_submit(assignment=work, by=None, base=0, verdict="submitted")
    AssignmentFactory(pair=PairFactory(project=project), annotator=person, phase=Phase.QUALIFICATION)
    yield "qualification", at.ask("qualification")
    yield "qualification_person", at.ask("qualification_person")
    Assignment.objects.filter(annotator=person, phase=Phase.QUALIFICATION, status="open").delete()
    rule = at.ask("qualification_rule")
    yield "qualification_rule", rule
    revision = rule.json()["revision"]
    for body in (
        {"revision": "an older one", "rule": {}},
        {"revision": revision, "rule": {"measure": "no such"}},
        {"revision": revision, "rule": {"least": 0.9, "parts": {"3": 0.5}, "release": "at-once", "least_pairs": 1}},
    ):
        yield "qualification_rule_set", at.ask("qualification_rule_set", body=body)
    step = at.ask("qualification_person").json()["steps"][-1]["id"]
    for body in (
        {"action": "advance"},
        {"action": "undo"},
        {"action": "undo", "step": step},
        {"action": "retry", "pairs": 9},
        {"action": "retry", "pairs": 1, "words": "Once more."},
        {"action": "release"},
        {"action": "words", "words": ""},
    ):
        revision = at.ask("qualification_person").json()["revision"]
        yield "qualification_decide", at.ask("qualification_decide", body={"revision": revision, **body})
    late = {"action": "words", "revision": "0.0", "words": "Mark numbers."}
    yield "qualification_decide", at.ask("qualification_decide", body=late)
    yield "qualification_person", at.ask("qualification_person")
    yield "qualification", at.ask("qualification")
    revision = at.ask("qualification_rule").json()["revision"]
    yield "qualification_rule_set", at.ask("qualification_rule_set", body={"revision": revision, "rule": None})
    yield "qualification_person", at.ask("qualification_person")
    yield "qualification", at.ask("qualification")
