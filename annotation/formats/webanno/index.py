"""`diptych-webanno.csv`, the index of a WebAnno export: what TSV can't hold, one row per file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation.formats.delimited import table_rows
from annotation.formats.field_types import FieldError, mapping, parse_json_cell
from annotation.formats.fields import record_json
from annotation.formats.record import AnnotationRecord, PairRecord
from annotation.formats.source import Refusals, refusal
from annotation.number_parsing import MAX_DIGITS
from annotation.phrases import Phrase, field_problem
from annotation.strict_json import display_text
from annotation.text.spans import Span, spans_document

INDEX = "diptych-webanno.csv"
CURATOR = "CURATION_USER"
TEXTS = ("a", "b", "statement")
_PLAIN = ("split", "mirror")
_JSON = ("metadata", "translations_a", "translations_b")
COLUMNS = (
    *("document", "file", "pair", "annotator", "phase", "round", "guideline", "verdict", "reason", "comment"),
    *("answers", "active_seconds", "broken", "split", "mirror", "language_a", "language_b", "begin_b"),
    *("language_statement", "begin_statement", "text_a", "tokens_a", "text_b", "tokens_b", "text_statement"),
    *("tokens_statement", *_JSON),
)
_ANNOTATION_FIELDS = ("annotator", "phase", "verdict", "reason", "comment")
_NUMBERS = ("round", "guideline", "active_seconds")
_INTEGER = re.compile(rf"\d{{1,{MAX_DIGITS}}}", re.ASCII)


def pair_cells(record: PairRecord, begins: Mapping[str, int]) -> dict[str, Any]:
    """The cells of a pair; `begins` is where side B and the statement begin, in UTF-16 units."""
    data = record_json(record)
    cells: dict[str, Any] = {"pair": record.id} | {name: data.get(name, "") for name in _PLAIN}
    cells |= {name: _json(data.get(name)) for name in _JSON}
    for name in TEXTS:
        if text := data.get(name):
            cells |= {f"language_{name}": text["language"], f"text_{name}": text["text"]}
            cells[f"tokens_{name}"] = json.dumps(list(text.get("tokens") or ()))
    return cells | {f"begin_{name}": unit for name, unit in begins.items()}


def annotation_cells(item: AnnotationRecord) -> dict[str, Any]:
    """The cells of one person's annotation."""
    cells = {name: getattr(item, name) or "" for name in ("guideline", "active_seconds")}
    cells |= {name: getattr(item, name) for name in (*_ANNOTATION_FIELDS, "round")}
    return cells | {"answers": _json(item.answers), "broken": _json(_broken_spans_json(item.spans))}


def gold_cells(record: PairRecord) -> dict[str, Any]:
    """The cells of the gold."""
    answers, broken = _json(record.gold_answers), _json(_broken_spans_json(record.gold or ()))
    return {"annotator": CURATOR, "answers": answers, "broken": broken}


def _broken_spans_json(spans: Iterable[Span]) -> dict[str, Any]:
    """The spans without a fragment, for which no row exists, by their position among all."""
    return {str(number): spans_document([span])["spans"][0] for number, span in enumerate(spans) if not span.fragments}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if value else ""


@dataclass(slots=True)
class ListedAnnotation:
    """The work of a listed file: everything but the spans that are in it."""

    fields: dict[str, Any]
    broken: dict[int, dict[str, Any]]

    def add(self, pair: dict[str, Any], spans: list[dict[str, Any]]) -> None:
        """Add the annotation with these spans to a pair."""
        if self.fields["annotator"] == CURATOR:
            pair["gold"] = {"spans": spans, "answers": self.fields["answers"]}
        else:
            pair["annotations"].append({**self.fields, "spans": spans})


@dataclass(slots=True)
class IndexEntry:
    """A document: its pair as in `jsonl`, and the listed files by their path ('annotation/x.tsv/1.tsv')."""

    where: str
    pair: dict[str, Any]
    annotations: dict[str, ListedAnnotation] = field(default_factory=dict)


def entries(path: Path, refusals: Refusals) -> dict[str, IndexEntry]:
    """The documents of an index by name. Raises FormatError for an invalid index."""
    result: dict[str, IndexEntry] = {}
    for where, row in table_rows(path, refusals):
        if missing := [name for name in COLUMNS if name not in row]:
            reason = Phrase("has no column %(names)s; export the project again", {"names": ", ".join(missing)})
            raise refusal(where, reason)
        try:
            name = row["document"]
            if not row["annotator"]:
                if name in result:
                    raise FieldError(
                        field_problem("document", Phrase("'%(name)s' appears twice", {"name": display_text(name)}))
                    )
                result[name] = IndexEntry(where, _pair(row))
                continue
            if name not in result or row["file"] in result[name].annotations:
                reason = Phrase("'%(name)s' appears twice, or before its document", {"name": display_text(row["file"])})
                raise FieldError(field_problem("file", reason))
            result[name].annotations[row["file"]] = _listed_annotation(row)
        except FieldError as error:
            refusals.add(where, error.phrase)
    return result


def _pair(row: Mapping[str, str]) -> dict[str, Any]:
    pair: dict[str, Any] = {"id": row["pair"], **{name: row[name] for name in _PLAIN}, "annotations": []}
    pair |= {name: parse_json_cell(row[name], name) for name in _JSON if row[name]}
    for name in TEXTS:
        if name == "statement" and not row["language_statement"]:
            continue
        tokens = parse_json_cell(row[f"tokens_{name}"], f"tokens_{name}")
        if not isinstance(tokens, list) or not all(_is_range(each) for each in tokens):
            reason = Phrase("a list of [start, end] is expected")
            raise FieldError(field_problem(f"tokens_{name}", reason))
        pair[name] = {"language": row[f"language_{name}"], "text": row[f"text_{name}"], "tokens": tokens}
    return pair


def _is_range(item: object) -> bool:
    return isinstance(item, list) and len(item) == 2 and all(type(number) is int for number in item)


def _listed_annotation(row: Mapping[str, str]) -> ListedAnnotation:
    fields: dict[str, Any] = {name: row[name] or None for name in _ANNOTATION_FIELDS}
    fields["annotator"] = row["annotator"]
    fields |= {name: _number(row[name], name) for name in _NUMBERS if row[name]}
    fields["answers"] = parse_json_cell(row["answers"], "answers") if row["answers"] else {}
    broken = mapping({"broken": parse_json_cell(row["broken"], "broken") if row["broken"] else {}}, "broken")
    return ListedAnnotation(fields, {_number(key, "broken"): dict(mapping(broken, key, "broken.")) for key in broken})


def _number(cell: str, name: str) -> int:
    if not _INTEGER.fullmatch(cell):
        raise FieldError(field_problem(name, Phrase("'%(cell)s' is not a whole number", {"cell": display_text(cell)})))
    return int(cell)
