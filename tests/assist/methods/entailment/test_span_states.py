"""Spans as an NLI model sees them."""

from collections.abc import Callable

import numpy as np
import pytest

from assist.methods.base import TextSide
from assist.methods.encoder.subwords import Subwords, read
from assist.methods.entailment.model import Entailment, load
from assist.methods.entailment.span_states import (
    Sentence,
    mean_span_states,
    sentences,
    span_probabilities,
    token_scores,
)
from assist.methods.entailment.texts import JudgedSide
from assist.methods.entailment.words import Hypothesis
from tests.assist.methods.tiny import side

Found = list[tuple[Sentence, Hypothesis]]


@pytest.fixture(scope="module")
def model(tiny_nli: Callable[[], str]) -> Entailment:
    return load(tiny_nli(), None, "cpu")


def given(model: Entailment, premise: str, text: str, per_sentence: int = 0) -> tuple[Found, list[Subwords]]:
    sides: list[TextSide] = [side(premise.split()), side(text.split(), "en", per_sentence)]
    premises, texts = ([each] for each in read(model.tokenizer, sides, "sentence", "text"))
    return sentences([JudgedSide(0, "b", sides[1], *sides)], premises, texts), texts


def test_sentences_are_cut_into_constituents(model: Entailment) -> None:
    found, _ = given(model, "the old dog runs .", "the dogs see a cat . new house", 6)
    assert [sentence for sentence, _ in found] == [
        Sentence(0, (0, 6), ((0, 3), (3, 6))),
        Sentence(0, (6, 8), ((6, 8),)),
    ]
    assert found[0][0].spans == [(0, 3), (3, 6), (0, 6)]


def test_a_span_is_represented_by_the_mean_of_its_subwords(model: Entailment) -> None:
    found, texts = given(model, "the old dog runs .", "the dogs see a cat . new house", 6)
    first, second = mean_span_states(model, found, texts)
    for unit, states, spans in (
        ((0, 7), first, [(0, 4), (4, 7), (0, 7)]),  # 'dogs' has two subwords
        ((7, 9), second, [(0, 2)]),
    ):
        ((_, _, hidden),) = model.states([(found[0][1].premise, texts[0].ids[slice(*unit)])])
        wanted = np.stack([hidden[low:high].mean(axis=0) for low, high in spans])
        assert states == pytest.approx(wanted, abs=1e-4)


def test_of_a_long_premise_the_window_that_supports_the_sentence_represents_it(model: Entailment) -> None:
    filler = "the old dog runs . " * 20
    found, texts = given(model, filler + "water .", "a dog sees water .")
    (states,) = mean_span_states(model, found, texts)
    each = found[0][1]
    # 31 subwords of the premise and 5 of the sentence fit; the last window alone has the word that supports it.
    last = each.premise[-(model.room - len(each.ids)) :]
    ((_, margin, hidden),) = model.states([(last, each.ids)])
    ((_, before, _),) = model.states([(each.premise[: len(last)], each.ids)])
    assert margin < 0 < before
    first = [at for at, owner in zip(texts[0].owned, texts[0].owner, strict=True) if owner < found[0][0].parts[0][1]]
    assert states[0] == pytest.approx(hidden[first].mean(axis=0), abs=1e-3)


def test_each_span_is_judged_by_itself(model: Entailment) -> None:
    found, texts = given(model, "the old dog runs .", "the dogs see a cat the water runs")
    (scores,) = span_probabilities(model, found, texts)
    sentence, each = found[0]
    assert sentence.parts == ((0, 3), (3, 5), (5, 8))
    ids = texts[0].ids
    for score, (low, high) in zip(scores.tolist(), [(0, 4), (4, 6), (6, 9), (0, 6), (4, 9)], strict=True):
        margin = model.margins([(each.premise, ids[low:high])])[0]
        assert score == pytest.approx(1 / (1 + np.exp(-margin)), abs=1e-4)
    assert min(scores[2], scores[4]) > 0.5 > max(scores[[0, 1, 3]])


def test_a_token_has_the_largest_score_of_its_spans() -> None:
    sentence = Sentence(1, (2, 6), ((2, 3), (3, 5), (5, 6)))
    found = token_scores([sentence], [np.array([0.1, 0.2, 0.3, 0.5, 0.25])], [2, 7])
    assert [each.tolist() for each in found] == [[0.0, 0.0], [0.0, 0.0, 0.5, 0.5, 0.5, 0.3, 0.0]]
