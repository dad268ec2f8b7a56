"""What the environment says of a provider; and that nothing of it is there without it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib import util
from pathlib import Path
from typing import Any

import environ
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from config.openid.options import OpenID, openid_options
from operation.production import refusals
from tests.environment import without_settings
from tests.paths import ROOT

ISSUER = {"DIPTYCH_OPENID_ISSUER": "https://id.example.org/realms/town/"}
WHOLE = {**ISSUER, "DIPTYCH_OPENID_CLIENT": "diptych", "DIPTYCH_OPENID_SECRET": "s"}


def read(given: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> OpenID | None:
    for name in [name for name in os.environ if name.startswith("DIPTYCH_OPENID_")]:
        monkeypatch.delenv(name)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    return openid_options(environ.Env(), given)


def test_nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read({}, monkeypatch) is None
    assert read({"DIPTYCH_OPENID_ISSUER": ""}, monkeypatch) is None


def test_the_least_and_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    least = read(WHOLE, monkeypatch)
    assert least == OpenID("https://id.example.org/realms/town", "diptych", "s", "id.example.org")
    more = {
        "DIPTYCH_OPENID_NAME": "Universität",
        "DIPTYCH_OPENID_LINK_BY_EMAIL": "1",
        "DIPTYCH_OPENID_NEW_ACCOUNTS": "1",
    }
    assert read({**WHOLE, **more}, monkeypatch) == replace(
        least, name="Universität", links_by_email=True, new_accounts=True
    )
    assert "'s'" not in repr(least)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"DIPTYCH_OPENID_CLIENT": "x"}, "DIPTYCH_OPENID_CLIENT is set, but not DIPTYCH_OPENID_ISSUER"),
        (ISSUER, "but not DIPTYCH_OPENID_CLIENT"),
        ({**ISSUER, "DIPTYCH_OPENID_CLIENT": "x"}, "but not DIPTYCH_OPENID_SECRET"),
        ({**WHOLE, "DIPTYCH_OPENID_NAME": "two\nlines"}, "in one line"),
        ({**WHOLE, "DIPTYCH_OPENID_NAME": "x" * 61}, "up to 60 characters"),
    ],
)
def test_half_a_configuration(given: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ImproperlyConfigured, match=said):
        read(given, monkeypatch)


@pytest.mark.parametrize(
    "address",
    ["id.example.org", "ftp://id.example.org", "https://", "https://a@b.example", "https://x/?q=1", "https://x/#y",
     "https://x:port", "https://x y", "https://ä.example", "javascript:alert(1)"],
)  # fmt: skip
def test_addresses_that_are_none(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ImproperlyConfigured, match="give the provider's issuer"):
        read({**WHOLE, "DIPTYCH_OPENID_ISSUER": address}, monkeypatch)


def test_without_its_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    find: Any = util.find_spec
    monkeypatch.setattr("config.openid.options.find_spec", lambda name: None if name == "allauth" else find(name))
    with pytest.raises(ImproperlyConfigured, match=r"allauth is not installed; run .* -r requirements-openid\.txt"):
        read(WHOLE, monkeypatch)


def test_a_provider_whose_answers_can_be_changed_on_the_way_is_not_for_production(settings: Settings) -> None:
    settings.OPENID = OpenID("http://id.example.org", "diptych", "s", "Town")
    assert "openid-http" in [code for code, _sentence in refusals()]
    settings.OPENID = replace(settings.OPENID, issuer="https://id.example.org")
    assert "openid-http" not in [code for code, _sentence in refusals()]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["openid", "openid-callback", "openid-new", "openid-account"])
def test_without_a_provider_there_are_no_such_pages(name: str) -> None:
    assert Client().get(reverse(name)).status_code in (404, 405)
    assert Client().post(reverse(name)).status_code == 404 or name == "openid-callback"
    assert "openid" not in Client().get(reverse("login")).content.decode()


def python(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", f"import django, sys; django.setup()\n{code}"],
        cwd=ROOT,
        env=without_settings() | {"DJANGO_SETTINGS_MODULE": "config.settings", **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_without_a_provider_nothing_of_it_is_imported(tmp_path: Path) -> None:
    code = (
        "from django.test import Client; Client().get('/login/openid/'); import annotation.views.openid\n"
        "print([name for name in ('allauth', 'jwt', 'requests_session', 'config.openid.flow') if name in sys.modules])"
    )
    assert python(code, DIPTYCH_DATA=str(tmp_path)) == "[]"


@pytest.mark.long
@pytest.mark.processes
@pytest.mark.takes(30)
def test_a_site_with_a_provider_is_backed_up_and_restored_as_one_without(tmp_path: Path, migrated: Path) -> None:
    """Accounts are deleted there too, and whoever turns it on is told to migrate."""

    def manage(folder: str, *command: str, **environment: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env=without_settings() | {"DIPTYCH_DATA": str(tmp_path / folder), **environment},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def shell(folder: str, code: str, **environment: str) -> str:
        return python(code, DIPTYCH_DATA=str(tmp_path / folder), **environment)

    for folder in ("one", "two", "three", "four"):
        (tmp_path / folder).mkdir()
        shutil.copy(migrated, tmp_path / folder)
    pending = "from operation.health import pending_migrations as p; print(sorted(each.split('.')[0] for each in p()))"
    assert shell("one", pending) == "[]"
    assert shell("one", pending, **WHOLE) == "['account', 'socialaccount']"
    manage("one", "migrate", "-v0", **WHOLE)
    made = (
        "from annotation.models import User; from annotation.services.identities import *\n"
        "for n in ('anna', 'bea'):\n"
        "    identity_account_create(claims=Claims('https://id.example.org/realms/town', n), username=n)"
    )
    shell("one", made, **WHOLE)
    manage("one", "person_delete", "bea", "--yes", **WHOLE)
    manage("one", "backup", str(tmp_path / "site.backup"), **WHOLE)
    there = (
        "from annotation.models.identities import Identity\n"
        "print([(each.user.username, str(each)) for each in Identity.objects.all()])"
    )
    for folder, environment in (("two", {}), ("three", WHOLE)):
        manage(folder, "restore", str(tmp_path / "site.backup"), **environment)
        found = shell(folder, there, **environment)
        assert found == "[('anna', 'anna at https://id.example.org/realms/town')]"
        assert shell(folder, pending, **environment) == "[]"
    # Turned off again: its tables stay, empty.
    manage("one", "backup", str(tmp_path / "later.backup"))
    manage("one", "person_delete", "anna", "--yes")
    manage("four", "restore", str(tmp_path / "later.backup"))
    assert "https" not in shell("one", there)
