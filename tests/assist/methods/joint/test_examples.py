"""Training examples made of labelled pairs."""

import numpy as np
import pytest

from assist.methods.encoder.subwords import Subwords
from assist.methods.joint.examples import Example, ExampleCounts, Sentence, epoch, sentences

NAN = float("nan")


def sentence(number: int, value: float = 0.5) -> Sentence:
    return np.array([number, number + 100]), np.array([value, NAN])


def document(*numbers: int) -> Example:
    return Example(tuple(map(sentence, numbers)), tuple(sentence(-number) for number in numbers))


def first(side: tuple[Sentence, ...]) -> list[int]:
    return [int(ids[0]) for ids, _ in side]


def made(documents: list[Example], seed: int = 0, **mix: float) -> list[Example]:
    chosen = ExampleCounts(int(mix.get("permutations", 0)), int(mix.get("joined", 1)), mix.get("negatives", 0.0))
    return epoch(documents, chosen, np.random.default_rng(seed))


def test_a_subword_has_the_value_of_its_word_and_the_largest_of_several() -> None:
    text = Subwords(np.arange(5), [(0, 3), (3, 5)], np.array([0, 1, 2, 2, 4]), np.array([0, 0, 1, 2, 3]), words=4)
    one, two = sentences(text, [0.2, 0.4, 0.9, NAN])
    assert one[0].tolist() == [0, 1, 2] and two[0].tolist() == [3, 4]
    assert one[1] == pytest.approx([0.2, 0.2, 0.9])
    assert np.isnan(two[1]).all()
    assert all(np.isnan(values).all() for _, values in sentences(text, None))


def test_a_document_is_there_as_it_is_and_permuted_on_one_side() -> None:
    given, single = document(1, 2, 3, 4), document(9)
    found = made([given, single], permutations=3)
    assert found[0] is given and found[1] is single
    assert len(found) == 2 + 3
    for each in found[2:]:
        assert sorted(first(each.a)) == [1, 2, 3, 4] and sorted(first(each.b)) == [-4, -3, -2, -1]
        assert first(each.a) == [1, 2, 3, 4] or first(each.b) == [-1, -2, -3, -4]
        for ids, values in (*each.a, *each.b):
            # Values move with their sentence.
            assert ids[1] == ids[0] + 100 and values[0] == 0.5


def test_short_documents_are_joined_each_once() -> None:
    found = made([document(number) for number in range(1, 12)] + [document(20, 21, 22)], joined=3)
    whole = list(found[12:])
    assert all(2 <= len(each.a) <= 3 or each is whole[-1] for each in whole)
    of_a = [number for each in whole for number in first(each.a)]
    assert len(set(of_a)) == len(of_a) >= 10 and 20 not in of_a
    assert all(first(each.b) == [-number for number in first(each.a)] for each in whole)


def test_texts_beside_themselves_differ_nowhere() -> None:
    found = made([document(number) for number in range(1, 11)], negatives=0.5)[10:]
    assert len(found) == 5
    for each in found:
        assert first(each.a) == first(each.b)
        assert all((values == 0).all() for _, values in (*each.a, *each.b))


def test_other_epochs_have_other_permutations_and_the_same_seed_the_same() -> None:
    given = [document(*range(1, 8))]
    one, same, other = (
        [(first(each.a), first(each.b)) for each in made(given, seed, permutations=2)] for seed in (1, 1, 2)
    )
    assert one == same != other


def test_what_is_empty_is_no_example() -> None:
    empty = Example((), ())
    assert made([empty, document(1)], permutations=2, joined=5, negatives=1.0)
    assert all(each.size for each in made([empty, document(1)], permutations=2, joined=5, negatives=1.0))
