"""SLR-NLI as a method: spans learned from sentences, out of fold, and what is used while labels are too few."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from assist.methods import slr_nli
from assist.methods.base import MethodError, PairInput, TextSide, create
from assist.methods.entailment import span_training
from assist.methods.slr_nli import UNTRAINED, SlrNli
from assist.methods.wordmodel import folds
from tests.assist.methods.texts import side as of_text
from tests.assist.methods.tiny import side
from tests.assist.methods.tiny_nli import PLANTED, WORDS


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Threads cost more than they gain with tiny models."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def method(tiny_nli: Callable[[], str], tiny: Callable[[str], str]) -> Callable[..., SlrNli]:
    def make(**settings: Any) -> SlrNli:
        usual = {"model": tiny_nli(), "aligner": tiny("bert"), "least": 40, "folds": 3, "epochs": 30}
        made = create("slr-nli", usual | settings)
        assert isinstance(made, SlrNli)
        return made

    return make


def documents(count: int, seed: int = 1, **more: Any) -> list[PairInput]:
    """Pairs of two sentences in B; the second of every second has the planted word, and 'the' before it."""
    dice = random.Random(seed)
    pairs = []
    for number in range(count):
        a, b, c = dice.choices(WORDS, k=7), dice.choices(WORDS, k=6), dice.choices(WORDS, k=6)
        for words in (b, c):
            words[0] = words[3] = "the"
        if number % 2:
            c[4] = PLANTED
        text = [*b, *c]
        gold = [float(word == PLANTED) for word in text]
        pairs.append(PairInput(f"p{number}", side(a), side(text, "en", 6), None, gold, **more))
    return pairs


def apart(pairs: list[PairInput], scores: list[list[float]]) -> float:
    """How much higher the planted words score than those of other spans."""
    values = np.concatenate(scores)
    words = [word for pair in pairs for word in pair.b.words()]
    planted = np.array([word == PLANTED for word in words])
    return float(values[planted].mean() - values[~planted].mean())


def test_spans_are_learned_from_sentences_and_found_in_documents_that_were_not_seen(
    method: Callable[..., SlrNli],
) -> None:
    chosen, known = method(), documents(60)
    other = [replace(pair, gold_b=None) for pair in documents(20, seed=2)]
    model = chosen.fit([*known, *other])
    assert len(model.scorers) == 3 and model.documents == 60 and model.sentences == 120
    results = chosen.predict(model, [*known, *other])
    assert apart(known, [each.scores_b for each in results[:60]]) > 0.5
    assert apart(other, [each.scores_b for each in results[60:]]) > 0.5
    report = chosen.report(model)
    assert report["right"] > 0.9 and report["sentences"] == 120 and "training" not in report
    suggested = sum(
        PLANTED in pair.b.words()[low:high]
        for pair, result in zip(known, results, strict=False)
        for each in result.proposals
        for low, high in each.b
    )
    assert suggested >= 24


def test_a_labelled_document_is_scored_by_the_fold_that_has_not_seen_it(
    method: Callable[..., SlrNli], monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen, known = method(epochs=2), documents(24)
    seen: list[int] = []
    train = span_training.train

    def watched(states: Any, labels: Any, *rest: Any) -> Any:
        seen.append(len(states))
        return train(states, labels, *rest)

    monkeypatch.setattr("assist.methods.slr_nli.train", watched)
    model = chosen.fit(known)
    of_fold = [folds.own_fold(model.fold_of, pair) for pair in known]
    assert set(of_fold) == {0, 1, 2}
    assert seen == [2 * sum(fold != number for fold in of_fold) for number in range(3)]
    results = chosen.predict(model, known)
    for fold in range(3):
        # The scores are those of a model that has the fold's scorer alone.
        alone = replace(model, scorers=(model.scorers[fold],), fold_of={})
        for own, result, again in zip(of_fold, results, chosen.predict(alone, known), strict=True):
            if own == fold:
                assert result.scores_b == pytest.approx(again.scores_b, abs=1e-5)
    strangers = [replace(pair, gold_b=None) for pair in documents(3, seed=7)]
    each = [
        chosen.predict(replace(model, scorers=(scorer,), fold_of={}), strangers)[0].scores_b for scorer in model.scorers
    ]
    assert len(each) == 3 and chosen.predict(model, strangers)[0].scores_b != each[0]


def test_nothing_is_learned_from_test_documents(method: Callable[..., SlrNli]) -> None:
    known = documents(24)
    tests = [replace(pair, id=f"t{pair.id}", gold_b=[1.0] * 12) for pair in documents(24, seed=3, split="test")]
    one, other = method(epochs=2).fit(known), method(epochs=2).fit([*known, *tests])
    assert one.bars == other.bars and one.documents == other.documents == 24


def test_with_few_labelled_sentences_the_model_judges_each_span(method: Callable[..., SlrNli]) -> None:
    chosen, known = method(least=1000), documents(20)
    model = chosen.fit(known)
    assert model.scorers == () and model.sentences == 40 and model.bars.curve
    report = chosen.report(model)
    assert report["training"] == (
        "not trained: 40 sentences are labelled, 1000 are needed, with something new in some of them"
    )
    results = chosen.predict(model, known)
    assert apart(known, [each.scores_b for each in results]) > 0.5
    # A sentence without the planted word is entailed: so is every span of it.
    first = [score for result in results for score in result.scores_b[:6]]
    assert np.mean(np.array(first) < 0.5) > 0.95


def test_thresholds_without_labels_and_one_that_is_set(method: Callable[..., SlrNli]) -> None:
    plain = [replace(pair, gold_b=None) for pair in documents(4)]
    assert method().fit(plain).bars.threshold == UNTRAINED == 0.5
    assert method(threshold=0.2).fit(plain).bars.threshold == 0.2
    assert method(threshold=0.2, epochs=1).fit(documents(30)).bars.threshold == 0.2
    assert method(threshold=0.2, least=1000).fit(documents(30)).bars.threshold == 0.2


def test_sentences_of_one_kind_alone_teach_nothing(method: Callable[..., SlrNli]) -> None:
    known = [replace(pair, gold_b=[1.0, *[0.0] * 5, 1.0, *[0.0] * 5]) for pair in documents(30)]
    assert method().fit(known).scorers == ()


def test_labels_of_a_translated_sentence_are_those_of_the_words_aligned_to_it(
    method: Callable[..., SlrNli], monkeypatch: pytest.MonkeyPatch
) -> None:
    german = side(["eins", "zwei", "drei", "vier"], "de", 2)
    english = side(["old", "dog", "new", "house"], "en", 2)
    pair = PairInput("1", side(["the", "cat"]), german, None, [0.0, 1.0, 0.0, 0.0], translations_b=[english])
    chosen = method()
    # 'zwei', which is new, is aligned to a word of the translation's second sentence.
    monkeypatch.setattr(SlrNli, "alignments", lambda self, work, progress: {0: [(0, 0), (1, 2), (2, 1), (3, 3)]})
    read = chosen._read(chosen.loaded(), chosen.sides_to_judge([pair], ["b"]), None)
    assert slr_nli._labels([pair], read, 0.5) == [False, True]
    unknown = replace(pair, gold_b=[float("nan"), 1.0, float("nan"), float("nan")])
    assert slr_nli._labels([unknown], read, 0.5) == [None, True]
    # A word has the largest score of the translated words aligned to it.
    ((_, scores),) = chosen._on_words([pair], read, [np.array([0.25]), np.array([0.75])])
    assert scores.tolist() == [0.25, 0.75, 0.25, 0.75]


def test_no_more_sentences_are_trained_on_than_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slr_nli, "MAX_SENTENCES", 3)
    labels = [True, None, False, True, None, False]
    found = slr_nli._sample(labels, 0)
    assert len(found) == 3 and found == sorted(found) and all(labels[at] is not None for at in found)
    assert slr_nli._sample(labels[:3], 0) == [0, 2]


def test_what_cannot_be_read_or_is_beside_an_empty_text(method: Callable[..., SlrNli]) -> None:
    chosen = method()
    model = chosen.fit(documents(24))
    with pytest.raises(MethodError, match="text in de has no translation"):
        chosen.predict(model, [PairInput("f", of_text("Ein Hund.", "de"), of_text("A dog.", "en"))])
    odd = [
        PairInput("e", side(["a", "dog"]), TextSide("en", "", [])),
        PairInput("o", side(["dog", "\u200b"]), side(["cat"])),
    ]
    empty, other = chosen.predict(model, odd)
    assert (empty.scores_a, empty.scores_b) == ([1.0, 1.0], [])
    assert other.scores_a[1] == 0.0


def test_it_may_be_cancelled_while_it_trains(method: Callable[..., SlrNli]) -> None:
    told: list[str] = []

    def stop(done: int, total: int, what: str) -> None:
        told.append(what)
        assert 0 < done <= total
        if what == "training":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        method().fit(documents(24), stop)
    assert told[-1] == "training" and "reading sentences" in told
