"""The modules of a page as one script: what is understood, what is refused, and that a browser can read it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import brotli
import pytest
from django.template import Context, Template
from django.test import Client

from config.bundles import ENTRIES, BundleError, bundle, bundle_address, bundled
from tests.config.test_statics import ask
from tests.paths import ROOT


def write(folder: Path, **modules: str) -> Path:
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text)
    return folder / "main.js"


@pytest.mark.node
def test_modules_see_each_other_and_share_no_names(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        main='import { one, two as other } from "./sub.js";\nimport * as all from "./sub.js";\nimport "./side.js";\n'
        "const hidden = 3;\nconsole.log(JSON.stringify([one(), other, new all.Three().n, hidden, globalThis.ran]));\n",
        sub="const hidden = 1;\nexport function one() {\n  return hidden;\n}\nexport const two = 2;\n"
        "export class Three {\n  n = 3;\n}\nexport {};\n",
        side="globalThis.ran = true;\n",
    )
    paths, script = bundle(entry)
    assert [path.stem for path in paths] == ["sub", "side", "main"]
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [1, 2, 3, 3, True]


@pytest.mark.parametrize(
    ("modules", "words"),
    [
        ({"main": 'import { a } from "./b.js";\n', "b": 'import { a } from "./main.js";\n'}, "imports itself"),
        ({"main": "export default 1;\n"}, "main.js: cannot put together: export default 1;"),
        ({"main": 'import a from "./b.js";\n', "b": ""}, "cannot put together: import a"),
        ({"main": 'import { a } from "./gone.js";\n'}, "main.js imports gone.js, which is not there"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_place(tmp_path: Path, modules: dict[str, str], words: str) -> None:
    with pytest.raises(BundleError, match=words):
        bundle(write(tmp_path, **modules))


@pytest.mark.node
@pytest.mark.parametrize("entry", ENTRIES)
def test_every_page_gets_a_script_that_parses(entry: str, tmp_path: Path) -> None:
    (tmp_path / "bundle.mjs").write_bytes(bundled(entry).bodies[""])
    done = subprocess.run(["node", "--check", str(tmp_path / "bundle.mjs")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_asgi_and_wsgi_answer_alike_and_a_version_is_kept_for_good() -> None:
    path, query = bundle_address(ENTRIES[0]).split("?")
    status, headers, body = ask(path, query, accept_encoding="gzip, br")
    response = Client().get(f"{path}?{query}", headers={"accept-encoding": "br"})
    assert status == response.status_code == 200
    assert body == response.content and brotli.decompress(body) == bundled(ENTRIES[0]).bodies[""]
    assert headers["content-type"] == response["Content-Type"] == "text/javascript"
    assert "immutable" in headers["cache-control"] and headers["cache-control"] == response["Cache-Control"]
    assert Client().get(path, headers={"if-none-match": response["ETag"], "accept-encoding": "br"}).status_code == 304
    assert "immutable" not in ask(path, "v=old")[1]["cache-control"]


def test_only_entries_are_put_together() -> None:
    for path in ("/bundle/js/workspace/view/dom.js", "/bundle/../manage.py", "/bundle/"):
        assert ask(path)[0] == 418
        assert Client().get(path).status_code == 404


def test_a_change_makes_another_script() -> None:
    name = ROOT / "static" / "js" / "workspace" / "main.js"
    before, times = bundled(ENTRIES[0]), name.stat()
    os.utime(name, ns=(times.st_atime_ns, times.st_mtime_ns + 1))
    try:
        assert bundled(ENTRIES[0]) is not before
        assert bundled(ENTRIES[0]).version == before.version
    finally:
        os.utime(name, ns=(times.st_atime_ns, times.st_mtime_ns))


def test_a_page_names_one_script_or_while_one_develops_the_modules(settings: object) -> None:
    template = Template('{% load modules %}{% modules "js/workspace/main.js" %}')
    address = bundle_address("js/workspace/main.js")
    assert template.render(Context()) == f'<script type="module" blocking="render" src="{address}"></script>'
    settings.DEBUG = True  # type: ignore[attr-defined]
    assert "/static/js/workspace/main.js?v=" in template.render(Context())
