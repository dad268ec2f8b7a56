"""Archives of the demo, and what is in them and in the database."""

from __future__ import annotations

import zipfile
from io import StringIO
from pathlib import Path

from django.apps import apps
from django.core.management import call_command

from annotation.models import Annotation, Dismissal, JobStatus, Project
from annotation.services.project_archive.tables import TABLES
from assist.models import Run
from tests.operation import filled

ACCOUNTS = "accounts"
"""The table of an archive that is of no model: people's accounts."""


def demo() -> Project:
    """The demo with something in every table."""
    filled.fill()
    Run.objects.update(status=JobStatus.DONE)
    made = Project.objects.get(slug="demo-graded")
    work = Annotation.objects.filter(pair__project=made, source="human")[0]
    Dismissal.objects.create(project=made, annotation=work, proposal="p", phrase="q")
    return made


def archive(slug: str, out: Path, *more: str) -> Path:
    call_command("export", "--project", slug, "--to", "archive", str(out), *more, stdout=StringIO(), stderr=StringIO())
    return out


def bring(path: Path, slug: str, *more: str) -> str:
    said = StringIO()
    call_command("import_pairs", str(path), "--project", slug, "--format", "archive", *more, stdout=said)
    return said.getvalue()


def tables(path: Path) -> dict[str, list[str]]:
    with zipfile.ZipFile(path) as packed:
        assert packed.testzip() is None
        return {
            Path(name).stem: packed.read(name).decode().splitlines()
            for name in packed.namelist()
            if name.startswith("tables/")
        }


def counts() -> dict[str, int]:
    labels = [*(table.label for table in TABLES), "annotation.project", "annotation.user"]
    return {label: apps.get_model(label)._base_manager.count() for label in labels}
