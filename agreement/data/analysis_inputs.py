"""What the analyses of a project count, read from its rows: labels, time, failures, and everyone's own work."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.apps import apps
from django.db.models import Count, Sum

from agreement.data.annotation_arrays import codes_of, label_codes, natural
from agreement.data.highlight_arrays import counted_tokens, languages_of
from agreement.selectors import gold_annotations
from annotation.models import Annotation, Project, Source, Verdict
from annotation.text.schemes import SIDES

BATCH = 200
FAILURES = ("repaired", "unusable", "padded")
"""What may be amiss with answers of language models: needed a repair, could not be read, words without a label."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Tokens by label on one side ('EN') of the pairs of two languages ('EN-DE'), and whether they are gold.

    If there is no gold, they are those of everything that was submitted.
    """

    pair: str
    language: str
    tokens: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Timed:
    """The active time of one submission: of which languages, how long the two texts are, in tokens, and seconds."""

    pair: int
    languages: str
    tokens: int
    seconds: int


@dataclass(frozen=True, slots=True)
class RunFailures:
    """What a run did not manage: of the pairs that it has processed, how many failed, and without anything said;
    answers of a language model.

    `amiss` is by kind the number of answers (or tokens) with it, and of all; empty for other methods.
    """

    run: str
    method: str
    pairs: int
    failed: int
    without: int
    amiss: Mapping[str, tuple[int, int]]


def labels_given(project: Project, gold: int | None) -> list[Labels]:
    """Tokens by label, language pair and side; of the gold, or if there is none of all submissions."""
    scheme = project.labels
    names, codes = label_codes(scheme)
    found: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    rows = (
        gold_annotations(project, gold)
        if gold is not None
        else _submitted(project).select_related("pair__a", "pair__b")
    )
    for annotation in rows.iterator(BATCH):
        pair, spans = annotation.pair, annotation.parsed_spans
        for side in SIDES:
            if side in scheme.sides:
                text = pair.a if side == "a" else pair.b
                given = codes_of(spans, side, text.tokens, codes)
                if scheme.graded:
                    given = given[counted_tokens(pair, side)]
                counts = np.bincount(given, minlength=len(names))
                found[languages_of(pair), side, text.language.upper()].update(
                    dict(zip(names, map(int, counts), strict=True))
                )
    return [Labels(pair, language, dict(counts)) for (pair, _, language), counts in sorted(found.items())]


def timed_work(project: Project) -> list[Timed]:
    """Every submission with active time; work that was imported has none."""
    rows = _submitted(project).filter(active_seconds__gt=0).select_related("pair__a", "pair__b").defer("spans")
    return [
        Timed(
            each.pair_id,
            languages_of(each.pair),
            len(each.pair.a.tokens) + len(each.pair.b.tokens),
            each.active_seconds,
        )
        for each in rows.iterator(BATCH)
    ]


def own_work(project: Project) -> dict[str, dict[int, int]]:
    """By annotator, the key of what they submitted of each pair: the latest of several phases, without re-tests."""
    found: dict[str, dict[int, int]] = defaultdict(dict)
    rows = _submitted(project).filter(assignment__round=0).values_list("assignment__annotator__alias", "pair", "pk")
    for alias, pair, pk in rows.order_by("changed", "pk"):
        found[alias][pair] = pk
    return {alias: found[alias] for alias in sorted(found, key=natural)}


def run_failures(project: Project) -> list[RunFailures]:
    """Every run's failures, oldest first. Models of assist are looked up by name: agreement doesn't import it."""
    runs = apps.get_model("assist", "Run")._default_manager.filter(project=project).order_by("requested", "pk")
    outcomes: Any = apps.get_model("assist", "LlmOutcome")._default_manager
    found = []
    for pk, slug, method, done, failed, report in runs.values_list("pk", "slug", "method", "done", "failed", "report"):
        sums = outcomes.filter(run=pk).aggregate(
            rows=Count("pk"), **{name: Sum(name) for name in (*FAILURES, "answers", "tokens")}
        )
        amiss = {}
        if sums["rows"]:
            amiss = {name: (sums[name], sums["tokens" if name == "padded" else "answers"]) for name in FAILURES}
        processed = done + failed
        without = min(processed, sum(not sources for sources in report.get("sources", {}).values()))
        found.append(RunFailures(slug, method, processed, failed, without, amiss))
    return found


def verdicts(project: Project) -> dict[str, int]:
    """How often people gave each verdict; pairs that nobody has decided about aren't counted."""
    rows = Annotation.objects.filter(pair__project=project, source=Source.HUMAN).exclude(verdict=Verdict.NONE)
    counts = dict(rows.values_list("verdict").annotate(n=Count("pk")).order_by("verdict"))
    return {verdict: counts[verdict] for verdict in Verdict.values if counts.get(verdict)}


def _submitted(project: Project) -> Any:
    rows = Annotation.objects.filter(pair__project=project, source=Source.HUMAN, verdict=Verdict.SUBMITTED)
    return rows.order_by("pk")
