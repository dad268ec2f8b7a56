"""How often annotators kept the predicted labels of accepted suggestions."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.models import Annotation, Highlight, Project, Source
from annotation.text.spans import parse_spans


@dataclass(frozen=True, slots=True)
class AcceptedSuggestionCounts:
    """Spans that are exactly a run's suggestion with a predicted label, and how many of them kept that label."""

    spans: int
    kept: int


NOTHING_ACCEPTED = AcceptedSuggestionCounts(0, 0)
BATCH = 500

_Words = frozenset[tuple[str, int, int]]


def accepted_labels(project: Project, run: str) -> AcceptedSuggestionCounts:
    """Counted over the spans of all annotators as they are now.

    A span counts for every run that suggests its words with the label that it came with.
    """
    predicted: dict[tuple[int, _Words], str] = {}
    rows = Highlight.objects.filter(pair__project=project, run=run).values_list("pair", "proposals")
    for pair, proposals in rows.iterator(BATCH):
        for each in proposals:
            if label := each.get("predicted"):
                words = frozenset((part["side"], part["start"], part["end"]) for part in each["fragments"])
                predicted[pair, words] = label
    if not predicted:
        return NOTHING_ACCEPTED
    spans = unchanged = 0
    human = Annotation.objects.filter(pair__project=project, source=Source.HUMAN)
    for pair, stored in human.values_list("pair", "spans").iterator(BATCH):
        for span in parse_spans(stored):
            words = frozenset((part.side, part.start, part.end) for part in span.fragments)
            if span.predicted and predicted.get((pair, words)) == span.predicted:
                spans += 1
                unchanged += span.label == span.predicted
    return AcceptedSuggestionCounts(spans, unchanged)
