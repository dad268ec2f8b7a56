"""From subwords to words, over sentences and windows."""

from collections.abc import Callable

import numpy as np
import pytest

from assist.methods.encoder.subwords import Subwords, read
from assist.methods.entailment.model import Entailment, load
from assist.methods.entailment.words import best_premise_windows, hypotheses, row, sum_by_word, word_attributions
from tests.assist.methods.tiny import side


@pytest.fixture(scope="module")
def model(tiny_nli: Callable[[], str]) -> Entailment:
    return load(tiny_nli(), None, "cpu")


def texts(model: Entailment, *words: str, per_sentence: int = 0) -> list[Subwords]:
    return read(model.tokenizer, [side(each.split(), "en", per_sentence) for each in words], "sentence", "text")


def test_a_words_attribution_is_the_sum_over_its_subwords() -> None:
    # Subwords 0 and 1 are of word 0, 2 of none, 3 of words 1 and 2; word 3 has none.
    text = Subwords(np.arange(4), [(0, 4)], np.array([0, 1, 3, 3]), np.array([0, 0, 1, 2]), 4)
    assert sum_by_word(text, np.array([0.25, -1.0, 8.0, 0.5])).tolist() == [-0.75, 0.25, 0.25, 0.0]


def test_every_sentence_is_a_hypothesis_with_the_whole_other_text(model: Entailment) -> None:
    premise, text = texts(model, "the old dog runs . a cat", "dogs see water . new house", per_sentence=4)
    found = hypotheses([premise], [text])
    assert [len(each.premise) for each in found] == [len(premise.ids)] * 2 == [7, 7]
    assert [model.tokenizer.convert_ids_to_tokens(each.ids.tolist()) for each in found] == [
        ["dog", "##s", "see", "water", "."],
        ["new", "house"],
    ]
    assert [(each.start, each.unit) for each in found] == [(0, 0), (5, 1)]
    (empty,) = texts(model, "")
    assert hypotheses([empty, premise], [text, empty]) == []


def test_words_get_the_attributions_of_their_sentence_alone(model: Entailment) -> None:
    premise, text = texts(model, "the old dog runs . a cat", "dogs see water . new house", per_sentence=4)
    (found,) = word_attributions(model, [premise], [text], 30, "texts")
    assert len(found) == text.words == 6 and int(np.argmax(found)) == 2
    for unit, words in (((0, 5), [0, 0, 1, 2, 3]), ((5, 7), [4, 5])):
        ((_, own),) = model.attributions([(premise.ids, text.ids[slice(*unit)])], 30, "texts")
        wanted = np.bincount(words, own)[min(words) :]
        assert found[min(words) : max(words) + 1] == pytest.approx(wanted, abs=1e-4)


def test_of_a_long_premise_the_window_that_supports_the_sentence_counts(model: Entailment) -> None:
    filler = "the old dog runs . " * 20
    without, early, late, text = texts(model, filler, "water . " + filler, filler + " water .", "a dog sees water .")
    found = hypotheses([without, early, late], [text] * 3)
    windows = best_premise_windows(model, found)
    margins = [parts[0][1] for parts in windows]
    assert margins[0] > 0 > max(margins[1:])
    for each, ((window, margin),) in zip(found, windows, strict=True):
        assert model.margins([row(each.premise, each.ids, window)])[0] == pytest.approx(margin, abs=1e-4)
    water = model.tokenizer.convert_tokens_to_ids("water")
    for each, ((window, _),) in list(zip(found, windows, strict=True))[1:]:
        assert water in each.premise[slice(*window.premise)]
    high, low, other = word_attributions(model, [without, early, late], [text] * 3, 30, "hypothesis")
    assert high[3] > 3 > 0.5 > max(low[3], other[3]) and int(np.argmax(high)) == 3


def test_a_sentence_longer_than_the_model_reads_is_judged_in_parts(model: Entailment) -> None:
    premise, text = texts(model, "the old dog runs .", "the old dog runs " * 20 + "water " + "a cat runs . " * 15)
    told: list[tuple[int, int]] = []
    (found,) = word_attributions(model, [premise], [text], 30, "texts", lambda done, total: told.append((done, total)))
    assert len(found) == text.words == 141
    assert int(np.argmax(found)) == 80
    assert told[-1][0] == told[-1][1]
