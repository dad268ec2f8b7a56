"""The text of a WebAnno TSV document, put together from its words and sentences, and its two sides."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from annotation.formats.source import refusal
from annotation.formats.webanno.tsv import Sheet, SheetRow, unescape
from annotation.phrases import Phrase
from annotation.strict_json import display_text
from annotation.text.limits import MAX_TEXT_LENGTH
from annotation.text.tokens import Range

MAX_DOCUMENT_LENGTH = 4 * MAX_TEXT_LENGTH
UNDIVIDED = Phrase(
    "it is not clear where side B begins: give the option divider=TEXT, the line between the sides, or add the file "
    "diptych-webanno.csv that the export wrote"
)


class Offsets:
    """UTF-16 units of a text as code points; a unit within a character has none."""

    def __init__(self, text: str) -> None:
        self._plain = len(text) if text.isascii() or max(text) <= "\uffff" else -1
        if self._plain < 0:
            units = accumulate((2 if character > "\uffff" else 1 for character in text), initial=0)
            self._points = {unit: point for point, unit in enumerate(units)}

    def point(self, unit: int) -> int | None:
        """The code point at a unit; None if there is none."""
        if self._plain >= 0:
            return unit if unit <= self._plain else None
        return self._points.get(unit)

    def range(self, start: int, end: int) -> Range | None:
        first, last = self.point(start), self.point(end)
        return None if first is None or last is None else (first, last)


def utf16_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def first_misplaced(sheet: Sheet, text: str, offsets: Offsets) -> SheetRow | None:
    """The first row that is not in the text at its offsets."""
    for unit in sheet.units:
        unit_range = offsets.range(unit.start, unit.end)
        if unit_range is None or text[unit_range[0] : unit_range[1]] != unit.text:
            return unit
    return None


def check_fits(sheet: Sheet, text: str, offsets: Offsets) -> None:
    """Raises FormatError for a row that is not in the text."""
    if unit := first_misplaced(sheet, text, offsets):
        reason = Phrase(
            "'%(word)s' is not at %(start)s-%(end)s of the text; offsets count UTF-16 code units",
            {"word": display_text(unit.text), "start": str(unit.start), "end": str(unit.end)},
        )
        raise refusal(unit.where, reason)


def rebuild_text(sheet: Sheet) -> str:
    """The text of the document, from the text of its sentences.

    What is between two sentences is not in the file: a gap of one unit becomes a space, a longer one line feeds.
    Raises FormatError for a sentence whose words are not in its text.
    """
    parts: list[str] = []
    length = 0
    for number, (first, lines) in enumerate(sheet.sentences):
        last = sheet.sentences[number + 1][0] if number + 1 < len(sheet.sentences) else len(sheet.units)
        words = [unit for unit in sheet.units[first:last] if not unit.part]
        begin, text = _sentence(words, lines)
        if begin < length or begin + len(text) > MAX_DOCUMENT_LENGTH:
            reason = Phrase("the sentence begins before the end of the last one, or beyond any text")
            raise refusal(words[0].where, reason)
        gap = begin - length
        parts += [" " if gap == 1 else "\n" * gap, text]
        length = begin + utf16_length(text)
    return "".join(parts)


def _sentence(words: Sequence[SheetRow], lines: Sequence[str]) -> tuple[int, str]:
    """Where a sentence begins, in UTF-16 units, and its text. Older files don't escape it."""
    for text in ("\n".join(map(unescape, lines)), "\n".join(lines)):
        at = text.find(words[0].text)
        if at < 0:
            continue
        begin = words[0].start - utf16_length(text[:at])
        offsets = Offsets(text)
        ranges = [offsets.range(word.start - begin, word.end - begin) for word in words]
        if begin >= 0 and all(
            range_of_word and text[range_of_word[0] : range_of_word[1]] == word.text
            for word, range_of_word in zip(words, ranges, strict=True)
        ):
            return begin, text
    if lines:
        raise refusal(words[0].where, Phrase("the words are not in the text of their sentence at these offsets"))
    return words[0].start, _spaced(words)


def _spaced(words: Sequence[SheetRow]) -> str:
    parts, last = [], words[0].start
    for word in words:
        if utf16_length(word.text) != word.end - word.start or word.start - last > MAX_TEXT_LENGTH:
            raise refusal(
                word.where, Phrase("the offsets don't match the length of the word; they count UTF-16 code units")
            )
        parts.append(" " * (word.start - last) + word.text)
        last = word.end
    return "".join(parts)


def sides(sheet: Sheet, text: str, offsets: Offsets, divider: str) -> tuple[Range, Range]:
    """Where the two sides are in the text, without white space around them.

    The line `divider` is between them; without one, the document has two sentences, or one empty line. Raises
    FormatError if that does not say where side B begins.
    """
    if divider:
        dividers = [at for at in _sentences(sheet, offsets) if text[at[0] : at[1]] == divider.strip()]
        dividers = dividers or [at for at in _lines(text) if text[at[0] : at[1]].strip() == divider.strip()]
        if len(dividers) != 1:
            params = {"n": str(len(dividers)), "divider": display_text(divider)}
            raise refusal(
                sheet.name, Phrase("%(n)s lines are '%(divider)s'; one is expected, between the sides", params)
            )
        return _trimmed(text, 0, dividers[0][0]), _trimmed(text, dividers[0][1], len(text))
    if len(sheet.sentences) == 2:
        at = offsets.point(sheet.units[sheet.sentences[1][0]].start) or 0
        return _trimmed(text, 0, at), _trimmed(text, at, len(text))
    body = _trimmed(text, 0, len(text))
    blank = [at for at in _lines(text) if body[0] < at[0] < body[1] and not text[at[0] : at[1]].strip()]
    if len(blank) != 1:
        raise refusal(sheet.name, UNDIVIDED)
    return _trimmed(text, 0, blank[0][0]), _trimmed(text, blank[0][1], len(text))


def _sentences(sheet: Sheet, offsets: Offsets) -> list[Range]:
    """From the first word to the last of each sentence."""
    ends = [first for first, _ in sheet.sentences[1:]] + [len(sheet.units)]
    result = []
    for (first, _), last in zip(sheet.sentences, ends, strict=True):
        end = max(unit.end for unit in sheet.units[first:last])
        if sentence := offsets.range(sheet.units[first].start, end):
            result.append(sentence)
    return result


def _lines(text: str) -> list[Range]:
    lines, start = [], 0
    for line in text.split("\n"):
        lines.append((start, start + len(line)))
        start += len(line) + 1
    return lines


def _trimmed(text: str, start: int, end: int) -> Range:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())
