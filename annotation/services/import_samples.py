"""Samples of the formats that can be uploaded: small files to look at, to fill in and to import."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.formats import FORMATS, import_formats
from annotation.formats.record import AnnotationRecord, PairRecord, TextRecord
from annotation.formats.spreadsheet import ENDINGS
from annotation.formats.spreadsheet_sample import write_ods, write_xlsx
from annotation.temporary_folders import temporary_folder
from annotation.text.schemes import PRESETS, Scheme, Side
from annotation.text.spans import Fragment, Span
from annotation.text.tokens import tokenize

_EN = ("The museum is open on Sundays.", "Children pay nothing.", "You can borrow ten books at a time.")
_DE = ("Das Museum ist am Sonntag offen.", "Kinder zahlen einen Franken.", "Sie können Bücher ausleihen.")
_ROWS = (
    ("id", "language_a", "text_a", "language_b", "text_b"),
    *((f"sample-{n}", "en", a, "de", b) for n, (a, b) in enumerate(zip(_EN, _DE, strict=True), 1)),
)
_PAGES = {
    "en/museum.txt": (
        "The museum is open on Sundays.",
        "Children don't pay for their tickets.",
        "You can borrow a guide at the entrance.",
    ),
    "de/museum.txt": (
        "Das Museum ist am Sonntag offen.",
        "Kinder bezahlen keinen Eintritt.",
        "Am Eingang können Sie einen Führer ausleihen.",
    ),
    "en/library.txt": (
        "The library is closed on Mondays.",
        "You can return books at any time.",
        "Ask us if you can't find a book.",
    ),
    "de/library.txt": (
        "Die Bibliothek ist am Montag geschlossen.",
        "Bücher können Sie jederzeit zurückgeben.",
        "Fragen Sie uns, wenn Sie ein Buch nicht finden.",
    ),
}
_SCHEMES: Mapping[str, Scheme] = {
    "xparade": PRESETS["xparade"],
    "rsd": PRESETS["graded"],
    "swissgov": PRESETS["graded"],
}
"""The schemes of the papers' formats, which hold no others."""


def import_samples() -> list[str]:
    """The names of the samples, each with the ending of its format."""
    found = []
    for each in import_formats(web=True).values():
        if each.name == "spreadsheet":
            found += [f"pairs{ending}" for ending in ENDINGS]
        elif each.name == "pages" or (each.writer is not None and each.name != "archive"):
            found.append(_name(each.name))
    return found


def import_sample(name: str, scheme: Scheme) -> bytes:
    """The content of a sample, with work that `scheme` allows unless the format has its own. Raises NotFound."""
    if name not in import_samples():
        raise NotFound(_("There is no such sample."), where=name)
    with temporary_folder("diptych-sample-") as folder:
        if name.endswith(ENDINGS):
            path = folder / name
            (write_xlsx if name.endswith(".xlsx") else write_ods)(path, _ROWS)
            return path.read_bytes()
        format = FORMATS[name.removesuffix(".zip").split(".")[0].removeprefix("pairs-")]
        scheme = _SCHEMES.get(format.name, scheme)
        out = folder / (f"pairs{format.ending}" if format.ending else "pairs")
        if format.name == "pages":
            return _packed(_pages(out))
        written = format.write(_records(scheme), scheme, out)
        return _packed(out) if name.endswith(".zip") else written[0].read_bytes()


def sample_texts() -> tuple[TextRecord, TextRecord]:
    """The two texts of the longest pair of the samples."""
    a, b = max(zip(_EN, _DE, strict=True), key=lambda texts: len(texts[0]))
    return TextRecord("en", a), TextRecord("de", b)


def _name(format: str) -> str:
    ending = FORMATS[format].ending
    return f"pairs-{format}{ending}" if ending else f"pairs-{format}.zip"


def _pages(folder: Path) -> Path:
    """Two pages in two languages, each a file of plain text."""
    for name, sentences in _PAGES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n\n".join(sentences) + "\n", encoding="utf-8")
    return folder


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
    found = []
    side: Side = scheme.sides[-1] if scheme.labels else "b"
    label = "4" if "4" in scheme.keys else next(iter(scheme.keys), "")
    answers = {question.key: question.choices[-1].key for question in scheme.rated}
    for number, (a, b) in enumerate(zip(_EN, _DE, strict=True), 1):
        end = (a if side == "a" else b).index(" ")
        spans = [Span("s1", label, (Fragment(side, 0, end),))] if number == 2 and label else []
        work = AnnotationRecord("A1", spans=spans, answers=answers)
        one, other = (TextRecord(code, text, tokenize(text, code)) for code, text in (("en", a), ("de", b)))
        statement = TextRecord("en", a, one.tokens) if scheme.statement else None
        pair = PairRecord(f"sample-{number}", one, other, statement, annotations=[work], gold=spans)
        pair.gold_answers = answers
        found.append(pair)
    return found
