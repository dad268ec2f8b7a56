"""Every number of the report opens what lies behind it."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse

from agreement.report.scope import Scope
from annotation.models import Highlight, Project
from annotation.text.schemes import PRESETS
from tests.agreement.access import member, statuses
from tests.agreement.work import pair, project, submit

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def study() -> Project:
    """Three people, two splits, linked and one-sided spans, a document in which A3 marked nothing, and a re-test."""
    study, people = project("graded", "A1", "A2", "A3")
    for number, label in enumerate(("1", "3", "2")):
        on = pair(study, split="dev" if number else "test")
        submit(on, people[0], [(label, [0, 1], [0]), ("2", [3], [])])
        submit(on, people[1], [("5", [0, 1, 2], [0]), ("2", [3], [])])
        submit(on, people[2], [("5", [0, 1], [0])] if number else [])
        if number:
            submit(on, people[0], [(label, [0], [0])], round=1)
    return study


def tables(study: Project) -> dict[str, dict[str, list[tuple[str, str]]]]:
    """By table and row: the text of each cell and where it leads."""
    page = member(study, "lead").get(reverse("agreement", args=[study.slug]))
    found = {}
    for table in page.context["body"]["tables"]:
        found[table["title"]] = {
            row[0]["text"]: [(cell["text"], cell.get("href", "")) for cell in row[1:]] for row in table["rows"]
        }
    return found


@pytest.mark.long
@pytest.mark.takes(7)
def test_every_cell_with_a_number_opens_a_page(study: Project) -> None:
    client = member(study, "lead")
    body = client.get(reverse("agreement", args=[study.slug])).content.decode()
    addresses = {unescape(found) for found in re.findall(r'href="(/projects/[^"]*/agreement/[a-z]+/\?[^"]+)"', body)}
    assert len(addresses) > 60
    assert not re.findall(r'href="#[^"]*\?', body), "every mark of a picture leads somewhere"
    pictures = " ".join(re.findall(r"<svg.*?</svg>", body, re.DOTALL))
    assert len(re.findall(r'href="/projects/', pictures)) > 10
    kinds = {re.search(r"/agreement/(\w+)/", found)[1] for found in addresses}  # type: ignore[index]
    assert kinds - {"pairs"} == {"documents", "spans", "disagreements", "texts", "trends"}
    for address in sorted(addresses):
        assert client.get(address).status_code == 200, address


def test_the_counts_behind_are_the_counts_of_the_report(study: Project) -> None:
    client, found = member(study, "lead"), tables(study)
    spans, broken = found["Annotators"]["A1"][1], found["Annotators"]["A1"][4]
    assert spans[0] == "4" and client.get(spans[1]).context["page"].paginator.count == 4
    assert broken[0] == "0" and client.get(broken[1]).context["page"].paginator.count == 0
    for text, address in found["Matched spans"]["IoU ≥ 0.50"][:1]:
        assert client.get(address).context["page"].paginator.count == int(text) > 0
    for row in found["Label confusion matrix"].values():
        for text, address in row:
            assert client.get(address).context["total"].split()[0] == text, address


def test_only_what_rests_on_nothing_opens_nothing(study: Project) -> None:
    for title, rows in tables(study).items():
        for name, cells in rows.items():
            for text, href in cells:
                assert href or text == "–", (title, name, text)


def test_lengths_of_texts_lead_to_the_texts(study: Project) -> None:
    client, found = member(study, "lead"), tables(study)
    for texts, tokens, shortest, longest, mean in found["Texts, in tokens"].values():
        rows = client.get(texts[1]).context["rows"]
        lengths = [int(cells[0]) for _href, _name, cells in rows]
        assert (len(rows), sum(lengths), lengths[0]) == (int(texts[0]), int(tokens[0]), int(longest[0]))
        assert client.get(shortest[1]).context["rows"][0][2] == (shortest[0],)
        assert mean[1] == longest[1] == tokens[1]
        assert client.get(rows[0][0]).status_code == 200


@pytest.mark.parametrize("scheme", ["graded", "xparade"])
def test_labels_given_lead_to_as_many(scheme: str) -> None:
    """Where every token has a label, a span is a run of them, however it was saved; elsewhere spans are spans."""
    study, people = project(scheme)
    labels = ("1", "3") if scheme == "graded" else ("new", "inferable")
    for label in labels:
        on = pair(study)
        a: list[int] = [0, 1] if scheme == "graded" else []
        submit(on, people[0], [(label, a, [0, 1]), (label, [], [2])])
        submit(on, people[1], [(labels[0], [], [0, 3])])
    client, found = member(study, "lead"), tables(study)
    for row in found["Labels given"].values():
        (tokens, words), (spans, listed), (sentences, _) = row
        page = client.get(words)
        assert (page.context["total"].split()[0], str(page.context["sentences"])) == (tokens, sentences)
        assert str(client.get(listed).context["page"].paginator.count) == spans
    for _documents, _spans, _tokens, distinct, *_ in found["Annotators"].values():
        assert client.get(distinct[1]).context["total"].split()[0] == distinct[0]


def test_answers_lead_to_items() -> None:
    study, people = project("likert", "A1", "A2", "A3")
    for given in ("001", "44-", "3--"):
        on = pair(study)
        for person, answer in zip(people, given, strict=True):
            if answer != "-":
                submit(on, person, answers={"agree": answer})
    client, found = member(study, "lead"), tables(study)
    items, *figures = next(iter(found["Agreement of answers"].values()))
    rows = client.get(items[1]).context["rows"]
    assert items[0] == "2" and [cells for _, _, cells in rows] == [("0", "0", "1"), ("4", "4", "–")]
    assert {href for _, href in figures} == {items[1]}
    for answer, cells in found["Answers given"].items():
        for text, href in cells:
            body = client.get(href).context
            assert f"“{answer}” was given {text} time" in body["answer"]
            assert sum(given == answer for *_, row in body["rows"] for given in row) >= int(text), href
    page = client.get(rows[0][0]).content.decode()
    assert "<b>3 people</b> answered" in page and "strongly disagree" in page
    assert client.get(reverse("agreement-answers", args=[study.slug]), {"question": "x"}).status_code == 404


def test_highlights_have_no_effect_where_there_were_none() -> None:
    study, people = project("graded")
    for number in range(12):
        for person in people:
            done = submit(pair(study), person, [("1", [0], [0])])
            assert done.assignment is not None
            done.assignment.highlights_shown = number % 2 == 0
            done.assignment.save()
    assert "Effect of pre-labels" not in tables(study)


def test_what_highlights_do_leads_to_every_value() -> None:
    study, people = project("graded")
    for number in range(12):
        on = pair(study)
        if number < 11:  # where there were none, nothing is compared
            Highlight.objects.create(pair=on, run="default", method="default.v5", scores_a=[], scores_b=[])
        for person in people:
            done = submit(on, person, [("1", [0], [0])] * (1 + number % 2), active_seconds=60 * (number + 1))
            assert done.assignment is not None
            done.assignment.highlights_shown = number % 2 == 0
            done.assignment.save()
    client, found = member(study, "lead"), tables(study)["Effect of pre-labels"]
    assert len(client.get(found["spans"][0][1]).context["rows"]) == 5 * len(people)
    for outcome, (without, with_them, difference, _size) in found.items():
        if outcome == "spans that started as a suggestion":
            continue
        means = []
        for text, href in (without, with_them):
            context = client.get(href).context
            figures = [float(cells[2]) for _, _, cells in context["rows"]]
            assert text.startswith(f"{sum(figures) / len(figures):.3f}"), outcome
            assert text.split(" ")[0] in context["answer"]
            means.append(len(figures))
        assert client.get(difference[1]).context["page"].paginator.count == sum(means)
    assert client.get(reverse("agreement-outcomes", args=[study.slug]), {"outcome": "x"}).status_code == 404


def test_documents_of_one_side_or_one_person(study: Project) -> None:
    client, address = member(study, "lead"), reverse("agreement-documents", args=[study.slug])
    assert client.get(address).context["page"].paginator.count == 3
    assert client.get(address, {"counted": "1"}).context["page"].paginator.count == 2
    own = client.get(address, {"person": "A3", "order": "work"}).context["rows"]
    assert [row["order"]["A3"] for row in own] == [1, 2, 3]
    sides = [row["overlap"][0] for row in client.get(address, {"side": "a"}).context["rows"]]
    assert sides == sorted(sides)


def test_one_person_twice_is_a_report_of_its_own(study: Project) -> None:
    client, found = member(study, "lead"), tables(study)
    count, address = found["Same person again (re-tests)"]["A1"][0]
    assert count == "2" and "again=A1" in address
    rows = client.get(address).context["rows"]
    assert len(rows) == 2
    pair_page = client.get(rows[0]["href"])
    assert [person.name for person in pair_page.context["side_by_side"].people] == ["first", "again (1)"]
    report = client.get(reverse("agreement", args=[study.slug]), {"again": "A1"})
    assert report.context["body"]["documents"] == 2


def test_a_trend_opens_the_documents_that_have_its_figure(study: Project) -> None:
    """A3 marked nothing in one of three documents: it has no mean label there, and does not count."""
    client, found = member(study, "lead"), tables(study)["Change over time"]
    count, address = found["A3, mean label"][0]
    context = client.get(address).context
    assert count == "2" == str(context["page"].paginator.count)
    assert [cells for _href, _name, cells in context["rows"]] == [("2", "5.000"), ("3", "5.000")]
    for cells in found.values():
        text, href = cells[0]
        assert client.get(href).context["page"].paginator.count == int(text), href
    asked = reverse("agreement-trends", args=[study.slug])
    assert client.get(asked, {"person": "A3", "figure": "x"}).status_code == 404
    assert client.get(asked, {"person": "nobody", "figure": "marked"}).status_code == 404


def test_names_with_commas_can_be_chosen_in_every_filter() -> None:
    scheme = {
        "name": "own",
        "default": "same",
        "labels": [{"key": key, "name": key} for key in ("new, or changed", "c\\d")],
    }
    study, people = project(scheme, "Smith, Jane", "A2", "A3")
    on = pair(study)
    for person, marked in zip(people, ("new, or changed", "c\\d", "c\\d"), strict=True):
        submit(on, person, [(marked, [0, 1], [])])
    client = member(study, "lead")
    page = client.get(reverse("agreement", args=[study.slug]))
    offered = re.findall(r'class="pill"\s+href="([^"]*annotators=[^"]*)">([^<]*)<', page.content.decode())
    assert [said for _, said in offered] == ["A2 and A3", "A2 and Smith, Jane", "A3 and Smith, Jane"]
    narrowed = client.get(page.wsgi_request.path + unescape(offered[1][0]))
    assert narrowed.context["scope"].annotators == ("A2", "Smith, Jane")
    assert Scope.parse(str(narrowed.context["scope"])) == narrowed.context["scope"]
    (table,) = [found for found in narrowed.context["body"]["tables"] if found["title"] == "Label confusion matrix"]
    hrefs = [cell["href"] for row in table["rows"] for cell in row[1:] if cell.get("href")]
    confused = [href for href in hrefs if "new%5C%2C" in href and "c%5C%5Cd" in href]
    assert {len(client.get(href).context["rows"]) for href in confused} == {0, 1}

    listed = client.get(reverse("agreement-disagreements", args=[study.slug]), {"annotators": "A2,Smith\\, Jane"})
    assert 'name="annotators" value="A2,Smith\\, Jane"' in listed.content.decode()
    select = listed.content.decode().split('<select name="labels"')[1].split("</select>")[0]
    options = [unescape(value) for value in re.findall(r'<option value="([^"]+)"', select)]
    found = {each: len(client.get(listed.wsgi_request.path, {"labels": each}).context["rows"]) for each in options}
    assert found == {"same,new\\, or changed": 0, "same,c\\\\d": 0, "new\\, or changed,c\\\\d": 2}


def test_words_that_both_label_alike_do_not_open_under_disagreements(study: Project) -> None:
    client = member(study, "lead")
    page = client.get(reverse("agreement-disagreements", args=[study.slug]), {"labels": "2,2"}).content.decode()
    assert "Where both annotators chose “2”" in page and "isagree" not in page.split("<main")[1]


def test_a_figure_that_rests_on_too_little_says_so(study: Project) -> None:
    body = member(study, "lead").get(reverse("agreement", args=[study.slug])).content.decode()
    assert "nly 2 documents: the interval is rough" in body
    assert "Not tested: at least 8 documents" in body


def test_only_leads_see_the_spans_of_all(study: Project) -> None:
    asked = {"answers": "?question=x", "outcomes": "?outcome=spans", "trends": "?person=A1&figure=marked"}
    for name, there in {"spans": 200, "texts": 200, "answers": 404, "outcomes": 200, "trends": 200}.items():
        address = reverse(f"agreement-{name}", args=[study.slug]) + asked.get(name, "")
        assert statuses(study, address) == {
            "stranger": 404, "annotator": 403, "adjudicator": 403, "lead": there, "nobody": 302,
        }  # fmt: skip


def test_documents_that_someone_left_empty_are_said_to_be_why_nothing_is_counted() -> None:
    study, (one, other) = project("graded")
    on = pair(study)
    submit(on, one, [("4", [0], [0])])
    submit(on, other)
    page = member(study, "lead").get(reverse("agreement", args=[study.slug])).content.decode()
    assert "A document is counted once at least two annotators have marked something in it." in unescape(page)
    assert "at least two annotators must submit the same document" not in page


def test_own_labels_have_their_names_in_tables_and_keep_their_keys_in_links() -> None:
    scheme = PRESETS["xparade"].to_json()
    scheme["labels"][0]["name"] = "Added by the translator"
    study, people = project(scheme)
    key = scheme["labels"][0]["key"]
    for number in range(2):
        on = pair(study)
        for index, person in enumerate(people):
            submit(on, person, [(key, [], [index * number])])
    found = tables(study)
    names = {name for table in found.values() for name in table}
    assert "“Added by the translator”" in found["F1 between annotators"] and f"“{key}”" not in names
    link = found["F1 between annotators"]["“Added by the translator”"][0][1]
    assert f"label={key}" in link and member(study, "lead").get(link).status_code == 200


@pytest.mark.parametrize("kind", ["disagreements", "spans"])
def test_the_filters_of_a_list_stay_within_the_part_that_the_report_was_narrowed_to(study: Project, kind: str) -> None:
    scope = Scope(split="dev", annotators=("A1", "A3"))
    address = f"{reverse('agreement', args=[study.slug])}{kind}/"
    narrowed = member(study, "lead").get(f"{address}?{scope}&counted=1")
    form = narrowed.content.decode().split('<form class="filters"')[1].split("</form>")[0]
    sent = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form)
    assert sent == [*scope.parameters, ("counted", "1")]
    again = member(study, "lead").get(address, dict(sent))
    assert again.context["page"].paginator.count == narrowed.context["page"].paginator.count
    assert again.context["page"].paginator.count < member(study, "lead").get(address).context["page"].paginator.count
