"""Translating a lot's texts: those not translated before, and what is saved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from annotation.models import Pair
from annotation.progress import OnProgress
from annotation.services.translations import TranslationInput
from annotation.text.schemes import SIDES, Scheme, Side
from assist.methods.base import TextSide
from assist.methods.translate import Route, Translate, TranslateModel, pair_routes
from assist.models import TranslatedText
from assist.runs.method_inputs import pair_inputs


@dataclass(frozen=True, slots=True)
class TextToTranslate:
    """A text to be translated: a side of a pair, and the key under which its translation is kept."""

    pair: Pair
    side: Side
    source: int
    target: str
    translator: str

    @property
    def key(self) -> tuple[int, str, str]:
        return (self.source, self.target, self.translator)

    def translation_input(self, content: str) -> TranslationInput:
        return TranslationInput(self.pair.pk, self.side, content, self.translator)


def translate_pairs(
    method: Translate, model: TranslateModel, pairs: Sequence[Pair], scheme: Scheme, on_progress: OnProgress
) -> tuple[list[TranslationInput], list[TranslatedText]]:
    """The translations of the pairs' texts, and those of them that are new and must be kept.

    A side that came with a translation gets none.
    """
    texts = {(each.pair.pk, each.side): each for pair in pairs for each in _texts_to_translate(method, model, pair)}
    translations = _stored_translations(list(texts.values()))
    inputs = []
    for pair, pair_input in zip(pairs, pair_inputs(pairs, scheme), strict=True):
        existing = {side: _existing_translations(pair, side, texts, translations) for side in SIDES}
        inputs.append(replace(pair_input, translations_a=existing["a"], translations_b=existing["b"]))
    translation_inputs: list[TranslationInput] = []
    new: dict[tuple[int, str, str], TranslatedText] = {}
    for pair, result in zip(pairs, method.predict(model, inputs, on_progress), strict=True):
        for side in SIDES:
            each = texts.get((pair.pk, side))
            if each is None:
                continue
            if side in result.translations:
                translations[each.key] = result.translations[side]
                new[each.key] = TranslatedText(
                    source_id=each.source,
                    target=each.target,
                    translator=each.translator,
                    content=translations[each.key],
                )
            if each.key in translations:
                translation_inputs.append(each.translation_input(translations[each.key]))
    return translation_inputs, list(new.values())


def _texts_to_translate(method: Translate, model: TranslateModel, pair: Pair) -> Iterator[TextToTranslate]:
    routes: dict[Side, Route] = pair_routes(pair.a.language, pair.b.language, method.settings.sides)
    for side, route in routes.items():
        if side not in pair.supplied_translations:
            source = pair.a_id if side == "a" else pair.b_id
            yield TextToTranslate(pair, side, source, route[1], method.translator(model, route))


def _stored_translations(texts: Sequence[TextToTranslate]) -> dict[tuple[int, str, str], str]:
    """Translations that were made before."""
    rows = TranslatedText.objects.filter(
        source__in={each.source for each in texts}, translator__in={each.translator for each in texts}
    )
    return {
        (source, target, translator): content
        for source, target, translator, content in rows.values_list("source", "target", "translator", "content")
    }


def _existing_translations(
    pair: Pair,
    side: Side,
    wanted_texts: dict[tuple[int, Side], TextToTranslate],
    translations: dict[tuple[int, str, str], str],
) -> tuple[TextSide, ...]:
    """The translations that a side has already."""
    texts = [*pair.supplied_translations.get(side, ())]
    each = wanted_texts.get((pair.pk, side))
    if each and each.key in translations:
        texts.append(translations[each.key])
    language = pair.b.language if side == "a" else pair.a.language
    return tuple(TextSide(language, text, ()) for text in texts)
