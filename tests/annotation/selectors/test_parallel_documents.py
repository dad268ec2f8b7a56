"""Documents: pairs that name the same one, their flags, and how long the texts of a project are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Annotation, Pair, Source
from annotation.selectors.parallel_documents import (
    pairs_of_parallel_documents,
    parallel_document_count,
    parallel_document_names,
    parallel_document_pairs,
    text_sizes,
)
from annotation.services.annotations import annotation_submit
from annotation.services.imports import import_files
from annotation.text.tokens import tokenize
from tests.annotation.formats.made_pages import TEXTS, town_pages
from tests.annotation.work import House, house
from tests.factories import PairFactory

pytestmark = pytest.mark.django_db


def named(home: House, **documents: Any) -> dict[str, Pair]:
    """A pair for each keyword, with that document; in the order of the keywords."""
    return {
        name: PairFactory(project=home.project, external_id=name, metadata={"document": document})
        for name, document in documents.items()
    }


def test_documents_come_in_the_order_of_their_first_pairs() -> None:
    home = house()
    named(home, a="two", b="one", c="two", d="", e=5, f=None, g=["x"], h="x" * 301)
    found = list(parallel_document_names(home.project.pairs.all()))
    assert (
        found[:2] == ["two", "one"] and "5" in found and "" not in found and not any(len(name) > 300 for name in found)
    )
    assert parallel_document_count(home.project) == len(found)
    assert [pair.external_id for pair in parallel_document_pairs(home.project, ["two", "none"])["two"]] == ["a", "c"]


def test_a_flag_on_one_pair_is_known_to_the_others_of_its_document() -> None:
    home = house()
    first = home.assignment.pair
    first.metadata = {"document": "hours"}
    first.save()
    others = named(home, other="hours", third="hours", alone="bath")
    annotation_submit(assignment=home.assignment, by=None, base=0, verdict="flagged", reason="cut off")
    Annotation.objects.create(source=Source.GOLD, pair=others["other"], gold_version=0, verdict="flagged")
    found = pairs_of_parallel_documents(home.project, [first.pk, others["other"].pk, others["alone"].pk])
    assert {pair: [(each.external_id, each.flags) for each in rows] for pair, rows in found.items()} == {
        first.pk: [("other", 0), ("third", 0)],
        others["other"].pk: [(first.external_id, 1), ("third", 0)],
    }
    assert (
        pairs_of_parallel_documents(home.project, [others["alone"].pk]) == {}
        and pairs_of_parallel_documents(home.project, []) == {}
    )


def test_the_sizes_of_a_project_are_those_of_the_import(tmp_path: Path) -> None:
    report = import_files(slug="towns", paths=[town_pages(tmp_path / "town")])
    project = Pair.objects.get(external_id="library-de").project
    with CaptureQueriesContext(connection) as asked:
        rows = [row.to_json() for row in text_sizes(project)]
    assert len(asked) == 1
    assert report.documents is not None and rows == report.documents["statistics"]
    tokens = len(tokenize("\n".join(("Bibliotheca", *TEXTS["de"])), "de"))
    assert rows[1] == {
        "languages": "en-de", "side": "b", "language": "de", "subdomain": "",
        "documents": 1, "tokens": tokens, "min": tokens, "max": tokens, "mean": float(tokens),
    }  # fmt: skip
