"""Shared by tests of the qualification: a project with a pass rule, and people with pairs that have a reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.errors import DomainError
from annotation.models import Annotation, Annotator, Assignment, Pair, Phase, Project, Source, User
from annotation.models.qualification import QualificationStep
from annotation.qualification.rule import KEY, PassRule
from annotation.selectors.qualification import qualification_of
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.services.qualification import person_decide
from tests.annotation.work import LIBRARY, NOTHING, client_of, doc, span
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory

REFERENCE = (span(LIBRARY, id="g1", label="3"), span(NOTHING, id="g2", label="5"))
"""One word each: whoever marks only the first one reaches an F1 of 2/3, by label 1 and 0."""


def ruled(**rule: Any) -> Project:
    """A project with a pass rule: two pairs with a mean of at least 0.7, unless `rule` says otherwise."""
    given = {"least_pairs": 2, **rule}
    project: Project = ProjectFactory()
    project.settings = {KEY: PassRule.of(given, project.labels).to_json()}
    project.save()
    return project


def with_gold(project: Project, *spans: dict[str, Any], **more: Any) -> Pair:
    pair: Pair = PairFactory(project=project, **more)
    gold(pair, *(spans or REFERENCE))
    return pair


def gold(pair: Pair, *spans: dict[str, Any], version: int = 0) -> Annotation:
    return Annotation.objects.create(
        source=Source.GOLD, verdict="submitted", pair=pair, gold_version=version, spans=doc(*spans)
    )


def candidate(project: Project, pairs: Sequence[Pair] = (), phase: str = Phase.QUALIFICATION) -> Annotator:
    """An annotator with these pairs to do."""
    person: Annotator = AnnotatorFactory(project=project)
    for pair in pairs:
        assign(person, pair, phase)
    return person


def assign(person: Annotator, pair: Pair, phase: str = Phase.QUALIFICATION, **more: Any) -> Assignment:
    made: Assignment = AssignmentFactory(pair=pair, annotator=person, phase=phase, **more)
    return made


def submit(assignment: Assignment, *spans: dict[str, Any], verdict: str = "submitted") -> None:
    """Submit an assignment as its annotator would, with these spans."""
    by = assignment.annotator.user
    base = Annotation.objects.filter(assignment=assignment).values_list("revision", flat=True).first() or 0
    saved = annotation_save(assignment=assignment, by=by, base=base, sent=AnnotationInput(spans=doc(*spans)))
    annotation_submit(assignment=assignment, by=by, base=saved.revision, verdict=verdict, reason="it is broken")


def submit_all(person: Annotator, *spans: dict[str, Any]) -> None:
    for each in Assignment.objects.filter(annotator=person, phase=Phase.QUALIFICATION, status="open"):
        submit(each, *spans)


def status(person: Annotator) -> str:
    """Someone's status in the qualification, as everyone sees it now."""
    found = qualification_of(Annotator.objects.select_related("project").get(pk=person.pk))
    assert found is not None
    return found.status


def refused(code: str, service: Any, **given: Any) -> DomainError:
    """The refusal, with this code, of a service of the qualification, which changes nothing."""
    before = QualificationStep.objects.count(), Assignment.objects.count()
    with pytest.raises(DomainError) as error:
        service(**given)
    assert error.value.code == code
    assert (QualificationStep.objects.count(), Assignment.objects.count()) == before
    return error.value


def own(person: Annotator) -> Client:
    """Someone's browser."""
    assert person.user is not None
    return client_of(person.user)


def page(client: Client, name: str, *more: int, project: Project) -> str:
    """A page of a project, with single spaces."""
    response = client.get(reverse(name, args=(project.slug, *more)))
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def words_save(*, annotator: Annotator, words: str, by: User | None) -> QualificationStep | None:
    """Say something to a person, as a lead does who sees what was said last; '' takes it back."""
    seen = qualification_of(Annotator.objects.select_related("project").get(pk=annotator.pk))
    assert seen is not None
    said, _none = person_decide(annotator=annotator, action="words", revision=seen.revision, words=words, by=by)
    return said
