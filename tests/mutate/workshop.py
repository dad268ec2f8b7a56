"""A copy of the checkout in which faults are tried; the checkout itself is only read."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from tests.mutate.faults import Fault

Outcome = Literal["passed", "failed", "none"]
"""Of a run of tests; "none" where there was none to run."""
NO_TESTS = 5
"""pytest's exit status where it found no test."""
PATIENCE = 60.0
"""Seconds that a run of tests may take at the least, however quick it was without a fault."""


@contextmanager
def copied(root: Path) -> Iterator[Path]:
    """A copy of what Git knows of or would take in, and of the compiled translations; removed at the end."""
    listed = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=root, capture_output=True, check=True
    ).stdout.decode()
    names = {name for name in listed.split("\0") if name and (root / name).is_file()}
    names |= {str(path.relative_to(root)) for path in root.glob("locale/*/LC_MESSAGES/*.mo")}
    with TemporaryDirectory(prefix="diptych-mutate-") as folder:
        copy = Path(folder) / "checkout"
        for name in names:
            target = copy / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, target)
        for installed in ("node_modules", ".venv"):
            if (root / installed).is_dir():
                (copy / installed).symlink_to(root / installed)
        yield copy


class Workshop:
    """Runs tests in the copy, with a fault and without."""

    def __init__(self, root: Path, copy: Path) -> None:
        self.copy = copy
        kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        data = os.environ.get("DIPTYCH_TEST_DATA", str(root.parent / "shared" / "data"))
        temporary = copy.parent / "temporary"
        temporary.mkdir(exist_ok=True)
        # Without bytecode: a fault of the same length, made within the same second, would not be noticed.
        self.environment = kept | {
            "DIPTYCH_DATA": str(copy.parent / "data"),
            "DIPTYCH_TEST_DATA": data,
            "PYTHONDONTWRITEBYTECODE": "1",
            # What tests leave in the folder for temporary files goes with the copy.
            "TMPDIR": str(temporary),
        }
        self._sound: dict[tuple[str, ...], tuple[Outcome, float]] = {}

    def sound(self, tests: tuple[str, ...]) -> Outcome:
        """How the tests end without a fault; run once."""
        if tests not in self._sound:
            began = time.monotonic()
            outcome = self._run(tests, None) if tests else "none"
            self._sound[tests] = outcome, time.monotonic() - began
        return self._sound[tests][0]

    def try_fault(self, fault: Fault, tests: tuple[str, ...]) -> Outcome:
        """How the tests end with the fault; a run that takes far longer than without it has failed."""
        self.sound(tests)
        path = self.copy / fault.path
        source = path.read_bytes()
        path.write_bytes(fault.applied(source))
        try:
            return self._run(tests, max(PATIENCE, 5 * self._sound[tests][1]))
        finally:
            path.write_bytes(source)

    def _run(self, tests: Sequence[str], seconds: float | None) -> Outcome:
        scripts = [name for name in tests if name.endswith(".js")]
        others = [name for name in tests if name not in scripts]
        commands = [["node", "--test", *scripts]] if scripts else []
        if others:
            commands.append([sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *others])
        statuses = [self._status(command, seconds) for command in commands]
        if all(status == NO_TESTS for status in statuses):
            return "none"
        return "passed" if all(status in (0, NO_TESTS) for status in statuses) else "failed"

    def _status(self, command: list[str], seconds: float | None) -> int:
        """The exit status; 1 where the time is up. Whatever happens here, no process is left behind."""
        process = subprocess.Popen(
            command,
            cwd=self.copy,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return 1
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
