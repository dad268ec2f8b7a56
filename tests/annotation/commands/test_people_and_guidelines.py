"""`manage.py add_person` and `write_guidelines`: what the pages do, with refusals in a sentence."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Annotator, Guideline, User
from tests.factories import ProjectFactory, UserFactory

pytestmark = pytest.mark.django_db


def run(name: str, *arguments: object) -> list[str]:
    out = StringIO()
    call_command(name, *map(str, arguments), "--project", "towns", stdout=out)
    return out.getvalue().splitlines()


def test_people_are_added_with_their_role_and_a_password_for_a_new_account() -> None:
    ProjectFactory(slug="towns")
    UserFactory(username="judy")
    assert run("add_person", "judy", "--role", "adjudicator", "--alias", "Judy") == ["Judy: adjudicator in towns"]
    said, shown = run("add_person", "olga")
    password = shown.removeprefix("Password of the new account, shown only now: ")
    assert said == "A1: annotator in towns" and User.objects.get(username="olga").check_password(password)
    with pytest.raises(CommandError, match="olga"):
        run("add_person", "olga")
    assert Annotator.objects.count() == 2


def test_guidelines_are_written_once(tmp_path: Path) -> None:
    ProjectFactory(slug="towns")
    file = tmp_path / "guidelines.md"
    with pytest.raises(CommandError, match="can't be read"):
        run("write_guidelines", file)
    file.write_text("# Mark differences")
    for _ in range(2):
        assert run("write_guidelines", file) == ["Version 1 of the guidelines of towns"]
    file.write_text("# Mark all differences")
    assert run("write_guidelines", file) == ["Version 2 of the guidelines of towns"]
    file.write_text(" ")
    with pytest.raises(CommandError, match="can't be empty"):
        run("write_guidelines", file)
    assert Guideline.objects.count() == 2
