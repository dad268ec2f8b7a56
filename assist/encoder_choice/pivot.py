"""Rows through a pivot: what has no columns for a third language is translated into it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from annotation.progress import OnCount, ignore_progress
from annotation.text.tokens import base_language
from assist.encoder_choice.tables import ClsdRow, Ranked
from assist.methods.base import MethodError
from assist.phrases.model_phrases import NO_PIVOT

Translate = Callable[[Sequence[str], str, str], Sequence[str]]
"""Sentences, their language and that of the translations, to the translations."""
PIVOT = "en"
BEAMS = 4


def with_pivot(
    rows: Sequence[ClsdRow], translate: Translate, source: str, target: str, pivot: str = PIVOT
) -> list[ClsdRow]:
    """The rows with everything translated into `pivot`; ``source`` is the language of sources, ``target`` the other's.

    Sentences in the pivot's own language stay as they are, and so do rows that come with translations. MethodError if
    both languages are the pivot's.
    """
    if base_language(source) == base_language(target) == base_language(pivot):
        raise MethodError(NO_PIVOT.with_params(language=pivot))
    missing = [row.direct for row in rows if row.pivot is None]
    sources = list(dict.fromkeys(each.source for each in missing))
    others = list(dict.fromkeys(text for each in missing for text in (each.target, *each.distractors)))
    of_source = _translations(sources, source, pivot, translate)
    of_target = _translations(others, target, pivot, translate)
    return [
        row if row.pivot is not None else replace(row, pivot=_row_through_pivot(row.direct, of_source, of_target))
        for row in rows
    ]


def model_translator(name: str, device: str = "auto", on_progress: OnCount = ignore_progress) -> Translate:
    """Translation by a sequence-to-sequence model; {source} and {target} in its name are the languages' codes."""

    def translate(sentences: Sequence[str], source: str, target: str) -> Sequence[str]:
        from assist.methods.translate import model_name
        from assist.methods.translation import seq2seq

        translator = seq2seq.load(model_name(name, (source, target)), None, device, "auto")
        return translator.translate(sentences, source, target, beams=BEAMS, on_progress=on_progress)

    return translate


def _translations(sentences: Sequence[str], language: str, pivot: str, translate: Translate) -> dict[str, str]:
    if base_language(language) == base_language(pivot) or not sentences:
        return {text: text for text in sentences}
    return dict(zip(sentences, translate(sentences, language, pivot), strict=True))


def _row_through_pivot(row: Ranked, sources: dict[str, str], others: dict[str, str]) -> Ranked:
    return Ranked(sources[row.source], others[row.target], tuple(others[text] for text in row.distractors))
