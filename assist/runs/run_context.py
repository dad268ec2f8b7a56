"""What methods need to know of a run before they predict, and what language models' answers were like."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from annotation.models import Pair
from annotation.progress import OnProgress
from assist.llm import site_settings
from assist.llm.ledger import Ledger, LedgerAccount
from assist.methods.base import Labelling, Method, Result
from assist.methods.language_models.asking import SendingOptions, ask
from assist.methods.language_models.prompt import Request
from assist.methods.language_models.site import ModelTarget
from assist.methods.llm import Llm
from assist.methods.projection_llm import ProjectionLlm
from assist.models import OUTCOME_COUNTS, LlmOutcome, Run
from assist.runs.method_inputs import label_weights

LLM_METHODS = (Llm, ProjectionLlm)
"""The methods that ask a language model."""


def method_prepare(method: Method[Any, Any], run: Run) -> None:
    """Tell a method how the project labels, and have a language model's requests go through the run's ledger."""
    scheme = run.project.labels
    method.labelling = Labelling(label_weights(scheme), scheme.sides)
    if isinstance(method, LLM_METHODS):
        method.ask = partial(_ask_with_ledger, run, method.settings.limit, method.settings.per_minute)


def _ask_with_ledger(
    run: Run,
    limit: float,
    per_minute: int,
    target: ModelTarget,
    requests: Sequence[Request],
    options: SendingOptions,
    on_progress: OnProgress,
) -> list[str]:
    return ask(
        target,
        requests,
        options,
        Ledger(LedgerAccount.of_run(run), target, site_settings.llm_site(), limit, per_minute),
        on_progress,
    )


def outcomes(run: Run, method: Method[Any, Any], pairs: Sequence[Pair], results: Sequence[Result]) -> list[LlmOutcome]:
    """How good a language model's answers about each pair were; nothing for other methods."""
    if not isinstance(method, LLM_METHODS):
        return []
    return [
        LlmOutcome(run=run, pair=pair, **{name: result.counts.get(name, 0) for name in OUTCOME_COUNTS})
        for pair, result in zip(pairs, results, strict=True)
    ]
