"""Parts of speech of changed words, by spaCy or Stanza if one is installed; neither is needed otherwise."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

from assist.encoder_choice.clsd import WORD, changed_word, differs_in_one_word
from assist.encoder_choice.tables import ClsdRow
from assist.methods.base import MethodError
from assist.phrases.model_phrases import NO_TAGGER, NO_TAGGER_MODEL, NO_TAGGER_PACKAGE

Tag = Callable[[Sequence[str]], Sequence[Sequence[tuple[int, int, str]]]]
"""Sentences to their words: start and end as code points, and the part of speech (Universal Dependencies)."""


def with_parts_of_speech(rows: Sequence[ClsdRow], tag: Tag) -> list[ClsdRow]:
    """The rows with the part of speech of each word that a distractor changes, as it is in the translation.

    What the file says stays as it is; a distractor that changes more than a word gets none.
    """
    targets = list(dict.fromkeys(row.direct.target for row in rows if _missing(row)))
    tagged = dict(zip(targets, tag(targets), strict=True)) if targets else {}
    return [
        replace(
            row,
            parts_of_speech=tuple(
                part_of_speech or _part_of_speech(row.direct.target, distractor, tagged.get(row.direct.target, ()))
                for part_of_speech, distractor in zip(row.parts_of_speech, row.direct.distractors, strict=True)
            ),
        )
        for row in rows
    ]


def tagger(name: str) -> Tag:
    """The tagger of a name: 'spacy:MODEL' or 'stanza:LANGUAGE'. MethodError if it is not installed."""
    package, _, model = name.partition(":")
    if package not in _TAGGERS or not model:
        raise MethodError(NO_TAGGER.with_params(name=name))
    if importlib.util.find_spec(package) is None:
        raise MethodError(NO_TAGGER_PACKAGE.with_params(package=package))
    try:
        return _TAGGERS[package](model)
    except Exception as error:  # each package has errors of its own for a model that is missing
        raise MethodError(NO_TAGGER_MODEL.with_params(package=package, name=model)) from error


def _missing(row: ClsdRow) -> bool:
    pairs = zip(row.parts_of_speech, row.direct.distractors, strict=True)
    return any(not part_of_speech and differs_in_one_word(row.direct.target, other) for part_of_speech, other in pairs)


def _part_of_speech(target: str, distractor: str, words: Sequence[tuple[int, int, str]]) -> str:
    """That of the word which contains the start of the changed one, since taggers may cut words otherwise."""
    at = changed_word(target, distractor)
    if at is None:
        return ""
    start = list(WORD.finditer(target))[at].start()
    return next((tag.upper() for low, high, tag in words if low <= start < high), "")


def _spacy(model: str) -> Tag:
    loaded: Any = import_module("spacy").load(model)

    def tag(sentences: Sequence[str]) -> list[list[tuple[int, int, str]]]:
        return [
            [(word.idx, word.idx + len(word.text), word.pos_) for word in document]
            for document in loaded.pipe(sentences)
        ]

    return tag


def _stanza(language: str) -> Tag:
    load: Any = import_module("stanza").Pipeline
    pipeline = load(language, processors="tokenize,mwt,pos", download_method=None, verbose=False)

    def tag(sentences: Sequence[str]) -> list[list[tuple[int, int, str]]]:
        return [_stanza_words(pipeline(text)) for text in sentences]

    return tag


def _stanza_words(document: Any) -> list[tuple[int, int, str]]:
    """A token of several words ('zum') has the first one's part of speech."""
    return [
        (token.start_char, token.end_char, token.words[0].upos)
        for sentence in document.sentences
        for token in sentence.tokens
    ]


_TAGGERS: dict[str, Callable[[str], Tag]] = {"spacy": _spacy, "stanza": _stanza}
