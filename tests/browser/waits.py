"""Waiting for what an action leads to. A test never reads at once what a page, a script or the server changes.

`expect(…)` waits for elements, `follow` for the next page, `wait_until` for anything that is read in another way.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Locator, Page

T = TypeVar("T")

MAX_WAIT_SECONDS = 60.0
"""Seconds: on two cores with as many test processes, what takes long is not thereby wrong."""
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
# No faster than the page draws; observers are told of a frame even where the test controls the clock.
FRAME = """() => new Promise((done) => new IntersectionObserver((_, observer) => {
  observer.disconnect();
  done();
}).observe(document.body))"""


def follow(element: Locator) -> None:
    """Click what opens another page (a link, the button of a form), and wait until that has loaded."""
    with element.page.expect_navigation():
        element.click()


def wait_until(read: Callable[..., Any], *arguments: Any, equals: Any = True) -> None:
    """Read again and again until the result is as expected. Raises AssertionError with the last result.

    What can't be read yet (an element or a row that isn't there, a page that is being replaced) is read again too.
    """

    def once() -> Any:
        try:
            return read(*arguments)
        except (LookupError, TypeError, PlaywrightError) as error:
            return error

    end = time.monotonic() + MAX_WAIT_SECONDS
    while (found := once()) != equals and time.monotonic() < end:
        time.sleep(0.05)
    assert found == equals, f"waited {MAX_WAIT_SECONDS:.0f} s for {equals!r}, and found {found!r}"


def drawn(page: Page) -> None:
    """Wait for the next frame, after which the page has learned what is in view."""
    page.evaluate(FRAME)


def settled(page: Page, look: Callable[[], T]) -> T:
    """What `look` finds when it finds the same in two frames, one after the other: the layout is done."""
    found = look()

    def again() -> bool:
        nonlocal found
        drawn(page)
        before, found = found, look()
        return found == before

    wait_until(again)
    return found


def read(page: Page, look: Callable[[Page], Any]) -> Any:
    """What `look` finds in the loaded page; again, if the page was replaced meanwhile. Raises PlaywrightError."""
    end = time.monotonic() + MAX_WAIT_SECONDS
    while True:
        try:
            page.wait_for_load_state()
            page.locator("body").wait_for(state="attached")
            return look(page)
        except PlaywrightError:
            if page.is_closed() or time.monotonic() > end:
                raise
            time.sleep(0.1)


def too_wide(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    script = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    return int(read(page, lambda page: page.evaluate(script)))


def fits(page: Page, *where: object) -> None:
    """The page is no wider than its window."""
    excess = too_wide(page)
    assert excess <= 0, f"{excess} px too wide: {where or page.url}"


def cut_words(page: Page) -> list[str]:
    """The words of the page that go on in the next line without a hyphen; what is in boxes to copy from may."""
    script = r"""() => {
      const cut = [], range = document.createRange();
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const text = texts.currentNode, frame = text.parentElement;
        if (!frame.checkVisibility() || frame.closest("svg, .sr-only, .secret, option, textarea")) continue;
        for (const word of text.data.matchAll(/\p{L}+/gu)) {
          range.setStart(text, word.index);
          range.setEnd(text, word.index + word[0].length);
          const boxes = [...range.getClientRects()].filter((box) => box.width);
          if (new Set(boxes.map((box) => Math.round(box.top))).size > 1) cut.push(word[0]);
        }
      }
      return cut;
    }"""
    return list(read(page, lambda page: page.evaluate(script)))


def problems(page: Page) -> list[str]:
    """What axe finds: WCAG 2.2 AA as far as it can check that."""
    result = Axe().run(page, options=RULES)
    return [
        f"{each['id']}: {node['html'][:160]} {node['any'][:1] and node['any'][0]['message']}"
        for each in result.response["violations"]
        for node in each["nodes"][:3]
    ]


def clean(page: Page) -> None:
    """Axe finds nothing in the page."""
    found = read(page, problems)
    assert not found, "\n".join(found)
