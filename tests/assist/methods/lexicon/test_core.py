"""The core lexicon's tables: what a manual correction could break."""

import pytest

from assist.methods.lexicon import core

COMPLETE = 1_000
"""The first headwords, of which every table must have nearly all."""


def test_headwords_are_single_and_distinct() -> None:
    lines = (core.FOLDER / "headwords.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(core.headwords()) >= 5_000
    assert all(line == line.strip() and " " not in line for line in lines)


def test_the_languages_are_those_of_the_papers_and_arabic() -> None:
    assert core.languages() == {"ar", "de", "es", "fr", "hi", "it", "zh"}


@pytest.mark.parametrize("language", sorted(core.languages()))
def test_every_line_is_a_headword_in_its_order_and_its_translations(language: str) -> None:
    order = core.headwords()
    last = -1
    for entry in core.entries(language):
        position = order.get(entry.word, -1)
        assert position > last, f"{language}.tsv: “{entry.word}” is not a headword, appears twice or out of order"
        last = position
        assert entry.translations and all(each and each == each.strip() for each in entry.translations), entry
        assert not any(set(each) & set("\t;/()[]") for each in entry.translations), entry
        assert len(set(entry.translations)) == len(entry.translations), entry


@pytest.mark.parametrize("language", sorted(core.languages()))
def test_the_most_frequent_words_are_complete(language: str) -> None:
    first = {word for word, position in core.headwords().items() if position < COMPLETE}
    missing = first - {entry.word for entry in core.entries(language)}
    assert len(missing) <= 0.02 * COMPLETE, sorted(missing)


def test_a_language_without_a_table_has_no_entries() -> None:
    assert core.entries("eo") == ()
