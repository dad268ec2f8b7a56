"""A model's suggestions: shown, visited, accepted, edited, dismissed, hidden."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Annotation, Assignment, Highlight
from tests.browser.user_actions import quoted, saved, selected, stored, suggestion, word
from tests.browser.waits import wait_until
from tests.factories import AssignmentFactory

OpenWork = Callable[[Page, Assignment], None]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def assignment(page: Page, open_work: OpenWork) -> Assignment:
    made = AssignmentFactory(highlights_shown=True)
    said: dict[str, Any] = {
        "edges": [[1, 1], [2, 2]],
        "proposals": [suggestion(made, "a", 3, 4, level=3), suggestion(made, "b", 8, 9, level=2)],
        "labels": [],
        "scores_a": [0, 0, 0, 0.6, 0.95, 0, 0, 0, 0, 0, 0],
        "scores_b": [0, 0, 0, 0, 0, 0, 0, 0, 0.75, 0.75, 0],
    }
    Highlight.objects.create(pair=made.pair, run="r1", method="default.v1", seconds=0, **said)
    open_work(page, made)
    return made


def test_unaligned_words_are_underlined_more_heavily_if_the_model_is_surer(page: Page, assignment: Assignment) -> None:
    size = "e => getComputedStyle(e).backgroundSize.split(' ')[1]"
    wait_until(lambda: [word(page, side, n).evaluate(size) for side, n in (("b", 8), ("a", 4))], equals=["2px", "3px"])
    expect(page.locator(".sheet .token:is(.h1, .h2, .h3)")).to_have_count(4)
    wait_until(word(page, "a", 4).evaluate, "e => getComputedStyle(e).backgroundColor", equals="rgba(0, 0, 0, 0)")
    expect(page.locator(".legend")).to_contain_text("not answers")


def test_the_counterpart_shows_under_the_mouse_and_at_the_cursor(page: Page, assignment: Assignment) -> None:
    word(page, "a", 1).hover()
    expect(page.locator(".token.counterpart")).to_have_text(["Bibliothek"])
    word(page, "a", 1).click()
    page.mouse.move(5, 300)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".token.counterpart")).to_have_text(["ist"])


def test_a_suggestion_is_accepted_by_its_label_alone(page: Page, assignment: Assignment) -> None:
    expect(page.locator("#suggestion-count")).to_have_text("2 suggestions remaining")
    page.keyboard.press("n")
    wait_until(selected, page, equals=["open", "on"])
    page.keyboard.press("3")
    saved(page)
    wait_until(quoted, assignment, equals=[("3", ["open on"])])
    wait_until(lambda: stored(assignment)[0]["origin"], equals="accepted")
    expect(page.locator("#suggestion-count")).to_have_text("1 suggestion remaining")
    expect(page.locator("#spans .row")).to_contain_text("accepted from a suggestion")


def test_another_digit_changes_the_label_of_the_suggestion_just_accepted(page: Page, assignment: Assignment) -> None:
    page.keyboard.press("n")
    page.keyboard.press("3")
    expect(page.locator("#label-bar .labels [aria-pressed=true]")).to_contain_text("3")
    expect(page.locator("#hints")).to_contain_text("change the label")
    page.keyboard.press("4")
    saved(page)
    wait_until(quoted, assignment, equals=[("4", ["open on"])])


def test_one_that_is_changed_first_or_later_counts_as_edited(page: Page, assignment: Assignment) -> None:
    page.keyboard.press("n")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("3")
    saved(page)
    wait_until(quoted, assignment, equals=[("3", ["open on Sundays"])])
    wait_until(lambda: stored(assignment)[0]["origin"], equals="edited")
    page.keyboard.press("n")
    page.keyboard.press("2")
    page.keyboard.press("Shift+ArrowRight")
    saved(page)
    wait_until(lambda: [span["origin"] for span in stored(assignment)], equals=["edited", "edited"])


def test_a_dismissed_one_stays_dismissed_and_can_be_restored(page: Page, assignment: Assignment) -> None:
    page.keyboard.press("n")
    page.keyboard.press("d")
    expect(page.locator(".col.a .h1, .col.a .h3")).to_have_count(0)
    saved(page)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#suggestion-count")).to_have_text("1 suggestion remaining")
    page.keyboard.press("z")
    expect(page.locator("#suggestion-count")).to_have_text("2 suggestions remaining")


def test_one_key_hides_all_output_of_a_model(page: Page, assignment: Assignment) -> None:
    page.keyboard.press("h")
    expect(page.locator(".h1, .h2, .h3").locator("visible=true").filter(has_not=page.locator(".legend"))).to_have_count(
        3
    )
    expect(page.locator(".sheet .h1, .sheet .h2, .sheet .h3")).to_have_count(0)
    word(page, "a", 1).hover()
    expect(page.locator(".token.counterpart")).to_have_count(0)
    page.keyboard.press("h")
    expect(page.locator(".sheet .token.h3")).to_have_count(2)


def test_what_is_hidden_is_counted_and_shown_again_by_a_button(page: Page, assignment: Assignment) -> None:
    count, switch = page.locator("#suggestion-count"), page.locator("#suggestion-switch")
    page.keyboard.press("h")
    expect(count).to_have_text("2 suggestions hidden")
    expect(page.locator("#live")).to_have_text("2 suggestions hidden. H shows them again.")
    expect(page.locator("#suggestions .row")).to_have_count(0)
    expect(page.locator("#more-suggestion-count")).to_be_hidden()
    expect(switch).to_contain_text("Show")
    switch.click()
    expect(count).to_have_text("2 suggestions remaining")
    expect(page.locator("#suggestions .row")).to_have_count(1)
    expect(page.locator("#more-suggestion-count")).to_be_visible()
    expect(page.locator(".sheet .token.h3")).to_have_count(2)


def test_dismissed_ones_are_listed_and_restored_singly_and_together(page: Page, assignment: Assignment) -> None:
    for _ in range(2):
        page.keyboard.press("n")
        page.keyboard.press("d")
    expect(page.locator("#suggestion-count")).to_have_text("0 suggestions remaining")
    saved(page)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    count, listed = page.locator("#suggestion-count"), page.locator("#dismissed-list .row")
    expect(count).to_have_text("0 suggestions remaining")
    page.get_by_text("2 suggestions dismissed").click()
    expect(listed).to_have_text(["open onRestore", "die HälfteRestore"])
    # The word on the button fits: a row cuts off what reaches beyond it.
    uncut = "all => all.every((one) => one.scrollWidth <= one.clientWidth)"
    wait_until(listed.get_by_role("button").evaluate_all, uncut)
    page.get_by_role("button", name="Restore: die Hälfte").click()
    expect(count).to_have_text("1 suggestion remaining")
    expect(listed).to_have_count(1)
    expect(page.get_by_role("button", name="Restore: open on")).to_be_focused()
    expect(page.locator(".sheet .col.b .token.h2")).to_have_count(2)
    page.keyboard.press("z")
    expect(listed).to_have_count(2)
    page.get_by_role("button", name="Restore all").click()
    expect(count).to_have_text("2 suggestions remaining")
    expect(page.locator("#dismissed")).to_be_hidden()
    expect(page.locator("#live")).to_have_text("2 suggestions restored")
    saved(page)
    wait_until(lambda: Annotation.objects.get(assignment=assignment).dismissed, equals=[])


def test_where_none_are_shown_nothing_hints_at_them(page: Page, open_work: OpenWork) -> None:
    made = AssignmentFactory(highlights_shown=False)
    Highlight.objects.create(
        pair=made.pair, run="r1", method="m", scores_a=[1] * 11, scores_b=[], edges=[[0, 0]], proposals=[], seconds=0
    )
    open_work(page, made)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Shortcuts")).not_to_contain_text("uggest")
    page.keyboard.press("Escape")
    expect(page.locator("main")).not_to_contain_text("uggest", use_inner_text=True)
    expect(page.locator(".sheet .h1, .sheet .h2, .sheet .h3, .token.counterpart")).to_have_count(0)


def test_a_click_on_underlined_words_opens_the_suggestion_in_place(page: Page, assignment: Assignment) -> None:
    word(page, "a", 4).click()
    wait_until(selected, page, equals=["open", "on"])
    bar = page.locator("#label-bar")
    expect(bar).to_contain_text("no counterpart found in German")
    expect(bar.get_by_role("button", name="Dismiss")).to_be_visible()
    word(page, "a", 4).click()  # once more: the word itself
    expect(page.locator(".sheet .token.selected")).to_have_count(0)
    word(page, "b", 8).click()
    wait_until(selected, page, equals=["die", "Hälfte"])
    bar.get_by_role("button", name="Dismiss").click()
    expect(page.locator("#suggestion-count")).to_have_text("1 suggestion remaining")
    wait_until(selected, page, equals=["open", "on"])  # the next one
    bar.locator(".labels button").nth(2).click()
    saved(page)
    wait_until(quoted, assignment, equals=[("3", ["open on"])])


def test_a_tap_opens_it_and_the_bar_accepts_or_dismisses(browser: Browser, open_work: OpenWork) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    made = AssignmentFactory(highlights_shown=True)
    said = {"proposals": [suggestion(made, "a", 3, 4, level=3)], "scores_a": [0] * 11, "scores_b": [0] * 11}
    Highlight.objects.create(pair=made.pair, run="r1", method="default.v5", seconds=0, **said)
    open_work(page, made)
    word(page, "a", 4).tap()
    wait_until(selected, page, equals=["open", "on"])
    page.locator("#label-bar").get_by_role("button", name="Dismiss").tap()
    expect(page.locator(".sheet .token.h3")).to_have_count(0)
    context.close()


@pytest.fixture
def two_sided(page: Page, open_work: OpenWork) -> Assignment:
    made = AssignmentFactory(highlights_shown=True)
    both = suggestion(made, "a", 3, 4, level=3)
    both["fragments"] += suggestion(made, "b", 8, 9)["fragments"]
    both["reason"] = {"kind": "date", "a": "open on", "b": "die Hälfte"}
    said: dict[str, Any] = {
        "proposals": [both, suggestion(made, "b", 0, 0, level=1)],
        "scores_a": [0] * len(made.pair.a.tokens),
        "scores_b": [0] * len(made.pair.b.tokens),
    }
    Highlight.objects.create(pair=made.pair, run="r1", method="default.v5", seconds=0, **said)
    open_work(page, made)
    return made


def test_a_suggestion_on_both_sides_says_what_differs_and_is_accepted_as_a_link(
    page: Page, two_sided: Assignment
) -> None:
    row = page.locator("#suggestions .row")
    expect(row).to_have_text(["open ondie Hälftedate differs: open on / die Hälfte"])
    word(page, "b", 8).hover()
    expect(word(page, "b", 8)).to_have_attribute("title", "date differs: open on / die Hälfte")
    word(page, "a", 1).hover()
    expect(word(page, "a", 1)).not_to_have_attribute("title", re.compile(""))
    row.get_by_role("button").click()
    wait_until(selected, page, equals=["open", "on", "die", "Hälfte"])
    page.keyboard.press("3")
    saved(page)
    wait_until(quoted, two_sided, equals=[("3", ["open on", "die Hälfte"])])


def test_less_certain_suggestions_are_listed_on_request(page: Page, two_sided: Assignment) -> None:
    rest = page.locator("#more-suggestion-list .row")
    expect(page.locator("#more-suggestion-count")).to_have_text("1 less certain suggestion")
    expect(rest).to_have_count(0)
    page.locator("#more-suggestion-count").click()
    expect(rest).to_have_count(1)
    page.locator("#more-suggestion-count").click()
    page.keyboard.press("n")
    page.keyboard.press("n")
    expect(rest).to_have_count(1)  # what is being looked at is in sight


def test_a_predicted_label_comes_with_the_suggestion_and_one_key_changes_it(page: Page, open_work: OpenWork) -> None:
    made = AssignmentFactory(highlights_shown=True)
    proposals = [
        suggestion(made, "a", 3, 4, level=3) | {"label": "4", "predicted": "4"},
        suggestion(made, "b", 8, 9, level=3) | {"label": "2", "predicted": "2"},
    ]
    said: dict[str, Any] = {"proposals": proposals, "scores_a": [0] * 11, "scores_b": [0] * 11}
    Highlight.objects.create(pair=made.pair, run="r1", method="learned.v6", seconds=0, **said)
    open_work(page, made)
    expect(page.locator("#suggestions .row small").first).to_contain_text("predicted: Large")
    page.keyboard.press("n")
    expect(page.locator("#hints")).to_contain_text("↵ accepts with the predicted label")
    bar = page.locator("#label-bar")
    expect(bar.locator(".labels .predicted")).to_contain_text("Large")
    page.keyboard.press("Enter")
    saved(page)
    wait_until(quoted, made, equals=[("4", ["open on"])])
    page.keyboard.press("5")
    saved(page)
    wait_until(quoted, made, equals=[("5", ["open on"])])
    wait_until(lambda: (stored(made)[0]["origin"], stored(made)[0]["predicted"]), equals=("accepted", "4"))
    word(page, "b", 8).click()
    bar.get_by_role("button", name="Accept as Small").click()
    saved(page)
    wait_until(quoted, made, equals=[("5", ["open on"]), ("2", ["die Hälfte"])])
    expect(page.locator("#suggestion-count")).to_have_text("0 suggestions remaining")
    page.keyboard.press("z")
    saved(page)
    wait_until(quoted, made, equals=[("5", ["open on"])])


def test_the_three_levels_differ_and_the_dots_of_a_phrase_run_on_through_its_spaces(
    page: Page, open_work: OpenWork
) -> None:
    made = AssignmentFactory(highlights_shown=True)
    proposals = [
        suggestion(made, "a", 0, 1, level=1),
        suggestion(made, "a", 3, 4, level=2),
        suggestion(made, "b", 0, 1, level=3),
    ]
    said: dict[str, Any] = {"proposals": proposals, "scores_a": [0] * 11, "scores_b": [0] * 11}
    Highlight.objects.create(pair=made.pair, run="r1", method="default.v5", seconds=0, **said)
    open_work(page, made)
    dots = "e => [getComputedStyle(e).backgroundSize.split(' '), getComputedStyle(e).backgroundRepeat]"
    heights, repeats = set(), set()
    for level in (1, 2, 3):
        found = page.locator(f".sheet :is(.token, .gap).h{level}")
        expect(found).to_have_count(3)  # two words and the space between them
        styles = [each.evaluate(dots) for each in found.all()]
        assert len({str(each) for each in styles}) == 1
        (_, height), repeat = styles[0]
        heights.add(height)
        repeats.add(repeat)
    assert heights == {"1px", "2px", "3px"}
    assert repeats == {"round no-repeat"}  # whole tiles in each word and space, so that dots never run together
    page.emulate_media(forced_colors="active")
    border = "e => getComputedStyle(e).borderBottom.split(' ').slice(0, 2)"
    for level in (1, 2, 3):
        wait_until(page.locator(f".sheet .token.h{level}").first.evaluate, border, equals=[f"{level}px", "dotted"])
