"""How fast the workspace is, in headless Chromium.

    script/bench workspace [--rounds 5] [--language de] [--modules] [--json]

A pair of 2 × 2,800 tokens with 150 spans and highlights. Measures what a visit transfers; the time until both texts are
usable (first visit, second visit), compared with a page that only shows the same words as plain tokens; the time from a
key event to the end of the layout it forces; and long tasks while marking and scrolling.
"""

from __future__ import annotations

import argparse
import html
import json
import random
import statistics
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, Playwright, Route, sync_playwright

from annotation.text.limits import MAX_PARAGRAPHS
from benchmarks.serving import ROOT, Server
from tests.needs import chromium

TOKENS, SPANS = 2800, 150
PASSWORD = "correct horse battery"

SEED = """
import json, pathlib
from annotation.models import Annotation, Highlight
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory, TextFactory, UserFactory
made = json.loads(pathlib.Path({path!r}).read_text())
project = ProjectFactory(slug="bench")
annotator = AnnotatorFactory(project=project, user=UserFactory(username="anna"))
a, b = (TextFactory(language=side["language"], content=side["text"]) for side in (made["a"], made["b"]))
assignment = AssignmentFactory(pair=PairFactory(project=project, a=a, b=b), annotator=annotator, highlights_shown=True)
tokens = {{"a": a.tokens, "b": b.tokens}}
spans = [{{"id": f"s{{n}}", "label": label, "origin": "manual", "comment": "", "fragments": [
    {{"side": side, "start": tokens[side][at][0], "end": tokens[side][at + length][1]}} for side, at, length in parts]}}
    for n, (label, parts) in enumerate(made["spans"])]
document = {{"v": 1, "spans": spans}}
Annotation.objects.create(source="human", pair=assignment.pair, assignment=assignment, revision=1, spans=document)
proposals = [{{"id": f"p{{n}}", "predicted": "3", "level": 1 + n % 3, "reason": None, "fragments": [
    {{"side": side, "start": tokens[side][at][0], "end": tokens[side][at + 2][1]}}]}}
    for n, (side, at) in enumerate(made["proposals"])]
Highlight.objects.create(pair=assignment.pair, run="bench", method="default.v1", seconds=0, labels=[],
    proposals=proposals, scores_a=made["scores"][: len(a.tokens)], scores_b=made["scores"][: len(b.tokens)],
    edges=[[n, n] for n in range(min(len(a.tokens), len(b.tokens))) if made["scores"][n] < 0.5])
print(assignment.pk, len(a.tokens), len(b.tokens))
"""

# Real key events, timed in the page: from the event's own time stamp to the end of a layout forced after all handlers.
PROBE = """
window.__keys = []; window.__long = [];
new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.__long.push(entry.duration); })
  .observe({ type: "longtask", buffered: false });
addEventListener("keydown", (event) => {
  const from = event.timeStamp;
  queueMicrotask(() => {
    document.body.offsetHeight;
    document.querySelector(".sheet").getBoundingClientRect();
    const to = performance.now();
    performance.measure(`key ${event.key}`, { start: from, end: to });
    window.__keys.push([event.key, to - from]);
  });
});
"""

# When the first frame after the page's own 'ready' mark has been painted; the same on both pages.
SHOWN = """
window.__shown = new Promise((resolve) => {
  const mark = performance.mark.bind(performance);
  performance.mark = (name, ...rest) => {
    if (name === "workspace-ready") requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(null);
    });
    return mark(name, ...rest);
  };
});
"""


def material(length: int = TOKENS, marked: int = SPANS, suggested: int = 0) -> dict[str, Any]:
    """The demo's longest pair, extended to a length in tokens, with spans, scores and suggestions throughout."""
    pick = random.Random(7)
    lines = [json.loads(line) for line in (ROOT / "fixtures" / "demo-graded.jsonl").read_text().splitlines()]
    pair = max(lines, key=lambda line: len(line["a"]["text"]))

    def cut(text: str) -> str:
        paragraphs, words, paragraphs_used = text.split("\n") * max(3, length // 100), 0, []
        for paragraph in paragraphs:
            paragraphs_used.append(paragraph)
            words += len(paragraph.split())
            # Punctuation makes about an eighth more tokens than words.
            if words * 1.13 > length:
                break
        # No text may have more paragraphs.
        joined = -(-len(paragraphs_used) // MAX_PARAGRAPHS)
        return "\n".join(" ".join(paragraphs_used[at : at + joined]) for at in range(0, len(paragraphs_used), joined))

    # The text has a few tokens less than its words are estimated to make.
    end = int(0.98 * length) - 10
    spans = []
    for n in range(marked):
        at = n * end // marked
        parts = [("a", at, pick.randrange(5))] + ([("b", at, pick.randrange(5))] if n % 3 else [])
        spans.append((str(1 + n % 5), parts))
    scores = [round(pick.random() ** 2, 3) for _ in range(2 * length)]
    sides = {side: {"language": pair[side]["language"], "text": cut(pair[side]["text"])} for side in ("a", "b")}
    proposals = [("ab"[n % 2], n * end // suggested) for n in range(suggested)]
    return {**sides, "spans": spans, "scores": scores, "proposals": proposals}


def plain_page(pair: dict[str, Any]) -> str:
    """A page with the same words as plain tokens and no functionality."""
    columns = "".join(
        "<div>"
        + "".join(
            "<p>" + " ".join(f"<span>{html.escape(word)}</span>" for word in line.split()) + "</p>"
            for line in pair[side]["text"].split("\n")
        )
        + "</div>"
        for side in ("a", "b")
    )
    style = "body{display:grid;grid-template-columns:1fr 1fr;gap:48px;font:17px/1.72 serif}"
    ready = '<script>performance.mark("workspace-ready")</script>'
    return f"<!doctype html><title>plain</title><style>{style}</style>{columns}{ready}"


@dataclass(frozen=True, slots=True)
class Visit:
    """One visit: ms until it is usable and painted, ms of these until the first byte, bytes and requests, and the
    processor time of the page's thread until then in ms (wall-clock time includes other processes).
    """

    ready: float
    first_byte: float
    size: int
    requests: int
    cpu: float


def visit(context: BrowserContext, url: str, plain: str = "") -> Visit:
    """Open a page and wait until it is painted; `plain` is the response to use instead of the server's."""
    page = context.new_page()
    if plain:

        def answer(route: Route) -> None:
            route.fulfill(body=plain, content_type="text/html; charset=utf-8")

        page.route(url, answer)
    cdp = context.new_cdp_session(page)
    cdp.send("Network.enable")
    cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
    sizes: list[int] = []

    def count(event: dict[str, Any]) -> None:
        sizes.append(int(event["encodedDataLength"]))

    cdp.on("Network.loadingFinished", count)
    page.add_init_script(SHOWN)
    page.goto(url, wait_until="commit")
    # Playwright's own waiting would poll the page, and be included in the measurement.
    ready = value(cdp, "window.__shown")
    cpu = processor(cdp)
    first = value(cdp, "performance.getEntriesByType('navigation')[0].responseStart")
    page.wait_for_timeout(600)
    page.close()
    return Visit(ready, first, sum(sizes), len(sizes), cpu)


def value(cdp: CDPSession, expression: str) -> float:
    parameters = {"expression": expression, "awaitPromise": True, "returnByValue": True}
    return float(cdp.send("Runtime.evaluate", parameters)["result"]["value"])


def processor(cdp: CDPSession) -> float:
    """ms of processor time of the page's thread so far."""
    metrics = cdp.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration")) * 1000


def keys(page: Page) -> dict[str, list[float]]:
    """ms from key events to the end of the forced layout, by what the key does."""
    page.evaluate(PROBE)
    page.locator(".col.a .token").first.click()
    page.evaluate("window.__keys.length = 0; window.__long.length = 0")
    for n in range(40):
        for key in ("ArrowRight",) * 4 + ("Shift+ArrowRight", "Shift+ArrowRight", str(1 + n % 5), "ArrowDown"):
            page.keyboard.press(key)
        if n % 4 == 3:
            page.keyboard.press("z")
        page.wait_for_timeout(30)
    result: dict[str, list[float]] = {}
    for key, ms in page.evaluate("window.__keys"):
        result.setdefault("label" if key.isdigit() else "undo" if key == "z" else "move or select", []).append(ms)
    return result


def scroll(page: Page) -> None:
    page.mouse.move(400, 400)
    for _ in range(60):
        page.mouse.wheel(0, 240)
        page.wait_for_timeout(20)


def launched(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(
        executable_path=chromium(), args=["--no-sandbox", "--disable-background-networking"]
    )


def logged_in(browser: Browser, server: Server, language: str) -> Any:
    """The cookies of the annotator."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale=language)
    entry = context.new_page()
    entry.goto(f"{server.url}/login/")
    entry.locator("[name=username]").fill("anna")
    entry.locator("[name=password]").fill(PASSWORD)
    entry.keyboard.press("Enter")
    entry.wait_for_url(f"{server.url}/")
    cookies = context.cookies()
    context.close()
    return cookies


def seeded(data: Path, pair: dict[str, Any]) -> tuple[Server, str, int, int]:
    """A server, not started yet, with the pair; the key of its assignment, and the tokens of its sides."""
    (data / "made.json").write_text(json.dumps(pair))
    server = Server(data)
    server.manage("migrate", "--verbosity", "0")
    pk, a, b = server.manage("shell", "--no-imports", "-c", SEED.format(path=str(data / "made.json"))).split()
    return server, pk, int(a), int(b)


def measure(server: Server, pk: str, rounds: int, language: str, pair: dict[str, Any]) -> dict[str, Any]:
    url = f"{server.url}/projects/bench/work/{pk}/"
    with sync_playwright() as playwright:
        browser = launched(playwright)
        first: list[Visit] = []
        second: list[Visit] = []
        plain: list[Visit] = []
        for _ in range(rounds):
            cookies = logged_in(browser, server, language)
            # A new context, so that its cache is empty.
            context = browser.new_context(viewport={"width": 1440, "height": 900}, locale=language)
            context.add_cookies(cookies)
            first.append(visit(context, url))
            second.append(visit(context, url))
            plain.append(visit(context, f"{server.url}/plain", plain_page(pair)))
            context.close()
        context = browser.new_context(viewport={"width": 1440, "height": 900}, locale=language)
        context.add_cookies(cookies)
        page = context.new_page()
        page.goto(url)
        page.wait_for_selector("html[data-ready]")
        page.wait_for_timeout(1000)
        timings = keys(page)
        scroll(page)
        long = page.evaluate("window.__long")
        heap = page.evaluate("performance.memory.usedJSHeapSize") / 1e6
        browser.close()
    every = sorted(ms for group in timings.values() for ms in group)
    return {
        "bytes": {"first": first[0].size, "second": second[0].size},
        "requests": {"first": first[0].requests, "second": second[0].requests},
        "ready_ms": {
            "first": middle(each.ready for each in first),
            "second": middle(each.ready for each in second),
            "plain": middle(each.ready for each in plain),
        },
        "first_byte_ms": middle(each.first_byte for each in first + second),
        "thread_cpu_ms": {
            "first": middle(each.cpu for each in first),
            "second": middle(each.cpu for each in second),
            "plain": middle(each.cpu for each in plain),
        },
        "key_ms": {name: spread(sorted(group)) for name, group in timings.items()} | {"all": spread(every)},
        "long_tasks": {"count": len(long), "longest_ms": round(max(long, default=0))},
        "heap_mb": round(heap, 1),
    }


def middle(values: Iterable[float]) -> int:
    return round(statistics.median(values))


def spread(values: list[float]) -> dict[str, float]:
    return {
        "n": len(values),
        "median": round(values[len(values) // 2], 1),
        "p95": round(values[int(len(values) * 0.95)], 1),
        "max": round(values[-1], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--language", default="en", help="language of the interface; the texts are the same")
    parser.add_argument("--modules", action="store_true", help="load single modules, as without bundling")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pair = material()
        server, pk, a, b = seeded(Path(folder), pair)
        subprocess.run([str(ROOT / "script" / "bundle")], check=True)
        unbundled = ["--ignore", "bundle"] if options.modules else []
        server.manage("collectstatic", "--noinput", "--verbosity", "0", *unbundled)
        server.start()
        try:
            measured = measure(server, pk, options.rounds, options.language, pair)
            result = {"tokens": [a, b], "spans": SPANS} | measured
        finally:
            server.kill()
    print(json.dumps(result, indent=None if options.json else 2))


if __name__ == "__main__":
    main()
