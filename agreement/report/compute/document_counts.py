"""What agreement is computed from: counts of each document, which add up over documents.

A report of a large project reads its documents block by block and keeps these counts, some hundred bytes a document,
instead of texts and spans. Documents, annotations and pairs of annotations are rows of arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agreement.metrics import matching
from agreement.metrics.alpha import PACKAGE_UNITS, symmetric
from agreement.metrics.arrays import Bools, Floats, Ints
from agreement.metrics.documents import Collection
from agreement.metrics.matching import TokenSpan
from agreement.report.compute.sparse_tables import Packed

ALL, LINKED, ONE_SIDED = "", "linked", "one-sided"
KINDS: dict[str, Callable[[TokenSpan], bool]] = {
    LINKED: lambda span: span.linked,
    ONE_SIDED: lambda span: not span.linked,
}
"""Kinds of span, each with its own counts of tokens and matches where both sides are marked, besides ALL."""
MATCHES = (None, *matching.THRESHOLDS)
"""How spans match: exactly, and at thresholds in percent."""
KIND_THRESHOLD = 50
"""The threshold that spans of a kind are matched at."""

Column = NDArray[Any]
_WIDER_TYPES: dict[int, type[Any]] = {1: np.uint16, 2: np.uint32}
"""A type that holds the sum of two numbers of these many bytes."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Columns of as many rows, each row of one document: `owners` (rows,) are its indices, ascending.

    `packed` are columns of tables, most cells of which are 0.
    """

    owners: Column
    columns: dict[str, Column]
    packed: dict[str, Packed] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Column:
        return self.columns[name]

    def between(self, first: int, last: int) -> Rows:
        """The rows of the documents [first, last), which are numbered from 0; nothing is copied but their numbers."""
        rows = slice(*np.searchsorted(self.owners, (first, last)).tolist())
        return replace(self._chosen(rows), owners=self.owners[rows] - first)

    def where(self, chosen: Bools) -> Rows:
        """The rows for which `chosen` is true."""
        return self._chosen(chosen)

    def _chosen(self, rows: slice | Bools) -> Rows:
        return Rows(
            self.owners[rows],
            {name: column[rows] for name, column in self.columns.items()},
            {name: column[rows] for name, column in self.packed.items()},
        )

    def of(self, documents: Bools) -> Rows:
        """The rows of some documents, which are numbered again."""
        numbers = np.cumsum(documents) - 1
        rows = self.where(documents[self.owners])
        return replace(rows, owners=numbers[rows.owners].astype(np.int32))


@dataclass(frozen=True, slots=True)
class DocumentCounts:
    """The counts of documents that two people or more submitted. `collection` is what they are in, without them.

    Column by column, with D documents, S sides that may be marked, L labels, and a kind of spans or ALL where there
    is a KIND (only ALL if one side is marked):
    - `documents`: `languages`, `split`, `empty` (someone marked nothing), `annotations` (how many), `tokens` (S,),
      `shared` (S, L, L) and `own` (L,) of unitizing, `sentences` (L, 2, 2): pairs of answers whether a sentence has a
      label, `metric NAME`, `matched KIND` (MATCHES of ALL, otherwise one; L, L): labels of matched spans;
    - `annotations`: `person`, `spans`, `tokens`, `distinct`, `broken`, `seconds`, `labels` (L,), and `majority` (L, L):
      tokens by the majority of the others and the own label;
    - `annotation_pairs`: `people` (2,), by KIND confusions of tokens (of ALL: S, L, L; otherwise of both sides:
      L, L), and `marked KIND` (S, 2): tokens that both marked, and those of one added to those of the other;
    - `units`, tokens: `side`, and by KIND how many gave each label (L,); only of documents that may be in a set of at
      most PACKAGE_UNITS tokens;
    - `sentences`: `given` (L,), how many found a token with the label in it.
    Whole numbers are in the smallest type that holds them. Of tables of labels by labels only the numbers that are not
    0 are kept, except in `sentences`.
    """

    collection: Collection
    documents: Rows
    annotations: Rows
    annotation_pairs: Rows
    units: Rows
    sentences: Rows

    def __len__(self) -> int:
        return len(self.documents.owners)

    @property
    def labels(self) -> int:
        return len(self.collection.labels)

    @property
    def kinds(self) -> tuple[str, ...]:
        return kinds_of(self.collection)

    @property
    def empty(self) -> Bools:
        """The documents in which someone marked nothing."""
        return np.asarray(self.documents["empty"])

    def of(self, chosen: Bools) -> DocumentCounts:
        """The counts of some documents (D,)."""
        return DocumentCounts(
            self.collection,
            *(
                each.of(chosen)
                for each in (self.documents, self.annotations, self.annotation_pairs, self.units, self.sentences)
            ),
        )

    def part(self, documents: slice) -> DocumentCounts:
        """The counts of some documents that follow each other."""
        rows = (self.documents, self.annotations, self.annotation_pairs, self.units, self.sentences)
        return DocumentCounts(self.collection, *(each.between(documents.start, documents.stop) for each in rows))

    @property
    def exact(self) -> bool:
        """Whether coincidences add up exactly: numbers of pairs are divided by 1, 2, 4 or the like."""
        others = self.documents["annotations"].astype(np.int64) - 1
        return bool((others & (others - 1) == 0).all())

    def confusions(self, kind: str = ALL, sides: Sequence[int] = (), rows: Ints | None = None) -> Ints:
        """Tokens of pairs of annotations by both labels: (pairs of annotations, L, L).

        Of all sides, or of some (their indices). `rows` are the numbers of some of them; by default all.
        """
        packed = self.annotation_pairs.packed[kind]
        tables = (packed if rows is None else packed[rows]).tables()
        if kind != ALL:
            return tables
        chosen = tables[:, list(sides)] if sides else tables
        return np.asarray(chosen.sum(axis=1, dtype=_WIDER_TYPES.get(chosen.dtype.itemsize, np.int64)))

    def matched(self, percent: int | None, kind: str = ALL) -> Ints:
        """Labels of spans matched at a threshold in percent, or (None) exactly: (D, L, L)."""
        return np.asarray(self.documents.packed[f"matched {kind}"].tables()[:, _threshold(percent, kind)])

    def matched_total(self, percent: int | None, kind: str = ALL) -> Ints:
        """As `matched`, of all documents: (L, L)."""
        return np.asarray(self.documents.packed[f"matched {kind}"].total()[_threshold(percent, kind)])

    def coincidences(self, kind: str = ALL, sides: Sequence[int] = ()) -> Floats:
        """As `alpha.coincidences` of tokens: (D, L, L)."""
        pairs = _sums_by_document(self.confusions(kind, sides), self.annotation_pairs.owners, len(self))
        return symmetric(pairs / self._others)

    def sentence_coincidences(self, code: int) -> Floats:
        """As `alpha.coincidences` of sentences, whether they have a token with a label: (D, 2, 2)."""
        return symmetric(self.documents["sentences"][:, code] / self._others)

    def sentence_total(self, code: int) -> Floats:
        """The coincidences of all sentences, added up before they are divided: (2, 2)."""
        annotations, marked = self.documents["annotations"], self.documents["sentences"][:, code]
        total = np.zeros((2, 2))
        for size in np.unique(annotations):
            total += marked[annotations == size].sum(axis=0) / (size - 1)
        return symmetric(total)

    def unitizing(self) -> Floats:
        """Packed continua: (D, L * L + L)."""
        shared, tables = np.zeros((len(self), self.labels, self.labels)), self.documents.packed["shared"].tables()
        for side in range(len(self.collection.sides)):
            shared += tables[:, side] / self._others
        return np.concatenate(
            [shared.reshape(len(self), self.labels**2), self.documents["own"]], axis=1, dtype=np.float64
        )

    @property
    def _others(self) -> Column:
        """How many others there are for one annotator of a document, to divide matrices by."""
        return (self.documents["annotations"].astype(np.int64) - 1)[:, np.newaxis, np.newaxis]

    def answers(self, kind: str = ALL, sides: Sequence[int] = ()) -> Ints | None:
        """How many gave each token each label, (units, L), if there are at most PACKAGE_UNITS; otherwise None."""
        sides = sides or range(len(self.collection.sides))
        tokens = self.documents["tokens"][:, list(sides)]
        if tokens.sum() > PACKAGE_UNITS:
            return None
        return np.asarray(self.units[kind][np.isin(self.units["side"], list(sides))])

    def sentence_answers(self, code: int) -> Ints:
        """How many found no token with the label in a sentence, and how many did: (sentences, 2)."""
        marked = self.sentences["given"][:, code].astype(np.int64)
        annotations = self.documents["annotations"].astype(np.int64)[self.sentences.owners]
        return np.stack([annotations - marked, marked], axis=1)


def kinds_of(collection: Collection) -> tuple[str, ...]:
    """ALL, and the kinds of spans that are distinguished."""
    return (ALL, *KINDS) if len(collection.sides) > 1 else (ALL,)


def _threshold(percent: int | None, kind: str) -> int:
    """The index of a threshold among those that spans are matched at: of a kind there is only one."""
    return MATCHES.index(percent) if kind == ALL else 0


def _sums_by_document(rows: Column, owners: Column, count: int) -> Ints:
    """Rows of whole numbers added up by document: (count, ...)."""
    added = np.zeros((count, *rows.shape[1:]), dtype=np.int64)
    if len(rows):
        starts = np.flatnonzero(np.diff(owners, prepend=-1))
        added[owners[starts]] = np.add.reduceat(rows, starts, axis=0, dtype=np.int64)
    return added
