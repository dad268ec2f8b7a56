"""What a web process loads: large libraries are for workers, and for the pages that need them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.environment import without_settings
from tests.paths import ROOT

LARGE = ("numpy", "pandas", "scipy", "sklearn", "pyarrow", "torch", "altair", "drf_spectacular.openapi", "django.test")
UNUSED = ("psycopg", "pygments", "requests", "uritemplate", "yaml")
"""What the REST framework would load, for parts of it that the site doesn't have; psycopg on SQLite alone."""

SEED = """
import django
django.setup()
from django.test import Client
from annotation.models import Annotation, Highlight
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory, UserFactory
from assist.models import Run
project = ProjectFactory(slug="library")
pair = PairFactory(project=project)
user = UserFactory(username="anna", preferences={"theme": "dark"})
work = AssignmentFactory(pair=pair, annotator=AnnotatorFactory(project=project, user=user), highlights_shown=True)
Run.objects.create(project=project, slug="r1", method="learned.v6", done=1)
Highlight.objects.create(pair=pair, run="r1", method="learned.v6", scores_a=[], scores_b=[], seconds=0)
client = Client()
client.force_login(user)
print(client.cookies["sessionid"].value, work.pk)
"""

SERVE = """
import io, json, sys
from config.serving import _loaded
session, work, large = sys.argv[1], sys.argv[2], sys.argv[3].split()
application = _loaded()

def ask(method, path, body=b"", **more):
    answered = []
    environ = {
        "REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": "", "SERVER_NAME": "localhost",
        "SERVER_PORT": "80", "REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "localhost", "wsgi.url_scheme": "http",
        "SERVER_PROTOCOL": "HTTP/1.1", "wsgi.errors": sys.stderr, "wsgi.input": io.BytesIO(body),
        "CONTENT_LENGTH": str(len(body)), "HTTP_X_CSRFTOKEN": 32 * "a",
        "HTTP_COOKIE": f"sessionid={session}; csrftoken=" + 32 * "a", **more,
    }
    text = b"".join(application(environ, lambda status, headers: answered.append(status)))
    return answered[0][:3], text.decode()

def loaded():
    return [name for name in large if name in sys.modules]

first = loaded()
page, text = ask("GET", f"/projects/library/work/{work}/")
assert '"r1"' in text, "highlights of the newest run"
body = json.dumps({"revision": 0, "spans": {"v": 1, "spans": []}}).encode()
saved, _ = ask("PUT", f"/api/assignments/{work}/annotation/", body, CONTENT_TYPE="application/json")
got, _ = ask("GET", f"/api/assignments/{work}/")
print(json.dumps([first, [page, saved, got], loaded()]))
"""


@pytest.mark.takes(4)
def test_opening_and_saving_a_pair_load_no_large_library(tmp_path: Path, migrated: Path) -> None:
    shutil.copy(migrated, tmp_path / "diptych.sqlite3")
    environment = without_settings() | {"DIPTYCH_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}

    def run(script: str, *given: str) -> str:
        command = [sys.executable, "-c", script, *given]
        return subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout

    session, work = run(SEED).split()
    first, statuses, then = json.loads(run(SERVE, session, work, " ".join((*LARGE, *UNUSED))))
    assert statuses == ["200"] * 3
    assert (first, then) == ([], [])
