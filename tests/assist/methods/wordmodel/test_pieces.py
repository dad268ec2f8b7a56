"""Compounds are split into the words that a project knows, and are found by their pieces."""

import numpy as np
import pytest

from assist.methods.default import training_config
from assist.methods.wordmodel import pieces, training
from assist.methods.wordmodel.pieces import CompoundSplitter, Pieces
from tests.assist.methods.texts import pair, parallel

CONFIG = training_config("graded", 0.4, listed=True)
KNOWN = parallel(24)


def splitter(text: str, language: str) -> CompoundSplitter:
    given = [pair(text, ".", languages=(language, "en"))]
    return CompoundSplitter.of(training.train(given, CONFIG).read(each).a for each in given)


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("gartenmauer", ["garten", "mauer"]),
        ("arbeitsmauer", ["arbeits", "mauer"]),
        ("gartenmauerarbeit", ["garten", "mauer", "arbeit"]),
        ("gartenzaun", ["gartenzaun"]),
        ("mauer", ["mauer"]),
        ("garten-mauer", ["garten-mauer"]),
        ("gartenmauer" * 20, ["gartenmauer" * 20]),
    ],
)
def test_compounds_are_split_where_all_pieces_are_known(word: str, wanted: list[str]) -> None:
    assert splitter("Garten Mauer Arbeit Garten Mauer Arbeit", "de").split(word) == wanted


def test_a_word_commoner_than_its_pieces_stays_whole() -> None:
    assert splitter("Garten Mauer " + "Gartenmauer " * 5, "de").split("gartenmauer") == ["gartenmauer"]


def test_languages_without_compounds_are_left_alone() -> None:
    assert splitter("contre venir contre venir", "fr").split("contrevenir") == ["contrevenir"]


def taught() -> tuple[training.ProjectModel, dict[str, Pieces]]:
    trained = training.build(KNOWN, CONFIG)
    return trained, pieces.build(trained, KNOWN, [trained.read(each) for each in KNOWN])


def test_a_compound_never_met_is_found_by_its_pieces() -> None:
    trained, parts = taught()
    # 'Gartenhaus' is in no text that was learned from; 'Palast' has no counterpart.
    given = pair("The garden house in Bern is small.", "Das Gartenhaus in Bern ist klein Palast.", "new")
    doc = trained.read(given)
    doc.beads = doc.whole()
    a, b = parts[pieces.key(trained, given)].evidence(doc)
    words = given.b.words()
    assert b["number of pieces"][words.index("Gartenhaus")] == 2
    assert b["pieces"][words.index("Gartenhaus")] < 0.5 < b["pieces"][words.index("Palast")]
    assert a["best piece"][given.a.words().index("house")] < 0.5
    assert b["pieces"][words.index(".")] == 0.5
    for side in (a, b):
        assert (side["best piece"] <= side["pieces"] + 1e-9).all() and (
            side["pieces"] <= side["worst piece"] + 1e-9
        ).all()
        assert all(((column >= 0) & np.isfinite(column)).all() for column in side.values())


def test_a_side_without_words_has_no_evidence() -> None:
    trained, parts = taught()
    given = pair("The garden.", "", "5")
    a, b = parts[pieces.key(trained, given)].evidence(trained.read(given))
    assert all(len(column) == 0 for column in b.values())
    assert a["pieces"].tolist() == [1.0, 1.0, 0.5]
