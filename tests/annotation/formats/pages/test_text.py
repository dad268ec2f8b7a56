"""The main text of a page: what is in it and what is not, encodings, and pages that someone made to do harm."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from annotation.formats.pages.text import (
    MAX_ELEMENTS,
    MAX_PAGE_BYTES,
    NO_TEXT,
    ONLY_LINKS,
    TOO_LARGE,
    TOO_MANY,
    UNKNOWN_ENCODING,
    decode_page,
    html_text,
    page_text,
)
from annotation.phrases import Phrase
from tests.annotation.formats.made_pages import TEXTS, html, page, paragraphs

EN = TEXTS["en"]


def test_the_main_text_has_neither_scripts_nor_styles_nor_what_frames_it() -> None:
    body = (
        f"<h1>Opening hours</h1><p>{EN[0]}<script>var inside = 'scripted';</script></p>"
        "<noscript>Enable scripts.</noscript>"
        f"<ul><li>{EN[1]}</li><li>{EN[2]}</li></ul><template>Template words</template><!-- a comment -->"
        "<table><tr><td>Monday</td><td>nine to six</td></tr></table><p>One line.<br>Another   line\nof it.</p>"
    )
    lines = html_text(html(body)).text.split("\n")
    expected = ["Opening hours", *EN, "Monday nine to six", "One line.", "Another line of it."]
    assert lines == expected


def test_control_characters_are_not_part_of_the_words() -> None:
    found = html_text(html(f"<p>The lib\x01rary\x0c is&#2; open on all weekdays from nine to six.</p>{paragraphs(EN)}"))
    assert found.text.split("\n")[0] == EN[0]


def test_invisible_marks_are_not_part_of_the_words() -> None:
    found = html_text(
        html(f"<p>The libr&shy;ary\u200b is open\u00a0on all weekdays from nine to six.</p>{paragraphs(EN)}")
    )
    assert found.text.split("\n")[0] == EN[0]


@pytest.mark.parametrize(
    "body",
    [
        "<ul>" + "".join(f'<li><a href="/{n}">Topic number {n} of our office</a></li>' for n in range(20)) + "</ul>",
        "<p>" + " ".join(f'<a href="/{n}">Everything about our office, part {n}</a>' for n in range(20)) + "</p>",
        "<h1>Topics</h1>" + "".join(f'<div><a href="/{n}">A topic of our office {n}</a></div>' for n in range(20)),
    ],
)
def test_a_page_of_links_is_recognised(body: str) -> None:
    assert html_text(html(body)).problem == ONLY_LINKS


def test_links_within_a_text_are_words_like_others() -> None:
    linked = [text.replace("on", '<a href="/x">on</a>', 1) for text in EN]
    found = html_text(html(paragraphs(linked)))
    assert found.problem is None and found.text == "\n".join(EN)


@pytest.mark.parametrize("content", ["", " ", "<html></html>", "<script>alert(1)</script>", "<!DOCTYPE html>"])
def test_a_page_without_a_text_has_none(content: str) -> None:
    assert html_text(content).problem == NO_TEXT


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ('<meta charset="iso-8859-1">', "cp1252"),
        ("<meta http-equiv='Content-Type' content='text/html; charset=windows-1252'>", "cp1252"),
        ('<meta charset="utf-8">', "utf-8"),
        ("", "utf-8"),
        ("", "utf-8-sig"),
        ("", "utf-16"),
        ('<meta charset="koi8-r">', "koi8-r"),
        ('<meta charset="gb2312">', "gb18030"),
    ],
)
def test_the_encoding_is_marked_declared_or_utf_8(tmp_path: Path, head: str, encoding: str) -> None:
    word = {"koi8-r": "Библиотека открыта", "gb18030": "图书馆开放时间"}.get(encoding, "Bücher für Männer – „schön“")
    body = paragraphs([word, *EN])
    path = page(tmp_path / "x.html", html(body, head=head).encode(encoding))
    assert page_text(path).text.split("\n")[0] == word


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("Bücher".encode("cp1252"), UNKNOWN_ENCODING.text()),
        (b'<meta charset="utf-8">B\xfccher', "not valid UTF-8, which is its encoding"),
        (b'<meta charset="zip">x', "its encoding is unknown: zip"),
        (b'<meta charset="rot13">x', "its encoding is unknown: rot13"),
        (b'<meta charset="unicode_escape">x', "its encoding is unknown: unicode_escape"),
        (b'<meta charset="utf-7">+ADw-script+AD4-', "its encoding is unknown: utf-7"),
        (b"words\0words", "contains a NUL character"),
        (b"\xff\xfew", "not valid UTF-16-LE, which is its encoding"),
    ],
)
def test_an_encoding_that_cannot_be_trusted_is_a_reason(data: bytes, reason: str) -> None:
    assert str(decode_page(data, html=True)) == reason and isinstance(decode_page(data, html=True), Phrase)


def test_plain_text_has_a_paragraph_a_line(tmp_path: Path) -> None:
    path = page(tmp_path / "x.txt", "\n\n".join(EN) + "\r\n<meta charset='zip'>\r\n")
    assert page_text(path).text == "\n".join((*EN, "<meta charset='zip'>"))
    assert page_text(page(tmp_path / "empty.txt", " \n")).problem == NO_TEXT


def test_entities_that_a_page_declares_are_not_expanded(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("the secret words")
    bomb = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    doctype = (
        f'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY e0 "lol">{bomb}<!ENTITY f SYSTEM "file://{tmp_path}/secret">]>'
    )
    path = page(tmp_path / "x.xhtml", doctype + html(paragraphs([*EN, "&e9; and &f; stay as they are here."])))
    began = time.monotonic()
    found = page_text(path)
    assert len(found.text) < 1_000 and "secret words" not in found.text and EN[0] in found.text
    assert time.monotonic() - began < 20


def test_pages_that_are_too_large_are_not_read(tmp_path: Path) -> None:
    assert page_text(page(tmp_path / "x.html", b"x" * (MAX_PAGE_BYTES + 1))).problem == TOO_LARGE
    assert html_text(html("<p>x</p>" * MAX_ELEMENTS)).problem == TOO_MANY


@pytest.mark.parametrize(
    "body",
    [
        "<div>" * 20_000 + EN[0],
        "<table><tr><td>" * 10_000 + EN[0],
        "<b><i>" * 10_000 + EN[0],
        "<a href='x'>" * 20_000 + EN[0],
        "<p " + " ".join(f"a{n}='{n}'" for n in range(300_000)) + f">{EN[0]}</p>",
        "<p " + " ".join(f"a{n}=b\"'{n}" for n in range(300_000)) + f">{EN[0]}</p>",
        "<p " + " ".join(f"a{n}" for n in range(300_000)) + f">{EN[0]}</p>",
        "<p x=" * 300_000,
        "<p x='" * 300_000,
        '<p x="' * 300_000,
        "<script>" * 300_000,
        "<script </script" * 200_000,
        "<p><a href='x'>one</a> two</p>" * 4_000,
        "<table>" + "<tr><td>one</td><td>two</td></tr>" * 4_000 + "</table>",
        "<div>word</div>" * 10_000,
        "<ul>" + "<li><a href='x'>one</a></li>" * 5_000 + "</ul>",
        "<blockquote><p>one</p></blockquote>" * 5_000,
        "<h2>one</h2><br>" * 5_000,
        "<ul><li>" * 8_000 + EN[0],
        "x" * 1_000_000,
        "<p>" + "word " * 200_000 + "</p>",
        "&amp;" * 100_000,
        "<!--" * 100_000,
        "<![CDATA[" * 10_000,
    ],
)
@pytest.mark.long
def test_pages_made_to_do_harm_end_soon_and_without_an_error(body: str) -> None:
    began = time.monotonic()
    html_text(html(body))
    assert time.monotonic() - began < 20


@pytest.mark.parametrize(
    ("link", "url"),
    [
        ("https://www.town.example/en/a", "https://www.town.example/en/a"),
        ("javascript:alert(1)", ""),
        ("/en/a", ""),
        ("https://[::1", ""),
        ("https://x.example/" + "a" * 3_000, ""),
    ],
)
def test_the_address_that_a_page_states_is_taken_if_it_is_one_of_the_web(link: str, url: str) -> None:
    head = f'<meta charset="utf-8"><link rel="canonical" href="{link}">'
    found = html_text(html(paragraphs(EN), head=head))
    assert found.url == url and found.host == ("town.example" if url else "")
