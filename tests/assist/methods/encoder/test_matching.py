"""The matrix rules against the simalign package's own, on random matrices, and in blocks as in one piece."""

from typing import Any

import numpy as np
import pytest
import torch

from assist.methods.encoder.matching import (
    Edges,
    Similarity,
    best,
    doubt,
    entropies,
    itermax,
    match,
    mutual,
)

SIZES = [(1, 1), (1, 4), (2, 5), (3, 3), (5, 2), (7, 12), (20, 9), (30, 31)]


def batch(seed: int, cells: int = 1 << 22, distortion: float = 0.0) -> tuple[Similarity, list[np.ndarray[Any, Any]]]:
    """A padded batch of pairs of every size, and the package's similarity matrix of each."""
    from simalign import SentenceAligner

    generator = np.random.default_rng(seed)
    vectors = [[generator.normal(size=(size, 8)).astype(np.float32) for size in sizes] for sizes in SIZES]
    matrices = [
        SentenceAligner.apply_distortion(SentenceAligner.get_similarity(left, right), distortion)
        for left, right in vectors
    ]
    sides = []
    for side in range(2):
        unit = [torch.from_numpy(each[side] / np.linalg.norm(each[side], axis=1, keepdims=True)) for each in vectors]
        sides.append(torch.nn.utils.rnn.pad_sequence(unit, batch_first=True, padding_value=0.3))
    lengths = [torch.tensor([sizes[side] for sizes in SIZES]) for side in range(2)]
    return Similarity(sides[0], sides[1], lengths[0], lengths[1], distortion, cells), matrices


def as_matrix(edges: list[Edges], pair: int) -> np.ndarray[Any, Any]:
    rows, columns = SIZES[pair]
    result = np.zeros((rows, columns))
    for each in edges:
        for row in np.flatnonzero(each.there[pair].numpy()):
            result[row, int(each.column[pair, row])] += 1
    return result


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("distortion", [0.0, 0.7])
def test_argmax_is_the_packages(seed: int, distortion: float) -> None:
    from simalign import SentenceAligner

    similarity, matrices = batch(seed, distortion=distortion)
    edges = mutual(similarity, best(similarity))
    for pair, matrix in enumerate(matrices):
        forward, backward = SentenceAligner.get_alignment_matrix(matrix)
        assert (as_matrix([edges], pair) == forward * backward).all()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("distortion", [0.0, 0.7])
@pytest.mark.parametrize("rounds", [2, 4])
def test_itermax_is_the_packages(seed: int, distortion: float, rounds: int) -> None:
    from simalign import SentenceAligner

    similarity, matrices = batch(seed, distortion=distortion)
    edges = itermax(similarity, best(similarity), rounds)
    for pair, matrix in enumerate(matrices):
        assert (as_matrix(edges, pair) == SentenceAligner.iter_max(matrix, rounds)).all()
    for each in edges:
        for pair, row in each.there.nonzero().tolist():
            assert each.value[pair, row] == pytest.approx(matrices[pair][row, each.column[pair, row]], abs=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_match_is_the_packages(seed: int) -> None:
    from simalign import SentenceAligner

    similarity, matrices = batch(seed)
    edges = match(similarity)
    for pair, matrix in enumerate(matrices):
        assert (as_matrix([edges], pair) == SentenceAligner.get_max_weight_match(matrix)).all()


def test_a_matching_over_the_nearest_finds_what_one_over_all_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = torch.Generator().manual_seed(3)
    a = torch.nn.functional.normalize(torch.randn(1, 300, 16, generator=generator), dim=2)
    b = torch.nn.functional.normalize(a[:, torch.randperm(300, generator=generator)][:, :250] + 0.1, dim=2)
    lengths = torch.tensor([300]), torch.tensor([250])
    whole = match(Similarity(a, b, *lengths))
    monkeypatch.setattr("assist.methods.encoder.matching.DENSE", 1000)
    sparse = match(Similarity(a, b, *lengths, cells=20_000))
    assert float(sparse.value[sparse.there].sum()) == pytest.approx(float(whole.value[whole.there].sum()), rel=1e-3)
    taken = sparse.column[sparse.there].tolist()
    assert len(taken) == len(set(taken)) > 240


@pytest.mark.parametrize("cells", [1, 300, 2000])
def test_blocks_of_rows_give_what_the_whole_gives(cells: int) -> None:
    whole, blocks = batch(1, distortion=0.5)[0], batch(1, cells, distortion=0.5)[0]
    assert len(list(blocks.blocks())) > 1
    for left, right in zip(itermax(whole, best(whole), 3), itermax(blocks, best(blocks), 3), strict=True):
        assert torch.equal(left.there, right.there)
        assert torch.equal(left.column[left.there], right.column[right.there])
    assert torch.equal(match(whole).there, match(blocks).there)
    for left_entropy, right_entropy in zip(entropies(whole), entropies(blocks), strict=True):
        assert torch.allclose(left_entropy, right_entropy)


def test_entropies_are_those_of_rows_and_columns_made_to_sum_to_one() -> None:
    from scipy.stats import entropy

    similarity, matrices = batch(2)
    row, column = entropies(similarity)
    for pair, matrix in enumerate(matrices):
        rows, columns = matrix.shape
        if min(rows, columns) > 1:
            assert np.allclose(row[pair, :rows], entropy(matrix, axis=1) / np.log(columns))
            assert np.allclose(column[pair, :columns], entropy(matrix, axis=0) / np.log(rows))


def test_an_edge_is_in_doubt_by_the_clearer_of_its_two_tokens_and_never_in_a_small_matrix() -> None:
    similarity, matrices = batch(4)
    edges = [mutual(similarity, best(similarity))]
    row, column = entropies(similarity)
    (found,) = doubt(similarity, edges)
    for pair, matrix in enumerate(matrices):
        for at in np.flatnonzero(edges[0].there[pair].numpy()):
            smaller = min(row[pair, at], column[pair, int(edges[0].column[pair, at])])
            assert found[pair, at] == (0 if min(matrix.shape) <= 2 else smaller)


def test_ties_go_to_the_first() -> None:
    same = torch.ones(1, 4, 1)
    similarity = Similarity(same, same, torch.tensor([4]), torch.tensor([4]), cells=4)
    found = best(similarity)
    assert found.column.tolist() == found.row.tolist() == [[0, 0, 0, 0]]
    assert mutual(similarity, found).there.tolist() == [[True, False, False, False]]
