"""TBX (ISO 30042), version 2 (`martif`, `termEntry`, `langSet`, `tig`) and 3 (`tbx`, `conceptEntry`, `langSec`).

A concept gives an entry for each of its terms in the first language, with its terms in the second as translations;
deprecated terms are skipped. Its definition or note is the entry's note. Entities and external files are refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from annotation.glossaries.entries import MAX_NOTE_LENGTH, MAX_TRANSLATIONS, TermEntry, normalise_spaces
from annotation.glossaries.files import GlossaryFileError, ParsedGlossary, at_line
from annotation.phrases import Phrase
from annotation.strict_json import display_text
from annotation.strict_xml import CHUNK, StrictHandler, XMLFault, parse_xml
from annotation.text.tokens import base_language

ROOTS = ("martif", "tbx")
_NAMESPACE = "urn:iso:std:iso:30042:ed-2"
_CONCEPTS = {"termEntry", "conceptEntry"}
_LANGUAGES = {"langSet", "langSec"}
_TERMS = {"tig", "ntig", "termSec"}
_MAX_TEXT_LENGTH = 10_000
"""Characters of one element: no term is longer, and memory stays bounded."""
_MAX_ELEMENTS = 500_000
_MAX_TERMS = 200
"""Terms of one concept, in all its languages."""


def read(data: bytes, source: str, target: str) -> ParsedGlossary:
    """The entries of a file from `source` to `target`. Raises GlossaryFileError if it is not TBX."""
    handler = _Handler(source, target)
    try:
        parse_xml((data[start : start + CHUNK] for start in range(0, len(data), CHUNK)), handler)
    except XMLFault as fault:
        raise GlossaryFileError(fault.phrase) from fault
    if not handler.parsed.entries and handler.languages and not handler.has_both():
        raise GlossaryFileError(
            Phrase(
                "the file has terms in %(languages)s; %(source)s and %(target)s were chosen",
                {"languages": display_text(", ".join(sorted(handler.languages))), "source": source, "target": target},
            )
        )
    return handler.parsed


def write(entries: Iterable[TermEntry], source: str, target: str) -> str:
    """A file of version 3, dialect TBX-Basic, that `read` reads back as the same entries."""
    from xml.etree import ElementTree as xml

    root = xml.Element("tbx", {"type": "TBX-Basic", "style": "dca", "xml:lang": source, "xmlns": _NAMESPACE})
    described = xml.SubElement(xml.SubElement(xml.SubElement(root, "tbxHeader"), "fileDesc"), "sourceDesc")
    xml.SubElement(described, "p").text = "Diptych"
    body = xml.SubElement(xml.SubElement(root, "text"), "body")
    for number, entry in enumerate(entries, 1):
        concept = xml.SubElement(body, "conceptEntry", {"id": f"c{number}"})
        if entry.note:
            xml.SubElement(concept, "note").text = entry.note
        for language, terms in ((source, (entry.word,)), (target, entry.translations)):
            section = xml.SubElement(concept, "langSec", {"xml:lang": language})
            for term in terms:
                xml.SubElement(xml.SubElement(section, "termSec"), "term").text = term
    xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n"


@dataclass
class _Concept:
    line: int
    terms: dict[str, list[str]] = field(default_factory=dict)
    definition: str = ""
    note: str = ""
    size: int = 0


class _Handler(StrictHandler):
    """Collects one concept at a time."""

    def __init__(self, source: str, target: str) -> None:
        super().__init__()
        self.parsed = ParsedGlossary()
        self.requested = (source, target)
        self.languages: set[str] = set()
        self._open: list[tuple[str, str]] = []
        self._text: list[str] | None = None
        self._size = 0
        self._elements = 0
        self._concept: _Concept | None = None
        self._language = ""
        self._term = ""
        self._deprecated = False

    def has_both(self) -> bool:
        """Whether the file has terms of both languages."""
        languages = {base_language(each) for each in self.languages}
        return all(base_language(each) in languages for each in self.requested)

    def startElement(self, name: str, attrs: Any) -> None:
        super().startElement(name, attrs)
        name = name.rpartition(":")[2]
        if not self._open and name not in ROOTS:
            raise at_line(
                self.line(), Phrase("not TBX: the root is “%(root)s”, not martif or tbx", {"root": display_text(name)})
            )
        self._elements += 1
        if self._elements > _MAX_ELEMENTS:
            raise at_line(
                self.line(), Phrase("more than %(most)s elements; divide the file", {"most": str(_MAX_ELEMENTS)})
            )
        self._open.append((name, attrs.get("type", "")))
        if name in _CONCEPTS:
            self._concept = _Concept(self.line())
            self.parsed.count_row(self._concept.line)
        elif self._concept is None:
            return
        elif name in _LANGUAGES:
            self._language = attrs.get("xml:lang") or attrs.get("lang") or ""
        elif name in _TERMS:
            self._term, self._deprecated = "", False
        elif name in ("term", "termNote", "note", "descrip"):
            self._text, self._size = [], 0

    def characters(self, content: str) -> None:
        if self._text is not None:
            self._size += len(content)
            if self._size > _MAX_TEXT_LENGTH:
                raise at_line(
                    self.line(), Phrase("a text of more than %(most)s characters", {"most": str(_MAX_TEXT_LENGTH)})
                )
            self._text.append(content)

    def endElement(self, name: str) -> None:
        super().endElement(name)
        name, kind = self._open.pop()
        concept = self._concept
        if concept is None:
            return
        if name in ("term", "termNote", "note", "descrip"):
            text, self._text = normalise_spaces("".join(self._text or ())), None
            self._take(concept, name, kind, text)
        elif name in _TERMS:
            if self._term and self._language and not self._deprecated:
                concept.size += 1
                terms = concept.terms.setdefault(self._language, [])
                if concept.size <= _MAX_TERMS:
                    terms.append(self._term)
        elif name in _LANGUAGES:
            self._language = ""
        elif name in _CONCEPTS:
            self._close(concept)
            self._concept = None

    def _take(self, concept: _Concept, name: str, kind: str, text: str) -> None:
        if name == "term":
            self._term = text
        elif name == "termNote":
            # 'deprecatedTerm-admn-sts' in the dialects, 'deprecatedTerm' or 'forbidden' in older files
            self._deprecated |= kind == "administrativeStatus" and text.startswith(("deprecated", "forbidden"))
        elif name == "note":
            concept.note = concept.note or text
        elif kind == "definition":
            concept.definition = concept.definition or text

    def _close(self, concept: _Concept) -> None:
        self.languages.update(concept.terms)
        if concept.size > _MAX_TERMS:
            self.parsed.reject(concept.line, Phrase("more than %(most)s terms", {"most": str(_MAX_TERMS)}))
            return
        sources, targets = (_terms(concept, language) for language in self.requested)
        if not sources or not targets:
            missing = self.requested[0] if not sources else self.requested[1]
            self.parsed.reject(concept.line, Phrase("no term in %(language)s", {"language": missing}))
            return
        note = (concept.definition or concept.note)[:MAX_NOTE_LENGTH]
        for word in sources:
            self.parsed.add(concept.line, TermEntry(word, targets[:MAX_TRANSLATIONS], note))


def _terms(concept: _Concept, language: str) -> tuple[str, ...]:
    """The concept's terms in exactly a language, or else in its variants."""
    exact = [each for code, terms in concept.terms.items() if code.lower() == language.lower() for each in terms]
    base = base_language(language)
    near = [each for code, terms in concept.terms.items() if base_language(code) == base for each in terms]
    return tuple(dict.fromkeys(exact or near))
