"""Right-to-left texts on either side: nothing next to them covers their words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from annotation.models import Assignment
from tests.browser.user_actions import resize
from tests.browser.waits import wait_until
from tests.factories import AssignmentFactory, PairFactory, TextFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OpenWork = Callable[[Page, Assignment], None]

PARAGRAPHS = {
    "ar": "تحتاج مستشفياتنا كل يوم إلى نحو 60 وحدة من الدم. ولا يمكن تصنيع الدم، كما أنه لا يُحفظ في الثلاجة طويلًا.",
    "en": "Every day our hospitals need about 60 units of blood, which cannot be made and does not keep for long.",
}
TITLES = {"ar": "التبرع بالدم", "en": "Giving blood"}

# Of each mark that shows: the words that it lies on, or that it is cut off or covered itself.
FAULTS = """() => [...document.querySelectorAll(".tick")].flatMap((tick) => {
  const box = tick.getBoundingClientRect();
  const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
  if (box.bottom > innerHeight || !box.width) return [];
  const under = [...document.querySelectorAll(".token")].filter((word) => [...word.getClientRects()].some((one) =>
    one.left < box.right && one.right > box.left && one.top < box.bottom && one.bottom > box.top));
  return under.map((word) => word.textContent).concat(top === tick ? [] : ["hidden"]);
})"""


def text(language: str) -> Any:
    return TextFactory(language=language, content="\n".join([TITLES[language]] + [PARAGRAPHS[language]] * 3))


@pytest.mark.parametrize("languages", [("ar", "en"), ("en", "ar"), ("ar", "ar")])
def test_no_tick_lies_on_a_word(page: Page, open_work: OpenWork, languages: tuple[str, str]) -> None:
    assignment = AssignmentFactory(pair=PairFactory(a=text(languages[0]), b=text(languages[1])))
    open_work(page, assignment)
    page.evaluate("document.activeElement.blur()")
    for _ in ("together", "apart"):
        for width in (1440, 1024, 844, 390):
            resize(page, width, 800)
            wait_until(page.locator(".tick").first.is_visible)
            wait_until(page.evaluate, FAULTS, equals=[])
        page.keyboard.press("a")
