"""Translations that a model made are kept with their pair, apart from those that came with it."""

from __future__ import annotations

import pytest

from annotation.models import Pair
from annotation.services.translations import TranslationInput, translations_write
from tests.factories import PairFactory

pytestmark = pytest.mark.django_db


def made(pair: Pair, side: str, content: str, translator: str = "m1") -> TranslationInput:
    return TranslationInput(pair.pk, side, content, translator)  # type: ignore[arg-type]


def test_one_replaces_what_another_model_made() -> None:
    pair, other = PairFactory(), PairFactory()
    translations_write(translations=[made(pair, "a", "eins"), made(pair, "b", "one"), made(other, "a", "zwei")])
    translations_write(translations=[made(pair, "a", "ein", "m2")])
    pair.refresh_from_db()
    other.refresh_from_db()
    assert pair.translations == {"a": ["ein"], "b": ["one"]}
    assert sorted(pair.translators.values()) == ["m1", "m2"]
    assert pair.supplied_translations == {}
    assert other.translations == {"a": ["zwei"]}


def test_those_that_came_with_the_pair_stay() -> None:
    pair = PairFactory(translations={"a": ["official", "second"]})
    translations_write(translations=[made(pair, "a", "machine"), made(pair, "b", "official")])
    pair.refresh_from_db()
    assert pair.translations == {"a": ["official", "second"], "b": ["official"]}
    assert pair.supplied_translations == {"a": ["official", "second"]}
    assert list(pair.translators.values()) == ["m1"]


def test_a_pair_that_is_gone_is_passed_over() -> None:
    pair, gone = PairFactory(), PairFactory()
    later = made(gone, "a", "x")
    gone.delete()
    translations_write(translations=[later, made(pair, "a", "y")])
    pair.refresh_from_db()
    assert pair.translations == {"a": ["y"]}
