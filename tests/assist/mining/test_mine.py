"""Mining: articles in, matches out, by words and by an encoder."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assist.methods.base import MethodError
from assist.mining.articles import Article, LanguagesError
from assist.mining.embeddings import embed
from assist.mining.mine import MiningResult, mine
from assist.mining.records import mined_source
from assist.mining.settings import MiningSettings

EN = (
    "The city",
    "The library opened in 1962 and holds two million books and 300 old maps.",
    "The river floods the old town in spring, and the bridge is closed.",
    "Every winter there is a famous market with music in front of the church.",
)
ES = (
    "La ciudad",
    "En invierno hay un mercado famoso con música delante de la iglesia.",
    "El fútbol es muy popular entre los jóvenes.",
    "La biblioteca abrió en 1962 y tiene dos millones de libros y 300 mapas antiguos.",
)
ARTICLES = [
    Article("town", "en", EN, "town.en.txt", "https://example.org/en"),
    Article("town", "es", ES, "town.es.txt"),
    Article("alone", "es", ("Nada.",), "alone.es.txt"),
]
FREE: dict[str, Any] = {"per_article": None, "shortest": 1}


def mined(articles: list[Article] = ARTICLES, **settings: Any) -> MiningResult:
    return mine(articles, MiningSettings.read({**FREE, **settings}))


def test_paragraphs_that_say_the_same_are_matched_without_a_model() -> None:
    found = mined()
    assert {(match.a, match.b) for match in found.kept_matches} == {(1, 3), (3, 1)}
    assert [match.similarity for match in found.matches] == sorted((m.similarity for m in found.matches), reverse=True)
    assert (found.languages, found.articles, found.alone) == (("en", "es"), 1, ["alone (es)"])
    assert (found.paragraphs, found.summaries) == ((4, 4), (1, 1))


def test_the_summary_takes_part_if_it_is_wanted() -> None:
    assert (0, 0) in {(match.a, match.b) for match in mined(skip_summary=False).kept_matches}
    # An article of one paragraph has no summary.
    single = [Article("x", "en", EN[1:2], ""), Article("x", "es", ES[3:], "")]
    assert len(mined(single).kept_matches) == 1


def test_the_other_side_first() -> None:
    assert {(match.a, match.b) for match in mined(language_a="es").kept_matches} == {(1, 3), (3, 1)}
    assert mined(language_a="es").kept_matches[0].text_a in ES


def test_paragraphs_of_different_articles_are_never_matched() -> None:
    articles = [Article("x", "en", EN[1:2], ""), Article("x", "es", ES[2:3], ""), Article("y", "es", ES[3:], ""),
                Article("y", "en", EN[3:], "")]  # fmt: skip
    assert mined(articles).kept_matches == []


def test_a_text_that_was_not_translated_is_a_copy() -> None:
    found = mined([Article("x", "en", EN, ""), Article("x", "es", EN, "")])
    assert found.dropped == {"copy": 3} and not found.kept_matches


def test_empty_articles_and_one_language() -> None:
    assert mined([Article("x", "en", (), ""), Article("x", "es", ES, "")]).matches == []
    assert mined([Article("x", "en", EN, ""), Article("y", "es", ES, "")]).matches == []
    with pytest.raises(LanguagesError):
        mined(ARTICLES[1:])


def test_pairs_say_where_they_come_from() -> None:
    found = mined(seed=2)
    source = mined_source(found, MiningSettings.read({**FREE, "seed": 2}))
    by_id = {record.id: record for record in source.records}
    assert set(by_id) == {"town:2-4", "town:4-2"} and source.scheme.name == "xparade"
    record = by_id["town:2-4"]
    assert (record.a.text, record.b.text, record.a.language) == (EN[1], ES[3], "en")
    assert record.metadata["url_a"] == "https://example.org/en" and "url_b" not in record.metadata
    told = record.metadata["mined"]
    assert (told["article"], told["paragraph_a"], told["paragraph_b"], told["method"]) == ("town", 2, 4, "words")
    assert told["similarity"] in {match.similarity for match in found.kept_matches}
    assert told["settings"] == {"per_article": None, "shortest": 1, "seed": 2}


def test_an_encoder_compares_paragraphs() -> None:
    seen: list[tuple[int, int]] = []
    articles = [Article("x", "en", EN, ""), Article("x", "fr", (EN[3], EN[0], EN[2], EN[1]), "")]
    settings = MiningSettings.read(
        {**FREE, "method": "encoder", "model": "all-MiniLM-L6-v2", "skip_summary": False, "most_copied": 1.0}
    )
    found = mine(articles, settings, lambda done, total, what: seen.append((done, total)))
    assert {(match.a, match.b) for match in found.matches} == {(0, 1), (1, 3), (2, 2), (3, 0)}
    assert found.dropped == {"similar": 4} and seen[-1] == (8, 8)
    record = mined_source(mine(articles, settings.model_copy(update={"most_similar": 1.0})), settings)
    assert record.records[0].metadata["mined"]["model"] == "all-MiniLM-L6-v2"


def test_what_was_found_is_stored_and_judged_again() -> None:
    found = mined()
    again = MiningResult.from_json(json.loads(json.dumps(found.to_json())))
    assert again == found
    stricter = again.with_settings(MiningSettings.read({**FREE, "least_similar": 0.99}))
    assert not stricter.kept_matches and stricter.dropped == {"dissimilar": len(found.matches)}


def test_ways_of_pooling() -> None:
    from assist.methods.encoder.encode import load

    encoder = load("all-MiniLM-L6-v2")
    vectors = {pooling: embed(encoder, ["A library.", "A bridge."], pooling, lambda *_: None) for pooling in
               ("mean", "first", "pooler")}  # fmt: skip
    for each in vectors.values():
        assert each.shape == (2, 384) and (each**2).sum(axis=1) == pytest.approx([1, 1], abs=1e-4)
    assert abs(vectors["mean"] - vectors["first"]).max() > 0.01 < abs(vectors["first"] - vectors["pooler"]).max()


def test_an_encoder_that_is_not_there_is_named() -> None:
    with pytest.raises(MethodError, match="nowhere"):
        mined(method="encoder", model="/nowhere")


def test_without_torch_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assist.mining.embeddings.importlib.util.find_spec", lambda name: None)
    with pytest.raises(MethodError, match=r"\(torch, transformers\): run script/setup, or compare by words"):
        mined(method="encoder")
