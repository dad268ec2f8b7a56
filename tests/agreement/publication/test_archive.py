"""Archives: a project comes back with every row and the same figures, people are numbers, and forgeries are refused."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import transaction
from django.urls import reverse

from annotation.formats.project_archive import MANIFEST
from annotation.models import Annotation, Annotator, Dismissal, Pair, Project, Role, Text, User
from annotation.models.imports import Import, ImportStatus
from annotation.models.messages import Thread
from annotation.selectors.export_records import published_aliases
from annotation.services.import_jobs import imports_run
from annotation.services.imports import import_files
from annotation.services.person_renames import person_rename
from annotation.services.project_archive.tables import ADDED_LATER, LEFT_OUT, TABLES
from assist.models import Run, RunStatus
from tests.agreement.access import logged_in
from tests.annotation.formats.samples import lines, pair
from tests.factories import PairFactory, ProjectFactory
from tests.once import made_once
from tests.operation import filled

pytestmark = pytest.mark.django_db
OWN = "accounts"


def demo() -> Project:
    """The demo with something in every table."""
    filled.fill()
    Run.objects.update(status=RunStatus.DONE)
    made = Project.objects.get(slug="demo-graded")
    work = Annotation.objects.filter(pair__project=made, source="human")[0]
    Dismissal.objects.create(project=made, annotation=work, proposal="p", phrase="q")
    return made


@pytest.fixture
def project() -> Project:
    return demo()


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


def counts() -> dict[str, int]:
    labels = [*(table.label for table in TABLES), "annotation.project", "annotation.user"]
    return {label: apps.get_model(label)._base_manager.count() for label in labels}


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
    assert any('"lena"' in line for line in before[OWN])
    bring(tmp_path / "two.zip", "copy")
    assert User.objects.filter(username="lena").count() == 1
    made = User.objects.get(username="lena-2")
    assert not made.is_active and Annotator.objects.get(user=made).project.slug == "copy"
    after = tables(archive("copy", tmp_path / "three.zip", "--names"))
    assert {name for name in before if before[name] != after[name]} <= {OWN, "annotation.annotation"}


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


def test_the_same_archive_again_is_refused_or_becomes_a_copy(project: Project, tmp_path: Path) -> None:
    archive(project.slug, tmp_path / "one.zip")
    bring(tmp_path / "one.zip", "copy")
    before = counts()
    for slug in ("copy", project.slug):
        with pytest.raises(CommandError, match="new project or an empty one"):
            bring(tmp_path / "one.zip", slug)
    assert counts() == before
    bring(tmp_path / "one.zip", "second")
    assert tables(archive("second", tmp_path / "two.zip")) == tables(tmp_path / "one.zip")


@pytest.mark.any_database
def test_options_that_would_do_nothing_are_refused(project: Project, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="An archive keeps the splits"):
        archive(project.slug, tmp_path / "one.zip", "--splits", "train=80,test=20")
    with pytest.raises(CommandError, match="Only an archive can have people's own names"):
        call_command("export", "--project", project.slug, "--to", "jsonl", str(tmp_path / "x.jsonl"), "--names")
    assert not list(tmp_path.iterdir())


def test_a_dry_run_changes_nothing(project: Project, tmp_path: Path) -> None:
    archive(project.slug, tmp_path / "one.zip")
    before = counts()
    assert "Would import into copy (new):" in bring(tmp_path / "one.zip", "copy", "--dry-run")
    with pytest.raises(CommandError, match="“new” is an address of the site itself"):
        bring(tmp_path / "one.zip", "new", "--dry-run")
    assert counts() == before and not Import.objects.filter(format="archive").exists()


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
    assert (row.status, row.problem) == (ImportStatus.DONE, "")
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


Change = Callable[[dict[str, list[Any]], dict[str, Any]], None]


def forged(source: Path, out: Path, change: Change, *, hashed: bool = True) -> Path:
    """A copy of an archive with other rows; with `hashed` the manifest agrees with them."""
    with zipfile.ZipFile(source) as packed, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as copy:
        manifest = json.loads(packed.read(MANIFEST))
        rows = {label: [json.loads(line) for line in lines] for label, lines in tables(source).items()}
        change(rows, manifest)
        for label, found in rows.items():
            data = "".join(json.dumps(row) + "\n" for row in found).encode()
            copy.writestr(f"tables/{label}.jsonl", data)
            if hashed and label in manifest["tables"]:
                described = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), "rows": len(found) - 1}
                manifest["tables"][label] = described
        copy.writestr(MANIFEST, json.dumps(manifest))
    return out


def put(label: str, column: str, value: Any, row: int = 1) -> Change:
    def change(rows: dict[str, list[Any]], manifest: dict[str, Any]) -> None:
        rows[label][row][rows[label][0].index(column)] = value

    return change


def without(label: str) -> Change:
    def change(rows: dict[str, list[Any]], manifest: dict[str, Any]) -> None:
        del rows[label], manifest["tables"][label]

    return change


def named(key: str, value: Any) -> Change:
    return lambda rows, manifest: manifest.update({key: value})


def more(label: str, row: int) -> Change:
    return lambda rows, manifest: rows[label].append(rows[label][row])


SPANS = {"v": 1, "spans": [{"id": "s", "label": "9", "fragments": []}]}
BEYOND = {"v": 1, "spans": [{"id": "s", "label": "1", "fragments": [{"side": "a", "start": 0, "end": 10**6}]}]}
QUOTED = {"side": "a", "start": 0, "end": 1, "text": "x"}
FORGERIES: dict[str, tuple[Change, str]] = {
    "version": (named("version", 2), "version 2 of archives is unknown here"),
    "format": (named("format", "zip"), "not the manifest of an archive"),
    "extra": (named("evil", 1), "not the manifest of an archive"),
    "scheme": (named("project", {"name": "x", "scheme": {"name": "x"}, "settings": {}}), "scheme"),
    "name": (named("project", {"name": ""}), ""),
    "no table": (without("annotation.pair"), "missing from the archive"),
    "reference": (put("annotation.pair", "a_id", 10**9), "refers to a row that is not in the archive"),
    "no reference": (put("annotation.pair", "a_id", None), "a_id: missing"),
    "negative": (put("annotation.pair", "a_id", -1), "refers to a row that is not in the archive"),
    "tokens": (put("annotation.text", "tokens", [[0, 10**6]]), "ends beyond its text"),
    "paragraphs": (put("annotation.text", "paragraphs", [[0, 1]]), "not those of the text"),
    "language": (put("annotation.text", "language", "not a language"), "language"),
    "id": (put("annotation.pair", "external_id", "a\u202eb"), "id"),
    "twice": (more("annotation.pair", 1), "contradict each other"),
    "label": (put("annotation.annotation", "spans", SPANS), "is not one of the scheme's labels"),
    "place": (put("annotation.revision", "spans", BEYOND), "ends beyond its text"),
    "document": (put("annotation.annotation", "spans", {"spans": 7}), ""),
    "number": (put("annotation.annotation", "active_seconds", -5), "active_seconds"),
    "kind": (put("annotation.annotation", "active_seconds", "5"), "another kind"),
    "time": (put("annotation.annotation", "made", "yesterday"), "another kind"),
    "role": (put("annotation.annotator", "role", "owner"), "not one of the values"),
    "alias": (put("annotation.annotator", "alias", "a\u202eb"), "alias"),
    "scores": (put("annotation.highlight", "scores_a", [2]), "another form"),
    "provenance": (put("annotation.annotation", "provenance", {"s": 7}), "another form"),
    "quoted words": (put("annotation.thread", "quote", [{**QUOTED, "side": "c"}]), "another form"),
    "quoted length": (put("annotation.thread", "quote", [{**QUOTED, "text": "x" * 302}]), "another form"),
    "message": (put("annotation.message", "text", "x" * 4001), "another form"),
    "side of a message": (put("annotation.message", "by", "owner"), "not one of the values"),
    "account": (more(OWN, 1), "appears twice"),
    "warnings": (put("annotation.import", "warnings", {"x": "1"}), "another form"),
    "report": (put("annotation.import", "report", {"warnings": "x"}), "another form"),
    "gold": (put("agreement.goldversion", "excluded", {"A1": {"n": 3}}), "excluded: a stored value has another form"),
    "guidelines": (put("annotation.guideline", "text", "Read\tthis.\nRing\x07"), "U+0007"),
    "settings": (lambda rows, manifest: manifest["project"]["settings"].update(highlights_run=5), "another kind"),
}


@pytest.fixture
def genuine(db: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of the demo; the database is as empty as before."""

    def make(folder: Path) -> None:
        with transaction.atomic():
            archive(demo().slug, folder / "genuine.zip")
            transaction.set_rollback(True)

    return made_once(tmp_path_factory, "archive", make) / "genuine.zip"


@pytest.mark.any_database
@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_refused_and_changes_nothing(genuine: Path, tmp_path: Path, name: str) -> None:
    PairFactory()
    change, reason = FORGERIES[name]
    before = counts(), Text.objects.count()
    with pytest.raises(CommandError) as refused:
        bring(forged(genuine, tmp_path / "forged.zip", change), "copy")
    assert reason in str(refused.value) and "Traceback" not in str(refused.value)
    assert (counts(), Text.objects.count()) == before
    assert not Project.with_staged.filter(slug__startswith="~").exists()


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (put("annotation.annotation", "spans", SPANS), "annotation.pair: pair '{}', "),
        (put("annotation.annotation", "answers", {"x": "y"}), "annotation.pair: pair '{}', answer x: "),
    ],
)
def test_a_refusal_names_a_pair_once_by_its_own_id(genuine: Path, tmp_path: Path, change: Change, place: str) -> None:
    rows = tables(genuine)
    header, pairs = (json.loads(line) for line in rows["annotation.annotation"][:2]), rows["annotation.pair"]
    names, first = header
    pair = json.loads(pairs[first[names.index("pair_id")]])[json.loads(pairs[0]).index("external_id")]
    with pytest.raises(CommandError) as refused:
        bring(forged(genuine, tmp_path / "forged.zip", change), "copy")
    assert place.format(pair) in str(refused.value)


def test_counts_are_those_of_the_spans_whatever_the_archive_says(genuine: Path, tmp_path: Path) -> None:
    bring(genuine, "true")
    written = forged(genuine, tmp_path / "forged.zip", put("annotation.annotation", "span_count", 12_345))
    bring(forged(written, tmp_path / "both.zip", put("annotation.annotation", "label_counts", {"x": 7}, row=2)), "copy")
    true, copy = (
        list(
            Annotation.objects.filter(pair__project__slug=slug)
            .order_by("pk")
            .values_list("span_count", "token_count", "label_counts")
        )
        for slug in ("true", "copy")
    )
    assert true and true == copy


def test_an_archive_from_before_some_tables_is_imported(genuine: Path, tmp_path: Path) -> None:
    def older(rows: dict[str, list[Any]], manifest: dict[str, Any]) -> None:
        for label in ADDED_LATER:
            without(label)(rows, manifest)

    bring(forged(genuine, tmp_path / "older.zip", older), "copy")
    assert Pair.objects.filter(project__slug="copy").exists() and not Thread.objects.exists()


def test_damage_bombs_and_names_that_lead_out_are_refused(genuine: Path, tmp_path: Path) -> None:
    damaged = forged(genuine, tmp_path / "damaged.zip", put("annotation.pair", "split", "other"), hashed=False)
    bomb, out, plain = tmp_path / "bomb.zip", tmp_path / "out.zip", tmp_path / "plain.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(MANIFEST, b" " * 50_000_000)
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("../evil.json", "{}")
    plain.write_text("not a zip")
    extra = forged(genuine, tmp_path / "extra.zip", lambda rows, manifest: rows.update({"auth.user": [["x"]]}))
    for path, reason in (
        (damaged, "the archive is damaged"),
        (bomb, "times its size"),
        (out, "leads outside"),
        (plain, "not a zip archive"),
        (extra, "the manifest does not name it"),
    ):
        with pytest.raises(CommandError, match=reason):
            bring(path, "copy")
    assert not Project.with_staged.exclude(slug__in=Project.objects.values("slug")).filter(slug="copy").exists()
    assert not (tmp_path.parent / "evil.json").exists()


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
