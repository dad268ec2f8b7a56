"""A site with work of every kind, and what its database holds: run in a process of its own, with its own settings.

python -m tests.operation.filled fill        fill an empty, migrated site
python -m tests.operation.filled rows        print every row of every table as JSON
python -m tests.operation.filled insert      insert one row in each of three tables; print their keys
"""

from __future__ import annotations

import json
import os
import sys
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import django

UNCOMPARED = ("sessions", "axes", "contenttypes", "annotation.worker", "auth.permission")
"""What the guide says is in no backup."""


def fill() -> None:
    from django.utils import timezone

    from agreement.gold.services.versions import gold_create
    from agreement.models import DryRun, Exclusion, GoldJob, Push, ReportData, Withdrawal
    from agreement.publication.card import Terms
    from agreement.publication.services.publications import publication_request
    from agreement.report.page import body_of
    from agreement.report.scope import Scope
    from agreement.report.services.reports import report_request
    from annotation import models
    from annotation.invitees import Invitee
    from annotation.models.imports import Import, ImportFile, ImportFilePart, StagedLink
    from annotation.models.lifecycle import ProjectEventType
    from annotation.models.qualification import QualificationStep
    from annotation.models.reviews import Review
    from annotation.services.annotation_checks import AnnotationInput
    from annotation.services.annotations import annotation_save
    from annotation.services.audit_events import event_record
    from annotation.services.deletion import project_delete
    from annotation.services.demo import demo_load
    from annotation.services.glossary import glossary_entry_delete, glossary_entry_save
    from annotation.services.identities import Claims, identity_link
    from annotation.services.invitations import invitations_create
    from annotation.services.people import person_add, person_end_access
    from annotation.services.projects import project_create
    from annotation.services.reading_languages import reading_skills_set
    from annotation.services.thread_read_marks import thread_read
    from annotation.services.threads import thread_answer, thread_open, thread_resolve
    from annotation.services.time import rate_set, time_correct, worktime_add
    from annotation.services.tokens import token_create
    from annotation.services.webhooks import webhook_create, webhook_test
    from annotation.text.schemes import PRESETS
    from assist import models as assist_models
    from assist.models import EncoderComparison, ItemMaking, Lot, LotStatus, Mining, MiningArticle, Run, TranslatedText
    from assist.runs.word_lists import word_list_request

    demo_load()
    project = models.Project.objects.get(slug="demo-graded")
    lead = models.User.objects.get(username="lena")
    lead.set_password("a password of her own")
    identity_link(user=lead, claims=Claims("https://id.example.org", "248289761001"))
    lead.preferences = {"theme": "dark", "language": "de"}
    lead.save()
    models.User.objects.create_superuser("owner", "owner@example.org", "correct horse battery")
    gone = person_add(project=project, username="gone", alias="Göne")
    person_end_access(annotator=gone.annotator)
    person_add(project=project, username="later", alias="Later").annotator.delete()
    models.User.objects.get(username="later").delete()
    work = models.Annotation.objects.filter(assignment__status=models.Status.STARTED).select_related("assignment")[0]
    for comment in ("first 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 'quoted' \\ \"", "second"):
        assert work.assignment is not None
        given = AnnotationInput(spans=work.spans, comment=comment, active_seconds=5)
        saved = annotation_save(assignment=work.assignment, by=lead, base=work.revision, sent=given)
        work.revision = saved.revision
    reading_skills_set(annotator=gone.annotator, skills={"de-CH": "native", "en": "C1"})
    worktime_add(annotator=gone.annotator.pk, phase="main", seconds=60)
    said = models.Annotation.objects.filter(pair__project=project, source="human")[0]
    Review.objects.create(annotation=said, revision=1, made_by=lead)
    assert said.assignment is not None
    thread = thread_open(assignment=said.assignment, by=said.assignment.annotator.user, text="Is “ä” one?\nHm.")
    answer = thread_answer(thread=thread, by=lead, text="Yes. \U0001d518")
    thread_read(thread=thread, by=lead, last=answer.pk)
    thread_resolve(thread=thread, by=lead)
    QualificationStep.objects.create(
        annotator=gone.annotator, step="retry", words="Wörter", details={"since": 3}, made_by=lead, undone_by=lead
    )
    time_correct(annotator=gone.annotator, day=timezone.localdate(), seconds=600, reason="Besprechung “ä”", by=lead)
    rate_set(annotator=gone.annotator, amount=Decimal("21.50"), since=date(2026, 11, 1))
    event_record(project=project, what=ProjectEventType.EXPORTED, by=lead, format="jsonl")
    gone_project = project_create(name="Deleted", scheme=PRESETS["graded"].to_json(), lead=lead)
    project_delete(project=gone_project, name="Deleted", by=lead)
    token_create(user=lead, name="nightly export", access="read", days=30, project=project)
    invitations_create(project=project, people=[Invitee("Dora", "dora@example.org")], by=lead)
    made_hook = webhook_create(project=project, url="https://example.org/h", events=["gold.made"], by=lead)
    webhook_test(hook=made_hook.webhook)
    project.settings = {**project.settings, "adjudication_blind": True}
    project.save()
    gold_create(project=project, rule="majority", phase="main", by=lead)
    pair = models.Pair.objects.filter(project=project).first()
    assert pair is not None
    Exclusion.objects.create(pair=models.Pair.objects.filter(project=project)[1], reason="a duplicate", made_by=lead)
    report, _fresh = report_request(project=project, scope=Scope(), body_of=body_of)
    ReportData.objects.create(report=report, work=bytes(range(256)), files={"json": "{}"})
    DryRun.objects.create(project=project, inputs="i", rule="majority", phase="main", requested=timezone.now())
    GoldJob.objects.create(project=project, action="create", rule="union", requested=timezone.now(), made_by=lead)
    made = publication_request(project=project, to="jsonl", terms=Terms("cc0-1.0", "described"), by=lead)
    Push.objects.create(publication=made, repository="town/hours", tag="v1", made_by=lead)
    Withdrawal.objects.create(annotator=gone.annotator, made_by=lead)
    languages: dict[str, Any] = {"term_language": "en", "translation_language": "de"}
    glossary_entry_save(project=project, term="Federal Council", translations=["Bundesrat"], **languages)
    entry = glossary_entry_save(project=project, term="canton", translations=["Kanton"], note="n", **languages)
    glossary_entry_delete(entry=entry)
    word_list_request(project)
    mining = Mining.objects.create(project=project, requested_by=lead, file_names=["town.en.txt"], total=1)
    MiningArticle.objects.create(mining=mining, name="town", language="en", paragraphs=["One."], where="town.en.txt")
    EncoderComparison.objects.create(
        project=project,
        requested_by=lead,
        encoders=["all-MiniLM-L6-v2"],
        file_names=["rows.csv"],
        tables={"clsd": "Source,Target\r\n"},
        result={"clsd": None, "problems": {"x": "none"}},
        rows=[{"line": 2}],
    )
    ItemMaking.objects.create(
        project=project, requested_by=lead, task="clsd", into="rated", file_names=["rows.csv"], text="Source,Target\n"
    )
    run = Run.objects.create(project=project, slug="run-1", method="learned", requested_by=lead, log="one\ntwo")
    Lot.objects.create(run=run, ordinal=0, pairs=[pair.pk], status=LotStatus.CLAIMED, claimed_by="w:1", attempts=1)
    scores = [0.1, 1e-07, 1, *[0.25] * len(pair.a.tokens)][: len(pair.a.tokens)]
    models.Highlight.objects.create(
        pair=pair,
        run="run-1",
        method="learned",
        scores_a=scores,
        scores_b=[0] * len(pair.b.tokens),
        seconds=0.30000000000000004,
    )
    assist_models.LlmAnswer.objects.create(project=project, key="k" * 64, content='{"A": []}\r\n')
    assist_models.LlmAccount.objects.create(name=f"run {run.pk}", run=run, spent=0.1, reserved=1e-7, requests=2)
    assist_models.LlmAccount.objects.create(name="site 2026-11", spent=0.1, next_request=timezone.now())
    assist_models.LlmOutcome.objects.create(run=run, pair=pair, answers=1, tokens=3, padded=1)
    TranslatedText.objects.create(source=pair.a, target="de", translator="m@1", content="line\r\nline\tend ")
    models.ReferenceView.objects.create(annotator=models.Annotator.objects.filter(project=project)[0], pair=pair)
    models.Dismissal.objects.create(project=project, annotation=work, proposal="p" * 64, phrase="q" * 64)
    started = timezone.now() - timedelta(days=400, microseconds=1)
    waiting = Import.objects.create(project=project, slug=project.slug, made_by=lead, report=None, finished=started)
    file = ImportFile.objects.create(to_import=waiting, name="ä.jsonl", size=256)
    ImportFilePart.objects.create(file=file, number=0, data=bytes(range(256)))
    staged = models.Project.objects.create(slug="staged", name="staged", scheme=project.scheme, staged=True)
    StagedLink.objects.create(project=staged, kind="pair", staged=1, target=2**40)
    models.Pair.objects.filter(pk=pair.pk).update(mirror=models.Pair.objects.filter(project=project)[1])


def rows() -> dict[str, list[str]]:
    from django.apps import apps

    found: dict[str, list[str]] = {}
    for model in apps.get_models(include_auto_created=True):
        if model._meta.label_lower.startswith(UNCOMPARED):
            continue
        names = [field.attname for field in model._meta.concrete_fields]
        every = [{name: getattr(row, name) for name in names} for row in model._base_manager.order_by("pk")]
        found[model._meta.label_lower] = [json.dumps(row, sort_keys=True, default=_shown) for row in every]
    return found


def _shown(value: Any) -> str:
    return bytes(value).hex() if isinstance(value, bytes | memoryview) else str(value)


def insert() -> list[int]:
    from annotation import models
    from annotation.models.glossary import GlossaryEntry

    user = models.User.objects.create(username="after the restore")
    project = models.Project.objects.create(slug="after", name="after", scheme={})
    languages: dict[str, Any] = {"term_language": "en", "translation_language": "de"}
    entry = GlossaryEntry.objects.create(project=project, term="t", translations=[], **languages)
    return [user.pk, project.pk, entry.pk]


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    result = {"fill": fill, "rows": rows, "insert": insert}[sys.argv[1]]()
    json.dump(result, sys.stdout)
