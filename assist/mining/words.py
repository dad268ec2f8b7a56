"""Similarity of paragraphs in two languages by their words, without any model.

Each word of side A is replaced by the words of side B that may translate it: those that word lists give, and those that
look alike in a common alphabet (names, numbers, cognates). Then paragraphs are compared as tf-idf vectors, by cosine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from annotation.formats.interruption import check_interruption
from annotation.text.tokens import UNSPACED, tokenize
from assist.methods.shared import strings
from assist.methods.shared.function_words import function_words
from assist.methods.wordmodel.dictionary import dictionary_between
from assist.mining.matching import block_rows

if TYPE_CHECKING:
    from scipy import sparse

ALIKE = 0.55
"""From which similarity of their letters on two words may be the same name or cognates."""


def content_words(text: str, language: str) -> list[str]:
    """The words of a text in lower case, without function words, punctuation and single letters."""
    check_interruption()
    left_out = function_words(language)
    words = (text[start:end].lower() for start, end in tokenize(text, language))
    return [
        word
        for word in words
        if word not in left_out and strings.is_word(word) and (len(word) > 1 or word.isdigit() or language in UNSPACED)
    ]


class Words:
    """The paragraphs of all articles in two languages (base codes) as vectors; both sides share those of side B."""

    def __init__(self, a: Sequence[str], b: Sequence[str], languages: tuple[str, str]) -> None:
        one, forms_a = _incidence([content_words(text, languages[0]) for text in a])
        two, forms_b = _incidence([content_words(text, languages[1]) for text in b])
        alike = strings.similarities(forms_a, forms_b, ALIKE)
        table = alike.maximum(dictionary_between(*languages).similar(forms_a, forms_b)).tocsr()
        one, two = _weighted(one), _weighted(two)
        # The surest translations of a word get most of its weight.
        translated = _scaled(table.multiply(table).tocsr(), np.asarray(table.sum(axis=1)).ravel())
        # Divided by the lengths of the original vectors: what has no translation counts as different.
        self.a = _scaled((one @ translated).tocsr(), _norms(one))
        self.b = _scaled(two, _norms(two))

    def blocks(self, rows: slice, columns: slice) -> Iterator[tuple[int, Any]]:
        """Similarities of some paragraphs of A to some of B, in blocks."""
        other = self.b[columns].T.tocsr()
        size = block_rows(other.shape[1])
        for start in range(rows.start, rows.stop, size):
            check_interruption()
            stop = min(rows.stop, start + size)
            yield start - rows.start, (self.a[start:stop] @ other).toarray()


def _incidence(texts: Sequence[Sequence[str]]) -> tuple[sparse.csr_matrix, list[str]]:
    """Which words are in which texts (texts, words), each counted once; and the words."""
    column_of: dict[str, int] = {}
    rows: list[int] = []
    columns: list[int] = []
    for row, words in enumerate(texts):
        row_columns = {column_of.setdefault(word, len(column_of)) for word in words}
        rows.extend([row] * len(row_columns))
        columns.extend(sorted(row_columns))
    return strings.table(np.ones(len(rows)), rows, columns, (len(texts), len(column_of))), list(column_of)


def _weighted(matrix: sparse.csr_matrix) -> sparse.csr_matrix:
    """The same with each word's inverse document frequency as its weight."""
    from scipy import sparse

    text_counts = np.asarray((matrix > 0).sum(axis=0)).ravel()
    weights = np.log((matrix.shape[0] + 1) / (text_counts + 0.5)).astype(np.float32)
    return (matrix @ sparse.diags(weights)).tocsr()


def _norms(matrix: sparse.csr_matrix) -> Any:
    return np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())


def _scaled(matrix: sparse.csr_matrix, by: Any) -> sparse.csr_matrix:
    """The rows divided by numbers; rows that would be divided by 0 stay empty."""
    from scipy import sparse

    factors = np.divide(1.0, by, out=np.zeros(len(by), np.float32), where=by > 0)
    scaled: sparse.csr_matrix = (sparse.diags(factors) @ matrix).tocsr().astype(np.float32)
    return scaled
