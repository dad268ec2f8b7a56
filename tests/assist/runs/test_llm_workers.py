"""Real worker processes that ask a real server: shared work, one killed in the middle, and limits that hold."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests import llm_server as server
from tests.assist.llm_site import LlmSite
from tests.assist.test_workers import database  # noqa: F401

pytestmark = [pytest.mark.processes, pytest.mark.long]
PAIRS = 24
AT_ONCE = 2


@pytest.mark.takes(25)
def test_a_killed_worker_repeats_no_answered_request(tmp_path: Path, database: str) -> None:  # noqa: F811
    with server.llm_server(server.slowly(0.2)) as made, LlmSite(tmp_path, made.url, DATABASE_URL=database) as site:
        site.do("make", str(PAIRS))
        with site.workers(2) as (first, _):
            site.do("request", "10")
            site.until(lambda state: 4 <= state["done"] <= PAIRS - 8, "half done")
            first.send_signal(signal.SIGKILL)
            done = site.until(lambda state: bool(state["all_done"]), "done")
        assert done["once"] and done["failed"] == 0
        books = site.do("accounts")
    words = [asked["A"]["words"][4] for asked in made.asked]
    assert set(words) == {str(index) for index in range(PAIRS)} and books["answers"] == PAIRS
    assert len(words) <= PAIRS + AT_ONCE, "only what was on its way is asked again"
    for spent, reserved, requests in books["accounts"].values():
        # A worker may be killed between the reservation of a request and its sending.
        assert len(words) <= requests <= len(words) + AT_ONCE and spent == pytest.approx(0.002 * PAIRS)
        assert (reserved > 1e-6) == (requests > PAIRS), "what was on its way stays reserved"


@pytest.mark.takes(25)
def test_a_limit_holds_over_workers_that_ask_at_the_same_time(tmp_path: Path, database: str) -> None:  # noqa: F811
    limit = 0.03
    failing = server.slowly(0.05, server.error(500))
    with (
        server.llm_server(failing, server.slowly(0.05)) as made,
        LlmSite(tmp_path, made.url, DATABASE_URL=database) as site,
    ):
        site.do("make", str(PAIRS))
        with site.workers(2):
            site.do("request", str(limit))
            site.until(lambda state: "spending limit" in state["log"], "ended")
            books = site.do("accounts")
    assert books["status"] == "failed"
    spent, reserved, _ = books["accounts"]["run"]
    assert spent + reserved <= limit + 1e-9
    assert 0.002 * books["answers"] <= limit and books["answers"] >= 4
    assert len(made.received) < PAIRS
