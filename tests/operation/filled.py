"""A site with work of every kind, and what its database holds: run in a process of its own, with its own settings.

python -m tests.operation.filled fill        fill an empty, migrated site
python -m tests.operation.filled rows        print every row of every table as JSON
python -m tests.operation.filled insert      insert one row in each of three tables; print their keys
"""

from __future__ import annotations

import json
import os
import sys
from datetime import timedelta
from typing import Any

import django

UNCOMPARED = ("sessions", "axes", "contenttypes", "annotation.worker", "auth.permission")
"""What the guide says is in no backup."""


def fill() -> None:
    from django.utils import timezone

    from agreement.gold.services.versions import gold_create
    from agreement.models import Exclusion, ReportData
    from agreement.publication.card import Terms
    from agreement.publication.services.publications import publication_request
    from agreement.report.project_report import View
    from agreement.report.services.reports import report_request
    from annotation import models
    from annotation.import_models import Import, ImportFile, ImportFilePart, StagedLink
    from annotation.services.annotations import annotation_save
    from annotation.services.checks import Work
    from annotation.services.demo import demo_load
    from annotation.services.glossary import glossary_entry_delete, glossary_entry_save
    from annotation.services.people import person_add, person_end_access
    from assist.models import Lot, LotStatus, Run, TranslatedText
    from assist.word_lists import word_list_request

    demo_load()
    project = models.Project.objects.get(slug="demo-graded")
    lead = models.User.objects.get(username="lena")
    lead.set_password("a password of her own")
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
        given = Work(spans=work.spans, comment=comment, active_seconds=5)
        saved = annotation_save(assignment=work.assignment, by=lead, base=work.revision, work=given)
        work.revision = saved.revision
    project.settings = {**project.settings, "adjudication_blind": True}
    project.save()
    gold_create(project=project, rule="majority", phase="main", by=lead)
    pair = models.Pair.objects.filter(project=project).first()
    assert pair is not None
    Exclusion.objects.create(pair=models.Pair.objects.filter(project=project)[1], reason="a duplicate", made_by=lead)
    report, _fresh = report_request(project=project, view=View())
    ReportData.objects.create(report=report, work=bytes(range(256)), files={"json": "{}"})
    publication_request(project=project, to="jsonl", terms=Terms("cc0-1.0", "described"), by=lead)
    languages: dict[str, Any] = {"term_language": "en", "translation_language": "de"}
    glossary_entry_save(project=project, term="Federal Council", translations=["Bundesrat"], **languages)
    entry = glossary_entry_save(project=project, term="canton", translations=["Kanton"], note="n", **languages)
    glossary_entry_delete(entry=entry)
    word_list_request(project)
    run = Run.objects.create(project=project, slug="run-1", method="learned", requested_by=lead, log="one\ntwo")
    Lot.objects.create(run=run, ordinal=0, pairs=[pair.pk], status=LotStatus.CLAIMED, claimed_by="w:1", attempts=1)
    models.Highlight.objects.create(
        pair=pair, run="run-1", method="learned", scores_a=[0.1, 1e-07, 1], scores_b=[], seconds=0.30000000000000004
    )
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

    user = models.User.objects.create(username="after the restore")
    project = models.Project.objects.create(slug="after", name="after", scheme={})
    languages: dict[str, Any] = {"term_language": "en", "translation_language": "de"}
    entry = models.GlossaryEntry.objects.create(project=project, term="t", translations=[], **languages)
    return [user.pk, project.pk, entry.pk]


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    result = {"fill": fill, "rows": rows, "insert": insert}[sys.argv[1]]()
    json.dump(result, sys.stdout)
