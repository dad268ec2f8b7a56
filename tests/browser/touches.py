"""Touch on a phone: real touch events, sent to Chromium like its own input."""

from __future__ import annotations

from playwright.sync_api import CDPSession, Page

# Where every visible word is: nothing may move while a finger is down.
POSITIONS = """() => [...document.querySelectorAll(".token")].map((word) => {
  const box = word.getBoundingClientRect();
  return [Math.round(box.left), Math.round(box.top)];
})"""
COUNT = "() => { window.taps = 0; addEventListener('click', () => (window.taps += 1), { once: true, capture: true }); }"
# Whether the tap became a click: that is decided up to half a second after the finger has left.
CLICKED = """async () => {
  for (let n = 0; n < 20 && !window.taps; n += 1) await new Promise((done) => setTimeout(done, 50));
  return window.taps > 0;
}"""


class Finger:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.session: CDPSession = page.context.new_cdp_session(page)

    def send(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def tap(self, x: float, y: float) -> None:
        """Tap once. If a slow machine takes it for a long press, which clicks nothing, tap again."""
        for _ in range(5):
            self.page.evaluate(COUNT)
            self.send("touchStart", (x, y))
            self.send("touchEnd")
            if self.page.evaluate(CLICKED):
                return
        raise AssertionError(f"no tap at {x}, {y} was taken for a click")

    def drag(self, start: tuple[float, float], end: tuple[float, float], steps: int = 6) -> bool:
        """Drag from a point to another; returns whether every word stayed in place, during and after."""
        before = self.page.evaluate(POSITIONS)
        self.send("touchStart", start)
        still = True
        for n in range(1, steps + 1):
            share = n / steps
            self.send("touchMove", (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share))
            still = still and self.page.evaluate(POSITIONS) == before
        self.send("touchEnd")
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return still and self.page.evaluate(POSITIONS) == before
