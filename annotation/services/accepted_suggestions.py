"""Which labels a model really predicted: clients say what an accepted suggestion came with, and quality counts it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from annotation.models import Annotation, Highlight, Pair
from annotation.services.annotation_checks import ValidAnnotation
from annotation.text.spans import Span, spans_document


def keep_true_predictions(checked: ValidAnnotation, annotation: Annotation) -> ValidAnnotation:
    """What was sent, without the predicted labels that no model predicted.

    A label is true if the saved annotation has it of the same span (its run may have been retrained since), or a
    suggestion of the pair, of whichever run, has it and shares words with the span. Others are dropped rather than
    refused: work must not be lost because of a run that is gone.
    """
    named = [span for span in checked.spans if span.predicted]
    if not named:
        return checked
    saved = {(each.get("id"), each.get("predicted")) for each in annotation.spans.get("spans", ())}
    new = [span for span in named if (span.id, span.predicted) not in saved]
    suggested = _suggestions(annotation.pair) if new else []
    untrue = {span.id for span in new if not any(_predicts(each, span) for each in suggested)}
    if not untrue:
        return checked
    spans = [replace(span, predicted="") if span.id in untrue else span for span in checked.spans]
    return replace(checked, spans=spans, spans_document=spans_document(spans))


def _suggestions(pair: Pair) -> list[Mapping[str, Any]]:
    rows: Iterable[Sequence[Mapping[str, Any]]] = Highlight.objects.filter(pair=pair).values_list(
        "proposals", flat=True
    )
    return [each for proposals in rows for each in proposals if each.get("predicted")]


def _predicts(suggestion: Mapping[str, Any], span: Span) -> bool:
    return suggestion["predicted"] == span.predicted and any(
        part["start"] < end and start < part["end"]
        for part in suggestion["fragments"]
        for start, end in span.on(part["side"])
    )
