"""Static files as pages name them and as they are sent: collected, bundled, or from the checkout."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.template import Context, Template
from django.test import Client, override_settings

from annotation.templatetags import modules
from tests.paths import ROOT

ENTRIES = {
    "workspace": ("js/workspace", "js/gettext.js"),
    "adjudicate": ("js/workspace", "js/adjudicate", "js/gettext.js"),
}
NAMED = re.compile(r"""{% static ['"]([^'"]+)['"] %}""")
IMPORT = re.compile(r'^(?:import|export)\b[^;"(]*"(\.[^"]+)"', re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All static files, collected from the modules: without bundles, even if the checkout has some."""
    root = tmp_path_factory.mktemp("collected")
    with override_settings(STATIC_ROOT=root):
        call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=["bundle"])
    return root


@pytest.fixture
def collected(folder: Path) -> Iterator[Path]:
    with override_settings(STATIC_ROOT=folder):
        yield folder


def page(entry: str) -> str:
    folders = " ".join(f'"{each}"' for each in ENTRIES[entry])
    text = f'{{% load modules %}}{{% modules "js/{entry}/main.js" {folders} %}}'
    return Template(text).render(Context({"CSP_NONCE": "n0nce"}))


def sources(entry: str) -> list[Path]:
    sources = [ROOT / "static" / each for each in ENTRIES[entry]]
    found = [path for source in sources for path in ([source] if source.is_file() else source.rglob("*.js"))]
    return [path for path in found if path.name != "types.js"]


@pytest.mark.long
@pytest.mark.takes(10)
@pytest.mark.parametrize("entry", ENTRIES)
def test_each_module_is_requested_at_once_by_its_hashed_name(entry: str, collected: Path) -> None:
    html = page(entry)
    found = re.search(r'<script type="importmap" nonce="n0nce">(.*)</script>', html)
    assert found
    addresses = json.loads(found[1])["imports"]
    assert len(addresses) == len(sources(entry)) > 4
    assert re.findall(r'<link rel="modulepreload" href="([^"]+)">', html) == list(addresses.values())
    for plain, hashed in addresses.items():
        assert re.fullmatch(re.escape(plain[:-3]) + r"\.[0-9a-f]{12}\.js", hashed)
        assert (collected / hashed.removeprefix("/static/")).is_file()
    run = addresses[f"/static/js/{entry}/main.js"]
    assert html.endswith(f'<script type="module" blocking="render" src="{run}"></script>')


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.long
def test_each_import_leads_to_a_module_that_the_page_names(entry: str, collected: Path) -> None:
    html = page(entry)
    for source in sources(entry):
        for found in IMPORT.findall(source.read_text("utf-8")):
            imported = (source.parent / found).resolve().relative_to(ROOT / "static")
            assert f'"/static/{imported}":' in html, f"{source.name} imports {imported}"


def test_a_bundle_replaces_modules_and_styles(tmp_path: Path) -> None:
    made, root = tmp_path / "static", tmp_path / "root"
    (made / "bundle/js/workspace").mkdir(parents=True)
    (made / "bundle/css").mkdir()
    (made / "bundle/js/workspace/main.js").write_text("bundled()")
    (made / "bundle/css/base.css").write_text("a{color:red}")
    shutil.copytree(ROOT / "static/css", made / "css")
    finders_ = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    styles = Template('{% load modules %}{% inline_static "css/base.css" %}')
    with override_settings(STATIC_ROOT=root, STATICFILES_DIRS=[made], STATICFILES_FINDERS=finders_):
        modules._text.cache_clear()
        assert "bundle" not in page("workspace"), "not before it is collected"
        call_command("collectstatic", interactive=False, verbosity=0)
        assert re.fullmatch(
            r'<script type="module" blocking="render" src="/static/bundle/js/workspace/main\.\w{12}\.js"></script>',
            page("workspace"),
        )
        assert styles.render(Context({"CSP_NONCE": "n"})) == '<style nonce="n">a{color:red}</style>'
    modules._text.cache_clear()


def test_before_collection_and_during_development_files_have_plain_names(folder: Path, settings: Any) -> None:
    plain = '<script type="module" blocking="render" src="/static/js/workspace/main.js"></script>'
    assert page("workspace") == plain
    settings.STATIC_ROOT = folder
    settings.DEBUG = True
    assert page("workspace") == plain


def test_only_hashed_names_are_cached_forever_and_text_is_compressed(collected: Path) -> None:
    address = re.findall(r'src="([^"]+)"', page("workspace"))[0]
    client = Client(headers={"accept-encoding": "gzip, br"})
    sent = client.get(address)
    assert "immutable" in sent["Cache-Control"]
    assert (sent["Content-Type"].split(";")[0], sent["Content-Encoding"]) == ("text/javascript", "br")
    source = (ROOT / "static/js/workspace/main.js").read_bytes()
    assert brotli.decompress(b"".join(sent.streaming_content)) == source  # type: ignore[attr-defined]
    plain = Client().get("/static/js/workspace/main.js")
    assert "immutable" not in plain["Cache-Control"]
    assert b"".join(plain.streaming_content) == source  # type: ignore[attr-defined]
    assert not (collected / "js/workspace/main.js").exists(), "not compressed twice"
    assert client.get("/static/js/none.js").status_code == 404


def test_each_static_file_that_a_template_names_is_there() -> None:
    named = {name for path in (ROOT / "templates").rglob("*.html") for name in NAMED.findall(path.read_text("utf-8"))}
    assert len(named) > 8
    assert [name for name in sorted(named) if not finders.find(name)] == []


def test_files_of_other_packages_that_no_page_shows_are_not_collected(collected: Path) -> None:
    named = json.loads((collected / "staticfiles.json").read_text())["paths"]
    names = {part for name in named for part in name.split("/")}
    assert {"swagger-ui-bundle.js", "htmx-2.min.js"} <= names
    assert not names & {"rest_framework", "redoc", "swagger-ui.js", "swagger-ui-es-bundle.js", "htmx-2.js", "ext"}


def test_an_unknown_file_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"none\.css"):
        Template('{% load modules %}{% inline_static "css/none.css" %}').render(Context({"CSP_NONCE": ""}))
