"""Dictionaries of dictd: found by name, looked up by the stems of a text, described, and refused where damaged."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from annotation.text.stems import stem
from assist.methods.lexicon import dictd
from assist.methods.lexicon.dictd import DictionaryError
from assist.methods.lexicon.entries import TermEntry
from tests.assist.methods.lexicon import dictionaries


def looked_up(found: dictd.DictdDictionary, *words: str) -> list[TermEntry]:
    stems = {stem(word, found.source) for word in words}
    return dictd.look_up(found, stems, dictd.stem_prefixes(stems))


@pytest.mark.parametrize("packed", [True, False])
def test_words_of_a_text_are_found_in_any_form(tmp_path: Path, packed: bool) -> None:
    dictionaries.write(tmp_path, packed=packed)
    (found,) = dictd.installed_dictionaries(tmp_path)
    assert (found.name, found.source, found.target) == ("freedict-eng-deu", "en", "de")
    assert looked_up(found, "Houses", "happy", "attorney") == [
        TermEntry("house", ("Haus", "Wohnhaus")),
        TermEntry("happy", ("glücklich", "froh")),
    ]
    assert looked_up(found, "car") == []


def test_accents_that_a_stemmer_takes_away_hide_no_word(tmp_path: Path) -> None:
    dictionaries.write(tmp_path, "deu-eng", {"Häuser": "Häuser <pl>\nhouses\n", "Haus": "Haus\nhouse\n"})
    (found,) = dictd.installed_dictionaries(tmp_path)
    assert [each.word for each in looked_up(found, "Häusern")] == ["Häuser", "Haus"]


def test_an_article_that_two_headwords_share_is_read_for_both(tmp_path: Path) -> None:
    index = dictionaries.write(tmp_path, articles={"colour": "colour, color\nFarbe\n"})
    line = index.read_text()
    index.write_text(line + line.replace("colour", "color"))
    (found,) = dictd.installed_dictionaries(tmp_path)
    assert [each.word for each in looked_up(found, "colour", "color")] == ["color", "colour"]


def test_dictionaries_say_what_they_are_and_under_which_licence(tmp_path: Path) -> None:
    dictionaries.write(tmp_path)
    (found,) = dictd.installed_dictionaries(tmp_path)
    assert dictd.title(found) == "A test dictionary ver. 0.1"
    assert dictd.licence(found) == "GPL, version 2 or later"
    before = dictd.digest(found)
    dictionaries.write(tmp_path, articles={**dictionaries.ARTICLES, "new": "new\nneu\n"})
    assert dictd.digest(found) != before


@pytest.mark.parametrize(
    ("text", "licence"),
    [
        ("Availability: GNU General Public License ver. 2.0.", "GPL, version 2"),
        ("Availability: the GNU General Public License, version 3 (GPLv3) and the GNU Affero General Public License, "
         "version 3 (AGPLv3). Source: GPLv2+", "GPL and AGPL, version 3"),
        ("Availability: Creative Commons Attribution", "Creative Commons"),
        ("Availability: ask the author", "not named"),
        ("", "not named"),
    ],
)  # fmt: skip
def test_later_versions_of_a_licence_count_only_where_they_are_named(tmp_path: Path, text: str, licence: str) -> None:
    dictionaries.write(tmp_path, articles={"00-database-info": text, "a": "a\nb\n"})
    assert dictd.licence(dictd.installed_dictionaries(tmp_path)[0]) == licence


def test_a_folder_without_dictionaries_and_other_files_give_none(tmp_path: Path) -> None:
    (tmp_path / "foldoc.index").write_text("x\tA\tB\n")
    (tmp_path / "freedict-eng-fra.index").write_text("x\tA\tB\n")
    assert (
        dictd.installed_dictionaries(tmp_path)
        == dictd.installed_dictionaries(tmp_path / "none")
        == dictd.installed_dictionaries(None)
        == []
    )


def test_of_two_languages_both_directions_count(tmp_path: Path) -> None:
    for name in ("freedict-eng-deu", "freedict-deu-eng", "freedict-eng-fra"):
        dictionaries.write(tmp_path, name)
    found = dictd.installed_dictionaries(tmp_path)
    assert [each.name for each in dictd.dictionaries_between(found, "de", "en")] == [
        "freedict-deu-eng",
        "freedict-eng-deu",
    ]
    assert dictd.dictionaries_between(found, "en", "en") == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("house", r"index:1: a headword"),
        ("house\tA!\tB", r"index:1: not a number"),
        ("house\tA\t", r"index:1: not a number"),
        ("house\tA\t///////", r"index:1: an article of"),
        ("house\t/////\tB", r"dict\.dz: ends before the article of 'house'"),
        ("house\tA\tBAA", r"dict\.dz: ends before the article of 'house'"),
    ],
)
def test_a_wrong_index_is_refused_with_line_and_reason(tmp_path: Path, line: str, reason: str) -> None:
    index = dictionaries.write(tmp_path)
    index.write_text(f"{line}\n")
    with pytest.raises(DictionaryError, match=reason):
        looked_up(dictd.installed_dictionaries(tmp_path)[0], "house")


@pytest.mark.parametrize("seed", range(40))
def test_damaged_dictionaries_are_refused_or_read(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    index = dictionaries.write(tmp_path)
    damaged = index if seed % 2 else index.with_suffix(".dict.dz")
    data = bytearray(damaged.read_bytes())
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(data))
        data[at : at + chance.randint(0, 3)] = bytes(chance.randrange(256) for _ in range(chance.randint(0, 3)))
    damaged.write_bytes(bytes(data))
    (found,) = dictd.installed_dictionaries(tmp_path)
    try:
        entries = looked_up(found, "house", "happy", "unused")
    except DictionaryError as error:
        assert found.name in str(error)
    else:
        assert all(each.translations for each in entries)
