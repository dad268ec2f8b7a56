"""Archives: a project comes back with every row and the same figures, and people are numbers."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.models import Annotator, JobStatus, Pair, Project, Role, User
from annotation.models.imports import Import
from annotation.selectors.export_records import published_aliases
from annotation.services.import_jobs import imports_run
from annotation.services.imports import import_files
from annotation.services.person_renames import person_rename
from annotation.services.project_archive.tables import LEFT_OUT, TABLES
from tests.agreement.access import logged_in
from tests.agreement.publication.archives import ACCOUNTS, archive, bring, counts, demo, tables
from tests.annotation.formats.samples import lines, pair
from tests.factories import ProjectFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return demo()


def figures(slug: str) -> list[str]:
    """The reports of both phases, to the last digit, with annotators under their published names."""
    found = []
    names = published_aliases(Project.objects.get(slug=slug))
    # Not at word boundaries: an interval's key is the alias with '_ci'.
    aliases = re.compile("|".join(f"(?<![^\\W_]){re.escape(alias)}(?![^\\W_])" for alias in names))
    for phase in ("trial", "main"):
        said = StringIO()
        call_command("agreement", "--project", slug, "--phase", phase, "--format", "json", stdout=said)
        found.append(aliases.sub(lambda each: names[each[0]], said.getvalue()).replace(f'"{slug}"', '"project"'))
    return found


@pytest.mark.long
@pytest.mark.takes(8)
def test_every_row_comes_back_and_the_figures_are_the_same(project: Project, tmp_path: Path) -> None:
    before = tables(archive(project.slug, tmp_path / "one.zip"))
    assert [label for label, rows in before.items() if len(rows) < 2] == []
    said = bring(tmp_path / "one.zip", "copy")
    assert f"pairs: {project.pairs.count()} new, 0 already there" in said
    copy = Project.objects.get(slug="copy")
    after = tables(archive("copy", tmp_path / "two.zip"))
    assert after == before
    assert (copy.name, copy.scheme, copy.settings, copy.created) == (
        project.name,
        project.scheme,
        project.settings,
        project.created,
    )
    assert figures("copy") == figures(project.slug)
    made = User.objects.filter(username__startswith="copy-")
    assert made and not any(user.is_active or user.has_usable_password() for user in made)
    assert not Import.objects.exclude(staging=None).exists()
    shared = set(Pair.objects.filter(project=copy).values_list("a_id", flat=True))
    assert shared <= set(Pair.objects.filter(project=project).values_list("a_id", flat=True)), "texts are stored once"


def test_people_are_numbers_unless_names_are_asked_for(project: Project, tmp_path: Path) -> None:
    whole = "\n".join(line for rows in tables(archive(project.slug, tmp_path / "one.zip")).values() for line in rows)
    for user in User.objects.exclude(username="owner"):
        assert f'"{user.username}"' not in whole, user.username
    for alias in Annotator.objects.filter(project=project).values_list("alias", flat=True):
        assert alias.startswith("annotator") or f'"{alias}"' not in whole, alias
    assert "owner@example.org" not in whole and "pbkdf2" not in whole
    before = tables(archive(project.slug, tmp_path / "two.zip", "--names"))
    aliases = list(Annotator.objects.filter(project=project).order_by("pk").values_list("alias", flat=True))
    columns, *people = (json.loads(line) for line in before["annotation.annotator"])
    assert [row[columns.index("alias")] for row in people] == aliases
    assert any('"lena"' in line for line in before[ACCOUNTS])
    bring(tmp_path / "two.zip", "copy")
    assert User.objects.filter(username="lena").count() == 1
    made = User.objects.get(username="lena-2")
    assert not made.is_active and Annotator.objects.get(user=made).project.slug == "copy"
    after = tables(archive("copy", tmp_path / "three.zip", "--names"))
    assert {name for name in before if before[name] != after[name]} <= {ACCOUNTS, "annotation.annotation"}


@pytest.mark.any_database
def test_earlier_names_are_numbers_too(tmp_path: Path) -> None:
    work: list[dict[str, Any]] = [{"annotator": name, "spans": []} for name in ("giulietta", "romualdo")]
    import_files(slug="towns", paths=[lines(tmp_path / "p.jsonl", pair(annotations=work))])
    towns = Project.objects.get()
    person_rename(annotator=towns.annotators.get(alias="giulietta"), alias="lia")
    whole = "\n".join(line for rows in tables(archive("towns", tmp_path / "one.zip")).values() for line in rows)
    assert "giulietta" not in whole and '"lia"' not in whole and "romualdo" not in whole and '"annotator2"' in whole


@pytest.mark.any_database
def test_people_can_have_accounts_that_are_there(project: Project, tmp_path: Path) -> None:
    archive(project.slug, tmp_path / "one.zip", "--names")
    said = bring(tmp_path / "one.zip", "copy", "--set", "people=lena:lena")
    unknown = next(line for line in said.splitlines() if "new annotators, who can't log in yet" in line)
    assert "lena" not in unknown and "anna" in unknown and "new leads" not in said
    assert Annotator.objects.get(project__slug="copy", user__username="lena").role == Role.LEAD
    with pytest.raises(CommandError, match="there is no account 'nobody'"):
        bring(tmp_path / "one.zip", "again", "--set", "people=lena:nobody")
    assert not Project.with_staged.filter(slug__startswith="~").exists()


@pytest.mark.long
def test_the_same_archive_again_is_refused_or_becomes_a_copy(project: Project, tmp_path: Path) -> None:
    archive(project.slug, tmp_path / "one.zip")
    bring(tmp_path / "one.zip", "copy")
    before = counts()
    for slug in ("copy", project.slug):
        with pytest.raises(CommandError, match=r"new or empty project.*Import the archive into a new project"):
            bring(tmp_path / "one.zip", slug)
    assert counts() == before
    bring(tmp_path / "one.zip", "second")
    assert tables(archive("second", tmp_path / "two.zip")) == tables(tmp_path / "one.zip")


@pytest.mark.any_database
def test_options_that_would_do_nothing_are_refused(project: Project, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="An archive keeps the splits"):
        archive(project.slug, tmp_path / "one.zip", "--splits", "train=80,test=20")
    with pytest.raises(CommandError, match="Only an archive can contain people's real names"):
        call_command("export", "--project", project.slug, "--to", "jsonl", str(tmp_path / "x.jsonl"), "--names")
    assert not list(tmp_path.iterdir())


def test_a_dry_run_changes_nothing(project: Project, tmp_path: Path) -> None:
    archive(project.slug, tmp_path / "one.zip")
    before = counts()
    assert "Would import into copy (new):" in bring(tmp_path / "one.zip", "copy", "--dry-run")
    with pytest.raises(CommandError, match="“new” is an address of the site itself"):
        bring(tmp_path / "one.zip", "new", "--dry-run")
    assert counts() == before and not Import.objects.filter(format="archive").exists()


@pytest.mark.long
def test_the_page_publishes_one_and_imports_it_into_an_empty_project(project: Project, tmp_path: Path) -> None:
    lead = logged_in(User.objects.get(username="lena"))
    lead.post(reverse("publish", args=[project.slug]), {"format": "archive", "licence": "unknown", "description": ""})
    number = project.publications.latest("pk").number
    fetched = b"".join(lead.get(reverse("publication", args=[project.slug, number])).streaming_content)  # type: ignore[attr-defined]
    (tmp_path / "page.zip").write_bytes(fetched)
    empty = ProjectFactory(slug="empty", name="Empty")
    Annotator.objects.create(project=empty, user=User.objects.get(username="lena"), alias="Me", role=Role.LEAD)
    with (tmp_path / "page.zip").open("rb") as file:
        sent = lead.post(reverse("import", args=["empty"]), {"upload": file, "format": "archive", "step": "import"})
    assert sent.status_code == 302
    imports_run()
    row = Import.objects.filter(project=empty, format="archive").latest("pk")
    assert (row.status, row.problem) == (JobStatus.DONE, "")
    assert Pair.objects.filter(project=empty).count() == project.pairs.count()
    assert figures("empty") == figures(project.slug)
    empty.refresh_from_db()
    assert (empty.name, empty.scheme) == ("Empty", project.scheme)
    leads = list(project.annotators.filter(role=Role.LEAD).order_by("pk").values_list("pk", flat=True))
    numbers = list(project.annotators.order_by("pk").values_list("pk", flat=True))
    new = [f"annotator{number}" for number, pk in enumerate(numbers, 1) if pk not in leads]
    assert row.report is not None and set(row.report["annotators_new"]) == set(new) and row.report["leads_new"]
    page = lead.get(reverse("import-result", args=["empty", row.pk])).text
    assert ", ".join(row.report["annotators_new"]) in page and " wird Leitung." in page
    assert not Project.with_staged.filter(slug__startswith="~").exists()


def test_every_table_of_a_project_is_in_an_archive_or_left_out_for_a_reason() -> None:
    """A new model that belongs to a project must be listed."""
    known = {table.label for table in TABLES} | LEFT_OUT.keys() | {"annotation.project", "annotation.user"}
    belongs: set[str] = {"annotation.project"}
    every = [model for model in apps.get_models() if model._meta.app_label in ("annotation", "assist", "agreement")]
    while True:
        found = {
            model._meta.label_lower
            for model in every
            for field in model._meta.concrete_fields
            if field.related_model is not None
            and not isinstance(field.related_model, str)
            and field.related_model._meta.label_lower in belongs
        }
        if found <= belongs:
            break
        belongs |= found
    assert belongs - known == set()
