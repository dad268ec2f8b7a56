"""Labels of EN-DE carried to EN-FR over the same English texts."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from annotation.settings_model import SettingError
from assist.methods.base import Labelling, MarkedSpan, PairInput, Range, Result, create
from assist.methods.projection import Projection, ProjectionSettings
from tests.assist.methods.test_quality import new
from tests.assist.methods.texts import ENGLISH, GERMAN, pair

FRENCH = [
    "La maison à Berne est petite.", "Le jardin à Zoug est petit.", "Le numéro 12 est vieux.",
    "Un chien dort dans le jardin.", "Le chien d'Anna est vieux.", "Un chat dort dans la maison 7.",
    "Le chat de Pierre voit le chien.", "Le Rhin est froid.",
]  # fmt: skip
WEIGHTS = {"1": 0.2, "3": 0.6, "5": 1.0}


def text(sentences: Sequence[str], number: int) -> str:
    return " ".join(sentences[(number + step * (1 + number // 8)) % 8] for step in range(4))


def marked(given: PairInput, *spans: tuple[str, str, str]) -> PairInput:
    """The pair with gold: spans of a label and the words of A and of B that it marks."""
    found = [MarkedSpan(label, _ranges(given.a.words(), a), _ranges(given.b.words(), b)) for label, a, b in spans]
    sides: dict[str, Any] = {}
    for name, size in (("a", len(given.a.tokens)), ("b", len(given.b.tokens))):
        labels = [""] * size
        for span in found:
            for low, high in getattr(span, name):
                labels[low:high] = [span.label] * (high - low)
        sides |= {f"labels_{name}": labels, f"gold_{name}": [WEIGHTS.get(label, 0.0) for label in labels]}
    return replace(given, spans=found, **sides)


def _ranges(words: list[str], phrase: str) -> tuple[Range, ...]:
    wanted = phrase.split()
    starts = [at for at in range(len(words)) if wanted and words[at : at + len(wanted)] == wanted]
    return tuple((at, at + len(wanted)) for at in starts[:1])


def german(number: int, *spans: tuple[str, str, str]) -> PairInput:
    return marked(pair(text(ENGLISH, number), text(GERMAN, number), f"de{number}", ("en", "de")), *spans)


def french(number: int) -> PairInput:
    return pair(text(ENGLISH, number), text(FRENCH, number), f"fr{number}", ("en", "fr"))


def project(sides: Sequence[str] = ("a", "b"), **settings: Any) -> Projection:
    made = create("projection", settings)
    assert isinstance(made, Projection)
    made.labelling = Labelling(WEIGHTS, sides)
    return made


def said(given: PairInput, result: Result, side: str) -> dict[str, str]:
    words = given.a.words() if side == "a" else given.b.words()
    return {word: label for word, label in zip(words, result.labels[side], strict=True) if label}


# Text 0 is labelled and 4 is not; the others give the word model something to learn from.
DOG = ("5", "A dog", "Ein Hund")
SMALL = ("1", "", "klein")
FILLER = [german(number) for number in range(1, 16) if number not in (0, 4)]
PAIRS = [german(0, DOG, SMALL), *FILLER, *(french(number) for number in range(16))]


@pytest.mark.parametrize("path", ["direct", "shared"])
def test_labels_of_the_shared_text_are_taken_over_and_the_others_carried(path: str) -> None:
    chosen = project(path=path)
    target = french(0)
    (result,) = chosen.predict(chosen.fit(PAIRS), [target])
    assert said(target, result, "a") == {"A": "5", "dog": "5"}
    assert said(target, result, "b") == {"Un": "5", "chien": "5", "petite": "1"}
    assert not result.empty
    assert result.scores_b == [WEIGHTS.get(label, 0.0) for label in result.labels["b"]]
    words = target.b.words()
    dog, small = words.index("Un"), words.index("petite")
    assert [(each.label, each.a, each.b) for each in result.proposals] == [
        ("5", ((target.a.words().index("A"), target.a.words().index("dog") + 1),), ((dog, dog + 2),)),
        ("1", (), ((small, small + 1),)),
    ]
    assert [(each.score, each.level) for each in result.proposals] == [(1.0, 3), (pytest.approx(0.2), 1)]


def test_a_pair_without_a_source_has_nothing_and_the_report_says_which() -> None:
    chosen = project()
    stranger = pair("The sea is deep.", "La mer est profonde.", "sea", ("en", "fr"))
    model = chosen.fit([*PAIRS, stranger])
    first, second = chosen.predict(model, [stranger, PAIRS[0]])
    assert first.empty and not any(first.scores_a + first.scores_b) and not first.proposals
    # The source itself: its own labels are not carried back to it, and nobody labelled French.
    assert second.empty and not any(second.scores_a)
    report = chosen.report(model)
    assert report["documents"] == 15
    assert report["carried"] == ["de to fr: 15 pairs"]
    # All that are labelled, French text 4 and this one.
    assert report["without a source"] == 15 + 1 + 1
    assert report["sources"]["sea"] == [] and report["sources"]["fr0"] == [["de0", "a"]]


def test_two_languages_that_are_both_labelled_are_each_others_source() -> None:
    labelled = marked(french(0), ("3", "dog", "chien"))
    chosen = project()
    model = chosen.fit([PAIRS[0], labelled, *FILLER])
    to_french, to_german = chosen.predict(model, [labelled, PAIRS[0]])
    # Its own labels ('3') are nowhere in what a pair gets.
    assert said(labelled, to_french, "a") == {"A": "5", "dog": "5"}
    assert said(PAIRS[0], to_german, "a") == {"dog": "3"}
    assert said(PAIRS[0], to_german, "b") == {"Hund": "3"}


def test_several_sources_count_as_several_annotations_do() -> None:
    """German says '5', Italian '3' and Spanish '3' of the dog: '3'. Two of them don't mark the house."""
    base = text(ENGLISH, 0)
    italian = marked(pair(base, "Un cane dorme.", "it", ("en", "it")), ("3", "A dog", "cane"))
    spanish = marked(
        pair(base, "Un perro duerme.", "es", ("en", "es")), ("3", "A dog", "perro"), ("1", "The house", "")
    )
    chosen = project()
    (result,) = chosen.predict(chosen.fit([PAIRS[0], italian, spanish, french(0)]), [french(0)])
    assert said(french(0), result, "a") == {"A": "3", "dog": "3"}
    words = french(0).a.words()
    assert result.scores_a[words.index("dog")] == pytest.approx((1 + 0.6 + 0.6) / 3)
    assert result.scores_a[words.index("house")] == pytest.approx(0.2 / 3)
    # One suggestion of the dog, with the label that most give.
    assert [each.label for each in result.proposals if each.a] == ["3"]


def test_only_the_language_that_is_named_is_carried() -> None:
    italian = marked(pair(text(ENGLISH, 0), "Un cane.", "it", ("en", "it")), ("3", "The house", ""))
    pairs = [*PAIRS, italian]
    chosen = project(source="it")
    (result,) = chosen.predict(chosen.fit(pairs), [french(0)])
    assert said(french(0), result, "a") == {"The": "3", "house": "3"}


def test_a_side_that_may_not_be_marked_gets_nothing() -> None:
    chosen = project(sides=("b",))
    (result,) = chosen.predict(chosen.fit(PAIRS), [french(0)])
    assert not any(result.scores_a) and set(result.labels) == {"b"}
    assert said(french(0), result, "b") == {"Un": "5", "chien": "5", "petite": "1"}
    assert all(not each.a for each in result.proposals)


def test_a_translation_of_a_labelled_text_gets_its_labels() -> None:
    """EN-EN is labelled; the second text was translated."""
    source = marked(
        pair("A dog sleeps in the garden.", "A cat sleeps in the garden.", "en", ("en", "en")), ("5", "dog", "cat")
    )
    target = pair("A dog sleeps in the garden.", "Eine Katze schläft im Garten.", "de", ("en", "de"))
    chosen = project()
    (result,) = chosen.predict(chosen.fit([source, target]), [target])
    assert said(target, result, "a") == {"dog": "5"}
    assert said(target, result, "b") == {"Katze": "5"}


def test_words_may_be_aligned_by_an_encoder(tiny: Callable[[str], str]) -> None:
    chosen = project(align="simalign-itermax", encoder=tiny("bert"))
    target = french(0)
    (result,) = chosen.predict(chosen.fit(PAIRS), [target])
    # A random encoder aligns anything; what is taken over is not aligned.
    assert said(target, result, "a") == {"A": "5", "dog": "5"}
    assert chosen.unavailable([("en", "fr")]) is None and chosen.downloads([("en", "fr")]) == []


def test_an_encoder_that_is_not_there_is_refused_only_if_it_is_needed() -> None:
    languages = [("en", "fr")]
    assert project(encoder="/nowhere/at/all").unavailable(languages) is None
    refused = project(align="simalign-argmax", encoder="/nowhere/at/all").unavailable(languages)
    assert refused is not None and "encoder 'all' is not on this machine" in refused.text()


def test_a_model_survives_a_file_and_knows_no_labels_of_the_target() -> None:
    chosen = project()
    model = pickle.loads(pickle.dumps(chosen.fit(PAIRS)))
    bare, own = french(0), marked(french(0), ("1", "Bern", "Berne"))
    one, other = chosen.predict(model, [bare]), chosen.predict(model, [own])
    assert (one[0].scores_a, one[0].scores_b, one[0].labels) == (other[0].scores_a, other[0].scores_b, other[0].labels)


@pytest.mark.long
@pytest.mark.takes(8)
@pytest.mark.data
def test_labels_come_back_from_a_round_trip() -> None:
    """From the labelled texts to their machine translations into English, and from these back."""
    given = [
        replace(each, split="", id=f"there{index}")
        for index, each in enumerate(new("complete_data_es", "en-es", "dev", 1))
    ]
    given = [each for each in given if each.translations_b]
    weights = {"new": 1.0, "inferable": 0.5}
    targets = [PairInput(f"english{index}", each.a, each.translations_b[0]) for index, each in enumerate(given)]
    there = _carried([replace(each, translations_b=()) for each in given], targets, weights)
    labelled = [
        replace(each, gold_b=result.scores_b, labels_b=result.labels["b"])
        for each, result in zip(targets, there, strict=True)
    ]
    back = _carried(labelled, [PairInput(f"back{index}", each.a, each.b) for index, each in enumerate(given)], weights)
    own = [label for each in given for label in each.labels_b or ()]
    found = [label for result in back for label in result.labels["b"]]
    assert 100 * sum(one == other for one, other in zip(own, found, strict=True)) / len(own) >= 93


def _carried(sources: list[PairInput], targets: list[PairInput], weights: dict[str, float]) -> list[Result]:
    chosen = create("projection", {})
    chosen.labelling = Labelling(weights, ("b",))
    return chosen.predict(chosen.fit([*sources, *targets]), targets)


def test_settings_are_checked() -> None:
    assert ProjectionSettings.read({}).align == "words"
    with pytest.raises(SettingError, match="align"):
        ProjectionSettings.read({"align": "guess"})
