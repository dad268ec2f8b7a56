"""What an import understood of its files, for the lead to check before anything is written: JSON, stored with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotation.display_names import format_count
from annotation.formats.columns import ColumnMapping, choice_json
from annotation.formats.implied_scheme import labels_and_answers
from annotation.formats.record import PairRecord, TextRecord
from annotation.models import JobStatus
from annotation.models.imports import Import, ImportStatus
from annotation.text.schemes import SIDES, Scheme
from annotation.text.spans import Span

PREVIEWED_PAIRS = 5
MAX_TEXT_LENGTH = 400
WIDTH = 100
"""Characters of a text in a line of the command."""
RECENT_IMPORTS = 50
"""Earlier imports among which one with the same columns is looked for."""


def build_preview(
    records: Sequence[PairRecord], table: ColumnMapping | None, *, format: str, scheme: Scheme | None
) -> dict[str, Any]:
    """What was read: format, columns, languages, the first pairs with their marks, labels that the scheme lacks.

    `scheme` is the project's; None if the import makes it.
    """
    labels = labels_and_answers(records)[0]
    languages = Counter((record.a.language, record.b.language) for record in records)
    return {
        "format": format,
        "table": choice_json(table) if table is not None else None,
        "languages": [{"a": a, "b": b, "pairs": count} for (a, b), count in languages.most_common(PREVIEWED_PAIRS)],
        "pairs": [_pair(record) for record in records[:PREVIEWED_PAIRS]],
        "records": len(records),
        "annotators": len({item.annotator for record in records for item in record.annotations}),
        "gold": sum(record.gold is not None for record in records),
        "missing_labels": sorted(labels - {*scheme.keys}) if scheme is not None else [],
    }


def _pair(record: PairRecord) -> dict[str, Any]:
    spans = record.gold if record.gold is not None else next((item.spans for item in record.annotations), [])
    return {
        "id": record.id,
        "where": record.where,
        "sides": [_side(text, side, spans) for side, text in zip(SIDES, (record.a, record.b), strict=True)],
        "statement": record.statement.text[:MAX_TEXT_LENGTH] if record.statement else "",
    }


def _side(text: TextRecord, side: str, spans: Iterable[Span]) -> dict[str, Any]:
    """The beginning of a text in pieces, each with the label of the first span that covers it, or ''."""
    shown = text.text[:MAX_TEXT_LENGTH]
    labels = [""] * len(shown)
    for span in reversed(list(spans)):
        for part in span.fragments:
            if part.side == side:
                end = min(part.end, len(shown))
                labels[part.start : end] = [span.label] * max(end - part.start, 0)
    pieces: list[list[str]] = []
    for character, label in zip(shown, labels, strict=True):
        if pieces and pieces[-1][1] == label:
            pieces[-1][0] += character
        else:
            pieces.append([character, label])
    return {"language": text.language, "pieces": pieces, "more": len(text.text) > MAX_TEXT_LENGTH}


def preview_lines(preview: Mapping[str, Any]) -> list[str]:
    """A preview as lines of text, in the reader's language."""
    lines = [_("Format: %(format)s") % {"format": preview["format"] or "–"}]
    table = preview["table"]
    if table is not None:
        if table["skipped"]:
            message = _("Sheet: %(sheet)s; those before it have no table: %(names)s")
            lines.append(message % {"sheet": table["sheet"], "names": ", ".join(table["skipped"])})
        if table["left_out"]:
            message = _("Only the sheet %(sheet)s is read; these have a table too: %(names)s")
            lines.append(message % {"sheet": table["sheet"], "names": ", ".join(table["left_out"])})
        columns = {**table["mapping"], **table["texts"]}
        chosen = ", ".join(f"{name} = “{column}”" for name, column in sorted(columns.items()))
        lines.append(_("Columns: %(columns)s") % {"columns": chosen or "–"})
        for side, guess in table["languages"].items():
            say = _("Language of side %(side)s: %(language)s, guessed (%(share)s%% of what was recognised)")
            values = {"side": side.upper(), "language": guess["code"], "share": round(100 * guess["share"])}
            lines.append(say % values)
    lines += [
        _("Languages: %(a)s – %(b)s, pairs: %(n)s") % {"a": each["a"], "b": each["b"], "n": format_count(each["pairs"])}
        for each in preview["languages"]
    ]
    for pair in preview["pairs"]:
        lines.append(f"{pair['id']} ({pair['where']})")
        for side in pair["sides"]:
            text = "".join(piece for piece, _label in side["pieces"])
            lines.append(f"  {side['language']}: {' '.join(text.split())[:WIDTH]}")
    return [*lines, ""]


def remembered_options(row: Import, table: ColumnMapping) -> dict[str, str]:
    """The options that were last chosen in the project for such a table, read as `table` without options; {} for none.

    A preview, which shows them, takes those of other previews too. Whether rows were refused then doesn't matter, as
    long as both texts were found: the corrected file has them too. What nobody looks at first takes only those with
    which something was imported.
    """
    ended = Import.objects.filter(project=row.project, status__in=(JobStatus.DONE, ImportStatus.REFUSED))
    if not row.dry_run:
        ended = ended.filter(dry_run=False, status=JobStatus.DONE)
    ended = ended.exclude(pk=row.pk).order_by("-pk")
    for options, preview in ended.values_list("options", "preview")[:RECENT_IMPORTS]:
        earlier = preview or {}
        before = earlier.get("table") or {}
        understood = (
            before.get("texts") or before.get("parallel") or {"text_a", "text_b"} <= {*before.get("mapping", {})}
        )
        if not options or not understood or not table.columns:
            continue
        if earlier.get("plain") == table.columns:
            remembered = dict(options)
        elif before["columns"] == table.columns:
            # The header of this table was found without them.
            remembered = {name: value for name, value in options.items() if name != "header"}
        else:
            continue
        if remembered.get("sheet") not in table.sheets:
            remembered.pop("sheet", None)
        return remembered
    return {}
