"""The documentation's links lead to files and headings that exist; its guides name buttons and pages as they are."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from annotation.display_names import PHASE_NAMES
from annotation.vocabulary import Phase
from script.messages import DOMAINS, forms, read
from tests.paths import ROOT

PAGES = ["README.md", "CONTRIBUTING.md", *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/*.md"))]
LINK = re.compile(r"\]\(([^()\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
PATH = re.compile(r"`((?:[\w.-]+/)*(?:[\w.-]+/|[\w.-]+\.(?:py|js|ts|css|html|md|txt|toml|yaml)))`")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
FOR_DEVELOPERS = ["CONTRIBUTING.md", "docs/map.md"]
GUIDES = ["docs/annotators.md", "docs/leads.md"]
PLACEHOLDERS = {"NAME.py", "tests/js/X.test.js"}
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


def entries_for_developers() -> list[tuple[list[Path], str]]:
    """Each entry or paragraph of CONTRIBUTING and of the map, with the folders that its names are relative to.

    They are the checkout and the folders in the title of its section.
    """
    folders: list[Path] = []
    found = []
    text = "\n\n".join(map(text_of, FOR_DEVELOPERS))
    for block in re.split(r"^(?=#|- \*\*)|\n\n", text, flags=re.M):
        if block.startswith("#"):
            folders = [ROOT, *(ROOT / each for each in PATH.findall(block.splitlines()[0]))]
        elif block.strip():
            found.append((folders, block))
    return found


def paths_named(entry: str) -> list[str]:
    """The files and folders that an entry names, also within a command: with a slash, or with the ending of a file."""
    words = (word for code in CODE.findall(entry) for word in code.strip("`").split())
    return [
        word
        for word in words
        if (re.fullmatch(r"[\w.*-]+(?:/[\w.*-]*)+", word) or PATH.fullmatch(f"`{word}`"))
        and not word.startswith(".venv/")
        and word not in PLACEHOLDERS
    ]


def found_in(folders: list[Path], name: str) -> list[Path]:
    """What a name, which may be a pattern, leads to from these folders."""
    return [path for folder in folders for path in folder.glob(name.rstrip("/"))]


def test_pages_for_developers_name_files_and_folders_that_exist() -> None:
    named = [(folders, name) for folders, entry in entries_for_developers() for name in paths_named(entry)]
    assert len(named) > 600
    assert not [name for folders, name in named if not found_in(folders, name)]
    # Of two files with a name that is relative to a section's folders, nobody knows which is meant.
    assert not [name for folders, name in named if "*" not in name and len(found_in(folders, name)) > 1]


def test_constants_that_pages_for_developers_name_are_in_the_files_beside_them() -> None:
    named = [
        (constant, found)
        for folders, entry in entries_for_developers()
        if (found := [path for name in paths_named(entry) for path in found_in(folders, name)])
        for constant in re.findall(r"`(?!DIPTYCH_)([A-Z]{2}[A-Z_]*)(?:`|\.register)", entry)
    ]
    assert len(named) > 10
    wrong = []
    for constant, paths in named:
        files = [file for path in paths for file in (path.rglob("*.*") if path.is_dir() else [path])]
        texts = (file.read_text() for file in files if file.suffix in (".py", ".js"))
        if not any(re.search(rf"\b{constant}\b", text) for text in texts):
            wrong.append(constant)
    assert not wrong


def test_the_tree_of_the_map_names_folders_that_exist() -> None:
    """A folder is in the one that the line, or an earlier line, begins with, or in the checkout."""
    tree = (ROOT / "docs/map.md").read_text().split("```")[1].strip()
    within = ROOT
    for line in tree.splitlines():
        named = re.findall(r"(?<![\w>/])((?:\w+/)+)(?!\w)", line)
        within = ROOT / named[0] if line.startswith(named[0]) else within
        assert not [name for name in named if not (within / name).is_dir() and not (ROOT / name).is_dir()]


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_names_buttons_and_pages_as_the_interface_does(guide: str) -> None:
    """Bold text in a guide is a message of the interface, word for word."""
    messages = {forms(message)[0][0] for domain in DOMAINS for message in read("de", domain)}
    messages |= {str(name).capitalize() for name in PHASE_NAMES.values()}
    named = set(re.findall(r"\*\*(.+?)\*\*", " ".join(text_of(guide).split()))) - NAMES_OF_NO_MESSAGE
    assert len(named) > 10
    assert not sorted(named - messages), f"{guide}: not in the interface"


def test_the_guide_says_when_an_annotator_counts_as_idle() -> None:
    idle = re.search(r"IDLE = (\d+)000;", (ROOT / "static/js/workspace/model/clock.js").read_text())
    assert idle is not None
    assert f"stops after {idle[1]} seconds without any input" in " ".join(text_of("docs/annotators.md").split())


@pytest.mark.parametrize("page", sorted({*PAGES} - {*FOR_DEVELOPERS, "docs/leads.md"}))
def test_only_the_leads_guide_has_the_names_of_the_trial_and_the_main_phase(page: str) -> None:
    """So that a new name changes one guide."""
    names = "|".join(str(PHASE_NAMES[phase]) for phase in (Phase.TRIAL.value, Phase.MAIN.value))
    prose = " ".join(CODE.sub("", text_of(page)).split())
    assert not re.findall(rf"\b(?:{names})(?: and (?:the )?\w+)? (?:phases?|pairs?)\b", prose, flags=re.IGNORECASE)


def test_the_pictures_of_the_readme_are_small_and_as_wide_as_a_page() -> None:
    pictures = [ROOT / link for link in links("README.md") if link.endswith(".png")]
    assert len(pictures) == 2
    for picture in pictures:
        data = picture.read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        assert int.from_bytes(data[16:20], "big") == 1440
        assert len(data) < 300_000
