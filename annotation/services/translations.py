"""Writes of translations that a model made of a pair's texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from annotation.models import Pair, translation_digest
from annotation.text.schemes import Side

CHUNK = 500


@dataclass(frozen=True, slots=True)
class TranslationInput:
    """A model's translation of one side of a pair; `translator` names the model."""

    pair: int
    side: Side
    content: str
    translator: str


@transaction.atomic
def translations_write(*, translations: list[TranslationInput]) -> None:
    """Save translations with their pairs. They replace those by other models on the same side, but not those that came
    with the pair.
    """
    by_pair: dict[int, list[TranslationInput]] = {}
    for each in translations:
        by_pair.setdefault(each.pair, []).append(each)
    keys = sorted(by_pair)
    for start in range(0, len(keys), CHUNK):
        pairs = Pair.objects.select_for_update().filter(pk__in=keys[start : start + CHUNK]).order_by("pk")
        changed = list(pairs.only("pk", "translations", "translators"))
        for pair in changed:
            _apply(pair, {each.side: each for each in by_pair[pair.pk]})
        Pair.objects.bulk_update(changed, ["translations", "translators"])


def _apply(pair: Pair, translations: Mapping[Side, TranslationInput]) -> None:
    supplied = pair.supplied_translations
    new = {side: each for side, each in translations.items() if side not in supplied}
    pair.translations = {**pair.translations, **{side: [each.content] for side, each in new.items()}}
    names = {translation_digest(side, each.content): each.translator for side, each in new.items()}
    digests = {translation_digest(side, text) for side, texts in pair.translations.items() for text in texts}
    pair.translators = {digest: name for digest, name in {**pair.translators, **names}.items() if digest in digests}
