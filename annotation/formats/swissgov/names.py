"""The names of a written folder's documents, pages and annotators: safe, and different for different things."""

from __future__ import annotations

import hashlib
from collections import defaultdict

from annotation.formats.record import PairRecord
from annotation.formats.safe_paths import Names, candidates, safe_name
from annotation.formats.swissgov.pages import document_name

_PAGE = "https___www."


class FolderNames:
    """The names in one written folder. Documents and pages are identified by `document_name`, as when reading."""

    def __init__(self) -> None:
        self.documents: defaultdict[str, Names] = defaultdict(Names)
        self.pages: defaultdict[str, Names] = defaultdict(Names)
        self.people = Names()
        self.languages = Names()

    def document(self, record: PairRecord, text_a: str) -> tuple[str, str]:
        """The name of a pair's document, and of its page on side A.

        Both differ from those of other pairs, except that pairs with the same page on side A share it.
        """
        metadata = record.metadata
        proposed = strip_name(safe_name(str(metadata.get("document") or record.id)))
        text = _digest(text_a)
        documents = self.documents[record.b.language.lower()]
        pages = self.pages[record.a.language.lower()]
        for name in candidates(proposed, record.id):
            if documents.free(record.id, name) and pages.free(text, name):
                documents.take(record.id, name)
                pages.take(text, name)
                break
        return name, self._page(metadata.get("page_a"), name)

    def page_b(self, record: PairRecord, name: str, text_b: str) -> str:
        """The name of a pair's page on side B; pairs with the same text share it."""
        stored = record.metadata.get("page_b")
        proposed = strip_name(safe_name(str(stored or f"{name}_{record.b.language}")))
        pages = self.pages[record.b.language.lower()]
        return self._page(stored, pages.name(_digest(text_b), proposed))

    def _page(self, stored: object, name: str) -> str:
        """The page called `name`: in the source's spelling, if it is the same page."""
        if isinstance(stored, str) and document_name(stored) == name and safe_name(stored) == stored:
            return stored
        return f"{_PAGE}{name}.html"

    def person(self, alias: str) -> str:
        """An annotator's folder."""
        return self.people.name(alias, f"annotations{alias.removeprefix('annotator')}")

    def language(self, language: str) -> str:
        """A language's folder, independent of the spelling of its tag."""
        return self.languages.name(language.lower(), language)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def strip_name(page: str) -> str:
    """A name without anything that reading would strip."""
    while (name := document_name(page)) != page:
        page = name
    return name
