"""The work of comparing encoders: rows and samples embedded, pairs with gold pre-labelled, everything scored."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Highlight, JobStatus
from annotation.phrases import Phrase
from annotation.selectors.gold_scorer import gold_scorer
from annotation.services.claims import Heartbeat, claim_finish
from assist.encoder_choice.evaluation import compare
from assist.encoder_choice.pivot import model_translator, with_pivot
from assist.encoder_choice.settings import ComparisonSettings
from assist.encoder_choice.tables import ClsdRow, Sample, parse_clsd, parse_samples, read_text
from assist.methods.base import MethodError, held_out
from assist.methods.diffalign import DiffAlign, DiffAlignSettings
from assist.models import EncoderComparison
from assist.requested_jobs.jobs import StoredProgress
from assist.runs.method_inputs import highlight_input, pair_inputs, read_pairs

MAX_DIFFERING = 1000
"""Rows with their sentences that a result keeps."""
FILES: Mapping[str, Path] = {
    task: Path(settings.BASE_DIR) / "fixtures" / "encoder_choice" / f"{task}.csv"
    for task in ("clsd", "compositionality")
}
"""The rows and samples that come with the project."""
PARSERS: Mapping[str, Callable[[str, str], Sequence[ClsdRow] | Sequence[Sample]]] = {
    "clsd": parse_clsd,
    "compositionality": parse_samples,
}
_BATCH_SIZE = 8
_THRESHOLD = 0.5
"""From which score words would be suggested: no figure depends on it, and none has to be chosen on the pairs."""


def comparison_perform(row: EncoderComparison, heartbeat: Heartbeat) -> None:
    """Compare the encoders of a claimed row on everything that was chosen, and store the result."""
    chosen, stored_progress = ComparisonSettings.read(row.settings), StoredProgress(row, heartbeat)
    try:
        rows: list[ClsdRow] = _parsed_rows(row, "clsd") if chosen.clsd else []
        samples: list[Sample] = _parsed_rows(row, "compositionality") if chosen.compositionality else []
        rows = _with_pivot(rows, chosen, stored_progress)
        compared = compare(
            row.encoders,
            rows,
            samples,
            device=chosen.device,
            on_progress=lambda done, total, model: stored_progress.report("sentences", done, total),
            skip_problems=True,
        )
        problems = dict(compared.problems)
        gold = _against_gold(row, chosen, stored_progress, problems) if chosen.gold else None
    except MethodError as error:
        raise Invalid(error.phrase.text(_), code="model") from error
    figures = {
        "clsd": compared.clsd.to_json() if compared.clsd else None,
        "compositionality": compared.compositionality.to_json() if compared.compositionality else None,
        "gold": gold,
        "problems": {name: problem.to_json() for name, problem in problems.items()},
    }
    differing = compared.clsd.differing()[:MAX_DIFFERING] if compared.clsd else []
    with transaction.atomic():
        claim_finish(
            row,
            status=JobStatus.DONE,
            finished=Now(),
            result=figures,
            rows=differing,
            tables={},
            done=row.total,
            total=row.total,
        )


def _parsed_rows(row: EncoderComparison, task: str) -> Any:
    """The rows of a task: those that were sent, or the project's own."""
    text = row.tables.get(task)
    return PARSERS[task](read_text(FILES[task]) if text is None else text, FILES[task].name)


def _with_pivot(rows: Sequence[ClsdRow], chosen: ComparisonSettings, stored_progress: StoredProgress) -> list[ClsdRow]:
    if chosen.translation_model is None or not rows:
        return list(rows)
    translate = model_translator(
        chosen.translation_model, chosen.device, lambda done, total: stored_progress.report("translations", done, total)
    )
    return with_pivot(rows, translate, chosen.source_language, chosen.target_language, chosen.pivot_language)


def _against_gold(
    row: EncoderComparison, chosen: ComparisonSettings, stored_progress: StoredProgress, problems: dict[str, Phrase]
) -> dict[str, Any]:
    """The highlights of DiffAlign with each encoder, scored as a run's are; nothing of them is stored.

    Pairs of the split 'test' are excluded as long as there are others: an encoder that is chosen on them would look
    better there than it is.
    """
    scorer, scheme = gold_scorer(row.project), row.project.labels
    pairs = read_pairs(scorer.pairs())
    pairs = [pair for pair, each in zip(pairs, pair_inputs(pairs, scheme), strict=True) if not held_out(each)] or pairs
    if len(pairs) > chosen.gold_pairs:
        sample = sorted(random.Random(1).sample(range(len(pairs)), chosen.gold_pairs))
        pairs = [pairs[index] for index in sample]
    inputs = pair_inputs(pairs, scheme)
    encoders = [name for name in row.encoders if name not in problems]
    figures: list[dict[str, Any]] = []
    for index, name in enumerate(encoders):
        method = DiffAlign(DiffAlignSettings(model=name, device=chosen.device, threshold=_THRESHOLD))
        highlights: list[Highlight] = []
        try:
            model = method.fit(inputs)
            for start in range(0, len(inputs), _BATCH_SIZE):
                stored_progress.report("pairs", index * len(inputs) + start, len(encoders) * len(inputs))
                results = method.predict(
                    model, inputs[start : start + _BATCH_SIZE], lambda *_: stored_progress.heartbeat.check()
                )
                for pair, result in zip(pairs[start : start + _BATCH_SIZE], results, strict=True):
                    highlight = highlight_input(pair, result, scheme)
                    highlights.append(
                        Highlight(
                            pair=pair,
                            method=method.slug(),
                            scores_a=list(highlight.scores_a),
                            scores_b=list(highlight.scores_b),
                            proposals=list(highlight.proposals),
                            seconds=highlight.seconds,
                        )
                    )
        except MethodError as error:
            problems[name] = error.phrase
            continue
        figures.append({"model": name, **_figures(scorer.score(highlights))})
    return {"pairs": len(pairs), "models": figures}


def _figures(score: Mapping[str, Any]) -> dict[str, Any]:
    """What a comparison keeps of a run's score."""
    names = ("spearman", "spearman_ci", "kendall", "documents", "tokens", "seconds_per_pair")
    new = {name: score["new"][name] for name in ("precision", "recall", "f1", "f1_ci", "threshold")}
    return {**{name: score[name] for name in names}, "new": new}
