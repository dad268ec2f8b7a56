"""A type of rating item in a module of its own, from the form of a project to gold, with no change elsewhere."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotation.models import Annotation, Project, Source, User
from annotation.text.items.base import ITEM_TYPES
from tests.agreement.work import pair, submit
from tests.annotation.work import client_of
from tests.factories import AnnotatorFactory, AssignmentFactory, UserFactory
from tests.paths import ROOT
from tests.plugins.conftest import Load

pytestmark = pytest.mark.django_db
SCHEME = {
    "name": "grades",
    "links": False,
    "questions": [{"key": "q", "text": "How good?", "type": "letters", "letters": 3}],
}


@pytest.fixture(autouse=True)
def plugin(load: Load) -> None:
    assert "letters" not in ITEM_TYPES and "statements" not in ITEM_TYPES
    load("letters", ITEM_TYPES)
    load("statements", ITEM_TYPES)


@pytest.fixture
def study() -> Project:
    person: User = UserFactory(is_superuser=True)
    client = client_of(person)
    assert "letters: as many letters as letters says" in client.get(reverse("project-new")).content.decode()
    body = {"name": "Grades", "slug": "grades", "scheme": "own", "own_scheme": json.dumps(SCHEME)}
    assert client.post(reverse("project-new"), body).status_code == 302
    return Project.objects.get(slug="grades")


def test_it_is_answered_in_the_workspace_and_a_wrong_answer_is_refused(study: Project) -> None:
    owner = AnnotatorFactory(project=study)
    assignment = AssignmentFactory(pair=pair(study), annotator=owner)
    client, to = client_of(owner.user), reverse("api-assignment", args=[assignment.pk])
    (question,) = client.get(to).json()["project"]["scheme"]["questions"]
    assert question["type"] == "letters"
    assert [(each["key"], each["hotkey"], each["value"]) for each in question["choices"]] == [
        ("a", "1", 0), ("b", "2", -1), ("c", "3", -2)
    ]  # fmt: skip

    def answered(answer: str) -> int:
        body = {"revision": 0, "spans": {"v": 1, "spans": []}, "answers": {"q": answer}, "comment": "", "read": {}}
        put = reverse("api-annotation", args=[assignment.pk])
        return client.put(put, body, content_type="application/json").status_code

    assert answered("d") == 422
    assert answered("b") == 200
    assert Annotation.objects.get(assignment=assignment).answers == {"q": "b"}


def test_the_scheme_editor_has_its_fields(study: Project) -> None:
    client, to = client_of(User.objects.get(is_superuser=True)), reverse("project-scheme", args=["grades"])
    page = client.get(to).content.decode()
    assert '<option value="letters" selected>a letter</option>' in " ".join(page.split())
    assert "How many letters" in page and 'name="questions-0-letters"' in page
    form = {
        "base": re.search(r'name="base" value="([^"]+)"', page)[1],  # type: ignore[index]
        "scheme-name": "grades", "scheme-default": "same", "scheme-marks": "ab",
        "questions-0-was": "q", "questions-0-key": "q", "questions-0-name": "How good?",
        "questions-0-kind": "letters", "questions-0-letters": "4", "action": "save",
    }  # fmt: skip
    assert client.post(to, form | {"questions-0-letters": "11"}).status_code == 422
    assert client.post(to, form).status_code == 302
    study.refresh_from_db()
    (question,) = study.labels.questions
    assert [choice.name for choice in question.choices] == ["A", "B", "C", "D"]


def test_its_answers_are_agreed_on_adjudicated_and_exported(study: Project, tmp_path: Path) -> None:
    people = [AnnotatorFactory(project=study, alias=alias, user=None) for alias in ("A1", "A2", "A3")]
    for answers in ("aab", "bbb"):
        on = pair(study)
        for person, answer in zip(people, answers, strict=True):
            submit(on, person, answers={"q": answer})
    out = StringIO()
    call_command("agreement", "--project", "grades", "--format", "json", stdout=out)
    found = json.loads(out.getvalue())["ratings"]["q"]
    assert found["answers"] == {"c": 0, "b": 4, "a": 2} and found["alpha"]["ordinal"] is not None
    call_command("adjudicate", "--project", "grades", "--rule", "majority", stdout=StringIO())
    gold = Annotation.objects.filter(source=Source.GOLD).order_by("pair__pk")
    assert [each.answers["q"] for each in gold] == ["a", "b"]
    call_command("export", str(tmp_path / "grades.jsonl"), "--project", "grades", "--to", "jsonl", stdout=StringIO())
    call_command("import_pairs", str(tmp_path / "grades.jsonl"), "--project", "again", stdout=StringIO())
    assert Project.objects.get(slug="again").scheme == study.scheme


def test_one_that_makes_several_questions_is_edited_and_answered_as_such() -> None:
    listed = [{"key": "dates", "name": "The dates agree"}, {"key": "names", "name": "The names agree"}]
    scheme = {"questions": [{"key": "q", "text": "What agrees?", "type": "statements", "statements": listed}]}
    client = client_of(UserFactory(is_superuser=True))
    body = {"name": "Facts", "slug": "facts", "scheme": "own", "own_scheme": json.dumps({"name": "facts", **scheme})}
    assert client.post(reverse("project-new"), body).status_code == 302
    ((text, questions),) = Project.objects.get(slug="facts").labels.displayed_questions
    assert (text, [each.key for each in questions]) == ("What agrees?", ["q.dates", "q.names"])
    page = client.get(reverse("project-scheme", args=["facts"])).content.decode()
    assert 'name="questions-0-options-0-name"' in page and 'name="questions-0-options-0-value"' not in page


def test_the_recipe_names_at_most_five_files_and_no_other_names_a_type() -> None:
    recipe = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("- **A type of rating item**")[2]
    recipe = recipe.partition("  - Tests:")[0]
    named = set(re.findall(r"`((?:docs|static)/[\w/.-]+)`", recipe))
    assert len(named) + 1 <= 5, "with the type's own module"
    folders = [ROOT / name for name in ("annotation", "agreement", "templates", "static/js", "static/css")]
    files = [file for folder in folders for file in folder.rglob("*") if file.suffix in (".py", ".html", ".js", ".css")]
    naming = {
        file.relative_to(ROOT).as_posix()
        for file in files
        if re.search(r"""["'](several|scale)["']""", file.read_text(encoding="utf-8"))
    }
    assert naming - named == {"annotation/text/items/several.py", "annotation/text/items/scale.py"}
