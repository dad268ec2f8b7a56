"""Gold that a worker makes: as the web process would, once, in one piece, or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from agreement.gold.services import drafts, jobs, versions
from agreement.gold.services.drafts import draft_close, draft_open, draft_save
from agreement.gold.services.jobs import (
    GOLD,
    draft_close_request,
    draft_open_request,
    gold_job_cancel,
    gold_job_retry,
    gold_request,
)
from agreement.gold.services.versions import gold_create
from agreement.models import GoldJob, GoldVersion
from agreement.publication.services.consent import consent_restore, consent_withdraw
from agreement.report.services import reports
from annotation.errors import Conflict, Invalid
from annotation.models import Annotation, JobStatus, Pair, Project, Source
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.jobs import jobs_run
from annotation.text.spans import spans_document
from tests.agreement.work import decide_manually, pair, project, spans_of, submit
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def much(monkeypatch: pytest.MonkeyPatch) -> Project:
    """Three pairs that two people marked, with so much work that pages can't wait."""
    made, people = project()
    for _ in range(3):
        on = pair(made)
        for person, label in zip(people, "42", strict=True):
            submit(on, person, [(label, [0, 1], [0]), ("1", [3], [])])
    monkeypatch.setattr(reports, "MAX_SYNC_ANNOTATIONS", 0)
    monkeypatch.setattr(jobs, "PROGRESS_SECONDS", 0.0)
    return made


def create(of: Project, rule: str = "majority", **more: Any) -> GoldJob:
    job = gold_request(project=of, rule=rule, phase="main", by=None, **more)
    assert isinstance(job, GoldJob)
    return job


def content(of: Project, number: int) -> list[Any]:
    rows = Annotation.objects.filter(source=Source.GOLD, pair__project=of, gold_version=number).order_by("pair")
    return list(rows.values_list("pair", "spans", "provenance", "span_count", "verdict"))


def test_a_worker_makes_what_the_web_process_would(much: Project) -> None:
    by = UserFactory()
    at_once = gold_create(project=much, rule="majority", phase="main", settings={"ties": "lower"}, by=by).version
    assert at_once is not None
    GoldVersion.objects.update(inputs="other work")
    job = gold_request(project=much, rule="majority", phase="main", settings={"ties": "lower"}, by=by)
    assert isinstance(job, GoldJob) and job.status == JobStatus.QUEUED
    assert GoldVersion.objects.count() == 1, "nothing is made by the web process"
    assert jobs_run(GOLD) == 1
    job.refresh_from_db()
    made = GoldVersion.objects.get(number=2)
    assert (job.status, job.version, job.total, job.claimed_by) == (JobStatus.DONE, 2, 3, "")
    assert content(much, 2) == content(much, 1) and len(content(much, 2)) == 3
    for name in ("rule", "parameters", "phase", "counts", "excluded", "made_by"):
        assert getattr(made, name) == getattr(at_once, name), name


def test_little_work_is_done_at_once(much: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "MAX_SYNC_ANNOTATIONS", 6)
    assert isinstance(gold_request(project=much, rule="majority", phase="main", by=None), GoldVersion)
    draft = draft_open_request(project=much, rule="agreed", phase="main", by=None)
    assert isinstance(draft, GoldVersion) and draft.open
    closed = draft_close_request(draft=draft, by=None)
    assert isinstance(closed, GoldVersion) and not closed.open and closed.number == 2
    assert not GoldJob.objects.exists()


def test_a_draft_is_opened_and_closed_by_a_worker(much: Project) -> None:
    by = UserFactory()
    decide_manually(Pair.objects.earliest("pk"), by, [("5", [0], [])])
    job = draft_open_request(project=much, rule="agreed", phase="main", by=by)
    assert isinstance(job, GoldJob) and not GoldVersion.objects.exists()
    assert jobs_run(GOLD) == 1
    draft = GoldVersion.objects.get(open=True)
    job.refresh_from_db()
    assert (job.status, job.version) == (JobStatus.DONE, draft.number)
    assert (draft.rule, draft.phase, draft.made_by) == ("agreed", "main", by)
    closing = draft_close_request(draft=draft, by=by)
    assert isinstance(closing, GoldJob) and GoldVersion.objects.get().open
    assert jobs_run(GOLD) == 1
    closing.refresh_from_db()
    made = GoldVersion.objects.get()
    assert (made.open, made.number, closing.version) == (False, 1, 1)
    assert content(much, 1)[0][1]["spans"][0]["label"] == "5", "what a person decided"


def test_a_retried_closing_closes_no_other_draft(much: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = draft_open(project=much, rule="agreed", phase="main", by=None)
    closing = draft_close_request(draft=draft, by=None)
    assert isinstance(closing, GoldJob)
    GoldJob.objects.update(status=JobStatus.FAILED)
    closing.refresh_from_db()
    again = gold_job_retry(job=closing, by=None)
    assert again.draft == draft and again.status == JobStatus.QUEUED
    GoldJob.objects.update(status=JobStatus.FAILED)
    # Meanwhile it is closed, and another is opened.
    draft_close(draft=draft, by=None)
    other = draft_open(project=much, rule="agreed", phase="main", by=None)
    again.refresh_from_db()
    with pytest.raises(Conflict, match="is already closed"):
        gold_job_retry(job=again, by=None)
    # A worker that still has the job refuses as well.
    GoldJob.objects.filter(pk=again.pk).update(status=JobStatus.QUEUED)
    jobs_run(GOLD)
    again.refresh_from_db()
    assert again.status == JobStatus.FAILED and "is already closed" in again.problem
    other.refresh_from_db()
    assert other.open and GoldVersion.objects.filter(open=False).count() == 1


def test_the_same_is_requested_once_and_nothing_else_beside_it(much: Project) -> None:
    job = create(much)
    assert create(much) == job, "a double click"
    with pytest.raises(Conflict, match="already creating gold"):
        create(much, "union")
    with pytest.raises(Conflict):
        draft_open_request(project=much, rule="majority", phase="main", by=None)
    assert jobs_run(GOLD) == 1
    assert create(much, "union") != job


def test_what_is_wrong_is_said_at_once(much: Project) -> None:
    with pytest.raises(Invalid):
        create(much, "nonsense")
    with pytest.raises(Invalid, match="ties"):
        create(much, settings={"ties": "mean"})
    with pytest.raises(Invalid, match="learns from all pairs"):
        draft_open_request(project=much, rule="dawid-skene", phase="main", by=None)
    assert not GoldJob.objects.exists()


def test_what_the_rule_refuses_fails_with_its_sentence_and_can_be_retried(much: Project) -> None:
    job = create(much, "xparade")
    assert jobs_run(GOLD) == 1
    job.refresh_from_db()
    assert job.status == JobStatus.FAILED and "xparade" in job.problem and not GoldVersion.objects.exists()
    again = gold_job_retry(job=job, by=None)
    assert again != job and (again.rule, again.parameters) == (job.rule, job.parameters)
    with pytest.raises(Conflict, match="Only a failed job"):
        gold_job_retry(job=again, by=None)


def test_progress_is_reported_and_a_cancelled_job_writes_nothing(
    much: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = create(much)
    seen: list[tuple[int, int]] = []
    decide = versions.decide

    def cancelled(*given: Any) -> Any:
        found = decide(*given)
        seen.append(GoldJob.objects.values_list("done", "total").get())
        gold_job_cancel(job=job)
        return found

    monkeypatch.setattr(versions, "decide", cancelled)
    assert jobs_run(GOLD) == 0
    assert seen == [(2, 3)]
    assert not GoldVersion.objects.exists() and not Annotation.objects.filter(source=Source.GOLD).exists()
    monkeypatch.undo()
    monkeypatch.setattr(reports, "MAX_SYNC_ANNOTATIONS", 0)
    done = create(much)
    assert jobs_run(GOLD) == 1
    with pytest.raises(Conflict, match="already ended"):
        gold_job_cancel(job=done)
    assert GoldVersion.objects.count() == 1


def test_a_draft_on_which_someone_works_is_not_closed(much: Project) -> None:
    by = UserFactory()
    draft = draft_open(project=much, rule="agreed", phase="main", by=by)
    on = Pair.objects.select_related("project").first()
    assert on is not None
    job = draft_close_request(draft=draft, by=by)
    work = AnnotationInput(spans=spans_document(spans_of(on, [("3", [0], [])])))
    draft_save(draft=draft, pair=on, by=by, base=0, sent=work)
    assert jobs_run(GOLD) == 1 and isinstance(job, GoldJob)
    job.refresh_from_db()
    assert job.status == JobStatus.FAILED and "in progress" in job.problem
    assert GoldVersion.objects.get().open and Annotation.objects.filter(source=Source.GOLD).count() == 1
    with pytest.raises(Conflict, match="in progress"):
        draft_close_request(draft=draft, by=by)


def test_work_submitted_while_a_draft_is_closed_is_in_the_gold(much: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = draft_open(project=much, rule="majority", phase="main", by=None)
    late, plan = pair(much), versions.gold_plan

    def planned(**given: Any) -> Any:
        found = plan(**given)
        if not late.assignments.exists():
            for person in much.annotators.filter(role="annotator"):
                submit(late, person, [("5", [0], [])])
        return found

    monkeypatch.setattr(drafts, "gold_plan", planned)
    draft_close_request(draft=draft, by=None)
    assert jobs_run(GOLD) == 1
    assert late.pk in {row[0] for row in content(much, 1)}


def test_gold_is_made_anew_after_a_withdrawal(much: Project) -> None:
    first = create(much)
    assert jobs_run(GOLD) == 1
    person = much.annotators.get(alias="A1")
    consent_withdraw(annotator=person, by=UserFactory())
    create(much)
    assert jobs_run(GOLD) == 1
    assert GoldVersion.objects.count() == 2, "no gold rests on the work of who withdrew"
    labels = {span["label"] for row in content(much, 2) for span in row[1]["spans"]}
    assert labels == {"2", "1"}
    consent_restore(annotator=person)
    create(much)
    assert jobs_run(GOLD) == 1
    assert content(much, 3) == content(much, 1)
    first.refresh_from_db()
    assert first.version == 1


def test_old_jobs_are_deleted(much: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "JOBS_KEPT", 1)
    for rule in ("majority", "union", "intersection"):
        create(much, rule)
        assert jobs_run(GOLD) == 1
    assert [job.rule for job in GoldJob.objects.order_by("pk")] == ["union", "intersection"]
