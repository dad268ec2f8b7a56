"""`load_demo --migrate`: the database is brought up to date first, and a line says when it is."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import call_command

from annotation.management.commands import load_demo
from annotation.management.commands.load_demo import UP_TO_DATE
from annotation.services.demo import Demo

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load_demo, "demo_load", lambda: Demo([], [], []))


def run(**options: Any) -> list[str]:
    out = io.StringIO()
    call_command("load_demo", stdout=out, **options)
    return out.getvalue().splitlines()


def test_a_database_that_is_up_to_date_is_checked_and_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []

    def recorded(name: str, **options: Any) -> None:
        asked.append(options)
        call_command(name, **options)

    monkeypatch.setattr(load_demo, "call_command", recorded)
    assert run(migrate=True) == [UP_TO_DATE, "Accounts:"]
    assert [(each.get("check_unapplied"), each.get("skip_checks")) for each in asked] == [(True, False)]


def test_what_is_missing_is_applied_before_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def unapplied(_name: str, *, stdout: Any, check_unapplied: bool = False, **_options: Any) -> None:
        asked.append(check_unapplied)
        if check_unapplied:
            raise SystemExit(1)
        stdout.write("Applying …")

    monkeypatch.setattr(load_demo, "call_command", unapplied)
    assert run(migrate=True) == ["Applying …", UP_TO_DATE, "Accounts:"]
    assert asked == [True, False]


def test_without_it_the_database_is_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load_demo, "call_command", lambda *_, **__: pytest.fail("migrated"))
    assert run() == ["Accounts:"]
