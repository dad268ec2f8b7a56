"""User actions in the workspace: drags over words, key presses; and what is visible there."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from annotation.models import Annotation, Assignment


def word(page: Page, side: str, index: int) -> Locator:
    return page.locator(f".col.{side} .token").nth(index)


def middle(page: Page, side: str, index: int) -> tuple[float, float]:
    box = word(page, side, index).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, side: str, first: int, last: int, *, ctrl: bool = False) -> None:
    """Drag from the middle of one word to the middle of another, in either direction."""
    if ctrl:
        page.keyboard.down("Control")
    page.mouse.move(*middle(page, side, first))
    page.mouse.down()
    page.mouse.move(*middle(page, side, last), steps=4)
    page.mouse.up()
    if ctrl:
        page.keyboard.up("Control")


def selected(page: Page) -> list[str]:
    """The selected words of both sides."""
    return [each.strip() for each in page.locator(".token.selected").all_text_contents()]


def marked(page: Page, side: str) -> list[str]:
    return page.locator(f".col.{side} .token.marked").all_text_contents()


def resize(page: Page, width: int, height: int) -> None:
    """Resize the window and wait for the layout."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("width => innerWidth === width", arg=width)
    # A page learns of a new width in the frame that follows, and what it changes then shows in the next.
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def saved(page: Page) -> None:
    expect(page.locator("#state")).to_have_attribute("data-state", "saved")


def stored(assignment: Assignment) -> list[dict[str, Any]]:
    """The spans on the server."""
    annotation = Annotation.objects.filter(assignment=assignment).first()
    return annotation.spans["spans"] if annotation else []


def quoted(assignment: Assignment) -> list[tuple[str, list[str]]]:
    """The spans on the server, as label and words, sliced from the texts by Python."""
    texts = {"a": assignment.pair.a.content, "b": assignment.pair.b.content}
    return [
        (span["label"], [texts[part["side"]][part["start"] : part["end"]] for part in span["fragments"]])
        for span in stored(assignment)
    ]


def suggestion(assignment: Assignment, side: str, first: int, last: int, *, level: int = 1) -> dict[str, Any]:
    """A suggestion of some words of one side, as a run stores it."""
    tokens = getattr(assignment.pair, side).tokens
    fragment = {"side": side, "start": tokens[first][0], "end": tokens[last][1]}
    return {"id": f"{side}{first}", "label": "3", "fragments": [fragment], "score": 0.8, "level": level}
