"""Reads TEI P5, element by element, so that a corpus is never held as a tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder

from annotation.formats.field_types import FieldError, parse_json_cell
from annotation.formats.fields import pair_record
from annotation.formats.implied_scheme import implied_scheme, scheme_of_labels
from annotation.formats.interruption import check_interruption
from annotation.formats.record import ParsedSource
from annotation.formats.source import Refusals, display_name, files, refusal
from annotation.formats.tei.pair import ID, content_of, tei_pair_json
from annotation.phrases import Phrase
from annotation.strict_json import display_text
from annotation.strict_xml import CHUNK, StrictHandler, XMLFault, parse_xml
from annotation.text.scheme_parsing import parse_scheme
from annotation.text.schemes import Scheme, SchemeError

ENDING = ".xml"
ROOTS = ("teiCorpus", "TEI")
_ROOT = re.compile(rb"<(?:[\w.-]+:)?(?:teiCorpus|TEI)[\s>]")
MAX_ELEMENTS = 300_000
"""Elements of a pair: its words, and the fragments of all annotators."""
MAX_CHARACTERS = 16_000_000
"""Characters of a pair."""


def read(paths: Sequence[Path], options: Mapping[str, str]) -> ParsedSource:
    """Read files, or folders of them. Raises FormatError with every pair that is refused."""
    refusals = Refusals()
    source = ParsedSource([], implied_scheme((), ()))
    corpus = _Corpus()
    for path in files(paths, (ENDING,)):
        name = display_name(path)

        def add(pair: Element, line: int, name: str = name) -> None:
            check_interruption()
            where = f"{name}:{line}"
            refusals.count_row(where)
            try:
                source.records.append(pair_record(tei_pair_json(pair, corpus.labels), where))
            except FieldError as error:
                refusals.add(where, error.phrase)

        try:
            with path.open("rb") as file:
                parse_xml(_chunks(file.read), _Handler(corpus, add))
        except XMLFault as fault:
            raise refusal(f"{name}:{fault.line}" if fault.line else name, fault.reason) from fault
        except FieldError as error:
            raise refusal(name, error.phrase) from error
    refusals.raise_any(source.records)
    source.scheme = corpus.scheme or scheme_of_labels(source.scheme, source.records, "TEI")
    return source


def _chunks(read: Callable[[int], bytes]) -> Iterator[bytes]:
    while data := read(CHUNK):
        check_interruption()
        yield data


@dataclass(slots=True)
class _Corpus:
    """What pairs share: the labels by the `xml:id` of their `<category>`, and the scheme, if the header has it."""

    labels: dict[str, str] = field(default_factory=dict)
    scheme: Scheme | None = None

    def add(self, header: Element) -> None:
        """Take the labels and the scheme of a header. Raises FieldError."""
        for category in header.iter("category"):
            if ID in category.attrib:
                self.labels[category.attrib[ID]] = category.get("n") or category.attrib[ID]
        for data in header.iter("xenoData"):
            if data.get("type") == "scheme":
                try:
                    self.scheme = parse_scheme(parse_json_cell(content_of(data), "scheme"))
                except SchemeError as error:
                    raise FieldError(error.phrase) from error


class _Handler(StrictHandler):
    """Makes a tree of each header and each pair, one at a time."""

    def __init__(self, corpus: _Corpus, add: Callable[[Element, int], None]) -> None:
        super().__init__()
        self.corpus, self.add = corpus, add
        self.root = ""
        self.builder: TreeBuilder | None = None
        self.begin, self.at = 0, 0
        self.elements = self.characters_read = 0

    def startElement(self, name: str, attrs: Any) -> None:
        super().startElement(name, attrs)
        name = name.rpartition(":")[2]
        if self.depth == 1:
            self.root = name
            if name not in ROOTS:
                reason = Phrase("not TEI: the root is “%(root)s”, not teiCorpus or TEI", {"root": display_text(name)})
                raise self.fault(reason)
        whole = 1 if self.root == "TEI" else 2
        if self.depth == whole:
            self.builder, self.begin, self.at = TreeBuilder(), self.depth, self.line()
            self.elements = self.characters_read = 0
        if self.builder is not None:
            self.elements += 1
            if self.elements > MAX_ELEMENTS:
                reason = Phrase("more than %(most)s elements in one pair; divide it", {"most": str(MAX_ELEMENTS)})
                raise self.fault(reason)
            self.builder.start(name, dict(attrs))

    def characters(self, content: str) -> None:
        if self.builder is not None:
            self.characters_read += len(content)
            if self.characters_read > MAX_CHARACTERS:
                params = {"most": str(MAX_CHARACTERS)}
                raise self.fault(Phrase("more than %(most)s characters in one pair; divide it", params))
            self.builder.data(content)

    def endElement(self, name: str) -> None:
        super().endElement(name)
        if self.builder is None:
            return
        self.builder.end(name.rpartition(":")[2])
        if self.depth == self.begin - 1:
            tree, self.builder = self.builder.close(), None
            if tree.tag == "TEI":
                self.corpus.add(tree)
                if tree.find("standOff") is not None or len(tree.findall("text")) > 1:
                    self.add(tree, self.at)
            elif tree.tag == "teiHeader":
                self.corpus.add(tree)


def is_tei(path: Path) -> bool:
    """Whether a file's root is one of TEI's, as far as its beginning shows."""
    try:
        with path.open("rb") as file:
            beginning = file.read(CHUNK)
    except OSError:
        return False
    return _ROOT.search(beginning) is not None
