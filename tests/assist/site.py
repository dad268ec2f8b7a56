"""A whole site for tests: a database of its own, worker processes, and a process in which its commands run.

Run as a module it is that process: the tests' own database is another.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.paths import ROOT

PATIENCE = 60.0


class Site:
    """A site in `folder`; `environment` are its deployment choices. Its database is a copy of `tables`, if given."""

    commands = "tests.assist.site"
    """The module that is the process in which commands run."""

    def __init__(self, folder: Path, tables: Path | None = None, /, **environment: str) -> None:
        self.folder = folder
        if tables:
            shutil.copyfile(tables, folder / "site.sqlite3")
        self.environment = {
            **os.environ,
            "DIPTYCH_DATA": str(folder),
            "DATABASE_URL": f"sqlite:///{folder / 'site.sqlite3'}",
            "CELERY_BROKER_URL": "filesystem://",
            "DIPTYCH_LOOK_SECONDS": "0.5",
            "DIPTYCH_STALE_SECONDS": "2",
            "DIPTYCH_LOT_PAIRS": "2",
            **environment,
        }

    def __enter__(self) -> Site:
        self.helper = subprocess.Popen(
            [sys.executable, "-m", self.commands],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(self, *_: object) -> None:
        self.helper.communicate()

    def do(self, *command: str) -> dict[str, Any]:
        """Have one of this module's commands run in the site's own process; returns what it says."""
        assert self.helper.stdin is not None
        assert self.helper.stdout is not None
        self.helper.stdin.write(json.dumps(command) + "\n")
        self.helper.stdin.flush()
        said = json.loads(self.helper.stdout.readline() or "{}")
        assert "error" not in said, said
        return dict(said)

    @contextmanager
    def workers(self, count: int = 1, **environment: str) -> Iterator[list[subprocess.Popen[bytes]]]:
        """Worker processes as script/worker starts them, ended at the end."""
        command = [sys.executable, "-m", "celery", "--app", "config", "worker", "--pool", "threads"]
        command += ["--concurrency", "1", "--queues", "cpu,gpu", "--without-mingle", "--without-gossip"]
        started: list[subprocess.Popen[bytes]] = []
        try:
            for index in range(count):
                options = ["--hostname", f"w{index}@test", "--include", "tests.assist.fake_registered"]
                with (self.folder / f"worker{index}.log").open("wb") as log:
                    started.append(
                        subprocess.Popen(
                            [*command, *options],
                            cwd=ROOT,
                            env={**self.environment, **environment},
                            stdout=log,
                            stderr=subprocess.STDOUT,
                        )
                    )
            yield started
        finally:
            for worker in started:
                if worker.poll() is None:
                    worker.send_signal(signal.SIGKILL)
                worker.wait()

    def until(self, wanted: Callable[[dict[str, Any]], bool], what: str, patience: float = PATIENCE) -> dict[str, Any]:
        """Look at the run's state until it is as wanted; fails with the workers' logs where it never is."""
        end = time.monotonic() + patience
        state: dict[str, Any] = {}
        while time.monotonic() < end:
            state = self.do("state")
            if wanted(state):
                return state
            time.sleep(0.1)
        logs = "\n".join(path.read_text() for path in sorted(self.folder.glob("worker*.log")))
        raise AssertionError(f"never {what}: {state}\n{logs[-6000:]}")


def make(pairs: str) -> dict[str, Any]:
    """A database with a project of so many pairs."""
    from django.core.management import call_command

    from tests.factories import PairFactory, ProjectFactory

    call_command("migrate", verbosity=0)
    project = ProjectFactory(slug="library")
    for position in range(int(pairs)):
        PairFactory(project=project, position=position)
    return {"pairs": pairs}


def request(seconds: str) -> dict[str, Any]:
    """Ask for a run of the tests' own method, so slow for each pair."""
    from annotation.models import Project
    from assist.runs.services import run_request

    run = run_request(project=Project.objects.get(), method="fake", settings={"seconds": seconds})
    return {"run": run.slug}


def automatic() -> dict[str, Any]:
    """Have the project say that it is pre-labelled by itself."""
    from annotation.models import Project
    from assist.runs.automatic import project_prelabel
    from assist.runs.prelabel_options import PrelabelOptions

    project_prelabel(project=Project.objects.get(), options=PrelabelOptions(automatic=True, method="fake"))
    return {}


def state() -> dict[str, Any]:
    """All runs together: how far, by whom, and whether each pair has exactly one highlight of each run."""
    from annotation.models import Highlight, Pair
    from annotation.selectors.workers import workers_alive
    from assist.models import Lot, LotStatus, Run

    runs = list(Run.objects.all())
    claimed = Lot.objects.filter(status=LotStatus.CLAIMED)
    wanted = sorted((pair, run.slug) for pair in Pair.objects.values_list("pk", flat=True) for run in runs)
    return {
        "workers": [worker.name for worker in workers_alive()],
        "done": sum(run.done for run in runs),
        "failed": sum(run.failed for run in runs),
        "all_done": bool(runs) and all(run.status == "done" for run in runs),
        "log": "".join(run.log for run in runs),
        "claimed_by": list(claimed.values_list("claimed_by", flat=True)),
        "attempts": sum(Lot.objects.values_list("attempts", flat=True)),
        "highlights": Highlight.objects.count(),
        "once": sorted(Highlight.objects.values_list("pair", "run")) == wanted,
    }


def serve(commands: Mapping[str, Callable[..., dict[str, Any]]]) -> None:
    """Do the commands that come in, a line of JSON each, and answer each with a line."""
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        try:
            said = commands[name](*arguments)
        except Exception as error:
            said = {"error": repr(error)}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from tests.assist import fake_registered  # noqa: F401

    serve({"make": make, "request": request, "automatic": automatic, "state": state})
