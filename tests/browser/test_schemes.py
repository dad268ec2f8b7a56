"""Every scheme and script: one side to mark, questions by digit, marks on whole graphemes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Annotation, Assignment, Status
from annotation.text.scheme_parsing import parse_scheme
from annotation.text.schemes import PRESETS
from tests.browser.user_actions import drag, marked, quoted, saved, selected, word
from tests.browser.waits import drawn, follow, wait_until
from tests.factories import AssignmentFactory, PairFactory, ProjectFactory, TextFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OpenWork = Callable[[Page, Assignment], None]


def made(scheme: str, **texts: object) -> Assignment:
    project = ProjectFactory(scheme=PRESETS[scheme].to_json())
    return AssignmentFactory(pair=PairFactory(project=project, **texts))


def test_new_and_inferable_exclude_each_other_and_the_other_side_is_read_only(page: Page, open_work: OpenWork) -> None:
    assignment = made("xparade")
    open_work(page, assignment)
    expect(page.locator(".col.a .readonly")).to_have_text("read only")
    expect(page.locator("#hints")).to_contain_text("1 2 mark the word")
    drag(page, "a", 1, 3)
    wait_until(selected, page, equals=[])
    drag(page, "b", 0, 3)
    expect(page.locator("#hints")).to_have_text(
        "1 2 apply the label · Ctrl + drag adds a fragment · Esc clears the selection"
    )
    page.keyboard.press("1")
    drag(page, "b", 1, 2)
    page.keyboard.press("2")
    saved(page)
    wait_until(
        lambda: sorted(quoted(assignment)), equals=[("inferable", ["Bibliothek ist"]), ("new", ["Die", "sonntags"])]
    )
    expect(page.locator(".col.b .token.marked")).to_have_count(4)
    rules = [word(page, "b", n).evaluate("e => getComputedStyle(e).backgroundImage") for n in (0, 1)]
    assert "repeating" in rules[1] and "repeating" not in rules[0], "a second sign beside the colour"


def test_a_rating_is_given_by_digit(page: Page, open_work: OpenWork) -> None:
    statement = TextFactory(content="Both say that children pay nothing.")
    assignment = made("likert", statement=statement)
    open_work(page, assignment)
    expect(page.locator(".statement")).to_have_text("Both say that children pay nothing.")
    expect(page.locator("#hints")).to_contain_text("0–4 answer")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#state-detail")).to_contain_text("1 question is unanswered")
    page.keyboard.press("3")
    expect(page.locator("#questions input[value='3']")).to_be_checked()
    saved(page)
    page.keyboard.press("z")
    expect(page.locator("#questions input:checked")).to_have_count(0)
    page.keyboard.press("1")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(lambda url: "/work/" not in url)
    assignment.refresh_from_db()
    assert (assignment.status, assignment.annotation.answers) == (Status.DONE, {"agree": "1"})


def test_a_digit_answers_the_question_with_the_focus_and_is_a_label_in_the_texts(
    page: Page, open_work: OpenWork
) -> None:
    questions = [
        {"key": "grade", "text": "How much?", "type": "scale", "low": 1, "high": 4},
        {"key": "same", "text": "Same author?", "type": "yes-no"},
    ]
    scheme = parse_scheme({**PRESETS["graded"].to_json(), "questions": questions})
    assignment = AssignmentFactory(pair=PairFactory(project=ProjectFactory(scheme=scheme.to_json())))
    open_work(page, assignment)
    keys = page.locator("#questions kbd:visible")
    drag(page, "a", 1, 2)
    page.keyboard.press("1")
    expect(page.locator(".col.a .token.marked")).to_have_count(2)
    page.keyboard.press("Control+Enter")
    told = page.locator("#state-detail")
    expect(told).to_have_text("2 questions are unanswered.")
    saved(page)
    expect(told).to_have_text("2 questions are unanswered.")
    expect(keys).to_have_text(["1", "2", "3", "4"])
    page.keyboard.press("3")
    expect(page.locator("#questions input[value='3']")).to_be_checked()
    expect(told).to_have_text("1 question is unanswered.")
    expect(keys).to_have_text(["1", "2"])
    page.keyboard.press("4")
    page.keyboard.press("2")
    expect(page.locator("#questions input[value='no']")).to_be_checked()
    expect(told).to_have_text("")
    saved(page)
    assert [label for label, _ in quoted(assignment)] == ["1"]


def test_a_rating_is_given_by_a_click_alone(page: Page, open_work: OpenWork) -> None:
    assignment = made("yes-no")
    open_work(page, assignment)
    page.locator("#questions label").first.click()
    expect(page.locator("#questions input").first).to_be_checked()
    saved(page)
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url(lambda url: "/work/" not in url)
    assignment.refresh_from_db()
    assert assignment.status == Status.DONE


@pytest.mark.parametrize(
    ("language", "content", "first", "last", "words"),
    [
        ("hi", "रानी की वाव गुजरात में है।", 0, 2, "रानी की वाव"),
        ("zh", "豆腐是一种食品。", 0, 1, None),
        ("de", "Heute 👩‍🔬 misst 🇨🇭 Werte 😀.", 1, 3, "👩‍🔬 misst 🇨🇭"),
        ("fr", "Le cafe\u0301 est fermé.", 1, 2, "cafe\u0301 est"),
        ("ar", "التبرع بالدم 🩸 ينقذ حياة.", 2, 1, "بالدم 🩸"),
    ],
)
def test_what_is_marked_is_what_python_cuts_out(
    page: Page, open_work: OpenWork, language: str, content: str, first: int, last: int, words: str | None
) -> None:
    assignment = made("graded", b=TextFactory(language=language, content=content))
    open_work(page, assignment)
    drag(page, "b", first, last)
    page.keyboard.press("4")
    saved(page)
    tokens = assignment.pair.b.tokens
    low, high = min(first, last), max(first, last)
    expected = words or content[tokens[low][0] : tokens[high][1]]
    wait_until(quoted, assignment, equals=[("4", [expected])])
    column = page.locator(".col.b")
    expect(column).to_have_attribute("lang", language)
    expect(column).to_have_attribute("dir", "rtl" if language == "ar" else "ltr")


def test_submitted_work_is_shown_and_can_be_reopened(page: Page, open_work: OpenWork) -> None:
    assignment = made("graded")
    open_work(page, assignment)
    drag(page, "a", 1, 2)
    page.keyboard.press("1")
    url = page.url
    page.keyboard.press("Control+Enter")
    dialog = page.get_by_role("dialog", name="Submit with unread paragraphs")
    expect(dialog).to_contain_text("Children pay nothing.")
    dialog.get_by_role("button", name="Submit anyway").click()
    page.wait_for_url(lambda now: "/work/" not in now)
    page.goto(url)
    page.wait_for_selector("html[data-ready]")
    drag(page, "a", 4, 5)
    page.keyboard.press("2")
    page.keyboard.press("z")
    drawn(page)
    wait_until(marked, page, "a", equals=["library", "is"])
    follow(page.get_by_role("button", name="Reopen"))
    page.wait_for_selector("#verdicts:not([hidden])")
    page.wait_for_selector("html[data-ready]")
    page.keyboard.press("z")
    saved(page)
    wait_until(quoted, assignment, equals=[])


def test_a_flag_needs_a_reason(page: Page, open_work: OpenWork) -> None:
    assignment = made("graded")
    open_work(page, assignment)
    page.keyboard.press("f")
    page.get_by_role("button", name="Flag the pair").click()
    expect(page.get_by_role("dialog", name="Flag the pair")).to_be_visible()
    page.get_by_label("Reason").fill("half of the page is missing")
    page.get_by_role("button", name="Flag the pair").click()
    page.wait_for_url(lambda url: "/work/" not in url)
    assignment.refresh_from_db()
    assert (assignment.annotation.verdict, assignment.annotation.reason) == ("flagged", "half of the page is missing")
    open_work(page, assignment)
    expect(page.locator("#done")).to_contain_text("flagged: half of the page is missing")


def test_the_mirror_comes_next_and_says_so(page: Page, open_work: OpenWork) -> None:
    first = made("xparade")
    pair = first.pair
    mirror = PairFactory(project=pair.project, a=pair.b, b=pair.a, mirror=pair)
    pair.mirror = mirror
    pair.save()
    second = AssignmentFactory(pair=mirror, annotator=first.annotator, order=first.order + 1)
    open_work(page, first)
    expect(page.locator(".texts-note")).to_have_text("Next: the same texts with the sides swapped.")
    expect(page.locator(".col.a .readonly")).to_be_visible()
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Submit anyway").click()
    page.wait_for_url(f"**/work/{second.pk}/")
    expect(page.locator(".texts-note")).to_have_text("The same texts as before, with the sides swapped.")
    expect(page.locator(".col.a .token").first).to_have_text(first.pair.b.content.split()[0])


def test_reading_is_ticked_by_a_key_and_by_a_click(page: Page, open_work: OpenWork) -> None:
    assignment = made("graded")
    open_work(page, assignment)
    ticks = page.locator(".tick")
    word(page, "a", 1).click()
    expect(ticks.nth(0)).to_have_attribute("data-state", "unread")
    page.keyboard.press("r")
    expect(ticks.nth(0)).to_have_attribute("data-state", "read")
    page.keyboard.press("r")
    expect(ticks.nth(1)).to_have_attribute("data-state", "read")
    saved(page)
    wait_until(lambda: Annotation.objects.get(assignment=assignment).read_paragraphs, equals={"a": [0, 1], "b": [0, 1]})
    ticks.nth(0).click()
    expect(ticks.nth(0)).to_have_attribute("data-state", "unread")
    drag(page, "a", 1, 1)
    word(page, "a", 1).dblclick()
    page.keyboard.press("1")
    expect(ticks.nth(0)).to_have_attribute("data-state", "marked")
