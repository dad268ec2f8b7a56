"""The scorer of spans: trained on sentences, it finds the span."""

import pickle

import numpy as np
import pytest

from assist.methods.entailment.span_training import Scorer, train


def made(count: int, seed: int) -> tuple[list[np.ndarray], list[bool], list[int]]:
    """Sentences of two to six spans; one of those that are not entailed has a span with a high first value."""
    random = np.random.default_rng(seed)
    sentences, labels, positions = [], [], []
    for number in range(count):
        states = random.normal(size=(int(random.integers(2, 7)), 8)).astype(np.float32)
        states[:, 0] = random.normal(scale=0.3, size=len(states))
        position = int(random.integers(len(states)))
        if number % 2:
            states[position, 0] += 3.0
        sentences.append(states)
        labels.append(bool(number % 2))
        positions.append(position)
    return sentences, labels, positions


def trained(seed: int = 0) -> Scorer:
    sentences, labels, _ = made(200, 1)
    return train(sentences, labels, 30, seed, lambda done, total: None)


def test_spans_are_found_by_labels_of_sentences() -> None:
    scorer = trained()
    sentences, labels, positions = made(100, 2)
    right = 0
    for states, label, position in zip(sentences, labels, positions, strict=True):
        scores = scorer.scores(states)
        assert scores.shape == (len(states),) and scores.min() >= 0 and scores.max() <= 1
        right += (scores.max() > 0.5) == label
        if label:
            assert int(np.argmax(scores)) == position
    assert right >= 95


def test_the_same_seed_gives_the_same_and_a_scorer_survives_a_file() -> None:
    states = made(1, 3)[0][0]
    one, other = trained(), trained()
    assert one.scores(states).tolist() == other.scores(states).tolist()
    assert pickle.loads(pickle.dumps(one)).scores(states).tolist() == one.scores(states).tolist()
    assert trained(seed=1).scores(states).tolist() != one.scores(states).tolist()


def test_scores_are_those_of_two_layers() -> None:
    scorer = Scorer(
        np.array([1.0, 0.0], np.float32),
        np.array([2.0, 1.0], np.float32),
        np.array([[1.0, 0.0], [0.0, -1.0]], np.float32),
        np.array([0.0, 0.5], np.float32),
        np.array([2.0, 1.0], np.float32),
        -1.0,
    )
    # (3 - 1) / 2 = 1; tanh(1) = 0.76159; tanh(-0.5 + 0.5) = 0; 2 · 0.76159 - 1 = 0.52319; its logistic: 0.62789.
    assert scorer.scores(np.array([[3.0, 0.5]], np.float32)).tolist() == pytest.approx([0.62789], abs=1e-4)


def test_every_epoch_is_told() -> None:
    told: list[tuple[int, int]] = []
    sentences, labels, _ = made(10, 1)
    train(sentences, labels, 3, 0, lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]
