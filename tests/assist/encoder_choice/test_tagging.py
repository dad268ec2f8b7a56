"""Parts of speech by taggers that need not be installed: small packages stand in for them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from assist.encoder_choice.clsd import changed_word
from assist.encoder_choice.tables import ClsdRow, Ranked
from assist.encoder_choice.tagging import tagger, with_parts_of_speech
from assist.methods.base import MethodError

TAGS = {"Zum": "ADP", "Tee": "NOUN", "trinken": "VERB", "wir": "PRON", "heute": "ADV"}


def words(sentence: str) -> list[tuple[int, int, str]]:
    found, at = [], 0
    for word in sentence.removesuffix(".").split():
        start = sentence.index(word, at)
        at = start + len(word)
        found.append((start, at, TAGS.get(word, "x")))
    return found


def tag(sentences: Sequence[str]) -> list[list[tuple[int, int, str]]]:
    return [words(each) for each in sentences]


def row(target: str, *distractors: str, given: tuple[str, ...] = ()) -> ClsdRow:
    return ClsdRow(2, Ranked("s", target, distractors), None, given or ("",) * len(distractors))


@pytest.mark.parametrize(
    ("target", "distractor", "at"),
    [
        ("a b c", "a x c", 1),
        ("a b c.", "a b d!", 2),
        ("a b", "a b c", None),
        ("a b c", "x b y", None),
        ("a", "a", None),
    ],
)
def test_the_word_that_a_distractor_changes(target: str, distractor: str, at: int | None) -> None:
    assert changed_word(target, distractor) == at


def test_each_one_word_change_gets_the_part_of_speech_of_the_word_in_the_translation() -> None:
    rows = [
        row(
            "Zum Tee trinken wir.",
            "Zum Saft trinken wir.",
            "Zum Tee singen wir.",
            "Ganz anders.",
            "Zum Tee trinken wir!",
        ),
        row("wir trinken heute.", "wir trinken morgen.", "sie trinken heute.", given=("", "DET")),
    ]
    first, second = with_parts_of_speech(rows, tag)
    assert first.parts_of_speech == ("NOUN", "VERB", "", "") and second.parts_of_speech == ("ADV", "DET")


def test_rows_that_need_none_are_not_tagged() -> None:
    def never(sentences: Sequence[str]) -> list[list[tuple[int, int, str]]]:
        raise AssertionError(sentences)

    given = row("a b", "a c", "x y z", given=("NOUN", ""))
    assert with_parts_of_speech([given], never) == [given]


def package(monkeypatch: pytest.MonkeyPatch, name: str, **functions: Any) -> None:
    module = ModuleType(name)
    module.__spec__ = ModuleSpec(name, None)
    for key, value in functions.items():
        setattr(module, key, value)
    monkeypatch.setitem(sys.modules, name, module)


def test_spacys_words_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    class Pipeline:
        def pipe(self, sentences: Sequence[str]) -> Any:
            for text in sentences:
                yield [SimpleNamespace(idx=low, text=text[low:high], pos_=pos) for low, high, pos in words(text)]

    package(monkeypatch, "spacy", load={"de_small": Pipeline()}.__getitem__)
    assert tagger("spacy:de_small")(["Tee trinken wir."]) == tag(["Tee trinken wir."])
    with pytest.raises(MethodError, match="spacy has no model 'missing' on this machine"):
        tagger("spacy:missing")


def test_stanzas_tokens_are_read_and_downloads_are_off(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {}

    def pipeline(language: str, **options: Any) -> Any:
        asked.update(language=language, **options)
        return lambda text: SimpleNamespace(
            sentences=[
                SimpleNamespace(
                    tokens=[
                        SimpleNamespace(start_char=low, end_char=high, words=[SimpleNamespace(upos=pos), None])
                        for low, high, pos in words(text)
                    ]
                )
            ]
        )

    package(monkeypatch, "stanza", Pipeline=pipeline)
    assert tagger("stanza:de")(["Zum Tee."]) == tag(["Zum Tee."])
    assert asked["language"] == "de" and asked["download_method"] is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nltk:en", "tagger 'nltk:en' is not known"),
        ("spacy", "tagger 'spacy' is not known"),
        ("spacy:", "is not known"),
        ("spacy:de_small", "the package spacy is not installed"),
    ],
)
def test_what_cannot_tag_is_refused(name: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda package: None)
    with pytest.raises(MethodError, match=said):
        tagger(name)
