"""Writes of what models predict for pairs. Models write highlights, never annotations."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Annotation, Dismissal, Highlight, Pair
from annotation.text.spans import Grid, SpansError, parse_spans


@dataclass(frozen=True, slots=True)
class HighlightInput:
    """A method's output for one pair (with its texts loaded).

    `scores_a` and `scores_b` hold one difference score in [0, 1] per token, `edges` (token of A, token of B),
    `proposals` spans as in a spans document, each with a `score`; `labels`, if the method assigns them, one per token
    under "a" and "b"; `seconds` is the time that this pair took.
    """

    pair: Pair
    scores_a: Sequence[float]
    scores_b: Sequence[float]
    edges: Sequence[tuple[int, int]] = ()
    proposals: Sequence[Mapping[str, Any]] = ()
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    seconds: float = 0.0


def highlights_write(*, run: str, method: str, highlights: Sequence[HighlightInput]) -> int:
    """Save the output of one run: exactly one row per pair and run; a second one for a pair replaces the first.

    Returns how many rows were written. Raises Invalid, and writes nothing, if one does not fit its pair.
    """
    rows: dict[int, Highlight] = {}
    for each in highlights:
        highlight_check(each)
        rows[each.pair.pk] = Highlight(
            pair=each.pair,
            run=run,
            method=method,
            scores_a=[round(float(score), 4) for score in each.scores_a],
            scores_b=[round(float(score), 4) for score in each.scores_b],
            edges=[[int(i), int(j)] for i, j in each.edges],
            proposals=[
                {**proposal, "id": proposal_id(proposal), "phrase": proposal_phrase(proposal, each.pair)}
                for proposal in each.proposals
            ],
            labels={side: list(labels) for side, labels in each.labels.items()},
            seconds=each.seconds,
        )
    with transaction.atomic():
        Highlight.objects.bulk_create(
            rows.values(),
            update_conflicts=True,
            unique_fields=["pair", "run"],
            update_fields=["method", "scores_a", "scores_b", "edges", "proposals", "labels", "seconds", "made"],
            batch_size=200,
        )
    return len(rows)


def highlights_delete(*, run: str, pairs: Sequence[int]) -> None:
    """Delete a run's highlights of some pairs (by key), about which it no longer has anything to say."""
    if pairs:
        Highlight.objects.filter(run=run, pair__in=pairs).delete()


def highlight_check(highlight: HighlightInput) -> None:
    """Raise Invalid if a highlight does not fit its pair: a different number of tokens, scores outside [0, 1]."""
    pair = highlight.pair
    grids = {"a": pair.a.grid, "b": pair.b.grid}
    for side, scores in (("a", highlight.scores_a), ("b", highlight.scores_b)):
        n, problem = len(grids[side].tokens), ""
        if len(scores) != n:
            problem = _("side %(side)s has %(n)s tokens but %(m)s scores")
        elif any(math.isnan(score) or not 0 <= score <= 1 for score in scores):
            problem = _("a score of side %(side)s is not in [0, 1]")
        elif len(highlight.labels.get(side, [None] * n)) != n:
            problem = _("side %(side)s has %(n)s tokens but a different number of labels")
        if problem:
            raise _misfit(problem % {"side": side, "n": n, "m": len(scores)}, pair)
    a, b = len(pair.a.tokens), len(pair.b.tokens)
    if any(not (0 <= i < a and 0 <= j < b) for i, j in highlight.edges):
        raise _misfit(_("an edge refers to tokens that don't exist"), pair)
    try:
        spans = parse_spans([{**proposal, "id": str(n)} for n, proposal in enumerate(highlight.proposals)])
    except SpansError as error:
        raise _misfit(error.phrase.text(_), pair) from error
    for span in spans:
        if not span.fragments or any(not _on_tokens(part.start, part.end, grids[part.side]) for part in span.fragments):
            raise _misfit(_("a suggestion does not cover whole tokens"), pair)


def proposal_id(proposal: Mapping[str, Any]) -> str:
    """An id made of the proposed words: if a later run proposes them again, a dismissed suggestion stays dismissed."""
    name = "+".join(f"{part['side']}{part['start']}-{part['end']}" for part in proposal["fragments"])
    return "p" + hashlib.sha256(name.encode()).hexdigest()[:12]


def proposal_phrase(proposal: Mapping[str, Any], pair: Pair) -> str:
    """A digest of the proposed words, regardless of case and position: the same wherever they are proposed."""
    texts = {"a": pair.a.content, "b": pair.b.content}
    words = [
        [part["side"], *texts[part["side"]][part["start"] : part["end"]].casefold().split()]
        for part in proposal["fragments"]
    ]
    return hashlib.sha256(json.dumps(words).encode()).hexdigest()[:16]


def dismissals_write(annotation: Annotation) -> None:
    """Update the stored dismissals from a saved annotation."""
    dismissed = set(annotation.dismissed)
    before = set(annotation.dismissals.values_list("proposal", flat=True))
    annotation.dismissals.filter(proposal__in=before - dismissed).delete()
    if not dismissed - before:
        return
    phrases = {
        proposal["id"]: proposal["phrase"]
        for proposals in Highlight.objects.filter(pair=annotation.pair_id).values_list("proposals", flat=True)
        for proposal in proposals
        # Older highlights, from before phrases were stored, have none.
        if proposal.get("id") in dismissed - before and "phrase" in proposal
    }
    Dismissal.objects.bulk_create(
        [
            Dismissal(project_id=annotation.pair.project_id, annotation=annotation, proposal=name, phrase=phrase)
            for name, phrase in sorted(phrases.items())
        ],
        ignore_conflicts=True,
    )


def _on_tokens(start: int, end: int, grid: Grid) -> bool:
    return any(start == token[0] for token in grid.tokens) and any(end == token[1] for token in grid.tokens)


def _misfit(problem: str, pair: Pair) -> Invalid:
    return Invalid(
        _("The method's output doesn't match the pair: %(problem)s.") % {"problem": problem},
        code="highlights",
        where=pair.external_id,
        hint=_("The method must use the same tokens as the texts."),
    )
