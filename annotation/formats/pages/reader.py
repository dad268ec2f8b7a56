"""Reads pages, and makes pairs of their main texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from annotation.formats import language_pairs
from annotation.formats.checks import text_problems
from annotation.formats.field_types import FieldError
from annotation.formats.implied_scheme import implied_scheme
from annotation.formats.interruption import check_interruption
from annotation.formats.pages.files import ENDINGS, PageFile, page_files
from annotation.formats.pages.text import PageText, page_text
from annotation.formats.parallel import MAX_DOCUMENT_ID_LENGTH, LanguageText, ParallelDocuments
from annotation.formats.record import ParsedSource, TextRecord
from annotation.formats.source import Refusals, refusal
from annotation.formats.source_warnings import UNCHECKED
from annotation.phrases import Phrase
from annotation.strict_json import display_text, encoding_problem, escape_unprintable, first_unprintable

MIN_SENTENCES = 3
_DUPLICATE_PAGE = Phrase("two files are this page in %(language)s: %(first)s and %(second)s")


def read(paths: Sequence[Path], options: Mapping[str, str]) -> ParsedSource:
    """Read files, or folders of them. Raises FormatError if no page is left, with why each was dropped."""
    refusals = Refusals()
    files, nameless = page_files(paths, refusals)
    documents = ParallelDocuments(options, complete=True, fewest=MIN_SENTENCES, dropped=nameless)
    texts = [(file, _text(file, refusals)) for file in files]
    subdomains = _subdomains(texts, options)
    for file, page in texts:
        _add(documents, file, page, subdomains[file.document])
    records = documents.pairs(refusals)
    refusals.raise_any(records)
    if not records:
        where = ", ".join(escape_unprintable(path.name) for path in paths)
        raise refusal(where, Phrase("there is no page (%(endings)s)", {"endings": ", ".join(ENDINGS)}))
    source = ParsedSource(records, implied_scheme((), ()), documents=documents.report)
    if documents.unchecked:
        source.warnings[UNCHECKED.text()] += documents.unchecked
    return source


def _text(file: PageFile, refusals: Refusals) -> PageText:
    check_interruption()
    refusals.count_row(file.where)
    try:
        return page_text(file.path)
    except OSError as error:
        raise refusal(file.where, Phrase("cannot be read: %(strerror)s", {"strerror": str(error.strerror)})) from error


def _subdomains(texts: Sequence[tuple[PageFile, PageText]], options: Mapping[str, str]) -> dict[str, str]:
    """Each document's subdomain: its files' own, else the host of the address that a page states, the pivot's first."""
    languages = list(dict.fromkeys(file.language for file, _page in texts))
    pivot = language_pairs.pivot_of(languages, options)
    stated: dict[str, str] = defaultdict(str)
    for file, page in sorted(texts, key=lambda each: (not each[0].subdomain, each[0].language != pivot)):
        stated[file.document] = stated[file.document] or file.subdomain or page.host
    return stated


def _add(documents: ParallelDocuments, file: PageFile, page: PageText, subdomain: str) -> None:
    text = TextRecord(file.language, page.text)
    problem = page.problem or _bad_name(file) or next(text_problems(text), None)
    metadata = {**file.metadata, **({"subdomain": subdomain} if subdomain else {})}
    own = {"file": file.path.name, **({"url": page.url} if page.url else {})}
    document = file.document if not _bad_name(file) else display_text(file.document, MAX_DOCUMENT_ID_LENGTH - 1)
    first = documents.texts.get(document, {}).get(file.language)
    if first is not None:
        params = {"language": file.language, "first": first.where, "second": file.where}
        documents.texts[document][file.language] = LanguageText(
            text, first.where, problem=_DUPLICATE_PAGE.with_params(**params)
        )
        return
    try:
        documents.add_text(document, LanguageText(text, file.where, "", metadata, own, problem))
    except FieldError as error:
        raise refusal(file.where, error.phrase) from error


def _bad_name(file: PageFile) -> Phrase | None:
    """Why a document's name can't be a pair's."""
    if len(file.document) > MAX_DOCUMENT_ID_LENGTH:
        return Phrase("its name has more than %(most)s characters", {"most": str(MAX_DOCUMENT_ID_LENGTH)})
    if not file.document.strip() or encoding_problem(file.document) or first_unprintable(file.document):
        return Phrase("its name has characters that can't be printed")
    return None
