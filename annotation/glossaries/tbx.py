"""TBX (ISO 30042), version 2 (`martif`, `termEntry`, `langSet`, `tig`) and 3 (`tbx`, `conceptEntry`, `langSec`).

A concept gives an entry for each of its terms in the first language, with its terms in the second as translations;
deprecated terms are skipped. Its definition or note is the entry's note. Entities and external files are refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from typing import Any
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from annotation.glossaries.entries import LONGEST_NOTE, MOST_TRANSLATIONS, Entry, plain
from annotation.glossaries.reading import GlossaryFileError, Reading
from annotation.text.tokens import base_language

ROOTS = ("martif", "tbx")
_CONCEPTS = {"termEntry", "conceptEntry"}
_LANGUAGES = {"langSet", "langSec"}
_TERMS = {"tig", "ntig", "termSec"}
_LONGEST_TEXT = 10_000
"""Characters of one element: no term is longer, and memory stays bounded."""
_DEEPEST = 100


def read(data: bytes, source: str, target: str) -> Reading:
    """The entries of a file from `source` to `target`. Raises GlossaryFileError if it is not TBX."""
    handler = _Handler(source, target)
    try:
        # Files name a document type, which is not fetched; every entity declaration is refused.
        parser = _Parser(forbid_external=False)
        parser.setContentHandler(handler)
        parser.parse(BytesIO(data))
    except DefusedXmlException as error:
        raise GlossaryFileError("the file declares entities, which are not accepted") from error
    except SAXParseException as error:
        raise GlossaryFileError(f"line {error.getLineNumber()}: not valid XML: {error.getMessage()}") from error
    except (SAXException, UnicodeError, ValueError, LookupError) as error:
        if isinstance(error, GlossaryFileError):
            raise
        raise GlossaryFileError(f"line {handler.line()}: not valid XML: {error}") from error
    if not handler.reading.entries and handler.languages and not handler.has_both():
        raise GlossaryFileError(
            f"the file has terms in {', '.join(sorted(handler.languages))}; {source} and {target} were chosen"
        )
    return handler.reading


class _Parser(DefusedExpatParser):  # type: ignore[misc]
    """Refuses attribute declarations: a default value would be repeated in every element."""

    def reset(self) -> None:
        super().reset()
        self._parser.AttlistDeclHandler = self._attributes_declared

    def _attributes_declared(self, *_: object) -> None:
        raise GlossaryFileError("the file declares attributes, which is not accepted")


@dataclass
class _Concept:
    line: int
    terms: dict[str, list[str]] = field(default_factory=dict)
    definition: str = ""
    note: str = ""


class _Handler(ContentHandler):
    """Collects one concept at a time."""

    def __init__(self, source: str, target: str) -> None:
        super().__init__()
        self.reading = Reading()
        self.wanted = (source, target)
        self.languages: set[str] = set()
        self._open: list[tuple[str, str]] = []
        self._text: list[str] | None = None
        self._size = 0
        self._concept: _Concept | None = None
        self._language = ""
        self._term = ""
        self._deprecated = False
        self._locator: Any = None

    def setDocumentLocator(self, locator: Any) -> None:
        self._locator = locator

    def line(self) -> int:
        """The line being read, from 1."""
        return int(self._locator.getLineNumber() or 1) if self._locator else 1

    def has_both(self) -> bool:
        """Whether the file has terms of both languages."""
        found = {base_language(each) for each in self.languages}
        return all(base_language(each) in found for each in self.wanted)

    def skippedEntity(self, name: str) -> None:
        raise GlossaryFileError(
            f"line {self.line()}: &{name[:40]}; is not an entity of XML; write the character itself"
        )

    def startElement(self, name: str, attrs: Any) -> None:
        name = name.rpartition(":")[2]
        if not self._open and name not in ROOTS:
            raise GlossaryFileError(f"line {self.line()}: not TBX: the root is '{name[:40]}', not martif or tbx")
        if len(self._open) >= _DEEPEST:
            raise GlossaryFileError(f"line {self.line()}: elements are nested more than {_DEEPEST} deep")
        self._open.append((name, attrs.get("type", "")))
        if name in _CONCEPTS:
            self._concept = _Concept(self.line())
            self.reading.count_row(self._concept.line)
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
            if self._size > _LONGEST_TEXT:
                raise GlossaryFileError(f"line {self.line()}: a text of more than {_LONGEST_TEXT} characters")
            self._text.append(content)

    def endElement(self, name: str) -> None:
        name, kind = self._open.pop()
        concept = self._concept
        if concept is None:
            return
        if name in ("term", "termNote", "note", "descrip"):
            text, self._text = plain("".join(self._text or ())), None
            self._take(concept, name, kind, text)
        elif name in _TERMS:
            if self._term and self._language and not self._deprecated:
                concept.terms.setdefault(self._language, []).append(self._term)
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
        sources, targets = (_terms(concept, language) for language in self.wanted)
        if not sources or not targets:
            missing = self.wanted[0] if not sources else self.wanted[1]
            self.reading.reject(concept.line, f"no term in {missing}")
            return
        note = (concept.definition or concept.note)[:LONGEST_NOTE]
        for word in sources:
            self.reading.add(concept.line, Entry(word, targets[:MOST_TRANSLATIONS], note))


def _terms(concept: _Concept, language: str) -> tuple[str, ...]:
    """The concept's terms in exactly a language, or else in its variants."""
    exact = [each for found, terms in concept.terms.items() if found.lower() == language.lower() for each in terms]
    base = base_language(language)
    near = [each for found, terms in concept.terms.items() if base_language(found) == base for each in terms]
    return tuple(dict.fromkeys(exact or near))
