"""The demo is loaded once, with work in every state and working accounts."""

import json
from pathlib import Path

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import Sum
from django.test import RequestFactory, override_settings

from annotation.errors import Forbidden, Invalid
from annotation.models import Annotation, Assignment, Guideline, Pair, Project, Revision, Status, User
from annotation.models.time import WorkDay
from annotation.services.demo import demo_load

pytestmark = pytest.mark.django_db
MODELS = (Project, Pair, Assignment, Annotation, Revision, Guideline, User)


def test_the_demo_has_work_in_every_state_and_a_second_load_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    first = demo_load()
    assert first.loaded == [project.slug for project in first.projects] != []
    before = {model: list(model.objects.order_by("pk").values()) for model in MODELS}
    assert {Status.OPEN, Status.STARTED, Status.DONE} <= set(Assignment.objects.values_list("status", flat=True))
    assert {"submitted", "rejected", "flagged", ""} <= set(Annotation.objects.values_list("verdict", flat=True))
    for login in first.logins:
        assert authenticate(RequestFactory().post("/"), username=login.username, password=login.password)
    call_command("load_demo")
    assert {model: list(model.objects.order_by("pk").values()) for model in MODELS} == before
    worked = Annotation.objects.filter(source="human").aggregate(total=Sum("active_seconds"))
    assert WorkDay.objects.aggregate(total=Sum("seconds")) == worked != {"total": 0}
    printed = capsys.readouterr().out
    assert all(login.username in printed and login.password in printed for login in first.logins)


def test_a_changed_password_is_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    login = demo_load().logins[0]
    user = User.objects.get(username=login.username)
    user.set_password("quite another one")
    user.save()
    call_command("load_demo")
    assert login.password not in capsys.readouterr().out


def test_a_demo_that_cannot_be_read_leaves_no_project(tmp_path: Path) -> None:
    described = {
        "people": [],
        "projects": [
            {
                "slug": "broken",
                "name": "Broken",
                "scheme": "graded",
                "guidelines": "guide.md",
                "pairs": "pairs.jsonl",
                "annotators": [],
                "card": {},
            }
        ],
    }
    (tmp_path / "demo.json").write_text(json.dumps(described))
    (tmp_path / "guide.md").write_text("# Mark")
    (tmp_path / "pairs.jsonl").write_text("no json\n")
    with pytest.raises(Invalid):
        demo_load(folder=tmp_path)
    assert not Project.objects.exists() and connection.in_atomic_block


def test_the_command_says_what_is_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("django.conf.settings.BASE_DIR", tmp_path)
    with pytest.raises(CommandError, match="demo"):
        call_command("load_demo")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HTTPS", True),
        ("ALLOWED_HOSTS", ["127.0.0.1", "annotate.example.org"]),
        ("ALLOWED_HOSTS", ["*"]),
        ("CSRF_TRUSTED_ORIGINS", ["https://annotate.example.org"]),
        ("TRUSTED_PROXIES", ["127.0.0.1"]),
    ],
)
def test_accounts_with_known_passwords_are_not_created_where_others_can_reach_them(name: str, value: object) -> None:
    with override_settings(**{name: value}), pytest.raises(Forbidden, match="the passwords of its accounts are public"):
        demo_load()
    assert not User.objects.exists()
