"""The ledger of what language models are asked, in the database.

Several workers share them, and one that is killed leaves them right.

What a request can cost at most is reserved before it is sent, in one transaction with the check of the limits, and
replaced by its cost when the answer is there, in one transaction with the answer. What a worker had reserved when it
was killed stays reserved, since the server may have charged it. So a limit is never exceeded, and nothing that was
answered is asked again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.db.models.expressions import Combinable
from django.db.models.functions import Greatest
from django.utils import timezone

from assist.methods.base import RunEnds
from assist.methods.language_models.client import Reply
from assist.methods.language_models.site import ModelTarget, Site
from assist.models import LlmAccount, LlmAnswer, Run
from assist.phrases.llm_phrases import ITEMS_LIMIT, RUN_LIMIT, SITE_LIMIT

_CHUNK = 500
_ROUNDING = 1e-9
_RETRY_SECONDS = 0.5
"""Seconds after which to ask again whether a request is allowed, if it depends on others' answers."""
_GRACE = 5.0
"""Seconds that settling a request takes at most, after its time is over."""


def site_account_name() -> str:
    """The account of the whole site in this month."""
    return f"site {timezone.now():%Y-%m}"


@dataclass(frozen=True, slots=True)
class LedgerAccount:
    """What requests are charged to: the name of the account, the project that keeps the answers, and the run if any."""

    name: str
    project: int
    run: Run | None = None

    @classmethod
    def of_run(cls, run: Run) -> LedgerAccount:
        return cls(f"run {run.pk}", run.project_id, run)


class Ledger:
    """The ledger of a run, or of other work of a project (`assist.methods.language_models.asking.RequestLedger`)."""

    def __init__(self, account: LedgerAccount, to: ModelTarget, site: Site, limit: float, per_minute: int) -> None:
        self.account, self.to, self.site = account, to, site
        # No server is asked more often than the owner allows, whoever named it.
        self.limit, self.per_minute = limit, min(per_minute, site.rate)
        # What is settled is settled in the month in which it was reserved.
        self._own, self._month = account.name, site_account_name()
        self._opened = False

    def stored_answers(self, keys: Sequence[str]) -> dict[str, str]:
        """The answers that the project has already."""
        answers: dict[str, str] = {}
        for start in range(0, len(keys), _CHUNK):
            rows = LlmAnswer.objects.filter(project=self.account.project, key__in=keys[start : start + _CHUNK])
            answers.update(rows.values_list("key", "content"))
        return answers

    def allow(self, amount: float) -> float:
        """Reserve `amount`; 0, or the seconds until the rates allow a request. Raises RunEnds at a limit."""
        self._open()
        with transaction.atomic():
            accounts = self._locked()
            now = timezone.now()
            for account, limit, rate in accounts:
                if account.spent + account.reserved + amount <= limit + _ROUNDING:
                    continue
                if account.spent + amount <= limit + _ROUNDING and self._has_requests_in_flight(account, rate, now):
                    # What is on its way may cost less than was reserved for it.
                    return _RETRY_SECONDS
                if account.name == self._month:
                    raise RunEnds(SITE_LIMIT)
                spent = account.spent + account.reserved
                params = {"limit": f"{limit:.2f}", "spent": f"{spent:.2f}", "most": f"{amount:.2f}"}
                raise RunEnds((RUN_LIMIT if self.account.run else ITEMS_LIMIT).with_params(**params))
            # A clock that was set back must not stop the work.
            waits = [
                (account.next_request - now).total_seconds()
                for account, _, _ in accounts
                if account.next_request and account.next_request - now <= timedelta(minutes=1)
            ]
            if (wait := max(waits, default=0.0)) > 0:
                return wait
            for account, _, rate in accounts:
                LlmAccount.objects.filter(pk=account.pk).update(
                    reserved=F("reserved") + amount,
                    requests=F("requests") + 1,
                    next_request=now + timedelta(minutes=1) / rate,
                )
        return 0.0

    def _has_requests_in_flight(self, account: LlmAccount, rate: int, now: datetime) -> bool:
        """Whether requests may still be answered, of this worker or others: what nobody waits for stays reserved."""
        if account.next_request is None or account.reserved < _ROUNDING:
            return False
        last = account.next_request - timedelta(minutes=1) / rate
        return abs((now - last).total_seconds()) < self.to.seconds + _GRACE

    def record_answer(self, key: str, amount: float, reply: Reply) -> None:
        """Keep the answer and its cost; if the server doesn't say how many tokens it had, what was reserved."""
        counted = reply.prompt is not None and reply.answer is not None
        cost = self.to.price.of(reply.prompt or 0, reply.answer or 0) if counted else amount
        # An empty answer is asked for again by a later run.
        answers = (
            [LlmAnswer(project_id=self.account.project, key=key, content=reply.text)] if reply.text.strip() else []
        )
        with transaction.atomic():
            LlmAnswer.objects.bulk_create(answers, ignore_conflicts=True)
            self._charge(
                spent=F("spent") + cost,
                reserved=Greatest(F("reserved") - amount, 0.0),
                prompt=F("prompt") + (reply.prompt or 0),
                answer=F("answer") + (reply.answer or 0),
            )

    def release(self, amount: float) -> None:
        """Nothing was spent."""
        self._charge(reserved=Greatest(F("reserved") - amount, 0.0), repeated=F("repeated") + 1)

    def keep_reserved(self, amount: float) -> None:
        """The reserved amount stays reserved."""
        self._charge(repeated=F("repeated") + 1)

    def _locked(self) -> list[tuple[LlmAccount, float, int]]:
        """The accounts that a request is charged to, locked, each with its limit and its requests a minute."""
        # In the same order for all workers, so that no two wait for each other.
        accounts = [(LlmAccount.objects.select_for_update().get(name=self._own), self.limit, self.per_minute)]
        if self.to.own:
            month = LlmAccount.objects.select_for_update().get(name=self._month)
            accounts.append((month, self.site.limit, self.site.rate))
        return accounts

    def _open(self) -> None:
        """Make the accounts that aren't there yet."""
        if not self._opened:
            month = [LlmAccount(name=self._month)] if self.to.own else []
            LlmAccount.objects.bulk_create(
                [LlmAccount(name=self._own, run=self.account.run), *month], ignore_conflicts=True
            )
            self._opened = True

    def _charge(self, **amounts: Combinable) -> None:
        """Change the accounts, in the order in which they are locked."""
        with transaction.atomic():
            for name in (self._own, *([self._month] if self.to.own else [])):
                LlmAccount.objects.filter(name=name).update(**amounts)
