"""The first submission counts: whoever has seen a reference, or may see it, can't reopen their answer to its texts."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.errors import Forbidden, Invalid
from annotation.models import Annotation, Assignment, Pair, Phase, ReferenceView, Revision, Role, Source, Status
from annotation.planning.plans import PlannedAssignment
from annotation.planning.retests import RetestSettings
from annotation.selectors.references import reference_seen, submission_final
from annotation.services.annotations import annotation_reopen
from annotation.services.assignments import assignments_create, assignments_move
from annotation.services.imports import import_files
from annotation.services.projects import options_from, project_change
from annotation.services.retests import retests_preview
from annotation.services.texts import text_digest
from tests.annotation.formats.samples import lines
from tests.annotation.work import LIBRARY, NOTHING, House, client_of, doc, house, span
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory

pytestmark = pytest.mark.django_db
REFERENCE = doc(span(NOTHING, id="g1", label="5"))


def qualification(**settings: Any) -> House:
    """A qualification pair with a reference, assigned to the house's annotator."""
    home = house(settings=settings)
    home.assignment.phase = Phase.QUALIFICATION
    home.assignment.save()
    gold(home.assignment.pair)
    return home


def gold(pair: Pair) -> None:
    Annotation.objects.create(
        source=Source.GOLD, verdict="submitted", pair=pair, gold_version=0, spans=REFERENCE, feedback="Read again."
    )


def also(home: House, pair: Pair, phase: str = Phase.QUALIFICATION, **more: Any) -> Assignment:
    made: Assignment = AssignmentFactory(pair=pair, annotator=home.assignment.annotator, phase=phase, **more)
    return made


def swapped(home: House) -> Pair:
    """The pair's texts with the sides swapped, linked as its mirror."""
    pair = home.assignment.pair
    mirror: Pair = PairFactory(project=home.project, a=pair.b, b=pair.a, mirror=pair)
    pair.mirror = mirror
    pair.save()
    return mirror


def post(client: Client, assignment: Assignment, name: str, **body: Any) -> Any:
    return client.post(reverse(name, args=(assignment.pk,)), body, content_type="application/json")


def submit(home: House, assignment: Assignment, verdict: str = "submitted") -> None:
    response = post(home.annotator, assignment, "api-submit", revision=0, verdict=verdict, reason="broken")
    assert response.status_code == 200


def shown(home: House, assignment: Assignment) -> bool:
    """Whether the reference is in the data sent to the annotator: by the API, and in the page."""
    body = home.annotator.get(reverse("api-assignment", args=(assignment.pk,))).json()
    page = home.annotator.get(reverse("work", args=(home.project.slug, assignment.pk)))
    assert (body["comparison"] is None) == (page.context["assignment"]["comparison"] is None)
    return body["comparison"] is not None


def final(home: House, assignment: Assignment) -> bool:
    """Whether a submission is final, according to the page and to the API; nothing changes when it is refused."""
    body = home.annotator.get(reverse("api-assignment", args=(assignment.pk,))).json()
    revisions = Revision.objects.count()
    response = post(home.annotator, assignment, "api-reopen")
    if response.status_code == 200:
        assert body["reopen"] and not body["final"]
        return False
    assert (response.status_code, response.json()["error"]["code"]) == (403, "final")
    assert body["final"] and not body["reopen"] and Revision.objects.count() == revisions
    return True


@pytest.mark.parametrize("verdict", ["submitted", "rejected", "flagged"])
@pytest.mark.parametrize("looked", [True, False])
def test_a_qualification_pair_with_a_reference_is_submitted_once(verdict: str, looked: bool) -> None:
    home = qualification()
    assert not shown(home, home.assignment)
    submit(home, home.assignment, verdict)
    if looked:
        assert shown(home, home.assignment)
    assert final(home, home.assignment)


def test_neither_a_second_tab_nor_another_verdict_changes_a_submission() -> None:
    home = qualification()
    submit(home, home.assignment)
    assert shown(home, home.assignment)
    save = {"revision": 1, "spans": doc(span(NOTHING, label="5"))}
    address = reverse("api-annotation", args=(home.assignment.pk,))
    assert home.annotator.put(address, save, content_type="application/json").status_code == 409
    for verdict in ("rejected", "skipped"):
        assert post(home.annotator, home.assignment, "api-submit", revision=1, verdict=verdict).status_code == 409
    assert Annotation.objects.get(assignment=home.assignment).spans == doc()
    with pytest.raises(Forbidden):
        annotation_reopen(assignment=home.assignment, by=None)


def test_reopening_the_phase_reopens_no_submission() -> None:
    home = qualification(closed_phases=["qualification"], gold_shown=True)
    home.project.settings = {}
    home.project.save()
    submit(home, home.assignment)
    project_change(project=home.project, name="N", options=options_from(closed_phases=("qualification",)))
    project_change(project=home.project, name="N", options=options_from())
    assert final(home, home.assignment)


def test_without_a_reference_a_pair_may_be_reopened_until_there_is_one() -> None:
    home = house()
    home.assignment.phase = Phase.QUALIFICATION
    home.assignment.save()
    submit(home, home.assignment)
    assert not final(home, home.assignment)
    post(home.annotator, home.assignment, "api-submit", revision=2, verdict="submitted")
    gold(home.assignment.pair)
    assert final(home, home.assignment)


@pytest.mark.parametrize("linked", [True, False])
def test_the_reference_is_withheld_until_mirror_and_duplicates_are_done(linked: bool) -> None:
    home = qualification()
    pair = home.assignment.pair
    twin = swapped(home) if linked else PairFactory(project=home.project, a=pair.a, b=pair.b)
    mirror = also(home, twin)
    submit(home, home.assignment)
    assert not shown(home, home.assignment), "it would be copied into the mirror"
    assert final(home, home.assignment)
    submit(home, mirror, "skipped")
    assert shown(home, home.assignment)
    assert final(home, mirror), "skipped, and the answer seen beside its mirror"


@pytest.mark.parametrize("phase", [Phase.TRIAL, Phase.MAIN])
def test_a_pair_that_is_also_in_another_phase_cannot_be_copied_there(phase: str) -> None:
    home = qualification()
    again = also(home, home.assignment.pair, phase)
    submit(home, home.assignment)
    assert not shown(home, home.assignment)
    submit(home, again)
    assert not final(home, again), "nothing was shown yet"
    assert not shown(home, home.assignment), "it is open again"
    post(home.annotator, again, "api-submit", revision=2, verdict="submitted")
    assert shown(home, home.assignment)
    assert final(home, again)


def test_gold_shown_in_a_closed_phase_makes_submissions_final() -> None:
    home = house()
    gold(home.assignment.pair)
    submit(home, home.assignment)
    closed = options_from(closed_phases=("main",), gold_shown=True)
    project_change(project=home.project, name="N", options=closed)
    page = reverse("adjudicated-pair", args=(home.project.slug, home.assignment.pk))
    again = also(home, home.assignment.pair, Phase.TRIAL)
    assert home.annotator.get(page).status_code == 404, "not while the pair waits in the trial"
    again.delete()
    assert home.annotator.get(page).status_code == 200
    project_change(project=home.project, name="N", options=options_from())
    assert final(home, home.assignment)


def test_a_lead_who_views_a_reference_is_not_recorded_as_its_annotator() -> None:
    home = qualification()
    also(home, swapped(home))
    submit(home, home.assignment)
    body = home.lead.get(reverse("api-assignment", args=(home.assignment.pk,))).json()
    assert body["comparison"] and not body["final"]
    assert not ReferenceView.objects.exists()


@pytest.mark.parametrize("page", ["pair", "api-assignment", "work"])
@pytest.mark.parametrize("twin", [False, True])
def test_a_lead_with_the_same_texts_in_their_own_work_is_recorded(page: str, twin: bool) -> None:
    home = qualification()
    pair = home.assignment.pair
    membership = AnnotatorFactory(project=home.project, role=Role.LEAD)
    own = AssignmentFactory(pair=swapped(home) if twin else pair, annotator=membership, phase=Phase.QUALIFICATION)
    assert membership.user
    client = client_of(membership.user)
    submit(home, home.assignment)
    slug = home.project.slug
    args = {"pair": (slug, pair.pk), "work": (slug, home.assignment.pk)}.get(page, (home.assignment.pk,))
    for _time in range(2):
        assert client.get(reverse(page, args=args)).status_code == 200
    assert [(view.annotator, view.pair) for view in ReferenceView.objects.all()] == [(membership, pair)]
    assert reference_seen(own) and submission_final(own)


def test_a_pair_without_gold_and_texts_of_others_are_not_recorded() -> None:
    home = qualification()
    membership = AnnotatorFactory(project=home.project, role=Role.LEAD)
    AssignmentFactory(pair=PairFactory(project=home.project), annotator=membership)
    assert membership.user
    for pair in Pair.objects.all():
        assert client_of(membership.user).get(reverse("pair", args=(home.project.slug, pair.pk))).status_code == 200
    assert not ReferenceView.objects.exists()


def test_no_one_is_assigned_texts_whose_reference_they_know() -> None:
    home = qualification()
    mirror, person = swapped(home), home.assignment.annotator
    submit(home, home.assignment)
    planned = [
        PlannedAssignment(mirror.pk, person.pk, "main", 0),
        PlannedAssignment(home.assignment.pair_id, person.pk, "trial", 1),
    ]
    assert assignments_create(project=home.project, planned=planned) == 0
    other = AnnotatorFactory(project=home.project)
    theirs = AssignmentFactory(pair=mirror, annotator=other)
    assert assignments_move(project=home.project, ids=[theirs.pk], to=person) == 0
    assert assignments_move(project=home.project, ids=[theirs.pk], to=AnnotatorFactory(project=home.project)) == 1


@pytest.mark.parametrize("status", ["open", "started"])
def test_an_import_assigns_no_one_texts_whose_reference_they_know(tmp_path: Path, status: str) -> None:
    home = qualification()
    person, known = home.assignment.annotator, home.assignment.pair
    submit(home, home.assignment)
    assert shown(home, home.assignment)
    for text in (known.a, known.b):
        text.digest = text_digest(text.language, text.content, text.tokens)
        text.save()
    fresh, other = PairFactory(project=home.project), AnnotatorFactory(project=home.project)

    def item(pair: Pair, swapped: bool = False, **changes: Any) -> dict[str, Any]:
        a, b = ({"language": text.language, "text": text.content} for text in (pair.a, pair.b))
        work = {"phase": "main", "verdict": "", "status": status, "spans": []}
        given = [{**work, "annotator": each.alias} for each in (person, other)]
        sides = {"a": b, "b": a} if swapped else {"a": a, "b": b}
        return {"id": pair.external_id, **sides, "annotations": given, **changes}

    path = lines(tmp_path / "p.jsonl", item(known), item(known, swapped=True, id="again"), item(fresh))
    before = set(Assignment.objects.values_list("pk", flat=True))
    for dry_run in (True, False):
        report = import_files(slug=home.project.slug, paths=[path], dry_run=dry_run)
        left_out = "unfinished work not imported: its annotator has seen the reference (gold) of these texts"
        assert report.warnings == {left_out: 2}
    made = Assignment.objects.exclude(pk__in=before).values_list("annotator", "pair__external_id")
    names = [known.external_id, "again", fresh.external_id]
    assert sorted(made) == sorted([(person.pk, fresh.external_id), *((other.pk, name) for name in names)])
    finished = item(known)
    finished["annotations"] = [{"annotator": person.alias, "phase": "main", "verdict": "submitted", "spans": []}]
    report = import_files(slug=home.project.slug, paths=[lines(tmp_path / "d.jsonl", finished)])
    assert (report.annotations_new, report.warnings) == (1, {}), "what is finished can't be copied from the reference"


def test_no_one_is_re_tested_on_texts_whose_reference_they_know() -> None:
    home = qualification()
    submit(home, home.assignment)
    Annotation.objects.update(changed=timezone.now() - timedelta(days=30))
    with pytest.raises(Invalid):
        retests_preview(
            project=home.project,
            phase=Phase.QUALIFICATION,
            annotators=[home.assignment.annotator],
            settings=RetestSettings(),
        )
    assert Assignment.objects.filter(status=Status.OPEN).count() == 0


def test_marks_are_compared_as_they_were_first_submitted() -> None:
    home = qualification()
    address = reverse("api-annotation", args=(home.assignment.pk,))
    home.annotator.put(address, {"revision": 0, "spans": doc(span(LIBRARY))}, content_type="application/json")
    post(home.annotator, home.assignment, "api-submit", revision=1, verdict="submitted")
    final(home, home.assignment)
    body = home.annotator.get(reverse("api-assignment", args=(home.assignment.pk,))).json()
    assert body["annotation"]["spans"] == doc(span(LIBRARY))
    assert body["comparison"] == {"gold": REFERENCE["spans"], "answers": {}, "feedback": "Read again."}
