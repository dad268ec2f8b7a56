"""TSV: a term, a tab, its translations separated by ';', and optionally a tab and a note.

The first row may name the columns: the languages, in any order, and `note`. A line that begins with '# ', or with '#'
and has no tab, is a comment.
"""

from __future__ import annotations

from collections.abc import Iterable

from annotation.glossaries.entries import SEPARATOR, TermEntry, normalise_spaces, split_translations
from annotation.glossaries.files import ParsedGlossary, at_line, lines
from annotation.phrases import Phrase
from annotation.strict_json import display_text
from annotation.text.languages import language_problem
from annotation.text.tokens import base_language

NOTE = "note"


def read(data: bytes, source: str, target: str) -> ParsedGlossary:
    """The entries of a file from `source` to `target`. Raises GlossaryFileError if its header lacks a language."""
    parsed = ParsedGlossary()
    columns: tuple[int, int, int] | None = None
    for number, line in lines(data, parsed):
        if not line.strip() or is_comment(line):
            continue
        cells = [_unquoted(cell) for cell in line.split("\t")]
        if columns is None:
            header = _header(number, cells, source, target)
            columns = header or (0, 1, 2)
            if header:
                continue
        parsed.count_row(number)
        first, second, third = columns
        if len(cells) <= max(first, second):
            parsed.reject(number, Phrase("no tab: a term, a tab and its translation are expected"))
            continue
        note = normalise_spaces(cells[third]) if 0 <= third < len(cells) else ""
        parsed.add(number, TermEntry(normalise_spaces(cells[first]), split_translations(cells[second]), note))
    return parsed


def is_comment(line: str) -> bool:
    return line.startswith("# ") or (line.startswith("#") and "\t" not in line)


def write(entries: Iterable[TermEntry], source: str, target: str) -> str:
    """A file that `read` reads back as the same entries."""
    rows = [
        (source, target, NOTE),
        *((each.word, f"{SEPARATOR} ".join(each.translations), each.note) for each in entries),
    ]
    return "".join("\t".join(map(_quoted, row)) + "\n" for row in rows)


def _header(line: int, cells: list[str], source: str, target: str) -> tuple[int, int, int] | None:
    """The columns of terms, translations and notes (-1: none) if the row is a header. Raises GlossaryFileError."""
    names = [normalise_spaces(cell).casefold() for cell in cells]
    bases = [base_language(name) if name != NOTE and not language_problem(name) else "" for name in names]
    columns = [_column(names, bases, language) for language in (source, target)]
    named = NOTE in names and len(names) > 2 and all(bases[index] for index, name in enumerate(names) if name != NOTE)
    # 'en' and 'fr' when 'en' and 'de' were chosen: the header of another file, not a term and its translation.
    named |= len(names) == 2 and max(columns) >= 0 and all(1 < len(each) < 4 for each in bases)
    if not named and -1 in columns:
        return None
    if -1 in columns or columns[0] == columns[1]:
        raise at_line(
            line,
            Phrase(
                "the header names %(names)s, but not both languages (%(source)s and %(target)s); choose the languages "
                "of the file, or correct its header",
                {"names": display_text(", ".join(cells)), "source": source, "target": target},
            ),
        )
    return columns[0], columns[1], names.index(NOTE) if NOTE in names else -1


def _column(names: list[str], bases: list[str], language: str) -> int:
    """The column of exactly a language, or else of one of its variants; -1 for none."""
    if language.casefold() in names:
        return names.index(language.casefold())
    base = base_language(language)
    return bases.index(base) if base in bases else -1


def _unquoted(cell: str) -> str:
    """A cell without the quotation marks that a spreadsheet adds."""
    cell = cell.strip(" ")
    if len(cell) > 1 and cell.startswith('"') and cell.endswith('"'):
        return cell[1:-1].replace('""', '"')
    return cell


def _quoted(cell: str) -> str:
    first = cell[:1]
    if first == '"' or cell.startswith("# "):
        return '"' + cell.replace('"', '""') + '"'
    return cell
