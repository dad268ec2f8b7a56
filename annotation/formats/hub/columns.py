"""The columns of a published dataset: their types, and a record's values in them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from annotation.formats.graded_tokens import words_and_labels
from annotation.formats.record import Origin, PairRecord, StoredRanges, TextRecord
from annotation.text.schemes import SIDES, Scheme, Side
from annotation.text.spans import Span, covered_indices
from annotation.text.tokens import Range
from annotation.vocabulary import FINAL_VERDICTS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]

_UNBRACKETED = {ord("["): None, ord("]"): None}

# The columns that reading needs; other columns, and the labels by token, can be derived from these.
COLUMNS = {
    "gold": ("id", "spans", "answers"),
    "annotations": (
        *("id", "position", "pair_split", "mirror", "statement_language", "statement", "metadata", "annotations"),
        *(f"{name}_{side}" for side in SIDES for name in ("language", "text", "tokens", "sha256", "translations")),
    ),
}


def label_names(scheme: Scheme) -> list[str]:
    """The labels of spans; a scheme without any has only the default, because a class needs a name."""
    return scheme.keys or [scheme.default]


def token_names(scheme: Scheme) -> list[str]:
    """The labels of tokens, the default first."""
    return [scheme.default, *scheme.keys]


Feature = dict[str, Any]
"""A type as the `datasets` library writes it into Parquet files: its `Features` can be read from these."""


def _value(dtype: str) -> Feature:
    return {"dtype": dtype, "_type": "Value"}


def _class(names: Sequence[str]) -> Feature:
    return {"names": list(names), "_type": "ClassLabel"}


def _list(feature: Feature) -> Feature:
    return {"feature": feature, "_type": "List"}


def features(scheme: Scheme) -> dict[str, Feature]:
    """The columns of every configuration.

    Written here and not by the library, whose import takes longer than the export of a thousand pairs.
    """
    whole, string = _value("int32"), _value("string")
    offsets = {"start": whole, "end": whole}
    span = {
        "id": string,
        "label": _class(label_names(scheme)),
        "fragments": _list({"side": _class(SIDES), **offsets}),
        "origin": string,
        "predicted": string,
        "comment": string,
    }
    pair: dict[str, Any] = {"id": string, "position": whole, "pair_split": string, "mirror": string}
    for side in SIDES:
        pair |= {f"language_{side}": string, f"text_{side}": string, f"tokens_{side}": _list(offsets)}
        pair |= {f"sha256_{side}": string, f"tokenizer_{side}": string}
        pair[f"translations_{side}"] = _list(string)
    pair |= {"statement_language": string, "statement": string, "metadata": string}
    answer = _list({"question": string, "answer": string})
    annotation = {
        "annotator": string,
        "phase": string,
        "round": whole,
        "guideline": whole,
        "verdict": _class([verdict.value for verdict in FINAL_VERDICTS]),
        "reason": string,
        "comment": string,
        "active_seconds": whole,
        "revision": whole,
        "highlights": _value("bool"),
        "answers": answer,
        "spans": _list(span),
    }
    labels = {f"labels_{side}": _list(_class(token_names(scheme))) for side in SIDES}
    return {
        "gold": {
            **pair,
            "spans": _list({**span, "rule": string, "annotators": _list(string)}),
            "answers": answer,
            **labels,
        },
        "annotations": {**pair, "annotations": _list(annotation)},
        "tokens": {
            **{f"text_{side}": string for side in SIDES},
            **{f"labels_{side}": _list(_value("float64")) for side in SIDES},
            "id": string,
            "subset": string,
        },
    }


def arrow_schema(columns: Feature) -> Any:
    """The Arrow schema of a configuration's columns, with which `datasets` reads them as these features."""
    import pyarrow

    metadata = {"huggingface": json.dumps({"info": {"features": columns}})}
    return pyarrow.schema(list(_arrow_type(columns))).with_metadata(metadata)


def _arrow_type(feature: Feature) -> Any:
    import pyarrow

    match feature.get("_type"):
        case "List":
            return pyarrow.list_(_arrow_type(feature["feature"]))
        case "ClassLabel":
            return pyarrow.int64()
        case "Value":
            return pyarrow.type_for_alias(feature["dtype"])
    return pyarrow.struct([(name, _arrow_type(inner)) for name, inner in feature.items()])


def arrow_table(rows: Sequence[Mapping[str, Any]], schema: Any) -> Any:
    """Rows as an Arrow table. Tokens, which are most of a row, become arrays without an object for each."""
    import pyarrow

    tokens = {f"tokens_{side}" for side in SIDES}
    columns = [
        _ranges_array([row[field.name] for row in rows])
        if field.name in tokens
        else pyarrow.array([row[field.name] for row in rows], field.type)
        for field in schema
    ]
    return pyarrow.Table.from_arrays(columns, schema=schema)


def _ranges_array(texts: Sequence[Sequence[Range]]) -> Any:
    """One list of {start, end} for each text."""
    import numpy as np
    import pyarrow

    numbers = np.concatenate([_numbers(ranges) for ranges in texts])
    offsets = np.cumsum([0, *map(len, texts)], dtype=np.int32)
    both = pyarrow.StructArray.from_arrays([numbers[0::2], numbers[1::2]], names=["start", "end"])
    return pyarrow.ListArray.from_arrays(offsets, both)


def _numbers(ranges: Sequence[Range]) -> Ints:
    """The starts and ends of ranges, in turn."""
    import numpy as np

    if isinstance(ranges, StoredRanges):
        return np.fromstring(ranges.json.translate(_UNBRACKETED) or "", np.int32, sep=",")
    return np.array(ranges, np.int32).reshape(-1)


def common_columns(position: int, record: PairRecord) -> dict[str, Any]:
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
        row[f"tokens_{side}"] = text.tokens or []
        row[f"sha256_{side}"] = text_hash(text.text)
        row[f"tokenizer_{side}"] = text.tokenizer
        row[f"translations_{side}"] = record.translations.get(side, [])
    return row


def text_hash(text: str) -> str:
    """The SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


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
        tokens: list[Range] = list((record.a if side == "a" else record.b).tokens or ())
        labels = [0] * len(tokens)
        for span in record.gold or ():
            for token in covered_indices(span.on(side), tokens):
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


def answer_rows(answers: Mapping[str, Any]) -> list[dict[str, str]]:
    """Answers as rows, because a structure must have the same keys in every row."""
    return [{"question": question, "answer": str(answer)} for question, answer in answers.items()]
