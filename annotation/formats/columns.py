"""Which column of a table holds what: by its name, by the lead's choice, or guessed from names and contents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.phrases import Phrase
from annotation.strict_json import display_text
from annotation.text.language_guess import LanguageGuess, language_of_texts
from annotation.text.language_names import language_of_name, words_of
from annotation.text.schemes import SIDES

FIELDS = ("id", "text_a", "text_b", "language_a", "language_b", "statement", "split")
"""What a lead may choose a column for, by the option `…_column`."""
SAMPLE = 100
"""Rows by which columns and languages are guessed."""
MIN_TEXT_LENGTH = 8
UNKNOWN = "und"
"""The language of texts whose language isn't known yet."""
NONE = "-"
"""The option for a field that no column has, although the name of one says so."""
_ENDING = "_column"
_TEXTS = (
    ("source", "target"), ("premise", "hypothesis"), ("sentence1", "sentence2"), ("text1", "text2"), ("a", "b"),
    ("sentence_a", "sentence_b"), ("original", "translation"), ("src", "tgt"), ("side_a", "side_b"), ("left", "right"),
)  # fmt: skip
_TEXT_WORDS = ("text", "texte", "testo", "texto", "tekst", "content")
_IDS = ("id", "nr", "no", "number", "nummer", "key", "index", "pair", "pair_id", "item", "name", "")


@dataclass(slots=True)
class ColumnMapping:
    """How a table was read. `mapping` is the column of each field; `guessed` are the fields that no name stated.

    `languages` are guesses by side, for sides whose language neither a column nor an option gives; `unsure` are those
    of these sides whose language a lead has to choose. `parallel`: rows are single texts (id, language, text).
    `texts`: rows are documents in several languages, with these columns by language. `declined` are fields that the
    options say no column has. `skipped` are the sheets before `sheet` without a table, `left_out` those after it with
    one. `header_row` is the number of the row from which on the first with cells names the columns.
    """

    columns: list[str]
    mapping: dict[str, str] = field(default_factory=dict)
    guessed: list[str] = field(default_factory=list)
    languages: dict[str, LanguageGuess] = field(default_factory=dict)
    unsure: list[str] = field(default_factory=list)
    parallel: bool = False
    texts: dict[str, str] = field(default_factory=dict)
    sheet: str = ""
    sheets: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    header_row: int = 1
    declined: set[str] = field(default_factory=set)

    def language(self, side: str) -> str:
        """The language of a side as it is guessed, also with little certainty; '' if it isn't to be guessed."""
        guess = self.languages.get(side)
        return guess.code if guess is not None else UNKNOWN if side in self.unsure else ""

    def cells(self, row: Mapping[str, str]) -> dict[str, str]:
        """A row's cells by field; columns without a field keep their names, unless a field has that name."""
        named = {column: name for name, column in self.mapping.items()}
        taken = self.declined | {name for name, column in self.mapping.items() if name != column}
        return {
            named.get(column, f"{column} (column)" if column in taken else column): cell for column, cell in row.items()
        }


class ColumnsError(ValueError):
    """Columns from which no pairs can be read; `phrase` says why, `choice` what was understood."""

    def __init__(self, phrase: Phrase, choice: ColumnMapping) -> None:
        super().__init__(str(phrase))
        self.phrase, self.choice = phrase, choice


def choose_columns(
    header: Sequence[str], sample: Sequence[Mapping[str, str]], options: Mapping[str, str]
) -> ColumnMapping:
    """How to read a table, from its header, its first rows and the options. Raises ColumnsError."""
    choice = ColumnMapping(list(header))
    _apply_options(choice, options)
    for name in FIELDS:
        free = name not in choice.mapping and name not in choice.mapping.values() and name not in choice.declined
        if free and name in header:
            choice.mapping[name] = name
    if "text_a" not in choice.mapping and "text_b" not in choice.mapping and {"id", "language", "text"} <= {*header}:
        choice.parallel = True
        return choice
    if texts := _language_columns(choice, sample, options):
        choice.texts = texts
        _guess_id(choice, sample)
        return choice
    _guess_texts(choice, sample)
    missing = [name for name in ("text_a", "text_b") if name not in choice.mapping]
    if missing:
        raise ColumnsError(
            Phrase(
                "no column was recognised as %(names)s; the header has: %(header)s; choose or rename columns",
                {"names": ", ".join(missing), "header": display_text(", ".join(header))},
            ),
            choice,
        )
    _guess_id(choice, sample)
    for side in SIDES:
        if f"language_{side}" not in choice.mapping and not options.get(f"language_{side}"):
            column = choice.mapping[f"text_{side}"]
            guess = _language(column, [row.get(column, "") for row in sample])
            if guess is not None:
                choice.languages[side] = guess
            if guess is None or not guess.sure:
                choice.unsure.append(side)
    return choice


def _apply_options(choice: ColumnMapping, options: Mapping[str, str]) -> None:
    for name in FIELDS:
        column = options.get(name + _ENDING, "")
        if not column:
            continue
        if column == NONE and NONE not in choice.columns:
            choice.declined.add(name)
            continue
        if column not in choice.columns:
            raise ColumnsError(
                Phrase(
                    "there is no column '%(column)s'; the header has: %(header)s",
                    {"column": display_text(column), "header": display_text(", ".join(choice.columns))},
                ),
                choice,
            )
        if column in choice.mapping.values():
            raise ColumnsError(
                Phrase("the column '%(column)s' is chosen twice", {"column": display_text(column)}), choice
            )
        choice.mapping[name] = column


def _guess_texts(choice: ColumnMapping, sample: Sequence[Mapping[str, str]]) -> None:
    """Find the columns of the two texts: by usual names, by names of languages, or as the two longest."""
    missing = [name for name in ("text_a", "text_b") if name not in choice.mapping]
    free = [column for column in choice.columns if column not in choice.mapping.values()]
    if not missing:
        return
    plain = {_normalise_name(column): column for column in free}
    columns: list[str] = next(([plain[one], plain[other]] for one, other in _TEXTS if {one, other} <= plain.keys()), [])
    lengths = {column: _length(column, sample) for column in free}
    if len(columns) < 2:
        columns = [column for column in free if language_of_name(column) and lengths[column] >= MIN_TEXT_LENGTH]
    if len(columns) < len(missing):
        longest = sorted((column for column in free if lengths[column] >= MIN_TEXT_LENGTH), key=lambda c: -lengths[c])
        columns = [column for column in free if column in longest[: len(missing)]]
    if len(columns) >= len(missing):
        chosen = columns if len(missing) == 2 else [column for column in columns if lengths[column]][-1:]
        for name, column in zip(missing, chosen, strict=False):
            choice.mapping[name] = column
            choice.guessed.append(name)


def _language_columns(
    choice: ColumnMapping, sample: Sequence[Mapping[str, str]], options: Mapping[str, str]
) -> dict[str, str]:
    """The columns of documents in several languages: three or more named by nothing but their language, or two if the
    option `pairs` asks for documents; none if a column is known to be side A or B.
    """
    if {"text_a", "text_b"} & choice.mapping.keys():
        return {}
    columns: dict[str, str] = {}
    for column in choice.columns:
        words = [word for word in words_of(column) if word not in _TEXT_WORDS]
        language = language_of_name(column) if len(words) == 1 else ""
        free = column not in choice.mapping.values()
        if language and free and language not in columns and _length(column, sample, filled=True) >= MIN_TEXT_LENGTH:
            columns[language] = column
    return columns if len(columns) >= (2 if options.get("pairs") else 3) else {}


def _guess_id(choice: ColumnMapping, sample: Sequence[Mapping[str, str]]) -> None:
    """A column with a usual name and a different value in every row names the pairs; otherwise their texts do."""
    for column in choice.columns:
        values = [row.get(column, "").strip() for row in sample]
        taken = {*choice.mapping.values(), *choice.texts.values()}
        free = not {"id"} & {*choice.mapping, *choice.declined} and column not in taken
        if free and _normalise_name(column) in _IDS and all(values) and len(set(values)) == len(values):
            choice.mapping["id"] = column
            choice.guessed.append("id")


def _normalise_name(name: str) -> str:
    return "_".join(name.lower().replace(".", " ").replace("-", " ").replace("#", " ").split())


def _length(column: str, sample: Sequence[Mapping[str, str]], *, filled: bool = False) -> float:
    """The mean length of a column's texts; 0 for numbers. `filled`: of its cells that are not empty."""
    cells = [cell for row in sample if (cell := row.get(column, "")).strip() or not filled]
    texts = [cell for cell in cells if any(character.isalpha() for character in cell)]
    return sum(map(len, texts)) / len(cells) if cells and 2 * len(texts) > len(cells) else 0.0


def _language(column: str, texts: Sequence[str]) -> LanguageGuess | None:
    guess, named = language_of_texts(texts), language_of_name(column)
    if named:
        agrees = guess is not None and guess.code == named
        return LanguageGuess(named, guess.share if agrees and guess is not None else 0.0, named=True)
    return guess


def choice_json(choice: ColumnMapping) -> dict[str, Any]:
    """The mapping as stored with a preview."""
    return {
        "columns": choice.columns,
        "mapping": choice.mapping,
        "guessed": choice.guessed,
        "languages": {
            side: {"code": guess.code, "share": round(guess.share, 2), "named": guess.named, "sure": guess.sure}
            for side, guess in choice.languages.items()
        },
        "unsure": choice.unsure,
        "parallel": choice.parallel,
        "texts": choice.texts,
        "sheet": choice.sheet,
        "sheets": choice.sheets,
        "skipped": choice.skipped,
        "left_out": choice.left_out,
        "header": choice.header_row,
    }
