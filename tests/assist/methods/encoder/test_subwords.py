from collections.abc import Callable

import pytest

from assist.methods.base import TextSide
from assist.methods.encoder.pretrained import load_encoder
from assist.methods.encoder.subwords import Subwords, read, units
from tests.assist.methods.tiny import side


def owners(text: Subwords) -> list[list[int]]:
    """The subwords of each word."""
    words: list[list[int]] = [[] for _ in range(text.words)]
    for subword, word in zip(text.owned.tolist(), text.owner.tolist(), strict=True):
        words[word].append(subword)
    return words


@pytest.mark.parametrize("reading", ["words", "text"])
def test_subwords_know_their_words_and_a_zero_width_space_has_none(tiny: Callable[[str], str], reading: str) -> None:
    tokenizer, _ = load_encoder(tiny("bert"), None)
    (text,) = read(tokenizer, [side(["dogs", "\u200b", "re-new", "."])], "document", reading)  # type: ignore[arg-type]
    assert tokenizer.convert_ids_to_tokens(text.ids.tolist()) == ["dog", "##s", "re", "-", "new", "."]
    assert owners(text) == [[0, 1], [], [2, 3, 4], [5]]


def test_text_as_it_stands_gives_subwords_their_spaces_and_words_do_not(tiny: Callable[[str], str]) -> None:
    tokenizer, _ = load_encoder(tiny("modern"), None)
    given = [side(["the", "dog", "the"])]
    by_words, by_text = read(tokenizer, given, "document", "words")[0], read(tokenizer, given, "document", "text")[0]
    spaces = [
        sum("Ġ" in piece for piece in tokenizer.convert_ids_to_tokens(each.ids.tolist()))
        for each in (by_words, by_text)
    ]
    assert spaces == [0, 2]
    assert owners(by_text)[0] == [0]
    assert [subword for word in owners(by_text) for subword in word] == list(range(len(by_text.ids)))


def test_a_subword_over_two_words_belongs_to_both(tiny: Callable[[str], str]) -> None:
    tokenizer, _ = load_encoder(tiny("xlmr"), None)
    text = TextSide("en", "a housedog", [(0, 1), (2, 4), (4, 10)])
    (found,) = read(tokenizer, [text], "document", "text")
    pieces = tokenizer.convert_ids_to_tokens(found.ids.tolist())
    house = pieces.index("▁house")
    assert house in owners(found)[1]
    assert house in owners(found)[2]


def test_long_texts_are_not_truncated_whatever_the_tokenizer_file_says(tiny: Callable[[str], str]) -> None:
    from assist.methods.encoder.encode import load

    encoder = load(tiny("bert"))
    (text,) = read(encoder.tokenizer, [side(["dog"] * 5000)], "document", "words")
    assert len(text.ids) == 5000


def test_units_are_the_sentences_and_every_token_is_in_one() -> None:
    text = side(list("abcdefg"), per_sentence=3)
    assert units(text, "sentence") == [(0, 3), (3, 6), (6, 7)]
    assert units(text, "document") == [(0, 7)]
    assert units(side([]), "sentence") == []


def test_tokens_outside_of_every_sentence_go_with_the_one_before() -> None:
    text = TextSide("en", "a b c d", [(0, 1), (2, 3), (4, 5), (6, 7)], sentences=[(2, 3), (6, 7)])
    assert units(text, "sentence") == [(0, 3), (3, 4)]
    assert units(TextSide("en", "a b", [(0, 1), (2, 3)]), "sentence") == [(0, 2)]


def test_units_are_read_apart_and_their_words_counted_over_the_side(tiny: Callable[[str], str]) -> None:
    tokenizer, _ = load_encoder(tiny("bert"), None)
    (text,) = read(tokenizer, [side(["dogs", "cat", "dogs"], per_sentence=2)], "sentence", "text")
    assert text.units == [(0, 3), (3, 5)]
    assert owners(text) == [[0, 1], [2], [3, 4]]


def test_a_tokenizer_written_in_python_is_given_words() -> None:
    class Slow:
        is_fast = False

        def tokenize(self, word: str) -> list[str]:
            return list(word)

        def convert_tokens_to_ids(self, tokens: list[str]) -> list[int]:
            return [ord(token) for token in tokens]

    (text,) = read(Slow(), [side(["ab", "", "c"], per_sentence=2)], "sentence", "text")
    assert text.ids.tolist() == [97, 98, 99]
    assert owners(text) == [[0, 1], [], [2]]
