"""The cost and gain of sharing a run: pairs per second with one and two workers, and how soon a killed one's lot is
done.

The method only waits (0 and 50 ms per pair), so this measures the overhead: claims, heartbeats, reading texts, writing
highlights. Run with `script/bench workers`; `--pairs N` for another size.
"""

from __future__ import annotations

import argparse
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.assist.site import Site

WAITS = ("0", "0.05")
STALE = "30"


def done(state: dict[str, Any]) -> bool:
    return bool(state["all_done"])


def shared(pairs: int, wait: str, count: int) -> float:
    """Pairs per second of a run by `count` workers, from the request to the last lot."""
    with tempfile.TemporaryDirectory() as folder, Site(Path(folder), DIPTYCH_LOT_PAIRS="8") as site:
        site.do("make", str(pairs))
        with site.workers(count):
            site.until(lambda state: len(state["workers"]) == count, "workers at work", patience=120)
            began = time.monotonic()
            site.do("request", wait)
            site.until(done, "done", patience=600)
            return pairs / (time.monotonic() - began)


def taken_over(pairs: int = 60) -> float:
    """Seconds from killing a worker that holds a lot to the end of the run, with default settings."""
    with tempfile.TemporaryDirectory() as folder, Site(Path(folder), DIPTYCH_STALE_SECONDS=STALE) as site:
        site.do("make", str(pairs))
        with site.workers(2) as (one, _two):
            site.until(lambda state: len(state["workers"]) == 2, "workers at work", patience=120)
            site.do("request", "0.3")
            site.until(lambda state: f":{one.pid}:" in "".join(state["claimed_by"]), "started")
            one.send_signal(signal.SIGKILL)
            began = time.monotonic()
            state = site.until(done, "done", patience=120)
            assert state["once"]
            return time.monotonic() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=400)
    pairs = parser.parse_args().pairs
    print(f"{pairs} pairs, lots of 8, SQLite")
    for wait in WAITS:
        for count in (1, 2):
            print(f"method waits {wait} s a pair, {count} worker(s): {shared(pairs, wait, count):.1f} pairs a second")
    print(f"one of two workers killed: the run was done {taken_over():.1f} s later, its lot included")


if __name__ == "__main__":
    main()
