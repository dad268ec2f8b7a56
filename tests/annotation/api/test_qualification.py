"""The qualification over the API: what is refused, with the field, and decisions that cross another lead's."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from annotation.models import Annotator, Phase, Project, Role
from annotation.models.qualification import QualificationStep
from annotation.selectors.qualification import project_rule
from tests.annotation.qualified import candidate, ruled, with_gold
from tests.annotation.work import client_of
from tests.factories import AnnotatorFactory, PairFactory, ProjectFactory

pytestmark = pytest.mark.django_db


def sent(project: Project, method: str, name: str, body: Any, *more: int) -> Any:
    lead: Any = Annotator.objects.filter(project=project, role=Role.LEAD).first()
    client = client_of((lead or AnnotatorFactory(project=project, role=Role.LEAD)).user)
    address = reverse(name, args=(project.slug, *more))
    return getattr(client, method)(address, body, content_type="application/json")


def decided(person: Annotator, **body: Any) -> Any:
    return sent(person.project, "post", "api-qualification-person", body, person.pk)


@pytest.mark.parametrize(
    ("rule", "where"),
    [
        ({"leats": 0.9}, "rule.leats"),
        ({"least": "0.7"}, "rule.least"),
        ({"least": True}, "rule.least"),
        ({"least": None}, "rule.least"),
        ({"least": [0.7]}, "rule.least"),
        ({"least": 1.5}, "rule.least"),
        ({"least_pairs": "5"}, "rule.least_pairs"),
        ({"least_pairs": 5.5}, "rule.least_pairs"),
        ({"least_pairs": True}, "rule.least_pairs"),
        ({"automatic": "yes"}, "rule.automatic"),
        ({"both_directions": 1}, "rule.both_directions"),
        ({"measure": 5}, "rule.measure"),
        ({"release": "never"}, "rule.release"),
        ({"parts": {"3": "0.5"}}, "rule.parts.3"),
        ({"parts": {"3": False}}, "rule.parts.3"),
        ({"parts": [0.5]}, "rule.parts"),
        ("none", "rule"),
        # what only the scheme and the display can tell
        ({"parts": {"new": 1}}, "rule"),
        ({"least": 0.905}, "rule"),
        ({"parts": {"3": 0.333}}, "rule"),
    ],
)
def test_a_rule_of_another_shape_is_refused_with_its_field(rule: Any, where: str) -> None:
    project = ProjectFactory()
    refused = sent(project, "put", "api-qualification-rule", {"revision": "", "rule": rule})
    assert (refused.status_code, refused.json()["error"]["where"]) == (422, where)
    assert project_rule(Project.objects.get()) is None


def test_whole_numbers_are_numbers() -> None:
    project = ProjectFactory()
    saved = sent(project, "put", "api-qualification-rule", {"revision": "", "rule": {"least": 1, "parts": {"3": 0}}})
    assert saved.status_code == 200 and saved.json()["rule"]["parts"] == {"3": 0.0}


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"action": "words", "words": 5}, "words"),
        ({"action": "words", "words": None}, "words"),
        ({"action": "words"}, "words"),
        ({"action": "words", "words": "Hm.", "pairs": 1}, "pairs"),
        ({"action": "advance", "step": 1}, "step"),
        ({"action": "release", "pairs": 1}, "pairs"),
        ({"action": "retry"}, "pairs"),
        ({"action": "retry", "pairs": "1"}, "pairs"),
        ({"action": "retry", "pairs": True}, "pairs"),
        ({"action": "undo"}, "step"),
        ({"action": "undo", "step": "1"}, "step"),
        ({"action": "undo", "step": 1, "words": "Hm."}, "words"),
        ({"action": "advance", "surprise": 1}, "surprise"),
        ({"action": "advance", "revision": 0}, "revision"),
        ({"action": "promote"}, "action"),
    ],
)
def test_a_decision_of_another_shape_is_refused_with_its_field(body: dict[str, Any], where: str) -> None:
    person = candidate(ruled())
    refused = decided(person, **{"revision": "0.0", **body})
    assert (refused.status_code, refused.json()["error"]["where"]) == (422, where)
    assert not QualificationStep.objects.exists()


def test_a_decision_names_the_revision_that_it_is_based_on() -> None:
    person = candidate(ruled())
    unnamed = decided(person, action="advance")
    assert (unnamed.status_code, unnamed.json()["error"]["where"]) == (422, "revision")
    first = decided(person, action="words", revision="0.0", words="Mark numbers.").json()
    late = decided(person, action="words", revision="0.0", words="Well done.")
    assert (late.status_code, late.json()["error"]["code"]) == (409, "words-changed")
    assert (late.json()["words"], late.json()["revision"]) == ("Mark numbers.", first["revision"])
    advanced = decided(person, action="advance", revision=first["revision"]).json()
    late = decided(person, action="release", revision=first["revision"])
    assert (late.status_code, late.json()["error"]["code"]) == (409, "decided-since")
    assert late.json()["revision"] == advanced["revision"]


def test_a_list_gives_everyone_with_their_revision() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    listed = sent(project, "get", "api-qualification", {}).json()["people"]
    assert [each["revision"] for each in listed] == ["0.0"]
    assert decided(person, action="advance", revision=listed[0]["revision"]).status_code == 200


def test_a_dry_run_says_whom_a_rule_would_hold_back() -> None:
    project = ProjectFactory()
    candidate(project, [PairFactory(project=project), PairFactory(project=project)], Phase.MAIN)
    body = {"revision": "", "rule": {"least_pairs": 1}}
    tried = sent(project, "put", "api-qualification-rule", {**body, "dry_run": True}).json()
    assert tried["held"] == {"people": 1, "pairs": 2} and tried["rule"]["least_pairs"] == 1
    assert project_rule(Project.objects.get()) is None
    assert sent(project, "get", "api-qualification-rule", {}).json()["held"] == {"people": 0, "pairs": 0}
    assert sent(project, "put", "api-qualification-rule", body).json() == tried
    assert sent(project, "get", "api-qualification-rule", {}).json() == tried
    wrong = sent(project, "put", "api-qualification-rule", {**body, "dry_run": "yes"})
    assert (wrong.status_code, wrong.json()["error"]["where"]) == (422, "dry_run")
