"""Every format on every project of the demo, by page and by command: a file that can be used, or a sentence."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import datasets
import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from pytest_django.fixtures import Settings

from agreement.gold.services.versions import gold_create
from agreement.models import Publication
from annotation.formats import dataset_formats, export_formats
from annotation.models import Annotator, JobStatus, Project, Role
from annotation.services.demo import demo_load
from tests.agreement.access import logged_in

pytestmark = pytest.mark.django_db
PYTHON_ERROR = re.compile(r"\w+(Error|Exception)\b|__init__|Traceback")


def written(project: Project) -> set[str]:
    """What the project can be written as by its scheme; all else is refused with a sentence."""
    labels = set(project.labels.keys)
    return {name for name, each in export_formats().items() if each.scheme is None or labels <= {*each.scheme.keys}}


@pytest.fixture
def demo(settings: Settings, tmp_path: Path) -> list[Project]:
    settings.DATA_DIR = tmp_path
    # A heartbeat, which has a connection of its own, doesn't see what a test's transaction has written.
    settings.JOB_LEASE_SECONDS = 600
    projects = list(demo_load().projects)
    for project in projects:
        gold_create(project=project, rule="majority", phase="main")
    return projects


@pytest.mark.long
@pytest.mark.any_database
@pytest.mark.takes(11)
def test_the_demo_is_published_by_page_in_every_format(demo: list[Project], tmp_path: Path) -> None:
    for project in demo:
        lead = Annotator.objects.filter(project=project, role=Role.LEAD).first()
        assert lead is not None
        client, address = logged_in(lead.user), reverse("publish", args=[project.slug])
        for to in export_formats():
            answer = client.post(address, {"format": to, "licence": "cc-by-4.0", "description": ""})
            page = client.get(address).content.decode() + answer.content.decode()
            assert PYTHON_ERROR.search(page) is None, (project.slug, to)
            if to not in written(project):
                assert answer.status_code == 422 and 'role="alert"' in page, (project.slug, to)
                continue
            assert answer.status_code == 302, (project.slug, to)
            made = Publication.objects.filter(project=project, format=to).get()
            assert (made.status, made.problem) == (JobStatus.DONE, ""), (project.slug, to)
            fetched = client.get(reverse("publication", args=[project.slug, made.number]))
            content = io.BytesIO(b"".join(fetched.streaming_content))  # type: ignore[attr-defined]
            with zipfile.ZipFile(content) as archive:
                assert archive.testzip() is None and archive.namelist()
                if to in dataset_formats():
                    archive.extractall(tmp_path / project.slug)
                    loads(tmp_path / project.slug / f"{project.slug}-{made.number}", project, tmp_path)


@pytest.mark.long
@pytest.mark.any_database
@pytest.mark.takes(8)
def test_the_demo_is_published_by_command_in_every_format(
    demo: list[Project], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for project in demo:
        for to in export_formats():
            out = tmp_path / "out" / project.slug / to
            command = ["export", "--project", project.slug, "--to", to, str(out)]
            if to in written(project):
                call_command(*command)
                assert out.exists() and str(out) in capsys.readouterr().out
                if to in dataset_formats():
                    loads(out, project, tmp_path)
            else:
                with pytest.raises(CommandError) as refused:
                    call_command(*command)
                assert PYTHON_ERROR.search(str(refused.value)) is None and not out.exists()


def loads(folder: Path, project: Project, tmp_path: Path) -> None:
    """The dataset opens without a network, with every pair, and its card has the report of every phase worked in."""
    work = datasets.load_dataset(str(folder), "annotations", cache_dir=str(tmp_path / "cache" / project.slug))
    assert sum(part.num_rows for part in work.values()) == project.pairs.count()
    gold = datasets.load_dataset(str(folder), "gold", cache_dir=str(tmp_path / "cache" / project.slug))
    assert sum(part.num_rows for part in gold.values()) > 0
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "## Agreement, main phase" in card
    aliases = Annotator.objects.filter(project=project, assignments__isnull=False).values_list("alias", flat=True)
    assert not any(f"| {alias}" in card for alias in aliases if not re.fullmatch(r"(annotator)?\d+", alias))
