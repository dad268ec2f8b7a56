"""How a very long pair opens in headless Chromium, and where the time goes.

    script/bench long_pair [--tokens 100000] [--rounds 3] [--json]

A pair of 2 × 100,000 tokens with 1,000 spans, highlights and 2,000 suggestions; beside it, in the same run, one of 2 ×
2,800. 'Ready' is as in `benchmarks.workspace`: what is in view is painted and keys work. 'Whole' is when all words out
of view have been created. Then the annotator works at its beginning and its end.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Page, sync_playwright

from benchmarks.serving import Server
from benchmarks.workspace import SHOWN, launched, logged_in, material, middle, seeded, value

METRICS = {
    "script": "ScriptDuration",
    "style": "RecalcStyleDuration",
    "layout": "LayoutDuration",
    "all": "TaskDuration",
}
LONG = """
window.__long = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.__long.push([entry.startTime, entry.duration]);
}).observe({ type: "longtask", buffered: true });
"""
# ms from the next key event to the frame that shows its effect.
KEY = """
void (window.__at = new Promise((done) => addEventListener("keydown", (event) =>
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - event.timeStamp))), { once: true })));
"""
WHOLE = """
new Promise((resolve) => {
  const look = () => {
    const [mark] = performance.getEntriesByName("workspace-whole");
    if (mark) resolve(mark.startTime);
    else setTimeout(look, 200);
  };
  look();
})
"""
# ms from scrolling to the middle to the frame that shows it.
SCROLL = """
() => new Promise((resolve) => {
  const from = performance.now();
  const scroller = document.querySelector(".sheet").parentElement;
  scroller.scrollTop = scroller.scrollHeight / 2;
  requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from)));
})
"""


def spent(cdp: CDPSession) -> dict[str, float]:
    """ms of processor time of the page's thread so far, by what it did."""
    metrics = {each["name"]: each["value"] for each in cdp.send("Performance.getMetrics")["metrics"]}
    return {name: 1000 * metrics[key] for name, key in METRICS.items()}


def opened(context: BrowserContext, url: str) -> tuple[Page, dict[str, float]]:
    """The page of a pair, and ms until each step of opening it."""
    page = context.new_page()
    cdp = context.new_cdp_session(page)
    cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.add_init_script(SHOWN + LONG)
    page.goto(url, wait_until="commit")
    ready = value(cdp, "window.__shown")
    until_ready = spent(cdp)
    whole = value(cdp, WHOLE)
    navigation = "performance.getEntriesByType('navigation')[0]"
    steps = {
        "first byte": value(cdp, f"{navigation}.responseStart"),
        "received": value(cdp, f"{navigation}.responseEnd"),
        "kB (compressed)": value(cdp, f"{navigation}.encodedBodySize") / 1000,
        "kB": value(cdp, f"{navigation}.decodedBodySize") / 1000,
        "ready": ready,
        "whole": whole,
        "longest task after ready": value(cdp, f"Math.max(0, ...__long.map(([at, ms]) => at > {ready} ? ms : 0))"),
        **{f"thread until ready: {name}": ms for name, ms in until_ready.items()},
        **{f"thread until whole: {name}": ms for name, ms in spent(cdp).items()},
    }
    return page, steps


def worked(page: Page) -> dict[str, float]:
    """ms of what an annotator does: the slowest of several keys at either end, and jumps through the whole texts."""

    def key(*names: str) -> float:
        slowest = 0.0
        for name in names:
            page.evaluate(KEY)
            page.keyboard.press(name)
            slowest = max(slowest, float(page.evaluate("window.__at")))
        return slowest

    moves = ("ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "2", "z", "ArrowDown", "Escape")
    times = {}
    page.locator(".col.a .token").first.click()
    times["keys at the beginning"] = key(*moves)
    times["Ctrl+End"] = key("Control+End")
    times["keys at the end"] = key(*moves)
    times["next suggestion"] = key("n", "n", "n")
    times["Ctrl+Home"] = key("Control+Home")
    times["scroll to the middle"] = float(page.evaluate(SCROLL))
    return times


def measure(server: Server, pk: str, rounds: int) -> dict[str, float]:
    with sync_playwright() as playwright:
        browser = launched(playwright)
        cookies = logged_in(browser, server, "en")
        all_steps: list[dict[str, float]] = []
        for number in range(rounds + 1):
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            context.add_cookies(cookies)
            page, steps = opened(context, f"{server.url}/projects/bench/work/{pk}/")
            if number:  # the first one warms up the server
                all_steps.append({**steps, **worked(page)})
            context.close()
        browser.close()
    return {name: middle(each[name] for each in all_steps) for name in all_steps[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--tokens", type=int, default=100_000, help="of each side; 50,000 is the most that an import takes"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results: dict[str, Any] = {}
    for length, spans, proposals in ((2800, 150, 60), (options.tokens, 1000, 2000)):
        with tempfile.TemporaryDirectory() as folder:
            server, pk, a, b = seeded(Path(folder), material(length, spans, proposals))
            server.manage("collectstatic", "--noinput", "--verbosity", "0")
            server.start()
            try:
                results[f"{a:,} + {b:,} tokens"] = measure(server, pk, options.rounds)
            finally:
                server.kill()
    if options.json:
        print(json.dumps(results))
        return
    (short, first), (long, second) = results.items()
    print(f"{'ms':<32} {short:>24} {long:>26}")
    for name, number in first.items():
        print(f"{name:<32} {number:>24,} {second[name]:>26,}")


if __name__ == "__main__":
    main()
