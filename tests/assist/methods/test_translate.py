"""Texts are translated sentence by sentence, with their paragraphs, into the language of the other side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from assist.methods.base import MethodError, PairInput, TextSide, create
from assist.methods.translate import Translate, join_pieces, model_name, pair_routes, pieces, routes
from assist.methods.translation import seq2seq
from tests.assist.methods.texts import side


class Reader:
    """Stands in for a model: puts brackets around each sentence, and remembers what it was asked."""

    def __init__(self, name: str) -> None:
        self.name, self.commit = name, "c" * 40
        self.calls: list[tuple[str, str, list[str], int]] = []

    def translate(self, sentences: list[str], source: str, target: str, *, beams: int, **_: Any) -> list[str]:
        self.calls.append((source, target, sentences, beams))
        return [f"<{text}>" for text in sentences]


@pytest.fixture
def readers(monkeypatch: pytest.MonkeyPatch) -> dict[str, Reader]:
    made: dict[str, Reader] = {}
    monkeypatch.setattr(seq2seq, "load", lambda name, *_: made.setdefault(name, Reader(name)))
    return made


ENGLISH = side("The dog sleeps. It is old.\n\n1,250\n\nThe cat runs.", "en")
GERMAN = side("Der Hund schläft.\nEr ist alt.", "de")


def test_paragraphs_numbers_and_white_space_stay(readers: dict[str, Reader]) -> None:
    method = create("translate", {"beams": 2})
    model = method.fit([PairInput("1", ENGLISH, GERMAN)])
    (result,) = method.predict(model, [PairInput("1", ENGLISH, GERMAN)])
    assert result.translations == {
        "a": "<The dog sleeps.> <It is old.>\n\n1,250\n\n<The cat runs.>",
        "b": "<Der Hund schläft.>\n<Er ist alt.>",
    }
    assert readers["Helsinki-NLP/opus-mt-en-de"].calls == [
        ("en", "de", ["The dog sleeps.", "It is old.", "The cat runs."], 2)
    ]
    assert method.report(model)["models"] == [
        {"from": "de", "into": "en", "model": "Helsinki-NLP/opus-mt-de-en", "revision": "c" * 40},
        {"from": "en", "into": "de", "model": "Helsinki-NLP/opus-mt-en-de", "revision": "c" * 40},
    ]
    assert isinstance(method, Translate)
    assert method.translator(model, ("en", "de")) == "Helsinki-NLP/opus-mt-en-de@cccccccccccc translate.v1 beams=2"


def test_a_side_that_has_a_translation_is_left(readers: dict[str, Reader]) -> None:
    method = create("translate")
    given = PairInput("1", ENGLISH, GERMAN, translations_a=(side("Der Hund …", "de"),))
    (result,) = method.predict(method.fit([given]), [given])
    assert set(result.translations) == {"b"}


def test_one_side_alone_may_be_asked_for(readers: dict[str, Reader]) -> None:
    method = create("translate", {"sides": "b"})
    given = [PairInput("1", ENGLISH, GERMAN), PairInput("2", GERMAN, GERMAN), PairInput("3", GERMAN, ENGLISH)]
    results = method.predict(method.fit(given), given)
    assert [set(result.translations) for result in results] == [{"b"}, set(), {"b"}]
    assert set(readers) == {"Helsinki-NLP/opus-mt-de-en", "Helsinki-NLP/opus-mt-en-de"}


def test_one_model_may_know_all_languages(readers: dict[str, Reader]) -> None:
    method = create("translate", {"model": "facebook/m2m100_418M"})
    method.fit([PairInput("1", ENGLISH, GERMAN)])
    assert set(readers) == {"facebook/m2m100_418M"}


def test_a_real_model_reads_a_text(tiny_marian: Callable[..., str]) -> None:
    method = create("translate", {"model": tiny_marian(), "beams": 1})
    given = PairInput("1", side("the old dog sees the cat. a river is cold.", "en"), side("der hund", "de"))
    (result,) = method.predict(method.fit([given]), [given])
    translator = seq2seq.load(tiny_marian(), None, "auto", "auto")
    sentences = ["the old dog sees the cat.", "a river is cold."]
    assert result.translations["a"] == " ".join(translator.translate(sentences, "en", "de", beams=1))


def test_a_model_that_is_not_here_is_named() -> None:
    method = create("translate")
    languages = [("en", "de"), ("en", "en")]
    names = ["Helsinki-NLP/opus-mt-de-en", "Helsinki-NLP/opus-mt-en-de"]
    assert method.downloads(languages) == names
    reason = str(method.unavailable(languages))
    assert all(f"translation model '{name}' is not on this machine" in reason for name in names)
    assert method.unavailable([("en", "en-GB")]) is None
    with pytest.raises(MethodError, match="is not on this machine"):
        method.fit([PairInput("1", ENGLISH, GERMAN)])


def test_routes() -> None:
    assert pair_routes("en", "de-CH", "both") == {"a": ("en", "de-CH"), "b": ("de-CH", "en")}
    assert pair_routes("en", "en-GB", "both") == {}
    assert routes([("en", "de"), ("de", "en"), ("en", "fr")], "a") == [("de", "en"), ("en", "de"), ("en", "fr")]
    assert model_name("m-{source}-{target}", ("zh-Hans", "EN_gb")) == "m-zh-en"


@pytest.mark.parametrize("text", ["", " ", "One. Two!\n\nThree", "\n 7 \nx", "«A» — b. … c"])
def test_pieces_are_the_whole_text(text: str) -> None:
    cut = pieces(side(text, "en"))
    assert "".join(piece for piece, _ in cut) == text
    assert all(any(character.isalpha() for character in piece) for piece, spoken in cut if spoken)
    bare = TextSide("en", text, ())
    assert "".join(piece for piece, _ in pieces(bare)) == text


def test_sentences_are_joined_as_the_language_writes_them() -> None:
    spaced = [("Eins.", True), (" ", False), ("Zwei.", True), ("\n", False), ("7", False)]
    assert join_pieces(spaced, "zh") == "Eins.Zwei.\n7"
    assert join_pieces(spaced, "de") == "Eins. Zwei.\n7"
    assert join_pieces([("一。", True), ("二。", True)], "en") == "一。 二。"
    assert join_pieces([("一。", True), ("二。", True)], "ja") == "一。二。"
