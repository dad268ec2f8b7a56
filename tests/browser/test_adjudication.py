"""Manual adjudication: a queue of disputed regions, decided by keyboard, changed with the workspace's own tools."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from agreement.gold.services.drafts import draft_close, draft_save
from annotation.models import Annotation, Role, Source, User
from tests.agreement.gold.home import Home, home, labels
from tests.agreement.work import pair, submit
from tests.browser.test_keyboard import press
from tests.browser.user_actions import drag, saved
from tests.browser.waits import clean, follow, wait_until
from tests.factories import AnnotatorFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Open = Callable[[Page, Home], None]


@pytest.fixture
def open_pair(live_server: LiveServer, log_in: Callable[[BrowserContext, User], None]) -> Open:
    """Opens a pair of the draft as an adjudicator."""

    def show(page: Page, at: Home) -> None:
        user = AnnotatorFactory(project=at.project, role=Role.ADJUDICATOR).user
        log_in(page.context, user)
        page.goto(f"{live_server.url}/projects/{at.project.slug}/adjudication/manual/{at.pair.pk}/")
        page.wait_for_selector("html[data-adjudicate]")

    return show


def within(column: Locator, words: Locator) -> bool:
    """Whether the words are in view in their column."""
    frame, box = column.bounding_box(), words.bounding_box()
    assert frame and box
    return frame["y"] <= box["y"] and box["y"] + box["height"] <= frame["y"] + frame["height"]


def gold_labels(at: Home) -> list[str]:
    return labels(Annotation.objects.get(source=Source.GOLD, pair=at.pair).parsed_spans)


def test_a_pair_is_decided_by_keys_alone_and_the_next_one_opens(page: Page, open_pair: Open) -> None:
    at = home()
    following = pair(at.project)
    submit(following, at.people[0], [("5", [2], [])])
    submit(following, at.people[1], [])
    at.open()
    open_pair(page, at)
    expect(page.locator("#dock-count")).to_have_text("Disputed region 1 of 1")
    expect(page.locator("#dock-rows li")).to_have_count(3)
    wait_until(page.evaluate, "document.activeElement.closest('#dock') !== null")  # the focus is where one decides
    press(page, "5", "c", "Control+Enter")
    expect(page.locator("#span-count")).to_have_text("1 span")
    expect(page.locator("#dock-warn")).to_contain_text("One region is undecided")
    press(page, "2")
    saved(page)
    second = page.locator("#dock-rows button").nth(1)
    expect(second).to_have_attribute("aria-pressed", "true")
    taken = "4" if "A1" in (second.text_content() or "") else "2"
    wait_until(gold_labels, at, equals=[taken, "1"])
    press(page, "z")
    expect(page.locator("#dock-open")).to_have_text("1 undecided")
    press(page, "Shift+z")
    expect(page.locator("#dock-open")).to_have_text("all decided")
    press(page, "Control+Enter")
    page.wait_for_url(f"**/manual/{following.pk}/")
    decision = Annotation.objects.get(decided__isnull=False)
    assert [span["label"] for span in decision.spans["spans"]] == [taken, "1"]
    assert decision.provenance[decision.spans["spans"][0]["id"]]["how"] == "taken"
    page.wait_for_selector("html[data-adjudicate]")
    press(page, "0")
    expect(page.locator("#dock-open")).to_have_text("all decided")
    press(page, "Control+Enter")
    page.wait_for_url("**/manual/")
    expect(page.locator(".answer")).to_contain_text("2 of 2")


def test_a_chosen_option_is_changed_with_the_tools_of_the_workspace(page: Page, open_pair: Open) -> None:
    at = home()
    at.open()
    open_pair(page, at)
    press(page, "1", "e")
    wait_until(page.evaluate, "document.activeElement.textContent", equals="The")
    expect(page.locator("#dock-origin")).to_contain_text("taken from")
    press(page, "5")
    expect(page.locator("#dock-state")).to_have_text("Custom decision")
    expect(page.locator("#dock-origin")).to_contain_text("edited, based on")
    press(page, "Escape")
    drag(page, "b", 2, 3)
    press(page, "3")
    saved(page)
    wait_until(lambda: sorted(gold_labels(at)), equals=["1", "3", "5"])
    hows = {origin.get("how") for origin in Annotation.objects.get(source=Source.GOLD).provenance.values()}
    assert hows == {None, "changed", "anew"}


def test_everyone_is_shown_and_the_dock_follows_the_cursor(page: Page, open_pair: Open) -> None:
    at = home()
    at.open()
    open_pair(page, at)
    wait_until(page.locator(".col.a .token[data-lanes]").count, equals=3)
    page.locator(".col.a .token").nth(3).click()
    expect(page.locator("#dock-state")).to_have_text("All agree: accepted")
    press(page, "t")
    wait_until(page.evaluate, "document.activeElement.closest('#dock') !== null")
    press(page, "n", "h")
    expect(page.locator("#dock-state")).to_contain_text("Undecided")
    wait_until(page.evaluate, "document.body.classList.contains('no-lanes')")


@pytest.mark.long
def test_the_head_of_the_dock_stays_on_one_line_beside_comments(page: Page, open_pair: Open) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    at = home()
    Annotation.objects.filter(pair=at.pair, source=Source.HUMAN).update(comment="See the second line.")
    at.open()
    open_pair(page, at)
    expect(page.locator("#dock-state")).to_contain_text("Undecided: ")
    heights = "(head) => [head, ...head.querySelectorAll('button')].map((each) => each.offsetHeight)"
    head, *buttons = page.locator(".dock-head").evaluate(heights)
    assert head < 1.2 * max(buttons)


def test_comments_of_annotators_are_in_view_once_they_are_opened(page: Page, open_pair: Open) -> None:
    at = home()
    Annotation.objects.filter(pair=at.pair, source=Source.HUMAN).update(comment="See the second line.")
    at.open()
    open_pair(page, at)
    page.get_by_title("Annotators' comments").click()
    comment = page.locator(".annotator-comments li").first
    expect(comment).to_contain_text("See the second line.")
    assert comment.evaluate(
        """(item) => {
          const { left, top, width, height } = item.getBoundingClientRect();
          return item.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }"""
    )


# Marked words that have an empty box on the next line, with the width at which they have it.
BOXES_WITHOUT_WIDTH = """() => Array.from({ length: 300 }, (_, at) => 20 + at).flatMap((width) => {
  for (const cell of document.querySelectorAll(".cell")) cell.style.width = `${width}px`;
  return [...document.querySelectorAll(".token[data-lanes]")]
    .filter((word) => [...word.getClientRects()].some((box) => box.width === 0))
    .map((word) => [width, word.textContent]);
})"""


def test_lines_of_annotators_stay_with_words_at_the_end_of_a_line(page: Page, open_pair: Open) -> None:
    at = home()
    at.open()
    open_pair(page, at)
    wait_until(page.locator(".col.a .token[data-lanes]").count, equals=3)
    assert page.evaluate(BOXES_WITHOUT_WIDTH) == []


def test_two_simultaneous_adjudicators_are_shown_both_versions(page: Page, open_pair: Open) -> None:
    at = home()
    draft = at.open()
    open_pair(page, at)
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("5", [0, 1], [0]), ("1", [3], [])]))
    press(page, "1")
    dialog = page.get_by_role("dialog", name="There are two versions of this pair")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Keep the other version").click()
    saved(page)
    wait_until(gold_labels, at, equals=["5", "1"])
    expect(page.locator("#dock-state")).to_have_text("Custom decision")


def test_a_decided_pair_is_read_and_reopened(page: Page, open_pair: Open) -> None:
    at = home("xparade")
    at.open()
    open_pair(page, at)
    press(page, "0", "Control+Enter")
    page.wait_for_url("**/manual/")
    page.go_back()
    page.wait_for_selector("html[data-adjudicate]")
    follow(page.get_by_role("button", name="Reopen"))
    page.wait_for_selector("html[data-adjudicate]")
    expect(page.locator("#verdicts")).to_be_visible()
    expect(page.locator("#dock-open")).to_have_text("all decided")
    assert not Annotation.objects.filter(decided__isnull=False).exists()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing_while_deciding(page: Page, open_pair: Open, width: int, theme: str) -> None:
    page.emulate_media(color_scheme="light" if theme == "light" else "dark")
    page.set_viewport_size({"width": width, "height": 844})
    at = home()
    at.open()
    open_pair(page, at)
    clean(page)
    press(page, "2")
    saved(page)
    clean(page)
    page.get_by_role("button", name="Options").click()
    expect(page.get_by_role("button", name="Options")).to_have_attribute("aria-expanded", "false")
    clean(page)


def test_on_a_phone_the_disputed_words_stay_in_sight_and_the_dock_folds_away(page: Page, open_pair: Open) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    at = home()
    at.open()
    open_pair(page, at)
    dock = page.locator("#dock")
    for side in ("a", "b"):
        column, words = page.locator(f".col.{side}"), page.locator(f".col.{side} [data-here]").first
        wait_until(within, column, words)
    open_height = dock.evaluate("e => e.offsetHeight")
    assert open_height <= 0.31 * 844
    fold = page.get_by_role("button", name="Options")
    fold.click()
    expect(page.locator("#dock-rows")).to_be_hidden()
    expect(page.locator("#dock-count")).to_be_visible()
    wait_until(lambda: dock.evaluate("e => e.offsetHeight") < 0.6 * open_height)
    page.get_by_role("button", name="Next disputed region").click()
    wait_until(page.evaluate, "document.activeElement.classList.contains('token')")  # folded, the focus is in the texts
    press(page, "t")
    expect(page.locator("#dock-rows")).to_be_visible()
    expect(fold).to_have_attribute("aria-expanded", "true")
    wait_until(page.evaluate, "document.activeElement.closest('#dock-rows') !== null")


def test_a_page_left_open_since_an_earlier_draft_says_so_and_changes_nothing(page: Page, open_pair: Open) -> None:
    at = home()
    draft = at.open()
    open_pair(page, at)
    draft_close(draft=draft, by=at.by)
    at.open()
    press(page, "1")
    trouble = page.locator("#save-problem")
    expect(trouble).to_contain_text(
        "The draft was closed and gold was created from it. 1 change made here was not saved"
    )
    expect(page.locator("#state")).to_contain_text("Draft closed")
    assert not Annotation.objects.filter(gold_version=draft.number + 1).exists()
