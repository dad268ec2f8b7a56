"""The ledger: what may be sent and when, what stays reserved, and what several runs share."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from assist.llm.ledger import Ledger, LedgerAccount, site_account_name
from assist.methods.base import RunEnds
from assist.methods.language_models.client import Reply
from assist.methods.language_models.site import ModelTarget, Price, Site
from assist.models import LlmAccount, LlmAnswer, Run
from tests.factories import ProjectFactory

pytestmark = pytest.mark.django_db
TO = ModelTarget("https://llm.example.org/v1", "m", Price(1_000_000, 1_000_000), own=True, seconds=10.0)


def ledger(
    slug: str = "town", limit: float = 100.0, site_limit: float = 1000.0, to: ModelTarget = TO, rate: int = 60
) -> Ledger:
    project = ProjectFactory(slug=slug)
    run = Run.objects.create(project=project, slug="r", method="llm.v1")
    return Ledger(LedgerAccount.of_run(run), to, Site(limit=site_limit, rate=rate), limit, 60_000)


def account(name: str) -> LlmAccount:
    return LlmAccount.objects.get(name=name)


def later(seconds: float) -> None:
    """Let time pass, by moving what the accounts remember of it into the past."""
    for each in LlmAccount.objects.exclude(next_request=None):
        assert each.next_request is not None
        LlmAccount.objects.filter(pk=each.pk).update(next_request=each.next_request - timedelta(seconds=seconds))


def test_an_answer_replaces_what_was_reserved() -> None:
    books = ledger()
    assert books.allow(7.0) == 0
    mine = account(books._own)
    assert (mine.spent, mine.reserved, mine.requests) == (0, 7, 1)
    books.record_answer("k", 7.0, Reply("text", 2, 1))
    for name in (books._own, site_account_name()):
        found = account(name)
        assert (found.spent, found.reserved, found.prompt, found.answer) == (3, 0, 2, 1)
    assert books.stored_answers(["k", "x"]) == {"k": "text"}


def test_an_answer_without_counts_costs_what_was_reserved() -> None:
    books = ledger()
    books.allow(7.0)
    books.record_answer("k", 7.0, Reply("text", 2, None))
    assert (account(books._own).spent, account(books._own).reserved) == (7, 0)


def test_what_was_refused_costs_nothing_and_what_was_lost_stays_reserved() -> None:
    books = ledger()
    books.allow(7.0)
    books.release(7.0)
    later(60)
    books.allow(5.0)
    books.keep_reserved(5.0)
    found = account(books._own)
    assert (found.spent, found.reserved, found.requests, found.repeated) == (0, 5, 2, 2)


def test_a_request_waits_for_the_outcome_of_others_while_there_may_be_one() -> None:
    books = ledger(limit=10.0, rate=60_000)
    assert books.allow(7.0) == 0
    assert books.allow(7.0) > 0, "the first may cost less"
    later(TO.seconds + 60)
    with pytest.raises(
        RunEnds,
        match=r"10\.00 has been reached: 7\.00 has been spent, and the next request may cost \d\.\d\d;",
    ):
        books.allow(7.0)
    assert books.allow(3.0) == 0
    assert account(books._own).requests == 2


def test_a_limit_that_is_spent_ends_the_run_at_once() -> None:
    books = ledger(limit=10.0, rate=60_000)
    books.allow(7.0)
    books.record_answer("k", 7.0, Reply("", 7, 0))
    with pytest.raises(RunEnds, match="spending limit"):
        books.allow(3.1)


def test_runs_share_the_sites_limit_and_rate() -> None:
    one, other = ledger("one", site_limit=10.0), ledger("other", site_limit=10.0)
    assert one.allow(6.0) == 0
    assert 0 < other.allow(1.0) <= 1, "one request a second"
    later(1)
    one.record_answer("k", 6.0, Reply("", 6, 0))
    with pytest.raises(RunEnds, match="whole site"):
        other.allow(5.0)
    assert other.allow(4.0) == 0 and account(site_account_name()).requests == 2


def test_another_server_counts_for_the_run_alone_and_keeps_the_sites_rate() -> None:
    books = ledger(to=ModelTarget("https://other.example/v1", "m", Price(1, 1)))
    assert books.allow(1.0) == 0
    assert 0 < books.allow(1.0) <= 1
    assert [each.name for each in LlmAccount.objects.all()] == [books._own]


def test_a_clock_that_was_set_back_stops_nothing() -> None:
    books = ledger()
    books.allow(1.0)
    LlmAccount.objects.update(next_request=timezone.now() + timedelta(days=400))
    assert books.allow(1.0) == 0


def test_an_empty_answer_is_charged_and_not_kept() -> None:
    books = ledger()
    books.allow(1.0)
    books.record_answer("k", 1.0, Reply(" \n", 1000, 0))
    assert not LlmAnswer.objects.exists() and books.stored_answers(["k"]) == {}
    assert LlmAccount.objects.exclude(spent=0).exists()


def test_two_workers_with_the_same_answer_keep_one() -> None:
    books = ledger()
    for text in ("first", "second"):
        books.record_answer("k", 0.0, Reply(text, 0, 0))
    assert LlmAnswer.objects.get().content == "first"
