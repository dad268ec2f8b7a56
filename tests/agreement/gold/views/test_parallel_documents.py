"""The page of documents: the list, excluding and including documents, and how long the texts are."""

from __future__ import annotations

import pytest
from django.urls import reverse

from agreement.selectors import exclusions
from annotation.services.annotations import annotation_submit
from tests.annotation.work import House, house
from tests.factories import PairFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def town() -> House:
    """A house whose pair is of a document with another one."""
    home = house()
    pair = home.assignment.pair
    pair.metadata = {"document": "hours", "subdomain": "library.example"}
    pair.save()
    PairFactory(project=home.project, external_id="hours-fr", metadata={"document": "hours"})
    return home


def listed(home: House, query: str = "") -> str:
    return str(home.lead.get(reverse("documents", args=(home.project.slug,)) + query).content.decode())


def change(home: House, **data: object) -> tuple[int, str]:
    response = home.lead.post(reverse("documents-exclude", args=(home.project.slug,)), data, follow=True)
    return response.status_code, response.content.decode()


def test_a_document_is_listed_with_its_pairs_and_the_length_of_the_texts() -> None:
    home = town()
    page = listed(home)
    assert "<b>1 document</b> in this project." in page and "library.example" in page and "hours-fr" in page
    assert "Text length" in page
    annotation_submit(assignment=home.assignment, by=None, base=0, verdict="flagged", reason="cut off")
    assert "<b>1 document</b> found." in listed(home, "?only=flagged")
    assert "<b>0 documents</b> found." in listed(home, "?only=excluded")
    assert "<b>0 documents</b> found." in listed(home, "?q=bath")


def test_the_headline_counts_documents_and_the_lengths_of_texts_are_counted_by_pairs() -> None:
    home = town()
    PairFactory.create_batch(2, project=home.project)
    page = " ".join(listed(home).split())
    assert "<b>1 document</b> in this project." in page
    lengths = page[page.index("Text length") :]
    assert '<th scope="col" class="end">Pairs</th>' in lengths and "Documents" not in lengths
    counts = [row.split("</td>")[2].split(">")[1] for row in lengths.split("<tbody>")[1].split("<tr>")[1:]]
    assert counts == ["4", "1"] * 2, "on each side all the project's pairs, and the one of the subdomain"


def test_chosen_documents_are_excluded_and_included_again() -> None:
    home = town()
    status, page = change(home, document=["hours"], reason="not a page", action="exclude", q="hou")
    assert status == 200 and "2 pairs are excluded from the next gold version." in page
    assert "all excluded: not a page" in page and 'value="hou"' in page
    assert len(exclusions(home.project)) == 2
    status, page = change(home, document=["hours"], action="include")
    assert "2 pairs are included again." in page and not exclusions(home.project)


def test_without_a_reason_or_a_document_nothing_changes() -> None:
    home = town()
    status, page = change(home, document=["hours"], action="exclude", q="hou")
    assert status == 422 and "Give a reason for excluding the documents." in page
    chosen = page[page.index('value="hours"') :]
    assert "checked" in chosen[: chosen.index(">")] and 'value="hou"' in page
    status, page = change(home, reason="a &copy", action="exclude")
    assert status == 422 and "Choose at least one document." in page and 'value="a &amp;copy"' in page
    assert "checked" not in page
    assert change(home, document=["none"], reason="x", action="exclude")[0] == 404
    assert not exclusions(home.project)


def test_a_project_without_documents_says_what_they_are() -> None:
    home = house()
    page = listed(home)
    assert (
        "<b>0 documents</b> in this project." in page
        and "Pairs belong to a document if their metadata names one" in page
    )
    assert "Text length" in page


def test_a_flag_is_shown_on_the_other_pairs_of_the_document() -> None:
    home = town()
    annotation_submit(assignment=home.assignment, by=None, base=0, verdict="flagged", reason="cut off")
    slug = home.project.slug
    pairs = " ".join(home.lead.get(reverse("pairs", args=(slug,))).content.decode().split())
    a, b = home.assignment.pair.a.language, home.assignment.pair.b.language
    assert f"flagged in {a}–{b}" in pairs and pairs.count("flagged in") == 1
    other = home.project.pairs.get(external_id="hours-fr")
    page = " ".join(home.lead.get(reverse("pair", args=(slug, other.pk))).content.decode().split())
    assert "Other pairs of this document:" in page and "(flagged)" in page
    own = home.lead.get(reverse("pair", args=(slug, home.assignment.pair_id))).content.decode()
    assert "Other pairs of this document:" in own and "(flagged)" not in own
