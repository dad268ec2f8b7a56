"""The examples of docs/api.md, run against the demo as they are printed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from agreement.models import Publication, Push
from agreement.publication.services import pushes
from annotation.models import Annotation, Assignment, JobStatus, Project, User
from annotation.services.demo import demo_load
from annotation.services.import_jobs import imports_run
from annotation.services.tokens import token_create
from tests.agreement.publication.hub_server import TOKEN, LocalHub
from tests.paths import ROOT


def made_for(username: str) -> str:
    return token_create(user=User.objects.get(username=username), name="the example", access="write", days=1).secret


def run(script: str, token: str) -> list[str]:
    """The lines that a shell script prints; each answer of the site is one."""
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        env={**os.environ, "DIPTYCH_TOKEN": token},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.replace("}{", "}\n{").splitlines()


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl found; install it (Debian: apt install curl)")
@pytest.mark.django_db(transaction=True, reset_sequences=True)
def test_the_example_of_the_qualification_prints_what_the_guide_says(
    live_server: LiveServer, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    demo_load()
    guide = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    (first,) = re.findall(r"```sh\n(site=.*?)\n\n", guide, re.DOTALL)
    (script,) = re.findall(r"```sh\n(send --request PUT[^`]*?/qualification/rule/.*?)```", guide, re.DOTALL)
    said = re.findall(r"^# (.*)$", script, re.MULTILINE)
    found = run(f"{first}\n{script}".replace("http://127.0.0.1:8000", live_server.url), made_for("lena"))
    assert len(said) == len(found) == 4
    for expected, answer in zip(said, found, strict=True):
        # An ellipsis stands for anything.
        pattern = ".*".join(re.escape(part) for part in expected.split("…"))
        assert re.fullmatch(pattern, answer), f"{expected}\n{answer}"


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl found; install it (Debian: apt install curl)")
@pytest.mark.django_db(transaction=True)
def test_the_example_saves_and_submits_a_pair(live_server: LiveServer, settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    demo_load()
    guide = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"```sh\n(site=.*?)```", guide, re.DOTALL)
    printed = run(script.replace("http://127.0.0.1:8000", live_server.url), made_for("anna"))
    assert any('"status":"done"' in line for line in printed)
    mine = Annotation.objects.filter(assignment__annotator__user__username="anna", verdict="submitted")
    (saved,) = [each for each in mine if [one["id"] for one in each.spans["spans"]] == ["s1"]]
    assert saved.assignment and saved.assignment.status == "done"


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_the_example_publishes_the_demo_and_pushes_it(
    live_server: LiveServer, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hub: LocalHub
) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(pushes, "in_thread", lambda work: work())
    monkeypatch.chdir(tmp_path)
    demo_load()
    monkeypatch.setenv("DIPTYCH_TOKEN", made_for("lena"))
    guide = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    (code,) = [each for each in re.findall(r"```python\n(.*?)```", guide, re.DOTALL) if "SITE =" in each]
    assert 'SITE = "http://127.0.0.1:8000"' in code
    names: dict[str, Any] = {}
    exec(compile(code.replace("http://127.0.0.1:8000", live_server.url), "docs/api.md", "exec"), names)
    made = Publication.objects.get()
    assert (made.status, made.format, made.card.count("lena@example.org") > 0) == (JobStatus.DONE, "hub", True)
    with zipfile.ZipFile(tmp_path / made.file) as archive:
        assert any(name.endswith("README.md") for name in archive.namelist())
    assert names["push"]("town/pages", TOKEN)["tag"] == f"v{made.number}"
    assert Push.objects.get().status == JobStatus.DONE and "town/pages" in hub.repositories


@pytest.mark.django_db(transaction=True)
def test_the_example_makes_a_project(
    live_server: LiveServer, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path
    demo_load()
    User.objects.filter(username="lena").update(is_superuser=True)
    monkeypatch.setenv("DIPTYCH_TOKEN", made_for("lena"))
    monkeypatch.setattr("assist.runs.services.notify", lambda *_: None)
    monkeypatch.setattr("annotation.services.import_jobs.notify", lambda *_: imports_run())
    guide = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    (code,) = [each for each in re.findall(r"```python\n(.*?)```", guide, re.DOTALL) if "HOST =" in each]
    names: dict[str, Any] = {}
    exec(compile(code.replace("http://127.0.0.1:8000", live_server.url), "docs/api.md", "exec"), names)
    project = Project.objects.get(slug="library-pages")
    assert project.pairs.count() == 2 and set(names["passwords"]) == {"zoe", "yan"}
    assert Assignment.objects.filter(pair__project=project).count() == 4
    assert names["todo"], "languages that people read, at least"
