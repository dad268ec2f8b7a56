"""IBM model 1 against a case worked by hand."""

import numpy as np
import pytest

from assist.methods.wordmodel.word_model import train


def ids(*numbers: int) -> np.ndarray:
    return np.array(numbers, dtype=np.int64)


def test_one_round_by_hand() -> None:
    # 'the house / das Haus', 'the / das'; no null, no diagonal. At the start t(f|e) is 1/2 for 'the' (das, Haus),
    # 1/2 for 'house'. Expected counts: das-the 1/2 + 1, Haus-the 1/2, das-house 1/2, Haus-house 1/2.
    beads = [(ids(0, 1), ids(0, 1)), (ids(0), ids(0))]
    model = train(beads, 2, 2, diagonal=0.0, null=0.0, rounds=1)
    assert model.forward.toarray() == pytest.approx(np.array([[0.75, 0.25], [0.5, 0.5]]))


def test_two_rounds_by_hand() -> None:
    # das is explained by 'the' with .75 / (.75 + .5) = .6, Haus by 'the' with .25 / (.25 + .5) = 1/3.
    beads = [(ids(0, 1), ids(0, 1)), (ids(0), ids(0))]
    model = train(beads, 2, 2, diagonal=0.0, null=0.0, rounds=2)
    the = np.array([1.6, 1 / 3]) / (1.6 + 1 / 3)
    house = np.array([0.4, 2 / 3]) / (0.4 + 2 / 3)
    assert model.forward.toarray() == pytest.approx(np.array([the, house]), rel=1e-5)


def test_words_find_their_translation_in_both_directions() -> None:
    rng = np.random.default_rng(1)
    beads = [(words, words.copy()) for words in (rng.permutation(12)[:5].astype(np.int64) for _ in range(60))]
    model = train(beads, 12, 12, diagonal=0.0, null=0.1)
    for table in (model.forward.toarray(), model.backward.toarray()):
        assert (table.argmax(axis=1) == np.arange(12)).all()
        assert table.diagonal().min() > 0.8
    assert (model.either.toarray() == np.maximum(model.forward.toarray(), model.backward.toarray())).all()


def test_the_diagonal_settles_what_counts_cannot() -> None:
    beads = [(ids(0, 1), ids(0, 1))]
    even = train(beads, 2, 2, diagonal=0.0, null=0.1).forward.toarray()
    leaning = train(beads, 2, 2, diagonal=3.0, null=0.1).forward.toarray()
    assert even == pytest.approx(np.full((2, 2), 0.5))
    assert leaning.diagonal().min() > 0.9


def test_nothing_to_learn_from_is_an_empty_table() -> None:
    model = train([(ids(), ids(1))], 3, 2, diagonal=3.0, null=0.3)
    assert model.forward.shape == (3, 2)
    assert model.either.nnz == 0


def test_a_long_passage_is_cut_along_its_diagonal() -> None:
    words = np.arange(1000, dtype=np.int64)
    model = train([(words, words)], 1000, 1000, diagonal=3.0, null=0.3, rounds=1)
    assert model.forward.nnz < 1000 * 1000 / 10
    assert model.forward[0, 0] > 0 and model.forward[999, 999] > 0 and model.forward[0, 999] == 0
