"""Every number of the report opens what lies behind it."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse

from annotation.models import Project
from tests.agreement.views.access import member
from tests.agreement.work import hand_in, pair, project

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Project:
    """Three people, two splits, linked and one-sided spans, a document in which A3 marked nothing, and a re-test."""
    made, people = project("graded", "A1", "A2", "A3")
    for number, label in enumerate(("1", "3", "2")):
        on = pair(made, split="dev" if number else "test")
        hand_in(on, people[0], [(label, [0, 1], [0]), ("2", [3], [])])
        hand_in(on, people[1], [("5", [0, 1, 2], [0]), ("2", [3], [])])
        hand_in(on, people[2], [("5", [0, 1], [0])] if number else [])
        if number:
            hand_in(on, people[0], [(label, [0], [0])], round=1)
    return made


def tables(made: Project) -> dict[str, dict[str, list[tuple[str, str]]]]:
    """By table and row: the text of each cell and where it leads."""
    page = member(made, "lead").get(reverse("agreement", args=[made.slug]))
    found = {}
    for table in page.context["body"]["tables"]:
        found[table["title"]] = {
            row[0]["text"]: [(cell["text"], cell.get("href", "")) for cell in row[1:]] for row in table["rows"]
        }
    return found


def test_every_cell_with_a_number_opens_a_page(made: Project) -> None:
    client = member(made, "lead")
    body = client.get(reverse("agreement", args=[made.slug])).content.decode()
    addresses = {unescape(found) for found in re.findall(r'href="(/projects/[^"]*/agreement/[a-z]+/\?[^"]+)"', body)}
    assert len(addresses) > 60
    kinds = {re.search(r"/agreement/(\w+)/", found)[1] for found in addresses}  # type: ignore[index]
    assert kinds == {"documents", "spans", "disagreements", "pairs"} or kinds == {"documents", "spans", "disagreements"}
    for address in sorted(addresses):
        assert client.get(address).status_code == 200, address


def test_the_counts_behind_are_the_counts_of_the_report(made: Project) -> None:
    client, found = member(made, "lead"), tables(made)
    spans, broken = found["Annotators"]["A1"][1], found["Annotators"]["A1"][4]
    assert spans[0] == "4" and client.get(spans[1]).context["page"].paginator.count == 4
    assert broken[0] == "0" and client.get(broken[1]).context["page"].paginator.count == 0
    for text, address in found["Matched spans"]["IoU ≥ 0.50"][:1]:
        assert client.get(address).context["page"].paginator.count == int(text) > 0
    for row in found["Confusion of labels"].values():
        for text, address in row:
            assert client.get(address).context["words"] == int(text), address


def test_documents_of_one_side_or_one_person(made: Project) -> None:
    client, address = member(made, "lead"), reverse("agreement-documents", args=[made.slug])
    assert client.get(address).context["page"].paginator.count == 3
    assert client.get(address, {"counted": "1"}).context["page"].paginator.count == 2
    own = client.get(address, {"person": "A3", "order": "work"}).context["rows"]
    assert [row["order"]["A3"] for row in own] == [1, 2, 3]
    sides = [row["overlap"][0] for row in client.get(address, {"side": "a"}).context["rows"]]
    assert sides == sorted(sides)


def test_one_person_twice_is_a_report_of_its_own(made: Project) -> None:
    client, found = member(made, "lead"), tables(made)
    count, address = found["The same person again (re-tests)"]["A1"][0]
    assert count == "2" and "again=A1" in address
    rows = client.get(address).context["rows"]
    assert len(rows) == 2
    pair_page = client.get(rows[0]["href"])
    assert [person.name for person in pair_page.context["laid"].people] == ["first", "again (1)"]
    report = client.get(reverse("agreement", args=[made.slug]), {"again": "A1"})
    assert report.context["body"]["documents"] == 2


def test_a_figure_that_rests_on_too_little_says_so(made: Project) -> None:
    body = member(made, "lead").get(reverse("agreement", args=[made.slug])).content.decode()
    assert "2 documents only: the interval is rough" in body
    assert "not tested: it takes 8 documents" in body


def test_only_leads_see_the_spans_of_all(made: Project) -> None:
    address = reverse("agreement-spans", args=[made.slug])
    assert [member(made, role).get(address).status_code for role in ("annotator", "adjudicator", "lead")] == [
        403,
        403,
        200,
    ]
