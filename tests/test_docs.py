"""The documentation's links lead to files and headings that exist; its guides name buttons and pages as they are."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from annotation.display_names import PHASE_NAMES
from script.messages import DOMAINS, forms, read
from tests.paths import ROOT

PAGES = ["README.md", "CONTRIBUTING.md", *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/*.md"))]
LINK = re.compile(r"\]\(([^()\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
PATH = re.compile(r"`((?:[\w.-]+/)*(?:[\w.-]+/|[\w.-]+\.(?:py|js|ts|css|html|md|txt|toml|yaml)))`")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
GUIDES = ["docs/annotators.md", "docs/leads.md"]
NAMES_OF_NO_MESSAGE = {"bold", "Aa", "SwissGov-RSD"}


def text_of(page: str) -> str:
    return FENCE.sub("", (ROOT / page).read_text())


def links(page: str) -> list[str]:
    return [link for link in LINK.findall(CODE.sub("", text_of(page))) if not re.match(r"[a-z]+:", link)]


@cache
def anchors(path: Path) -> set[str]:
    """The anchors that GitHub derives from a page's headings: lower case, no punctuation, hyphens for spaces."""
    found: set[str] = set()
    for heading in HEADING.findall(FENCE.sub("", path.read_text())):
        plain = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = 0
        while (anchor := f"{plain}-{number}" if number else plain) in found:
            number += 1
        found.add(anchor)
    return found


@pytest.mark.parametrize("page", PAGES)
def test_relative_links_lead_to_files_and_headings_that_exist(page: str) -> None:
    wrong = []
    for link in links(page):
        file, _, anchor = link.partition("#")
        target = ((ROOT / page).parent / file).resolve() if file else ROOT / page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            wrong.append(link)
    assert not wrong, f"{page}: {wrong}"


def test_every_page_of_the_documentation_is_in_its_index() -> None:
    listed = set(links("docs/README.md"))
    assert {Path(page).name for page in PAGES if page.startswith("docs/")} - listed == {"README.md"}


def entries_of_the_map() -> list[tuple[list[Path], str]]:
    """Each entry of CONTRIBUTING's map and recipes, with the folders in the title of its section."""
    folders: list[Path] = []
    found = []
    for block in re.split(r"^(?=#|- \*\*)", text_of("CONTRIBUTING.md").partition("# Background jobs")[0], flags=re.M):
        if block.startswith("#"):
            folders = [ROOT, *(ROOT / each for each in PATH.findall(block.splitlines()[0]))]
        elif block.startswith("- "):
            found.append((folders, block))
    return found


def test_the_map_names_files_that_exist() -> None:
    """A path is relative to the checkout or to the folder of its section."""
    named = [
        (folders, name) for folders, entry in entries_of_the_map() for name in PATH.findall(entry) if name != "NAME.py"
    ]
    assert len(named) > 300
    assert not [name for folders, name in named if not any((folder / name).exists() for folder in folders)]


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_names_buttons_and_pages_as_the_interface_does(guide: str) -> None:
    """Bold text in a guide is a message of the interface, word for word."""
    messages = {forms(message)[0][0] for domain in DOMAINS for message in read("de", domain)}
    messages |= {str(name).capitalize() for name in PHASE_NAMES.values()}
    named = set(re.findall(r"\*\*(.+?)\*\*", " ".join(text_of(guide).split()))) - NAMES_OF_NO_MESSAGE
    assert len(named) > 10
    assert not sorted(named - messages), f"{guide}: not in the interface"


def test_the_pictures_of_the_readme_are_small_and_as_wide_as_a_page() -> None:
    pictures = [ROOT / link for link in links("README.md") if link.endswith(".png")]
    assert len(pictures) == 2
    for picture in pictures:
        data = picture.read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        assert int.from_bytes(data[16:20], "big") == 1440
        assert len(data) < 300_000
