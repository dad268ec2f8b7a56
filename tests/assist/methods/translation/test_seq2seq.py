"""Sentences through translation models: each as the model alone would translate it, whatever is beside it."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from assist.methods.base import MethodError
from assist.methods.encoder.pretrained import model_commit
from assist.methods.translation.seq2seq import Translator, language_tokens, load
from tests.assist.methods.tiny_seq2seq import m2m, marian

SENTENCES = [
    "the old dog sees the cat .",
    "a river is cold .",
    "the house",
    "a small cat likes the house and the river .",
]


def alone(model: Translator, text: str, beams: int, **options: int) -> str:
    """What transformers itself gives for one sentence, without the tokens for languages."""
    ids = model.tokenizer(text, return_tensors="pt")
    longest = min(model.limit - 1, 2 * ids["input_ids"].shape[1] + 16)
    (made,) = model.model.generate(**ids, num_beams=beams, do_sample=False, max_new_tokens=longest, **options)
    words = model.tokenizer.decode(made[:longest], skip_special_tokens=True)
    return re.sub(r">>\w+<<|__\w+?__", "", str(words)).strip()


@pytest.mark.parametrize("beams", [1, 3])
def test_a_sentence_in_a_batch_is_translated_as_it_is_alone(tiny_marian: Callable[..., str], beams: int) -> None:
    model = load(tiny_marian(), None, "cpu", "auto")
    wanted = [alone(model, text, beams) for text in SENTENCES]
    assert len(set(wanted)) > 1
    assert model.translate(SENTENCES, "en", "de", beams=beams) == wanted
    assert model.translate(SENTENCES[::-1], "en", "de", beams=beams, batch_tokens=9) == wanted[::-1]


def test_equal_sentences_are_translated_once_and_progress_is_told(tiny_marian: Callable[..., str]) -> None:
    model, told = load(tiny_marian(), None, "cpu", "auto"), []
    given = SENTENCES * 3
    made = model.translate(given, "en", "de", beams=1, batch_tokens=9, on_progress=lambda *each: told.append(each))
    assert made == made[:4] * 3
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert model.translate([], "en", "de", beams=1) == []


def test_a_sentence_too_long_for_the_model_is_translated_in_parts(tiny_marian: Callable[..., str]) -> None:
    model = load(tiny_marian(), None, "cpu", "auto")
    assert model.limit == 32
    long = " ".join(["the old dog sees the cat ."] * 8)
    parts = list(model._parts(long, ""))
    assert len(parts) == 2 and " ".join(parts) == long
    whole = model.translate([long], "en", "de", beams=1)
    assert whole == [" ".join(model.translate(parts, "en", "de", beams=1))]
    assert model.translate([long], "en", "zh", beams=1) == ["".join(model.translate(parts, "en", "zh", beams=1))]


def test_one_word_without_end_is_cut_too(tiny_marian: Callable[..., str]) -> None:
    model = load(tiny_marian(), None, "cpu", "auto")
    word = "dog." * 90
    parts = list(model._parts(word, ""))
    assert "".join(parts) == word
    assert all(len(model.tokenizer(part)["input_ids"]) <= model.limit for part in parts)


def test_a_model_for_several_targets_is_told_which(tiny_marian: Callable[..., str]) -> None:
    model = load(tiny_marian("opus-mt-en-roa", targets=("fra", "spa")), None, "cpu", "auto")
    assert model.translate(SENTENCES, "en", "fr", beams=1) == [alone(model, f">>fra<< {text}", 1) for text in SENTENCES]
    assert model.translate(SENTENCES, "en", "es-MX", beams=1) == [
        alone(model, f">>spa<< {text}", 1) for text in SENTENCES
    ]
    with pytest.raises(MethodError, match="'opus-mt-en-roa' does not know the language 'de'"):
        model.translate(SENTENCES, "en", "de", beams=1)


def test_a_model_for_many_languages_is_told_both(tmp_path: Path) -> None:
    model = load(m2m(tmp_path), None, "cpu", "auto")
    made = model.translate(SENTENCES, "en", "de-CH", beams=1)
    assert model.tokenizer.src_lang == "en"
    german = model.tokenizer.get_lang_id("de")
    assert made == [alone(model, text, 1, forced_bos_token_id=german) for text in SENTENCES]
    assert made != model.translate(SENTENCES, "de", "en", beams=1)
    assert model.tokenizer.src_lang == "de"
    with pytest.raises(MethodError, match="does not know the language 'xx'"):
        model.translate(SENTENCES, "xx", "en", beams=1)


@pytest.mark.parametrize(
    ("vocabulary", "added", "tokens", "before"),
    [
        ([">>fra<<", ">>zho_Hans<<", "▁the"], [], {"fra": ">>fra<<", "zho_Hans": ">>zho_Hans<<"}, True),
        (["<2de>", "<2sr_Latn>", "▁<2"], [], {"de": "<2de>", "sr_Latn": "<2sr_Latn>"}, True),
        (["▁the"], ["__de__", "__ast__"], {"de": "__de__", "ast": "__ast__"}, False),
        (["▁the", "de_DE"], ["deu_Latn", "de_DE", "</s>"], {"deu_Latn": "deu_Latn", "de_DE": "de_DE"}, False),
        (["▁the", "de_DE"], ["</s>"], {}, False),
    ],
)
def test_the_tokens_for_languages(
    vocabulary: list[str], added: list[str], tokens: dict[str, str], before: bool
) -> None:
    assert language_tokens(vocabulary, added) == (tokens, before)


def test_batches_shrink_until_they_fit_into_memory(
    tiny_marian: Callable[..., str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    model = load(tiny_marian(), None, "cpu", "auto")
    wanted = model.translate(SENTENCES, "en", "de", beams=1)
    generate = type(model.model).generate
    sizes: list[int] = []

    def full(self: object, *, input_ids: object, **options: object) -> object:
        sizes.append(len(input_ids))  # type: ignore[arg-type]
        if sizes[-1] > room:
            raise MemoryError("full")
        return generate(self, input_ids=input_ids, **options)

    monkeypatch.setattr(type(model.model), "generate", full)
    room = 1
    with caplog.at_level(logging.WARNING):
        assert model.translate(SENTENCES, "en", "de", beams=1) == wanted
    assert sizes[0] == 4 and set(sizes[2:]) == {1} and "batches shrink" in caplog.text
    room = 0
    with pytest.raises(MethodError, match=r"one sentence of .* does not fit into the memory of cpu"):
        model.translate(SENTENCES, "en", "de", beams=1)


def test_an_encoder_is_no_translation_model(tiny: Callable[[str], str]) -> None:
    with pytest.raises(MethodError, match="translation model 'bert' cannot be loaded"):
        load(tiny("bert"), None, "cpu", "auto")


def test_a_folder_whose_weights_change_has_another_commit(tmp_path: Path) -> None:
    one = marian(tmp_path / "one")
    same, other = marian(tmp_path / "two"), marian(tmp_path / "three", "opus-mt-en-fr-x")
    config = load(one, None, "cpu", "auto").model.config
    assert model_commit(one, None, config) == model_commit(same, None, config) == load(one, None, "cpu", "auto").commit
    assert model_commit(one, None, config) != model_commit(other, None, config)
    assert model_commit("owner/name", "main", config) == "main"
