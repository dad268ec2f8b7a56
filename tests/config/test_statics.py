"""Static files straight from ASGI, and the versions that pages name them by."""

from __future__ import annotations

import gzip
import subprocess
from pathlib import Path
from typing import Any

import brotli
import pytest

from config.files import lean
from config.statics import StaticFiles, versioned
from tests.paths import ROOT


def ask(path: str, query: str = "", method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    sent: list[Any] = []

    async def passed_on(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 418, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }
    # Nothing in it waits, so it needs no event loop (and must not start one where a browser test's is running).
    with pytest.raises(StopIteration):
        StaticFiles(passed_on)(scope, receive, send).__await__().send(None)
    return sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}, sent[1]["body"]


PATH = "/static/js/workspace/sync/sync.js"


def test_text_is_compressed_as_the_browser_can_read_it() -> None:
    plain = ask(PATH)[2]
    status, headers, body = ask(PATH, accept_encoding="gzip, br")
    assert (status, headers["content-encoding"], headers["content-type"]) == (200, "br", "text/javascript")
    assert brotli.decompress(body) == plain
    assert gzip.decompress(ask(PATH, accept_encoding="gzip")[2]) == plain
    assert len(body) < len(plain) < (ROOT / "static/js/workspace/sync/sync.js").stat().st_size


def test_only_the_version_that_is_there_is_kept_for_good() -> None:
    version = versioned("js/workspace/sync/sync.js").split("?")[1]
    assert "immutable" in ask(PATH, version)[1]["cache-control"]
    assert "immutable" not in ask(PATH, "v=other")[1]["cache-control"]
    status, _, body = ask(PATH, if_none_match=ask(PATH)[1]["etag"])
    assert (status, body) == (304, b"")


def test_what_is_no_static_file_is_passed_on() -> None:
    assert ask("/projects/")[0] == 418
    assert ask("/static/none.js")[0] == 418
    assert ask("/static/../manage.py")[0] == 418
    assert ask("/static/%2e%2e/manage.py")[0] == 418
    assert ask(PATH, method="POST")[0] == 418
    assert ask(PATH, method="HEAD")[2] == b""


def test_comments_and_indentation_go_and_nothing_else() -> None:
    script = '/** What\n * it does. */\nexport const a = "/* no // comment */"; // stays\n  // goes\n\n  b(`x  y`);\n'
    assert lean(script, ".js") == 'export const a = "/* no // comment */"; // stays\nb(`x  y`);\n'
    spanning = "const a = `one\n  two`;\n// stays, for the spaces' sake\n"
    assert lean(spanning, ".js") == spanning
    assert lean("/* colours */\na {\n  color: red;\n}\n", ".css") == "a {\ncolor: red;\n}\n"


@pytest.mark.node
def test_every_script_still_parses(tmp_path: Path) -> None:
    for path in (ROOT / "static" / "js").rglob("*.js"):
        (tmp_path / f"{path.stem}.mjs").write_text(lean(path.read_text(), ".js"))
    for path in sorted(tmp_path.glob("*.mjs")):
        done = subprocess.run(["node", "--check", str(path)], capture_output=True, text=True)
        assert done.returncode == 0, f"{path.name}: {done.stderr}"


def test_an_unknown_file_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"none\.css"):
        versioned("none.css")
