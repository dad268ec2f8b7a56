"""How many sentences of a text are in the language that it is said to be in. Pure; nothing is downloaded.

The model is py3langid's (naive Bayes over byte n-grams, 140 languages, part of the package). A sentence is told apart
only from the languages it may be confused with here: those of the import, and the one that the whole text looks like.
So short sentences are judged well, and a text in a language that nobody expected is still recognised.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from annotation.text.language_guess import language_of_texts
from annotation.text.sentences import sentences
from annotation.text.tokens import Range, base_language

MIN_WORDS = 4
"""Words of a sentence: what is shorter (a heading, a button) says too little of its language, and is no sentence."""
MAX_SENTENCES = 200
"""Sentences of a text that are looked at, from its beginning."""
MAX_CHARACTERS = 20_000
_RELATED = ("no nb nn", "zh yue wuu", "ar ary arz", "he hbo", "hr bs sr", "id ms", "es ext", "fa prs", "tl fil")
_SAME = {code: frozenset(group.split()) for group in _RELATED for code in group.split()}


@dataclass(frozen=True, slots=True)
class SentenceCount:
    """The sentences of a text, those in its language, and the language that it looks like ('' if unknown).

    `checked` is False for a language that the model does not know: then all sentences count as right, unless the text
    looks like another language for certain.
    """

    sentences: int
    right: int
    looks_like: str
    checked: bool = True


def sentences_in(text: str, language: str, tokens: Sequence[Range], among: Collection[str]) -> SentenceCount:
    """How many sentences of `text` are in `language`; `among` are the languages of the import."""
    ranges = _sentences(text, language, tokens)
    base = base_language(language)
    model, languages = _model()
    if base not in languages:
        guess = language_of_texts([text])
        other = guess.code if guess is not None and guess.sure and guess.code != base else ""
        return SentenceCount(len(ranges), 0 if other else len(ranges), other, checked=False)
    looks_like: str = model.classify(text[:MAX_CHARACTERS])[0] if ranges else ""
    same = _SAME.get(base, frozenset((base,)))
    possible = {base, looks_like, *map(base_language, among)}
    right = 0
    for start, end in ranges:
        best = next(code for code, _share in model.rank(text[start:end]) if code in possible)
        right += best in same
    return SentenceCount(len(ranges), right, base if looks_like in same else looks_like)


def _sentences(text: str, language: str, tokens: Sequence[Range]) -> list[Range]:
    """The first sentences of at least `MIN_WORDS` words."""
    words = [start for start, end in tokens if any(map(str.isalnum, text[start:end]))]
    ranges = [
        (start, end)
        for start, end in sentences(text, language)
        if bisect_left(words, end) - bisect_left(words, start) >= MIN_WORDS
    ]
    return ranges[:MAX_SENTENCES]


@cache
def _model() -> tuple[Any, frozenset[str]]:
    """The identifier, loaded once (about a second), and the languages that it knows."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    model = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    return model, frozenset(model.labels)
