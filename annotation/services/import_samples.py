"""Samples of the formats that can be uploaded: small files to look at, to fill in and to import."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.formats import import_formats
from annotation.formats.base import Format
from annotation.formats.record import AnnotationRecord, PairRecord, TextRecord
from annotation.temporary_folders import temporary_folder
from annotation.text.schemes import Scheme, Side
from annotation.text.spans import Fragment, Span
from annotation.text.tokens import tokenize

_EN = ("The museum is open on Sundays.", "Children pay nothing.", "You can borrow ten books at a time.")
_DE = ("Das Museum ist am Sonntag offen.", "Kinder zahlen einen Franken.", "Sie können Bücher ausleihen.")


def import_samples() -> list[str]:
    """The names of the samples, each with the ending of its format."""
    return [name for each in import_formats(web=True).values() for name in _names(each)]


def import_sample(name: str, scheme: Scheme) -> bytes:
    """The content of a sample, with work that `scheme` allows unless the format has its own. Raises NotFound."""
    format = next((each for each in import_formats(web=True).values() if name in _names(each)), None)
    if format is None:
        raise NotFound(_("There is no such sample."), where=name)
    scheme = format.scheme or scheme
    records = _records(scheme)
    packed = name.endswith(".zip")
    with temporary_folder("diptych-sample-") as folder:
        out = folder / ("pairs" if packed else f"pairs{name[name.index('.') :]}")
        if name in format.samples:
            format.samples[name](records, out)
        else:
            format.write(records, scheme, out)
        return _packed(out) if packed else out.read_bytes()


def sample_texts() -> tuple[TextRecord, TextRecord]:
    """The two texts of the longest pair of the samples."""
    a, b = max(zip(_EN, _DE, strict=True), key=lambda texts: len(texts[0]))
    return TextRecord("en", a), TextRecord("de", b)


def _names(format: Format) -> list[str]:
    """The samples of a format: its own, else an export."""
    if format.writer is None:
        return list(format.samples)
    return [f"pairs-{format.name}{format.ending or '.zip'}"]


def _packed(folder: Path) -> bytes:
    """The folder as a zip archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder.parent))
    return buffer.getvalue()


def _records(scheme: Scheme) -> list[PairRecord]:
    """Three pairs, one of them with a span if the scheme has labels, and each with answers if it has questions."""
    records = []
    side: Side = scheme.sides[-1] if scheme.labels else "b"
    label = "4" if "4" in scheme.keys else next(iter(scheme.keys), "")
    answers = {question.key: question.choices[-1].key for question in scheme.rated}
    for number, (a, b) in enumerate(zip(_EN, _DE, strict=True), 1):
        end = (a if side == "a" else b).index(" ")
        spans = [Span("s1", label, (Fragment(side, 0, end),))] if number == 2 and label else []
        annotation = AnnotationRecord("A1", spans=spans, answers=answers)
        one, other = (TextRecord(code, text, tokenize(text, code)) for code, text in (("en", a), ("de", b)))
        statement = TextRecord("en", a, one.tokens) if scheme.statement else None
        pair = PairRecord(f"sample-{number}", one, other, statement, annotations=[annotation], gold=spans)
        pair.gold_answers = answers
        records.append(pair)
    return records
