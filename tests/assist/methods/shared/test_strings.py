"""How alike words look."""

import pytest

from assist.methods.shared import strings


def test_stems_and_what_has_none() -> None:
    assert strings.stem("Houses", "en-GB") == strings.stem("house", "en")
    assert strings.stem("Häuser", "de") != "Häuser"
    assert strings.stem("科學", "zh") == "科學"


@pytest.mark.parametrize(
    ("word", "digits"),
    [("1'000", "1000"), ("1,000", "1000"), ("007", "7"), ("0", "0"), ("२०२४", "2024"), ("2nd", None), ("x", None)],
)
def test_numbers(word: str, digits: str | None) -> None:
    assert strings.number(word) == digits


def test_words_and_marks() -> None:
    assert [strings.is_word(each) for each in ("a", "1", "%", "€", ".", "…", "«")] == [
        True, True, False, True, False, False, False,
    ]  # fmt: skip


def test_dice_by_hand() -> None:
    # ^ab$: ^a ab b$ ^ab ab$; ^abc$: ^a ab bc c$ ^ab abc bc$; three shared: 2 * 3 / (5 + 7). Two letters go as a whole.
    table = strings.similarities(["abcd", "ab", "1'000"], ["abce", "ab", "1000", "1001"], 0.01).toarray()
    assert table[0, 0] == pytest.approx(2 * 5 / (9 + 9))
    assert table[1].tolist() == [0.0, 1.0, 0.0, 0.0]
    assert table[2].tolist() == [0.0, 0.0, 1.0, 0.0]


def test_other_scripts_are_read_as_latin() -> None:
    table = strings.similarities(["Edmonton", "Zürich"], ["एडमोंटन", "Zurich"], 0.3).toarray()
    assert table[0, 0] >= 0.3 > table[0, 1]
    assert table[1, 1] == 1


def test_no_words() -> None:
    assert strings.similarities([], ["a"], 0.4).shape == (0, 1)
    assert strings.similarities(["a"], [], 0.4).shape == (1, 0)
