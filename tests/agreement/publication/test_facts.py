"""What a card has to state, and what is known without asking."""

from __future__ import annotations

import pytest

from agreement.publication.facts import (
    NAMES,
    OPTIONAL,
    CardFacts,
    check_description,
    fact_problem,
    facts_missing,
    facts_of,
    suggested_facts,
)
from annotation.errors import Invalid
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save
from tests.agreement.card_facts import CARD_FACTS, state_card_facts
from tests.annotation.work import doc
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory

pytestmark = pytest.mark.django_db


def test_everything_is_missing_until_it_is_stated() -> None:
    project = PairFactory().project
    assignment = AssignmentFactory(pair=project.pairs.get(), annotator=AnnotatorFactory(project=project))
    annotation_save(assignment=assignment, by=None, base=0, sent=AnnotationInput(spans=doc()))
    facts, revision = facts_of(project)
    assert (facts, revision) == (CardFacts(), 0)
    assert facts_missing(project, facts, "unknown") == ["licence", *(n for n in NAMES if n not in OPTIONAL)]
    assert set(CARD_FACTS) == {name for name in NAMES if name not in OPTIONAL}
    state_card_facts(project)
    assert facts_missing(project, facts_of(project)[0], "cc-by-4.0") == []
    assert facts_missing(project, facts_of(project)[0], "") == ["licence"]


def test_what_nobody_could_have_saved_is_not_stated() -> None:
    project = ProjectFactory()
    for stored in (
        ["x"],
        {"revision": "abc", "homepage": "javascript:x", "contact": 5, "pay": "none", "creators": "me"},
    ):
        project.settings = {"card": stored}
        facts, revision = facts_of(project)
        assert revision == 0 and facts in (CardFacts(), CardFacts(pay="none"))
    project.settings = {"card": {"revision": 10**30}}
    assert facts_of(project)[1] == 0
    project.settings = {"card": {"homepage": "https://x>\n\n# Injected", "limits": "\u200b"}}
    assert facts_of(project)[0].homepage == "" and "limits" in facts_missing(project, facts_of(project)[0], "odc-by")


@pytest.mark.parametrize("text", ["a\u202eb", "a\x07", "\x1b[31m", "\x00", "a\n\u200bb"])
def test_texts_have_no_characters_that_nobody_sees(text: str) -> None:
    for name in ("pay", "limits", "citation"):
        problem = fact_problem(name, text)
        assert problem is not None and problem.where == name
    with pytest.raises(Invalid):
        check_description(text)
    assert fact_problem("limits", "One.\n\n\tTwo 👩‍👧.") is None


@pytest.mark.parametrize("description", ["<!-- x -->", "<b></b>", "\u200b", " "])
def test_a_description_that_shows_nothing_names_no_licence(description: str) -> None:
    assert facts_missing(ProjectFactory(), CardFacts(**CARD_FACTS), "other", description) == ["description"]


def test_annotators_are_not_asked_about_where_there_are_none() -> None:
    project = PairFactory().project
    missing = facts_missing(project, CardFacts(), "cc-by-4.0")
    assert not {"creators", "recruitment", "pay"} & set(missing) and "contact" in missing


def test_sites_are_suggested_as_sources() -> None:
    project = ProjectFactory()
    for url in ("https://b.example/1", "https://a.example/1", "https://a.example/2", "https://[bad", ""):
        PairFactory(project=project, metadata={"url_a": url})
    assert suggested_facts(project) == CardFacts(sources="a.example, b.example")


def test_datasets_are_named_one_by_one() -> None:
    assert CardFacts(source_datasets=" a/b, c ,").datasets == ["a/b", "c"]
