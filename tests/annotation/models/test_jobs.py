"""The statuses of jobs: stored as ever, also in rows from before they were defined once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from agreement.models import Publication
from annotation.models import CANCELLABLE_JOB_CHOICES, JOB_CHOICES, Job, JobStatus, Project
from annotation.models.imports import IMPORT_CHOICES, Import, ImportStatus
from annotation.models.lifecycle import ProjectDeletion
from annotation.models.webhooks import WebhookDelivery
from annotation.text.schemes import PRESETS
from assist.models import Lot, Run

BEFORE = [("annotation", "0039_time_corrections"), ("agreement", "0020_exclusions_in_changes")]


@pytest.fixture
def older() -> Iterator[Any]:
    """The models of a database in which each kind of job had statuses of its own."""
    executor = MigrationExecutor(connection)
    yield executor.migrate(BEFORE).apps
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def test_the_stored_values_are_those_of_the_first_release() -> None:
    assert JobStatus.values == ["queued", "running", "paused", "done", "failed", "cancelled"]
    assert [value for value, _label in JOB_CHOICES] == ["queued", "running", "done", "failed"]
    assert [value for value, _label in CANCELLABLE_JOB_CHOICES] == ["queued", "running", "done", "failed", "cancelled"]
    assert [value for value, _label in IMPORT_CHOICES] == [
        *("sending", "queued", "running", "done", "refused", "failed", "cancelled")
    ]


def test_every_kind_of_job_has_these_statuses_but_lots_and_deliveries() -> None:
    models: list[Any] = [each for each in apps.get_models() if issubclass(each, Job)]
    own: dict[Any, Any] = {Import: IMPORT_CHOICES}
    for model in {Run, *models} - {Lot, WebhookDelivery}:
        statuses = [field.choices or [] for field in model._meta.fields if field.name == "status"]
        assert all(set(choices) <= set(own.get(model, JobStatus.choices)) for choices in statuses), model


@pytest.mark.django_db(transaction=True)
def test_rows_from_before_are_read(older: Any) -> None:
    project = older.get_model("annotation", "Project").objects.create(
        slug="town", name="Town", scheme=PRESETS["graded"].to_json()
    )
    for status in ("refused", "done", "sending"):
        older.get_model("annotation", "Import").objects.create(project=project, slug="town", status=status)
    older.get_model("annotation", "ProjectDeletion").objects.create(slug="gone", name="Gone", status="failed")
    older.get_model("agreement", "Publication").objects.create(
        project=project, number=1, format="jsonl", status="running"
    )
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())

    assert Project.objects.get().slug == "town"
    rows = Import.objects.order_by("pk")
    assert [row.status for row in rows] == [ImportStatus.REFUSED, JobStatus.DONE, ImportStatus.SENDING]
    assert rows.filter(status=JobStatus.DONE).count() == 1
    assert ProjectDeletion.objects.get().status == JobStatus.FAILED
    assert Publication.objects.get().status == JobStatus.RUNNING
