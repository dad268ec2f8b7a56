"""The wheel is whole: installed outside the checkout, it serves the demo with its pages, scripts and translations."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from itertools import product
from pathlib import Path

import pytest

from tests.environment import without_settings
from tests.paths import ROOT

pytestmark = pytest.mark.long

VISIT = """
import django
django.setup()
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
client = Client()
assert client.post("/login/", {"username": "anna", "password": "diptych-anna"}).status_code == 302
assert client.get("/").status_code == 200
assert "Anmelden" in Client(headers={"accept-language": "de"}).get("/login/").content.decode()
assert finders.find("js/workspace/main.js") and finders.find("css/tokens.css")
import re
assert re.search(r'/static/css/base\\.[0-9a-f]{12}\\.css', client.get("/").content.decode())
print(settings.DATA_DIR)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's content, unpacked as an installation unpacks it."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", str(ROOT), "--no-deps", "--no-build-isolation", "-w", str(folder)]
    built = subprocess.run([*command, "--disable-pip-version-check"], capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = folder.glob("diptych-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_the_wheel_runs_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    environment = without_settings()
    environment |= {"PYTHONPATH": str(installed), "DJANGO_SETTINGS_MODULE": "config.settings"}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"  # or compiled files would be among those of the wheel

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    command = "from config.manage import main; main()"
    run("-c", command, "migrate", "-v0")
    assert "anna" in run("-c", command, "load_demo")
    run("-c", command, "collectstatic", "--noinput", "-v0")
    assert run("-c", VISIT).strip().endswith(str(tmp_path / "var")), "data is kept where it is started, not in packages"


def test_the_wheel_holds_what_it_needs_and_nothing_else(installed: Path) -> None:
    names = {str(path.relative_to(installed)) for path in installed.rglob("*") if path.is_file()}
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {
        "annotation", "assist", "agreement", "operation", "config",
    }  # fmt: skip
    compiled = product(("de", "fr", "it", "es"), ("django", "djangojs"))
    assert {f"config/resources/locale/{code}/LC_MESSAGES/{domain}.mo" for code, domain in compiled} <= names
    assert not [name for name in names if name.endswith((".pyc", ".sqlite3", ".po"))]
    bundled = (ROOT / "node_modules/.bin/esbuild").exists()
    assert ("config/resources/static/bundle/js/workspace/main.js" in names) is bundled
    metadata = next(installed.glob("*.dist-info/METADATA")).read_text()
    assert "License-Expression: GPL-3.0-or-later" in metadata and "Requires-Dist: django==" in metadata
