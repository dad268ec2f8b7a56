"""The command: its output, and that a refusal is readable and exits with code 1."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Annotator, Project, Role
from tests.annotation.formats.samples import lines, pair, span, town, town_line
from tests.factories import AnnotatorFactory, UserFactory

pytestmark = pytest.mark.django_db


def run(*arguments: object) -> str:
    out = io.StringIO()
    call_command("import_pairs", *map(str, arguments), stdout=out)
    return out.getvalue()


def test_it_creates_the_project_and_reports(tmp_path: Path) -> None:
    printed = run(lines(tmp_path / "pairs.jsonl", pair()), "--project", "towns", "--scheme", "xparade-extended")
    assert printed.startswith("Imported into towns (new):\n  pairs: 1 new, 0 already there\n")
    assert Project.objects.get().labels.name == "xparade-extended"


def test_settings_reach_the_format_and_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    root = town(tmp_path, first=[town_line()], second=[])
    arguments = [root, "--project", "swiss", "--format", "swissgov", "--set", "language=de", "--set", "phase=main"]
    assert run(*arguments, "--dry-run").startswith("Would import into swiss (new):")
    assert not Project.objects.exists()


def test_a_refusal_names_every_line(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as caught:
        run(lines(tmp_path / "pairs.jsonl", "{", pair(id="")), "--project", "towns")
    assert str(caught.value).splitlines()[0] == "Nothing was imported: 2 problems found."
    assert "  pairs.jsonl:2: id: empty" in str(caught.value)
    assert caught.value.returncode == 1


def zipped(path: Path, *files: Path) -> Path:
    with zipfile.ZipFile(path, "w") as packed:
        for file in files:
            packed.write(file, file.name)
    return path


def test_a_zip_file_is_unpacked_as_on_the_import_page(tmp_path: Path) -> None:
    files = [lines(tmp_path / f"{name}.jsonl", pair(id=name)) for name in ("one", "two")]
    printed = run(zipped(tmp_path / "both.ZIP", *files), "--project", "towns", "--scheme", "xparade")
    assert "pairs: 2 new" in printed


def test_a_refusal_names_the_zip_file(tmp_path: Path) -> None:
    other = lines(tmp_path / "good.jsonl", pair(id="p2"))
    wrong = zipped(tmp_path / "both.zip", lines(tmp_path / "bad.jsonl", "{"))
    with pytest.raises(CommandError, match=r"both\.zip/bad\.jsonl:1: "):
        run(other, wrong, "--project", "towns")
    with pytest.raises(CommandError, match=r"README\.zip: not a zip archive"):
        run(other.rename(tmp_path / "README.zip"), "--project", "towns")
    assert not Project.objects.exists()


def test_a_refusal_for_labels_names_the_scheme_that_has_them(tmp_path: Path) -> None:
    run(lines(tmp_path / "one.jsonl", pair()), "--project", "towns", "--scheme", "xparade")
    work = {"annotator": "anna", "verdict": "submitted", "spans": [span("connotation", ("b", 0, 8))]}
    with pytest.raises(CommandError) as caught:
        run(lines(tmp_path / "two.jsonl", pair(id="p2", annotations=[work])), "--project", "towns")
    assert "(--scheme xparade-extended)" in str(caught.value).splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--set", "language"], "must be KEY=VALUE"),
        (["--project", "!"], "at least one letter or digit"),
        (["--set", "colour=red"], "it has pairs, sentences, side_a"),
    ],
)
def test_mistakes_are_answered_with_a_message(tmp_path: Path, arguments: list[str], reason: str) -> None:
    path = lines(tmp_path / "pairs.jsonl", pair())
    with pytest.raises(CommandError, match=reason):
        run(path, "--project", "towns", *arguments)


def test_a_path_whose_format_is_unknown_is_answered_with_a_message(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="shows the format"):
        run(tmp_path, "--project", "towns")


@pytest.mark.parametrize("bad", ["a\u200bnna", "\u200b", "\u202eanna", "a\x1b[31m", "a\nb"])
@pytest.mark.parametrize("field", ["id", "split", "annotator"])
def test_a_name_with_an_invisible_character_is_refused_and_never_printed(tmp_path: Path, field: str, bad: str) -> None:
    work = {"annotator": bad if field == "annotator" else "anna", "spans": []}
    item = pair(annotations=[work], **({field: bad} if field != "annotator" else {}))
    with pytest.raises(CommandError) as refused:
        call_command("import_pairs", str(lines(tmp_path / "pairs.jsonl", item)), project="towns")
    said = str(refused.value)
    character = next(f"U+{ord(each):04X}" for each in bad if not each.isprintable())
    assert f"pairs.jsonl:1: {field}: contains an invisible character ({character}); remove it" in said
    assert said.replace("\n", "").isprintable()


def test_a_refusal_prints_no_control_characters(tmp_path: Path) -> None:
    work = {"annotator": "a\x1b[31m", "spans": []}
    with pytest.raises(CommandError, match=r"'a\\x1b\[31m' appears twice"):
        call_command("import_pairs", str(lines(tmp_path / "p.jsonl", pair(annotations=[work, work]))), project="towns")


def test_a_new_project_is_led_by_who_is_named_or_it_says_that_nobody_leads_it(tmp_path: Path) -> None:
    file = lines(tmp_path / "pairs.jsonl", pair())
    lead = UserFactory(username="lena")
    assert "Nobody leads towns" in run(file, "--project", "towns", "--scheme", "graded")
    with pytest.raises(CommandError, match="There is no account nobody"):
        run(file, "--project", "towns", "--lead", "nobody")
    run(file, "--project", "towns", "--lead", "lena", "--dry-run")
    assert not Annotator.objects.exists()
    for _ in range(2):
        assert "Nobody leads" not in run(file, "--project", "towns", "--lead", "lena")
    membership = Annotator.objects.get()
    assert (membership.user, membership.role) == (lead, Role.LEAD)
    other = AnnotatorFactory(project=membership.project, alias="bruno")
    said = run(file, "--project", "towns", "--lead", other.user.username)
    assert "bruno is in towns already, as annotator, and stays so." in said
