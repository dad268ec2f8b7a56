"""The main text of a page, from HTML or plain text, whoever made it. Pure; nothing is loaded from elsewhere.

Trafilatura finds the main text: without navigation, header, footer, scripts and styles. Each of its blocks (paragraph,
heading, item, row of a table) becomes a paragraph; the words are the page's own, without marks for lists or links.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from annotation.phrases import Phrase
from annotation.strict_json import display_text
from annotation.text.limits import MEGABYTE

HTML = (".html", ".htm", ".xhtml")
PLAIN = (".txt",)
MAX_PAGE_BYTES = 4 * MEGABYTE
"""Bytes of a page: a hundred times a long one, and what is read in some seconds."""
MAX_ELEMENTS = 20_000
"""Elements of a page."""
MAX_ATTRIBUTES = 1_000
"""Attributes of an element: the time to parse them grows with the square of their number."""
LINKS_ONLY_SHARE = 0.8
"""The share of a text's letters in links from which a page holds nothing but links."""
MAX_ADDRESS_LENGTH = 2_000

ONLY_LINKS = Phrase("only links")
NO_TEXT = Phrase("no text")
TOO_LARGE = Phrase("larger than %(most)s MB", {"most": str(MAX_PAGE_BYTES // MEGABYTE)})
TOO_MANY = Phrase("more than %(most)s elements", {"most": str(MAX_ELEMENTS)})
NOT_READ = Phrase("cannot be read as HTML")
UNKNOWN_ENCODING = Phrase("its encoding is neither declared nor UTF-8")

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DECLARED = re.compile(
    rb"""<(?:meta\b[^>]{0,300}?\bcharset|\?xml\b[^>]{0,100}?\bencoding)\s*=\s*["']?\s*([\w.:-]{1,40})""", re.I
)
_BEGINNING = 4096
# As browsers do: Latin 1 is Windows' extension of it, GB 2312 is GBK, and UTF-16 can't be declared in ASCII.
_BROWSER_ENCODINGS = {
    **dict.fromkeys(("iso-8859-1", "iso8859-1", "latin1", "latin-1", "us-ascii", "ascii"), "cp1252"),
    **dict.fromkeys(("gb2312", "gb_2312-80", "gbk", "x-gbk"), "gb18030"),
    **dict.fromkeys(("utf-16", "utf-16le", "utf-16be", "utf8", "unicode-1-1-utf-8"), "utf-8"),
    **{"shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "x-sjis": "cp932", "ks_c_5601-1987": "cp949"},
    **{"iso-8859-9": "cp1254", "euc-kr": "cp949", "macintosh": "mac-roman", "x-mac-roman": "mac-roman"},
}
_SAFE = re.compile(
    r"utf-8|(?:cp|windows-)125[0-8]|cp9(?:32|49)|iso-?8859-(?:[2-8]|1[0-6])|koi8-[ru]|big5|gb18030|euc-jp|iso-2022-jp|mac-roman"
)
"""Encodings of text: Python has codecs that unpack or compute under the same names as these."""
_HIDDEN = re.compile(r"<(script|style|!--)", re.IGNORECASE)
_CLOSED = {
    "script": re.compile(r"</script[^>]*+>?", re.IGNORECASE),
    "style": re.compile(r"</style[^>]*+>?", re.IGNORECASE),
    "!--": re.compile(r"--!?>"),
}
# A quotation mark opens a value only after '='.
_TAG = re.compile(r"""<[a-z](?:=\s*+(?:"[^"]*+"|'[^']*+')|[^>])*+""", re.IGNORECASE)
_QUOTED = re.compile(r"""=\s*+(?:"[^"]*+"|'[^']*+')""")
_NAME = re.compile(r"[^\s/=]+")
_NEVER = (
    "//noscript | //template | //nav | //iframe | //object | //*[@hidden]"
    " | //header[not(ancestor::main or ancestor::article)] | //footer[not(ancestor::main or ancestor::article)]"
)
"""What is never a page's text, also where the text is so short that all of the page is taken."""
# Trees may be read with these characters, and not be changed.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff\ufffe\uffff]|[\x01-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_BLOCKS = frozenset(("p", "head", "item", "list", "quote", "code", "table", "row", "lb", "div", "body"))
_IGNORED_ELEMENTS = ("script", "style", "noscript", "template", "nav", "header", "footer", "aside", "form", "head")


@dataclass(frozen=True, slots=True)
class PageText:
    """A page's text, a paragraph a line, and its own address ('' if it states none); or why it is of no use."""

    text: str = ""
    url: str = ""
    problem: Phrase | None = None

    @property
    def host(self) -> str:
        """The host of the page's address, without 'www.', or ''."""
        return (urlsplit(self.url).hostname or "").removeprefix("www.") if self.url else ""


def page_text(path: Path) -> PageText:
    """The text of a file. Raises OSError if it can't be read."""
    with path.open("rb") as file:
        data = file.read(MAX_PAGE_BYTES + 1)
    if len(data) > MAX_PAGE_BYTES:
        return PageText(problem=TOO_LARGE)
    html = path.suffix.lower() in HTML
    content = decode_page(data, html=html)
    if isinstance(content, Phrase):
        return PageText(problem=content)
    if html:
        return html_text(content)
    text = "\n".join(filter(None, map(_line, content.splitlines())))
    return PageText(text, problem=None if text else NO_TEXT)


def decode_page(data: bytes, *, html: bool) -> str | Phrase:
    """The characters of a page, or why they can't be told: by byte order mark, by what HTML declares, or as UTF-8."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], encoding)
    declared = _DECLARED.search(data[:_BEGINNING]) if html else None
    if declared is None:
        decoded = _decoded(data, "utf-8")
        return UNKNOWN_ENCODING if isinstance(decoded, Phrase) and b"\0" not in data else decoded
    name = declared[1].decode("ascii").lower()
    encoding = _BROWSER_ENCODINGS.get(name, name)
    if not _SAFE.fullmatch(encoding):
        return Phrase("its encoding is unknown: %(name)s", {"name": display_text(name)})
    return _decoded(data, encoding)


def _decoded(data: bytes, encoding: str) -> str | Phrase:
    try:
        text = data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return Phrase("not valid %(encoding)s, which is its encoding", {"encoding": encoding.upper()})
    return Phrase("contains a NUL character") if "\0" in text else text


def html_text(content: str) -> PageText:
    """The main text of a page in HTML."""
    # Only those who import pages need them.
    from lxml import etree, html
    from trafilatura import bare_extraction

    content = _strip_scripts(content)
    if any(_attributes(tag.group()) > MAX_ATTRIBUTES for tag in _TAG.finditer(content)):
        return PageText(problem=TOO_MANY)
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=False)
    try:
        tree = html.document_fromstring(content.encode(errors="replace"), parser=parser)
    except etree.ParserError:  # nothing in it
        return PageText(problem=NO_TEXT)
    except (etree.LxmlError, ValueError, AssertionError):
        return PageText(problem=NOT_READ)
    if sum(1 for _ in tree.iter()) > MAX_ELEMENTS:
        return PageText(problem=TOO_MANY)
    for element in tree.xpath(_NEVER):
        if element.getparent() is not None:
            element.drop_tree()
    _one_line(tree)
    links = {line for each in tree.iter("a") if (line := _line("".join(each.itertext())))}
    url, mostly_links = _address(tree), _mostly_links(tree)
    try:
        extracted: Any = bare_extraction(tree, include_comments=False, include_links=True, with_metadata=False)
        body = extracted.body if extracted is not None else None
        lines = list(_lines(body)) if body is not None else []
    except (etree.LxmlError, ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError):
        # It walks through whatever tree a page makes: a page on which that fails is reported, and the others go on.
        return PageText(url=url, problem=NOT_READ)
    letters = sum(_letters(line) for line, _linked in lines)
    linked = sum(_letters(line) if line in links else min(inside, _letters(line)) for line, inside in lines)
    if not letters:
        return PageText(url=url, problem=ONLY_LINKS if mostly_links else NO_TEXT)
    if linked >= LINKS_ONLY_SHARE * letters:
        return PageText(url=url, problem=ONLY_LINKS)
    return PageText("\n".join(line for line, _linked in lines), url)


def _strip_scripts(content: str) -> str:
    """HTML without its scripts, styles and comments; what isn't closed goes on to the end. In linear time."""
    parts: list[str] = []
    position = 0
    while opened := _HIDDEN.search(content, position):
        parts.append(content[position : opened.start()])
        closed = _CLOSED[opened[1].lower()].search(content, opened.end())
        if closed is None:
            return "".join(parts)
        position = closed.end()
    return "".join([*parts, content[position:]])


def _attributes(tag: str) -> int:
    """At least as many as a tag has attributes."""
    return len(_NAME.findall(_QUOTED.sub(" ", tag))) if len(tag) > MAX_ATTRIBUTES else 0


def _one_line(tree: Any) -> None:
    """Make line breaks spaces, as browsers do, except where they are kept, and drop control characters."""
    for element in tree.iter():
        if element.text:
            text = _CONTROL.sub("", element.text)
            element.text = text if element.tag in ("pre", "textarea") else text.replace("\n", " ")
        if element.tail:
            element.tail = _CONTROL.sub("", element.tail).replace("\n", " ")


def _lines(body: Any) -> Iterator[tuple[str, int]]:
    """The paragraphs of an extracted body that are not empty, each with how many of its letters are in links."""
    text: list[str] = []
    linked = 0

    def done() -> Iterator[tuple[str, int]]:
        nonlocal linked
        for part in "".join(text).split("\n"):
            if line := _line(part):
                yield line, linked
                linked = 0
        text.clear()
        linked = 0

    waiting: list[tuple[Any, bool, bool]] = [(body, False, False)]
    while waiting:
        element, left, within = waiting.pop()
        name = element.tag if isinstance(element.tag, str) else ""
        if not left:
            if name in _BLOCKS:
                yield from done()
            within = within or name == "ref"
            waiting.append((element, True, within))
            text.append(element.text or "")
            linked += _letters(element.text or "") if within else 0
            waiting.extend((child, False, within) for child in reversed(element))
            continue
        if name in _BLOCKS:
            yield from done()
        elif name == "cell":
            text.append(" ")
        text.append(element.tail or "")
    yield from done()


def _address(tree: Any) -> str:
    """The address that a page states for itself: canonical link or Open Graph; '' unless it is one of the web."""
    stated = tree.xpath("//link[@rel='canonical']/@href | //meta[@property='og:url']/@content")
    for each in stated:
        url = str(each).strip()
        try:
            parts = urlsplit(url)
        except ValueError:
            continue
        if (
            parts.scheme in ("http", "https")
            and parts.hostname
            and len(url) <= MAX_ADDRESS_LENGTH
            and url.isprintable()
        ):
            return url
    return ""


def _mostly_links(tree: Any) -> bool:
    """Whether most letters of a page, apart from what frames it, are in links."""
    total = linked = 0
    waiting: list[tuple[Any, bool]] = [(tree, False)]
    while waiting:
        element, within = waiting.pop()
        if not isinstance(element.tag, str) or element.tag in _IGNORED_ELEMENTS:
            continue
        inside = within or element.tag == "a"
        texts = [(element.text, inside), *((child.tail, inside) for child in element)]
        for text, is_link in texts:
            total += _letters(text or "")
            linked += _letters(text or "") if is_link else 0
        waiting.extend((child, inside) for child in element)
    return 2 * linked > total


def _line(text: str) -> str:
    """A paragraph without invisible marks (soft hyphens, zero-width spaces), its white space single spaces."""
    return " ".join(_INVISIBLE.sub("", text).split())


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))
