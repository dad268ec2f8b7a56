"""DiffAlign: the formula, texts of any length, and the published sets it is measured on."""

import json
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from scipy.stats import spearmanr

from annotation.text.sentences import sentences
from assist.methods.base import PairInput, Result, TextSide, create
from assist.methods.encoder import batches, matching
from assist.methods.encoder.encode import load
from assist.methods.shared.proposals import GRADED, SuggestionThresholds, choose_thresholds, propose
from tests.assist.methods.tiny import nonsense, pair, side
from tests.paths import published

MIN_SCORES = {"ists": 74, "ists_negatives": 65, "ists_documents": 56, "ists_permutations": 54}
PLAIN = {"smoothing": 0.0, "context": "document", "reading": "words"}
SINGLE = {"precision": "float32"}


def run(pairs: list[PairInput], **settings: Any) -> list[Result]:
    """In single precision, so that formulas can be checked."""
    chosen = create("diffalign", SINGLE | settings)
    return chosen.predict(chosen.fit(pairs), pairs)


def worked_out(model: str, words: list[list[str]], pooling: str) -> list[list[float]]:
    """The formula, word by word, with transformers alone."""
    encoder = load(model)
    vectors, owners = [], []
    for side_words in words:
        inputs = encoder.tokenizer([side_words], is_split_into_words=True, return_tensors="pt")
        with torch.inference_mode():
            hidden = encoder.model(**inputs).last_hidden_state[0, 1:-1]
        owner = inputs.word_ids()[1:-1]
        if pooling == "embedding":
            chosen = [[at for at, word in enumerate(owner) if word == index] for index in range(len(side_words))]
            hidden, owner = torch.stack([hidden[at].mean(0) for at in chosen]), list(range(len(side_words)))
        vectors.append(torch.nn.functional.normalize(hidden, dim=1))
        owners.append(np.array(owner))
    cosine = (vectors[0] @ vectors[1].T).numpy()
    scores = (1 - cosine.max(1), 1 - cosine.max(0))
    return [
        [float(np.clip(score[owner == word].mean(), 0, 1)) for word in range(len(side_words))]
        for score, owner, side_words in zip(scores, owners, words, strict=True)
    ]


@pytest.mark.parametrize("kind", ["bert", "xlmr", "modern"])
@pytest.mark.parametrize("pooling", ["score", "embedding"])
def test_a_score_is_one_less_the_largest_cosine(tiny: Callable[[str], str], kind: str, pooling: str) -> None:
    given = nonsense(15, 9, seed=3)
    results = run([pair(a, b) for a, b in given], model=tiny(kind), layer=-1, pooling=pooling, **PLAIN)
    for words, result in zip(given, results, strict=True):
        wanted = worked_out(tiny(kind), list(words), pooling)
        assert np.allclose(result.scores_a, wanted[0], atol=1e-5)
        assert np.allclose(result.scores_b, wanted[1], atol=1e-5)


def test_edges_join_words_with_subwords_that_are_each_others_nearest(tiny: Callable[[str], str]) -> None:
    pairs = [pair(a, b) for a, b in nonsense(15, 9, seed=6)]
    aligned = create("simalign-argmax", {"model": tiny("bert"), "layer": 4})
    theirs = aligned.predict(aligned.fit(pairs), pairs)
    assert [each.edges for each in run(pairs, model=tiny("bert"), **PLAIN)] == [each.edges for each in theirs]


def test_identical_texts_differ_nowhere_and_a_text_without_a_counterpart_everywhere(tiny: Callable[[str], str]) -> None:
    same, alone, invisible = run(
        [pair(["dog", "sees", "cat"], ["dog", "sees", "cat"]), pair(["dog"], []), pair(["dog", "\u200b"], ["cat"])],
        model=tiny("bert"),
    )
    assert same.scores_a == pytest.approx([0, 0, 0], abs=1e-5)
    assert same.edges == [(0, 0), (1, 1), (2, 2)]
    assert (alone.scores_a, alone.scores_b, alone.edges) == ([1.0], [], [])
    assert len(invisible.scores_a) == 2
    assert run([], model=tiny("bert")) == []


def test_smoothing_averages_neighbours_within_their_sentence(tiny: Callable[[str], str]) -> None:
    a, b = nonsense(3, 30, seed=8)[1]
    given = [PairInput("p", side(a, per_sentence=4), side(b, per_sentence=4))]
    (raw,) = run(given, model=tiny("bert"), smoothing=0.0)
    (smooth,) = run(given, model=tiny("bert"), smoothing=1.5)
    for scores, found in ((raw.scores_a, smooth.scores_a), (raw.scores_b, smooth.scores_b)):
        for low in range(0, len(scores), 4):
            part = np.array(scores[low : low + 4])
            weights = np.exp(-0.5 * (np.subtract.outer(np.arange(len(part)), np.arange(len(part))) / 1.5) ** 2)
            assert np.allclose(found[low : low + 4], weights @ part / weights.sum(axis=1))


def test_sentences_are_read_apart(tiny: Callable[[str], str]) -> None:
    a, b = ["dog", "cat", "house"], ["new", "dog", "old"]
    apart = PairInput("1", side([*a, *b], per_sentence=3), side(a))
    (joined,) = run([apart], model=tiny("bert"), smoothing=0.0, context="document")
    (split,) = run([apart], model=tiny("bert"), smoothing=0.0)
    assert split.scores_a[:3] == pytest.approx([0, 0, 0], abs=1e-5)
    assert max(joined.scores_a[:3]) > 0.01


def test_documents_of_any_length_are_compared_in_blocks(
    tiny: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = (words * 12 for words in nonsense(1, 400, seed=5)[0])
    given = [PairInput("p", side(a, per_sentence=12), side(b, per_sentence=12))]
    (whole,) = run(given, model=tiny("bert"))
    monkeypatch.setitem(batches.CELLS, "cpu", 50_000)
    shapes = []
    compare = matching.Similarity._block

    def spied(self: Any, rows: slice) -> Any:
        shapes.append(compare(self, rows).numel())
        return compare(self, rows)

    monkeypatch.setattr(matching.Similarity, "_block", spied)
    (blocks,) = run(given, model=tiny("bert"))
    assert len(shapes) > 10
    assert max(shapes) <= 50_000 < len(a) * len(b)
    assert np.allclose(whole.scores_a + whole.scores_b, blocks.scores_a + blocks.scores_b, atol=1e-5)
    assert len(blocks.scores_a) == len(a)


def test_a_plain_masked_language_model_is_left_before_its_last_layer(tiny: Callable[[str], str]) -> None:
    chosen = create("diffalign", {"model": tiny("bert")})
    encoder = load(tiny("bert"))
    assert chosen.default_layer(encoder) == 4  # type: ignore[attr-defined]
    encoder.config.architectures = ["BertForMaskedLM"]
    try:
        assert chosen.default_layer(encoder) == 3  # type: ignore[attr-defined]
    finally:
        encoder.config.architectures = ["BertModel"]


def test_progress_counts_pairs_and_seconds_are_shared_out(
    tiny: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(batches.BATCH_WORDS, "cpu", 40)
    pairs = [pair(a, b, str(index)) for index, (a, b) in enumerate(nonsense(12, 20, seed=1))]
    chosen = create("diffalign", {"model": tiny("bert")})
    seen: list[tuple[int, int]] = []
    results = chosen.predict(chosen.fit(pairs), pairs, lambda done, total, _: seen.append((done, total)))
    assert [result.id for result in results] == [str(index) for index in range(12)]
    assert len(seen) > 2
    assert seen[-1] == (12, 12)
    assert all(result.seconds > 0 for result in results)


def test_proposals_are_runs_above_a_threshold_that_labelled_pairs_choose(tiny: Callable[[str], str]) -> None:
    words = nonsense(40, 20, seed=7)
    plain = [pair(a, b, str(index)) for index, (a, b) in enumerate(words)]
    bar = 0.3
    results = run(plain, model=tiny("bert"), threshold=bar)
    for each, result in zip(plain, results, strict=True):
        assert result.proposals == propose(
            each, result.scores_a, result.scores_b, SuggestionThresholds(bar, bar, float("inf"))
        )
    golds = [
        {"gold_a": [float(score >= bar) for score in each.scores_a], "gold_b": [0.0 for _ in each.scores_b]}
        for each in results
    ]
    chosen = create("diffalign", {"model": tiny("bert")} | SINGLE)
    known = [pair(a, b, str(index), **golds[index]) for index, (a, b) in enumerate(words)]
    scores = [(np.array(each.scores_a), np.array(each.scores_b)) for each in results]
    wanted = choose_thresholds(known, scores, GRADED).threshold
    assert wanted < 1
    assert chosen.report(chosen.fit(known))["threshold"] == pytest.approx(wanted, abs=1e-4)
    test = [pair(a, b, str(index), **golds[index], split="test") for index, (a, b) in enumerate(words)]
    share = choose_thresholds(plain, scores, GRADED).threshold
    assert chosen.report(chosen.fit(test))["threshold"] == pytest.approx(share, abs=1e-4)


@pytest.mark.data
@pytest.mark.long
@pytest.mark.takes(30)
def test_the_english_sets_are_scored_as_well_as_promised() -> None:
    truth: dict[str, list[tuple[PairInput, list[float]]]] = defaultdict(list)
    for line in published("ists", "gold_en.jsonl").read_text().splitlines():
        row = json.loads(line)
        a, b = (_split(row[f"text_{each}"]) for each in "ab")
        truth[row["subset"]].append((PairInput(row["id"], a, b), row["labels_a"] + row["labels_b"]))
    for subset, least in MIN_SCORES.items():
        pairs = [each for each, _ in truth[subset][::2]]
        chosen = create("diffalign")
        results = chosen.predict(chosen.fit(pairs), pairs)
        found = np.concatenate([result.scores_a + result.scores_b for result in results])
        gold = np.concatenate([labels for _, labels in truth[subset][::2]])
        known = gold >= 0
        assert 100 * spearmanr(found[known], gold[known]).statistic >= least, subset


def _split(text: str) -> TextSide:
    words = side(text.split())
    return TextSide("en", text, words.tokens, sentences(text, "en"))
