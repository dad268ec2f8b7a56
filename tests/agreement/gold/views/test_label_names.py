"""Pages call labels as the lead called them, not by their keys in files; and counts of one and none."""

import re
from html import unescape

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import strip_tags

from annotation.models import Project
from annotation.text.scheme_parsing import parse_scheme
from tests.agreement.access import member
from tests.agreement.work import pair, project, submit

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


OWN = {
    "name": "own",
    "labels": [
        {"key": "slight", "name": "A bit off", "hotkey": "1", "colour": "p1"},
        {"key": "grave", "name": "Quite wrong", "hotkey": "", "colour": "p2"},
    ],
}


@pytest.fixture
def own() -> Project:
    made, (one, two) = project(parse_scheme(OWN).to_json())
    on = pair(made)
    submit(on, one, [("slight", [0, 1], [0]), ("grave", [3], [])])
    submit(on, two, [("grave", [0, 1], [0]), ("grave", [3], [])])
    return made


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("agreement-spans", ""),
        ("agreement-disagreements", "?labels=slight,grave"),
        ("agreement-disagreements", "?labels=grave,grave"),
        ("adjudication", ""),
    ],
)
def test_pages_call_own_labels_by_their_names(own: Project, name: str, query: str) -> None:
    page = member(own, "lead").get(reverse(name, args=[own.slug]) + query).content.decode()
    said = " ".join(strip_tags(page).split())
    assert "A bit off" in said and "Quite wrong" in said
    assert "slight" not in said and "grave" not in said


def test_analyses_and_the_pairs_behind_their_figures_call_own_labels_by_their_names(own: Project) -> None:
    client = member(own, "lead")
    page = client.get(reverse("analyses", args=[own.slug])).content.decode()
    columns = [strip_tags(head).strip() for head in re.findall(r"<th[^>]*>.*?</th>", page, re.DOTALL)]
    assert {"A bit off", "Quite wrong"} <= set(columns) and not {"slight", "grave"} & set(columns)
    (plot,) = re.findall(r'aria-label="([^"]*Quite wrong: [^"]*)"', page)
    assert "A bit off: " in plot and "grave" not in plot
    link = next(link for link in re.findall(r'href="([^"]*)"', page) if "of=grave" in link)
    behind = client.get(unescape(link)).content.decode()
    assert "label “Quite wrong”" in strip_tags(behind)


def test_the_preview_of_a_rule_and_the_gold_call_own_labels_by_their_names(own: Project) -> None:
    client, body = member(own, "lead"), {"rule": "union", "phase": "main"}
    client.post(reverse("adjudication-make", args=[own.slug]), body)
    for page in (
        client.post(reverse("adjudication-try", args=[own.slug]), body),
        client.get(reverse("gold-version", args=[own.slug, 1])),
    ):
        rows = {row.strip() for row in re.findall(r'<th scope="row">([^<]*)</th>', page.content.decode())}
        assert "Quite wrong" in rows and not {"slight", "grave"} & rows


def test_one_word_is_one_word_and_none_is_said_once(own: Project) -> None:
    client = member(own, "lead")

    def answer(name: str, query: str) -> str:
        page = client.get(reverse(name, args=[own.slug]) + query).content.decode()
        found = re.search(r'<p class="answer">(.*?)</p>', page, re.DOTALL)
        assert found
        return " ".join(strip_tags(found[1]).split()).replace(" ,", ",")

    assert answer("agreement-disagreements", "?labels=grave,grave").endswith("labelled “Quite wrong”, 1 word in total.")
    assert answer("agreement-disagreements", "?least=50") == "There is no such passage."
    assert answer("agreement-spans", "?annotator=A2&label=slight") == "There is no such span."
    assert answer("agreement-spans", "?label=grave") == "3 spans, 5 words in total."
    assert answer("agreement-spans", "?label=slight&runs=1") == (
        "2 passages with one label, 3 words in total, in 2 sentences."
    )


def test_a_report_without_differences_names_no_zero() -> None:
    made, people = project()
    on = pair(made)
    for person in people:
        submit(on, person)
    said = " ".join(
        strip_tags(member(made, "lead").get(reverse("agreement", args=[made.slug])).content.decode()).split()
    )
    assert "No disagreements: all marks and answers match." in said and "0 disagreements" not in said
    assert "no document has been submitted by two annotators" not in said


def test_a_label_that_the_scheme_no_longer_has_keeps_its_key() -> None:
    said = strip_tags(render_to_string("agreement/_quoted_span.html", {"span": {"label": None, "key": "gone"}}))
    assert "gone" in said
