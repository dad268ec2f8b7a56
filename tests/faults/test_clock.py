"""The machine's clock is set back by a day while the site is at work, and later set right again."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from benchmarks.imports import Browser
from benchmarks.kills import SEED, STORED, program, work
from benchmarks.serving import Server
from tests.assist.site import Site

pytestmark = [pytest.mark.processes, pytest.mark.compiler, pytest.mark.long, pytest.mark.takes(12)]

DAY = 24 * 3600
JSON = "application/json"
TIMES = """
import django, json; django.setup()
from annotation.models import Revision
print(json.dumps([made.isoformat() for made in Revision.objects.order_by("number").values_list("made", flat=True)]))
"""


class Clock:
    """The clock of processes that have `environment`."""

    def __init__(self, folder: Path) -> None:
        self.file, library = folder / "offset", folder / "clock.so"
        source = Path(__file__).with_name("clock.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"], check=True)
        self.environment = {"LD_PRELOAD": str(library), "CLOCK_OFFSET_FILE": str(self.file)}

    def set(self, seconds: int) -> None:
        new = self.file.with_suffix(".new")
        new.write_text(str(seconds))
        new.replace(self.file)


@pytest.fixture
def clock(tmp_path: Path) -> Clock:
    return Clock(tmp_path)


def test_saves_and_sessions_do_not_depend_on_the_clock(tmp_path: Path, clock: Clock, migrated: Path) -> None:
    server = Server(tmp_path / "data")
    (tmp_path / "data").mkdir()
    shutil.copy(migrated, tmp_path / "data")
    ((session, assignment),) = program(server, SEED, "1")
    server.environment |= clock.environment
    server.start()
    try:
        browser = Browser(server, session)
        for number, offset in enumerate((0, 0, -DAY, -DAY, 0, 0), 1):
            clock.set(offset)
            body = json.dumps({"revision": number - 1, **work(number)}).encode()
            status, _, answer = browser.ask("PUT", f"/api/assignments/{assignment}/annotation/", body, JSON)
            assert status == 200, answer
            assert browser.ask("GET", f"/projects/faults/work/{assignment}/")[0] == 200
    finally:
        server.kill()
    stored = program(server, STORED)[str(assignment)]
    assert (stored[0], stored[1]) == (6, "save 6")
    assert [(number, comment) for number, comment, _ in stored[4]] == [(n, f"save {n}") for n in range(1, 7)]
    times = program(server, TIMES)
    assert times != sorted(times), "the clock of the process was set back"


def test_a_job_of_a_worker_killed_before_the_clock_was_set_back_is_taken_over(
    tmp_path: Path, clock: Clock, migrated: Path
) -> None:
    with Site(tmp_path, migrated, DIPTYCH_LOT_PAIRS="30", **clock.environment) as site:
        site.do("make", "8")
        with site.workers() as (one,):
            site.do("request", "0.5")
            site.until(lambda state: bool(state["claimed_by"]), "started")
            one.send_signal(signal.SIGKILL)
            one.wait()
        clock.set(-DAY)
        with site.workers():
            state = site.until(lambda state: bool(state["all_done"]), "done")
    assert (state["once"], state["done"], state["failed"]) == (True, 8, 0)
    assert f":{one.pid}:" not in "".join(state["workers"]), "it was last seen in the future, and is gone"
