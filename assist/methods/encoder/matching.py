"""From the similarity of two texts' embeddings to alignment edges, for a batch of pairs at a time.

The rules are those of SimAlign (Jalili Sabet, Dufter, Yvon, Schütze 2020): argmax keeps mutual best matches, itermax
goes on among what these left over, match is a maximum-weight matching. Ties go to the first. A matrix too large to be
held is gone through in blocks of rows, with the same result. Everything here works on torch tensors, on whatever
device they are, and imports it only where it is used.

The simalign package has functions for the same rules, which need no model. They are not used, because they would be
the bottleneck; ``benchmarks/edges.py`` measures each against the encoder's forward pass (the figures below:
all-MiniLM-L6-v2, one CPU thread). They also hold several matrices of a pair at once: for two texts of 6,000 subwords,
itermax takes 4.0 GB in the package and 0.6 GB here. The tests compare the edges with the package's.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Tensor = Any
"""A ``torch.Tensor``; torch is not imported where its types are named."""

CELLS = 1 << 22
"""Cells of a similarity matrix (of all pairs of a batch together) that are held at once."""
ALPHA = 0.9
"""The weight of a similarity in itermax if one of its two tokens already has an edge."""
DENSE = 1 << 24
"""Cells of a similarity matrix up to which a matching is solved over all of them."""
NEAREST = 32
"""Counterparts per token over which a larger matching is solved, from both sides."""
_SMALL = 2


class Similarity:
    """The similarities, (cosine + 1) / 2, of a batch of pairs of texts.

    ``a``: unit vectors, [pairs, rows, width]; ``b``: [pairs, columns, width]; ``rows`` and ``columns``: how many of
    them each pair has, [pairs]. ``distortion`` r weighs a cell with 1 - r (i / (rows-1) - j / (columns-1))².
    """

    def __init__(
        self, a: Tensor, b: Tensor, rows: Tensor, columns: Tensor, distortion: float = 0.0, cells: int = CELLS
    ) -> None:
        self.a, self.b = a, b
        self.rows, self.columns = rows, columns
        self.row_there = _row_mask(a, rows)
        self.column_there = _row_mask(b, columns)
        self.distortion = distortion
        self.step = max(1, cells // max(1, a.shape[0] * b.shape[1]))
        self._kept: Tensor | None = None

    def blocks(self, weigh: Callable[[slice], Tensor] | None = None) -> Iterator[tuple[slice, Tensor]]:
        """Blocks of rows, [pairs, rows, columns], times ``weigh`` of the rows; cells that no pair has are -1."""
        height = self.a.shape[1]
        for start in range(0, height, self.step):
            rows = slice(start, min(start + self.step, height))
            block = self._block(rows)
            yield rows, block if weigh is None else self._masked(block * weigh(rows), rows)

    def _block(self, rows: slice) -> Tensor:
        if self._kept is not None:
            return self._kept
        block = (self.a[:, rows] @ self.b.transpose(1, 2)).add_(1.0).div_(2.0)
        if self.distortion:
            apart = _positions(self.a, self.rows)[:, rows, None] - _positions(self.b, self.columns)[:, None]
            large = ((self.rows > 1) & (self.columns > 1))[:, None, None]
            block = block * (1.0 - apart**2 * self.distortion * large)
        block = self._masked(block, rows)
        if self.a.shape[1] <= self.step:
            self._kept = block
        return block

    def _masked(self, block: Tensor, rows: slice) -> Tensor:
        if len(block) == 1:
            return block
        return block.masked_fill_(~(self.row_there[:, rows, None] & self.column_there[:, None]), -1.0)


@dataclass(frozen=True, slots=True)
class BestMatches:
    """The best counterpart of every row (``column``, ``row_value``: [pairs, rows]) and of every column."""

    column: Tensor
    row_value: Tensor
    row: Tensor
    column_value: Tensor


@dataclass(frozen=True, slots=True)
class Edges:
    """At most one edge for each row: to ``column``, with ``value``, if ``there``; all [pairs, rows]."""

    column: Tensor
    value: Tensor
    there: Tensor


def best(similarity: Similarity, weigh: Callable[[slice], Tensor] | None = None) -> BestMatches:
    """Every row's and every column's largest similarity, and its first position."""
    height = similarity.a.shape[:2]
    # Results are written in place: small tensors between large temporary ones would fragment the memory.
    column, row_value = similarity.rows.new_empty(height), similarity.a.new_empty(height)
    row = similarity.rows.new_zeros(similarity.b.shape[:2])
    column_value = similarity.a.new_full(similarity.b.shape[:2], -2.0)
    for rows, block in similarity.blocks(weigh):
        row_value[:, rows], column[:, rows] = block.max(dim=2)
        value, at = block.max(dim=1)
        row.copy_(row.where(value <= column_value, at + rows.start))
        column_value.copy_(column_value.maximum(value))
    return BestMatches(column, row_value, row, column_value)


def mutual(similarity: Similarity, matches: BestMatches) -> Edges:
    """Edges between rows and columns that are each other's best.

    The package's argmax takes 1 to 3 % of the encoder's time for up to 2,000 words and 56 % for 4,500 (here: 11 %). It
    would replace nothing: DiffAlign needs :func:`best`, and edges from it.
    """
    index = _index(similarity.a)
    there = (matches.row.gather(1, matches.column) == index) & similarity.row_there
    return Edges(matches.column, matches.row_value, there)


def itermax(similarity: Similarity, matches: BestMatches, rounds: int = 2) -> list[Edges]:
    """Mutual best matches, then, ``rounds`` - 1 times, those among cells of which a row or a column is still free.

    Cells between two free tokens count in full, those of one free token 0.9 times. A pair with a side of two or fewer,
    or with a side that has no free token left, is done. For texts of 4,500 words, the package's ``iter_max``
    takes 140 % of the encoder's time, this 20 %.
    """
    edges = [mutual(similarity, matches)]
    row_free = similarity.row_there & ~edges[0].there
    column_free = similarity.column_there & ~_matched_columns(similarity, edges[0])
    large = (similarity.rows > _SMALL) & (similarity.columns > _SMALL)
    for _ in range(rounds - 1):
        going = (large & row_free.any(1) & column_free.any(1))[:, None]
        free = (row_free.float(), column_free.float())

        def weigh(rows: slice, free: tuple[Tensor, Tensor] = free) -> Tensor:
            return (ALPHA * (free[0][:, rows, None] + free[1][:, None])).clamp(max=1.0)

        new = mutual(similarity, best(similarity, weigh))
        reached = free[1].gather(1, new.column)
        weight = (ALPHA * (free[0] + reached)).clamp(max=1.0)
        there = new.there & (weight > 0) & going
        edges.append(Edges(new.column, new.value / weight.clamp(min=ALPHA), there))
        row_free = row_free & ~there
        column_free = column_free & ~_matched_columns(similarity, edges[-1])
    return edges


def entropies(similarity: Similarity) -> tuple[Tensor, Tensor]:
    """The entropy of every row, [pairs, rows], and every column, as a share of the largest it can be.

    A row is made to sum to 1 and its entropy divided by the logarithm of its length, as SimAlign's null alignments are.
    """
    rows_there, columns_there = similarity.row_there.double(), similarity.column_there.double()
    row_sum, row_log = rows_there * 0.0, rows_there * 0.0
    column_sum, column_log = columns_there * 0.0, columns_there * 0.0
    for rows, block in similarity.blocks():
        values = block.double().clamp_(min=0.0)
        row_sum[:, rows] = values.sum(2)
        column_sum += values.sum(1)
        logs = values.xlogy_(values)
        row_log[:, rows] = logs.sum(2)
        column_log += logs.sum(1)
    return _entropy(row_sum, row_log, similarity.columns), _entropy(column_sum, column_log, similarity.rows)


def doubt(similarity: Similarity, edges: list[Edges]) -> list[Tensor]:
    """For each edge the smaller of the entropies of its row and of its column: [pairs, rows].

    An edge is dropped if its doubt is above the threshold. If a side has two tokens or fewer, it is 0.
    """
    row, column = entropies(similarity)
    large = ((similarity.rows > _SMALL) & (similarity.columns > _SMALL))[:, None]
    return [row.minimum(column.gather(1, each.column)).clamp(max=1.0) * large for each in edges]


def match(similarity: Similarity) -> Edges:
    """A one-to-one matching of the largest sum of similarities, as many edges as the shorter side has tokens.

    Up to ``DENSE`` cells it is solved over all of them, beyond over the ``NEAREST`` counterparts of every token: there
    a token may stay without an edge. The package's ``get_max_weight_match``, by networkx, takes 1.8 times as
    long as the encoder for sentences (18 ms a pair) and 99 times for paragraphs (6.5 s a pair); this 1 % for both.
    """
    import torch
    from scipy.optimize import linear_sum_assignment

    pairs, height = similarity.a.shape[:2]
    columns = np.zeros((pairs, height), np.int64)
    values = np.zeros((pairs, height), np.float32)
    there = np.zeros((pairs, height), bool)
    sizes = zip(similarity.rows.tolist(), similarity.columns.tolist(), strict=True)
    dense = height * similarity.b.shape[1] <= DENSE
    whole = np.concatenate([block.cpu().numpy() for _, block in similarity.blocks()], axis=1) if dense else None
    for pair, (rows, width) in enumerate(sizes):
        if whole is not None:
            matrix = whole[pair, :rows, :width]
            left, right = linear_sum_assignment(matrix, maximize=True)
            weight = matrix[left, right]
        else:
            left, right, weight = _sparse_matching(similarity)
        columns[pair, left], values[pair, left], there[pair, left] = right, weight, weight > 0
    device = similarity.a.device
    return Edges(*(torch.from_numpy(each).to(device) for each in (columns, values, there)))


def _sparse_matching(similarity: Similarity) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Rows, columns and values of a matching over every token's nearest counterparts, for a batch of one pair."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    height, width = similarity.a.shape[1], similarity.b.shape[1]
    nearest = (height, min(NEAREST, width))
    row_column, row_value = similarity.rows.new_empty(nearest), similarity.a.new_empty(nearest)
    column_row = similarity.rows.new_zeros((NEAREST, width))
    column_value = similarity.a.new_full((NEAREST, width), -1.0)
    for rows, block in similarity.blocks():
        row_value[rows], row_column[rows] = block[0].topk(nearest[1], dim=1)
        value, row = block[0].topk(min(NEAREST, block.shape[1]), dim=0)
        value, order = _stacked(column_value, value).topk(NEAREST, dim=0)
        column_row.copy_(_stacked(column_row, row + rows.start).gather(0, order))
        column_value.copy_(value)
    # Each row has its own dummy counterpart with almost no value, so that there is always a full matching.
    own = np.arange(height)
    lefts, rights = [own, np.repeat(own, nearest[1])], [own + width, row_column.flatten().cpu().numpy()]
    weights = [np.full(height, 1e-6, np.float32), row_value.flatten().cpu().numpy()]
    positive = (column_value > 0).cpu().numpy()
    lefts.append(column_row.cpu().numpy()[positive])
    rights.append(np.broadcast_to(np.arange(width), positive.shape)[positive])
    weights.append(column_value.cpu().numpy()[positive])
    left, right, weight = (np.concatenate(each) for each in (lefts, rights, weights))
    _, first = np.unique(left * (width + height) + right, return_index=True)
    first = first[weight[first] > 0]
    graph = coo_array((weight[first].astype(np.float64), (left[first], right[first])), (height, width + height)).tocsr()
    left, right = min_weight_full_bipartite_matching(graph, maximize=True)
    real = right < width
    return left[real], right[real], np.asarray(graph[left[real], right[real]], np.float32).ravel()


def _stacked(above: Tensor, below: Tensor) -> Tensor:
    import torch

    return torch.cat([above, below])


def _index(vectors: Tensor) -> Tensor:
    import torch

    return torch.arange(vectors.shape[1], device=vectors.device)


def _row_mask(vectors: Tensor, lengths: Tensor) -> Tensor:
    """Which rows of padded vectors are a pair's: [pairs, rows]."""
    return _index(vectors) < lengths[:, None]


def _positions(vectors: Tensor, lengths: Tensor) -> Tensor:
    """Relative positions, 0 the first and 1 the last of each pair: [pairs, rows]."""
    return _index(vectors) / (lengths[:, None] - 1).clamp(min=1)


def _matched_columns(similarity: Similarity, edges: Edges) -> Tensor:
    """Which columns have an edge: [pairs, columns]."""
    taken = similarity.column_there.new_zeros(similarity.column_there.shape).int()
    return taken.scatter_add(1, edges.column, edges.there.int()) > 0


def _entropy(total: Tensor, logs: Tensor, length: Tensor) -> Tensor:
    """Entropy from the sums of s and of s log s, over the logarithm of the number of cells; 0 if there is nothing."""
    total = total.clamp(min=1e-300)
    return (total.log() - logs / total) / length[:, None].clamp(min=2).log()
