"""The API's document is made in a web process that serves several requests at once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.environment import without_settings
from tests.paths import ROOT

# In a process of its own: only the first document that a process makes loads drf-spectacular's extensions.
AT_ONCE = """
import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
import django
django.setup()
from django.test import Client
together = Barrier(6)
def ask(_):
    client = Client(raise_request_exception=False)
    together.wait()
    return client.get("/api/schema/?format=json", HTTP_HOST="localhost").status_code
with ThreadPoolExecutor(6) as threads:
    print(json.dumps(list(threads.map(ask, range(6)))))
"""


@pytest.mark.long
@pytest.mark.takes(6)
def test_the_first_requests_for_the_document_may_come_at_once(tmp_path: Path) -> None:
    environment = without_settings() | {"DIPTYCH_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-W", "ignore", "-c", AT_ONCE]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [200] * 6, done.stderr[-2000:]
