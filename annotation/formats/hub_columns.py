"""The columns of a published dataset: their types, and a record's values in them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from annotation.formats.graded_tokens import words_and_labels
from annotation.formats.record import Origin, PairRecord, TextRecord
from annotation.text.schemes import SIDES, Scheme, Side
from annotation.text.spans import Span, covered
from annotation.text.tokens import Range
from annotation.vocabulary import FINAL_VERDICTS

# The columns that reading needs; other columns, and the labels by token, can be derived from these.
COLUMNS = {
    "gold": ("id", "spans", "answers"),
    "annotations": (
        *("id", "position", "pair_split", "mirror", "statement_language", "statement", "metadata", "annotations"),
        *(f"{name}_{side}" for side in SIDES for name in ("language", "text", "tokens", "translations")),
    ),
}


def label_names(scheme: Scheme) -> list[str]:
    """The labels of spans; a scheme without any has only the default, because a class needs a name."""
    return scheme.keys or [scheme.default]


def token_names(scheme: Scheme) -> list[str]:
    """The labels of tokens, the default first."""
    return [scheme.default, *scheme.keys]


def features(scheme: Scheme) -> dict[str, Any]:
    """`datasets.Features` of every configuration."""
    from datasets import ClassLabel, Features, List, Value

    whole, string = Value("int32"), Value("string")
    offsets = {"start": whole, "end": whole}
    span = {
        "id": string,
        "label": ClassLabel(names=label_names(scheme)),
        "fragments": List({"side": ClassLabel(names=list(SIDES)), **offsets}),
        "origin": string,
        "predicted": string,
        "comment": string,
    }
    pair: dict[str, Any] = {"id": string, "position": whole, "pair_split": string, "mirror": string}
    for side in SIDES:
        pair |= {f"language_{side}": string, f"text_{side}": string, f"tokens_{side}": List(offsets)}
        pair |= {f"sha256_{side}": string, f"tokenizer_{side}": string}
        pair[f"translations_{side}"] = List(string)
    pair |= {"statement_language": string, "statement": string, "metadata": string}
    answer = List({"question": string, "answer": string})
    annotation = {
        "annotator": string,
        "phase": string,
        "round": whole,
        "guideline": whole,
        "verdict": ClassLabel(names=[verdict.value for verdict in FINAL_VERDICTS]),
        "reason": string,
        "comment": string,
        "active_seconds": whole,
        "revision": whole,
        "highlights": Value("bool"),
        "answers": answer,
        "spans": List(span),
    }
    labels = {f"labels_{side}": List(ClassLabel(names=token_names(scheme))) for side in SIDES}
    return {
        "gold": Features(
            {**pair, "spans": List({**span, "rule": string, "annotators": List(string)}), "answers": answer, **labels}
        ),
        "annotations": Features({**pair, "annotations": List(annotation)}),
        "tokens": Features(
            {
                **{f"text_{side}": string for side in SIDES},
                **{f"labels_{side}": List(Value("float64")) for side in SIDES},
                "id": string,
                "subset": string,
            }
        ),
    }


def common(position: int, record: PairRecord) -> dict[str, Any]:
    """The columns of a pair in both configurations."""
    row: dict[str, Any] = {
        "id": record.id,
        "position": position,
        "pair_split": record.split,
        "mirror": record.mirror,
        "statement_language": record.statement.language if record.statement else "",
        "statement": record.statement.text if record.statement else "",
        "metadata": json.dumps(record.metadata, ensure_ascii=False),
    }
    sides: tuple[tuple[Side, TextRecord], ...] = (("a", record.a), ("b", record.b))
    for side, text in sides:
        row[f"language_{side}"], row[f"text_{side}"] = text.language, text.text
        row[f"tokens_{side}"] = [{"start": start, "end": end} for start, end in text.tokens or []]
        row[f"sha256_{side}"] = hashlib.sha256(text.text.encode()).hexdigest()
        row[f"tokenizer_{side}"] = text.tokenizer
        row[f"translations_{side}"] = record.translations.get(side, [])
    return row


def span_row(span: Span, scheme: Scheme) -> dict[str, Any]:
    """A span, with label and sides as class numbers."""
    return {
        "id": span.id,
        "label": label_names(scheme).index(span.label),
        "fragments": [
            {"side": SIDES.index(part.side), "start": part.start, "end": part.end} for part in span.fragments
        ],
        "origin": span.origin,
        "predicted": span.predicted,
        "comment": span.comment,
    }


def gold_row(span: Span, record: PairRecord, scheme: Scheme) -> dict[str, Any]:
    """A gold span and its origin."""
    origin = record.origins.get(span.id, Origin())
    return span_row(span, scheme) | {"rule": origin.rule, "annotators": list(origin.annotators)}


def token_labels(record: PairRecord, scheme: Scheme) -> dict[str, list[int]]:
    """The label of every token of both sides; of several spans on a token the highest counts."""
    names = token_names(scheme)
    result = {}
    for side in SIDES:
        tokens: list[Range] = (record.a if side == "a" else record.b).tokens or []
        labels = [0] * len(tokens)
        for span in record.gold or ():
            for token in covered(span.on(side), tokens):
                if scheme.value(span.label) >= scheme.value(names[labels[token]]):
                    labels[token] = names.index(span.label)
        result[f"labels_{side}"] = labels
    return result


def graded_row(record: PairRecord, scheme: Scheme) -> dict[str, Any]:
    """The gold of a pair as SwissGov-RSD releases it: tokens separated by spaces, their labels, and the languages.

    A space within a token becomes a no-break space.
    """
    row: dict[str, Any] = {"id": record.id, "subset": f"{record.a.language}-{record.b.language}"}
    for side in SIDES:
        words, row[f"labels_{side}"] = words_and_labels(record, side, scheme)
        row[f"text_{side}"] = " ".join(word.replace(" ", "\N{NO-BREAK SPACE}") for word in words)
    return row


def answers(given: Mapping[str, Any]) -> list[dict[str, str]]:
    """Answers as rows, because a structure must have the same keys in every row."""
    return [{"question": question, "answer": str(answer)} for question, answer in given.items()]
