"""A first submission beside its reference, for leads."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from annotation.models import Assignment, Project, ReferenceView, Role
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_reopen, annotation_save
from annotation.text.schemes import PRESETS
from tests.annotation.qualified import REFERENCE, assign, candidate, gold, ruled, submit, with_gold
from tests.annotation.work import LIBRARY, NOTHING, client_of, doc, house, span
from tests.factories import AnnotatorFactory, PairFactory

pytestmark = pytest.mark.django_db


def shown(project: Project, work: Assignment, **role: Any) -> Any:
    lead: Any = AnnotatorFactory(project=project, role=Role.LEAD, **role)
    return client_of(lead.user).get(reverse("qualification-pair", args=(project.slug, work.pk)))


def test_missed_extra_and_other_labels_side_by_side() -> None:
    project = ruled()
    person = candidate(project)
    work = assign(person, with_gold(project))
    submit(work, span(LIBRARY, label="1"), span({"side": "b", "start": 4, "end": 14}, id="s2", label="2"))
    page = shown(project, work)
    assert [row.kind for row in page.context["rows"]] == ["other-label", "missed", "extra"]
    text = " ".join(page.content.decode().split())
    assert "<b>3 differences</b>" in text and "other label" in text and "nothing" in text
    assert [each.name for each in page.context["side_by_side"].people] == [person.alias, "Reference"]


def test_the_first_submission_is_shown_even_after_another() -> None:
    project = ruled()
    pair = PairFactory(project=project)
    work = assign(candidate(project), pair)
    submit(work, span(LIBRARY, label="3"))
    annotation_reopen(assignment=work, by=None)
    annotation_save(assignment=work, by=None, base=3, sent=AnnotationInput(spans=doc(*REFERENCE)))
    gold(pair, *REFERENCE)
    rows = shown(project, work).context["rows"]
    assert [(row.kind, row.reference.a) for row in rows] == [("missed", "nothing")]


def test_answers_of_a_rating_scheme() -> None:
    project = ruled()
    project.scheme = PRESETS["likert"].to_json()
    project.settings = {"qualification": {"measure": "same-answer"}}
    project.save()
    pair = PairFactory(project=project)
    gold(pair)
    pair.annotations.update(answers={"agree": "4"})
    work = assign(candidate(project), pair)
    saved = annotation_save(assignment=work, by=None, base=0, sent=AnnotationInput(spans=doc(), answers={"agree": "1"}))
    from annotation.services.annotations import annotation_submit

    annotation_submit(assignment=work, by=None, base=saved.revision, verdict="submitted")
    page = shown(project, work)
    assert page.context["answers"] == [("How far do you agree with the statement?", "disagree", "strongly agree")]
    assert page.context["side_by_side"] is None


def test_what_is_not_there() -> None:
    project = ruled()
    person = candidate(project)
    unsubmitted, without = assign(person, with_gold(project)), assign(person, PairFactory(project=project))
    assert shown(project, unsubmitted).status_code == 404
    submit(without, *REFERENCE)
    assert "This pair has no reference." in shown(project, without).content.decode()
    main = assign(person, with_gold(project), phase="main", status="done")
    assert shown(project, main).status_code == 404
    assert shown(ruled(), without).status_code == 404


def test_a_lead_who_annotates_the_same_texts_has_seen_the_reference() -> None:
    project = ruled()
    pair = with_gold(project)
    work = assign(candidate(project), pair)
    submit(work, span(NOTHING))
    lead: Any = AnnotatorFactory(project=project, role=Role.LEAD)
    assign(lead, pair)
    client_of(lead.user).get(reverse("qualification-pair", args=(project.slug, work.pk)))
    assert ReferenceView.objects.filter(annotator=lead, pair=pair).exists()


@pytest.mark.parametrize(
    ("who", "expected"),
    [("lead", 404), ("adjudicator", 403), ("annotator", 403), ("stranger", 404), ("anonymous", 302)],
)
def test_access(who: str, expected: int) -> None:
    home = house()
    address = reverse("qualification-pair", args=(home.project.slug, home.assignment.pk))
    assert getattr(home, who).get(address).status_code == expected
