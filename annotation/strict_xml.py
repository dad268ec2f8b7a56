"""The only parser of untrusted XML that is read as it comes: glossaries and TEI.

Declarations of entities and attributes are refused and nothing outside the file is fetched; the depth of elements and
the length of a tag are bounded, so that time and memory grow with the size of the file alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from xml.sax import SAXException, SAXParseException
from xml.sax.expatreader import ExpatLocator
from xml.sax.handler import ContentHandler

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from annotation.phrases import Phrase, PhraseError
from annotation.strict_json import display_text

CHUNK = 64 * 1024
"""Bytes of the pieces that a file should be given in."""
MAX_DEPTH = 100
MAX_TAG_BYTES = 2 * CHUNK
"""Bytes of a tag or a comment: a tag with very many attributes would take seconds before any handler is called."""


class XMLFault(PhraseError):
    """Text that is not XML, or XML that is not accepted; `line` counts from 1, 0 if it is about the whole file."""

    def __init__(self, line: int, reason: Phrase) -> None:
        super().__init__(Phrase("line %(line)s: %(reason)s", {"line": str(line), "reason": reason}) if line else reason)
        self.line = line
        self.reason = reason


class StrictHandler(ContentHandler):
    """A handler that knows its line and its depth; `startElement` and `endElement` are to be called by those below."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self._locator: Any = None

    def setDocumentLocator(self, locator: Any) -> None:
        self._locator = locator

    def line(self) -> int:
        """The line being read, from 1."""
        return int(self._locator.getLineNumber() or 1) if self._locator else 1

    def fault(self, reason: Phrase) -> XMLFault:
        """What is wrong here."""
        return XMLFault(self.line(), reason)

    def skippedEntity(self, name: str) -> None:
        raise self.fault(
            Phrase("%(name)s is not an XML entity; write the character itself", {"name": f"&{display_text(name)};"})
        )

    def startElement(self, name: str, attrs: Any) -> None:
        if self.depth >= MAX_DEPTH:
            raise self.fault(Phrase("elements are nested more than %(most)s deep", {"most": str(MAX_DEPTH)}))
        self.depth += 1

    def endElement(self, name: str) -> None:
        self.depth -= 1


def parse_xml(chunks: Iterable[bytes], handler: StrictHandler) -> None:
    """Parse a file, given in pieces. Raises XMLFault, and whatever the handler raises."""
    try:
        # Files may name a document type, which is not fetched; every entity declaration is refused.
        parser = _Parser(forbid_external=False)
        parser.setContentHandler(handler)
        parser.read(chunks)
    except DefusedXmlException as error:
        raise XMLFault(0, Phrase("the file declares entities, which are not accepted")) from error
    except SAXParseException as error:
        raise XMLFault(error.getLineNumber() or 1, _not_xml(error.getMessage())) from error
    except (SAXException, UnicodeError, LookupError) as error:
        raise XMLFault(handler.line(), _not_xml(str(error))) from error
    except ValueError as error:
        if isinstance(error, PhraseError):
            raise
        raise XMLFault(handler.line(), _not_xml(str(error))) from error


def _not_xml(reason: str) -> Phrase:
    return Phrase("not valid XML: %(reason)s", {"reason": display_text(reason)})


class _Parser(DefusedExpatParser):  # type: ignore[misc]
    """Refuses attribute declarations: a default value would be repeated in every element."""

    def read(self, chunks: Iterable[bytes]) -> None:
        """Parse a whole file. Raises XMLFault at a tag or a comment that is too long."""
        self.getContentHandler().setDocumentLocator(ExpatLocator(self))
        self.feed(b"")
        fed = 0
        for chunk in chunks:
            self.feed(chunk)
            fed += len(chunk)
            if fed - self._parser.CurrentByteIndex > MAX_TAG_BYTES + CHUNK:
                reason = Phrase("a tag or a comment of more than %(most)s bytes", {"most": str(MAX_TAG_BYTES)})
                raise XMLFault(self._parser.CurrentLineNumber, reason)
        self.close()

    def reset(self) -> None:
        super().reset()
        self._parser.AttlistDeclHandler = self._attributes_declared

    def _attributes_declared(self, *_: object) -> None:
        raise XMLFault(0, Phrase("the file declares attributes, which is not accepted"))
