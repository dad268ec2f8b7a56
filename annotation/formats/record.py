"""The common representation that every format is read into and written from: a pair of texts and its annotations."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, overload

from annotation.formats.columns import ColumnMapping
from annotation.formats.document_report import ParallelDocumentReport
from annotation.phrases import Phrase
from annotation.strict_json import escape_unprintable
from annotation.text.schemes import Scheme, Side
from annotation.text.spans import Span
from annotation.text.tokens import Range
from annotation.vocabulary import Phase, Verdict


class StoredRanges(Sequence[Range]):
    """Ranges as the database stores them, parsed only if they are needed; `json` is '[[0, 4], [5, 9]]'."""

    __slots__ = ("_parsed", "json")

    def __init__(self, text: str) -> None:
        self.json = text
        self._parsed: list[Range] | None = None

    def __len__(self) -> int:
        return self.json.count("[") - 1

    @overload
    def __getitem__(self, index: int) -> Range: ...
    @overload
    def __getitem__(self, index: slice) -> list[Range]: ...
    def __getitem__(self, index: int | slice) -> Range | list[Range]:
        if self._parsed is None:
            self._parsed = [(start, end) for start, end in json.loads(self.json)]
        return self._parsed[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self[:] == list(other)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class TextRecord:
    """One side. `tokens` are code-point ranges fixed by the source; None: the language's tokenizer decides.

    `tokenizer` names what made the tokens of an exported text. It says where the text comes from and is not compared.
    """

    language: str
    text: str
    tokens: Sequence[Range] | None = None
    tokenizer: str = field(default="", compare=False)


@dataclass(slots=True)
class AnnotationRecord:
    """One annotator's work on one pair in one phase.

    `verdict` '' is unsubmitted work; `status` 'open' is an assignment that was not started; '' means that the status
    follows from the verdict. `round` counts re-tests of the same pair by the same person in a phase. Of exported work,
    `revision` is its number of saves, and `highlights` whether it was shown highlights; neither is compared.
    """

    annotator: str
    phase: str = Phase.MAIN.value
    round: int = 0
    status: str = ""
    guideline: int | None = None
    verdict: str = Verdict.SUBMITTED.value
    reason: str = ""
    comment: str = ""
    answers: dict[str, Any] = field(default_factory=dict)
    spans: list[Span] = field(default_factory=list)
    active_seconds: int = 0
    revision: int = field(default=0, compare=False)
    highlights: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a gold span: the rule that made it ('hand': a person), and the annotators it is based on."""

    rule: str = ""
    annotators: tuple[str, ...] = ()


@dataclass(slots=True)
class PairRecord:
    """One pair. `gold` None: the source has no gold for it; []: its gold marks nothing. `where` is 'file:line'.

    `translations` holds by side that side's translations into the other side's language. `origins` is by the ids of
    gold spans; empty for imported gold. `mirror_derived`: the mirror's name is derived from the pair's id by the
    format, and need not exist.
    """

    id: str
    a: TextRecord
    b: TextRecord
    statement: TextRecord | None = None
    split: str = ""
    mirror: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    translations: dict[Side, list[str]] = field(default_factory=dict)
    annotations: list[AnnotationRecord] = field(default_factory=list)
    gold: list[Span] | None = None
    gold_answers: dict[str, str] = field(default_factory=dict)
    origins: dict[str, Origin] = field(default_factory=dict)
    mirror_derived: bool = False
    where: str = ""


@dataclass(slots=True)
class ParsedSource:
    """What a reader found: records, the scheme that the format implies, and warnings with their counts.

    `merged_labels`: labels that may be imported as another if a project's scheme lacks them. `guidelines`: Markdown by
    version, for a project that has none. `table`: how the columns of a table were read. `documents`: which documents
    in several languages were kept and which dropped.
    """

    records: list[PairRecord]
    scheme: Scheme
    warnings: Counter[str] = field(default_factory=Counter)
    merged_labels: dict[str, str] = field(default_factory=dict)
    guidelines: dict[int, str] = field(default_factory=dict)
    table: ColumnMapping | None = None
    documents: ParallelDocumentReport | None = None


@dataclass(frozen=True, slots=True)
class Rejection:
    """One thing that is wrong in a source: where (file and line) and why, with what to do."""

    where: str
    phrase: Phrase

    def __post_init__(self) -> None:
        # File names may hold bytes that are not text, and ids control sequences for terminals: rejections must be
        # printable.
        object.__setattr__(self, "where", escape_unprintable(self.where))
        object.__setattr__(self, "phrase", self.phrase.map_params(escape_unprintable))

    @property
    def reason(self) -> str:
        """Why, in English; pages show `phrase` in the reader's language."""
        return self.phrase.text()

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"

    def to_json(self) -> dict[str, Any]:
        """The rejection as it is stored with its import."""
        return {"where": self.where, "reason": self.reason, "phrase": self.phrase.to_json()}


class FormatError(ValueError):
    """A source that can't be read in its format; nothing of it is used.

    `records` are what could be read apart from what was refused, so that everything wrong with them can be reported at
    once; `table` is how the columns of a table were read, as far as they were.
    """

    def __init__(self, rejections: list[Rejection], records: Sequence[PairRecord] = ()) -> None:
        super().__init__("\n".join(map(str, rejections)))
        self.rejections = rejections
        self.records = records
        self.table: ColumnMapping | None = None
