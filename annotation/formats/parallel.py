"""Multi-parallel documents: one id in several languages, made into pairs.

A row is `{"id", "language", "text", "tokens"?, "split"?, "metadata"?}`. The language chosen as side A is paired with
every other language of the same id; the pair of `report` in English and German is called `report-de`.

With the option `pairs` or `sentences`, and always for tables with one column per language and for pages, documents are
complete: they are kept if every wanted language has a text, with enough sentences in that language, and are otherwise
dropped, which the source's `ParallelDocumentReport` tells with the reasons. Every pair names its document in its
metadata.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.formats.document_report import DroppedPage, ParallelDocumentReport
from annotation.formats.field_types import FieldError, check_keys, mapping, storable_object, string
from annotation.formats.fields import MAX_ID_LENGTH, MAX_SPLIT_LENGTH, text_record
from annotation.formats.interruption import check_interruption
from annotation.formats.language_pairs import fewest_sentences, pivot_of, wanted_pairs
from annotation.formats.record import PairRecord, TextRecord
from annotation.formats.source import Refusals
from annotation.phrases import Phrase
from annotation.text.language_identification import SentenceCount, sentences_in
from annotation.text.text_sizes import TextSize, size_rows
from annotation.text.tokens import tokenize

MAX_DOCUMENT_ID_LENGTH = MAX_ID_LENGTH - 73
"""Characters of a document's id: a pair's has two languages more."""
RIGHT_SHARE = 0.25
"""The share of a text's sentences that must be in its language: a page in another one has some that look right."""
_ROW = {"id", "language", "text", "tokens", "split", "metadata"}
_MISSING = Phrase("missing in %(language)s")


@dataclass(frozen=True, slots=True)
class LanguageText:
    """A document in one language.

    `metadata` is the document's, `own` that of this text: a pair has it by side (`url_a`, `url_b`). `problem` is why
    the text is of no use, if it is not.
    """

    text: TextRecord
    where: str
    split: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    own: Mapping[str, str] = field(default_factory=dict)
    problem: Phrase | None = None


@dataclass(slots=True)
class ParallelDocuments:
    """The documents of a source, collected one text at a time; `report` is what became of complete ones."""

    options: Mapping[str, str]
    complete: bool = False
    fewest: int = 0
    texts: dict[str, dict[str, LanguageText]] = field(default_factory=dict)
    dropped: list[DroppedPage] = field(default_factory=list)
    unchecked: int = 0
    report: ParallelDocumentReport | None = None

    def __post_init__(self) -> None:
        self.complete = self.complete or any(self.options.get(name) for name in ("pairs", "sentences"))
        self.fewest = fewest_sentences(self.options, self.fewest)

    def add(self, data: Mapping[str, Any], where: str) -> None:
        """Add one row. Raises FieldError."""
        check_keys(data, _ROW, "")
        if not self.complete and not self.options.get("side_a"):
            raise FieldError(
                Phrase("language: rows of single texts need the option side_a=LANGUAGE, the language of side A")
            )
        metadata = mapping(data, "metadata", default={})
        identity = string(data, "id", max_length=MAX_DOCUMENT_ID_LENGTH, needed=True)
        text = text_record({key: data[key] for key in ("language", "text", "tokens") if key in data}, "row")
        split = string(data, "split", max_length=MAX_SPLIT_LENGTH)
        self.add_text(identity, LanguageText(text, where, split, storable_object(metadata, "metadata")))

    def add_text(self, identity: str, text: LanguageText) -> None:
        """Add a document's text. Raises FieldError if it has one in that language."""
        texts = self.texts.setdefault(identity, {})
        language = text.text.language
        if language in texts:
            first = texts[language].where
            raise FieldError(
                Phrase(
                    "id: '%(identity)s' appears twice in %(language)s; first in %(first)s",
                    {"identity": str(identity), "language": str(language), "first": str(first)},
                )
            )
        texts[language] = text

    def pairs(self, refusals: Refusals) -> list[PairRecord]:
        """The pairs of all documents. Raises FormatError for an option that names a language that is not there."""
        if not self.texts and not self.dropped:
            return []
        return self._complete(refusals) if self.complete else self._of_side_a(refusals)

    def _of_side_a(self, refusals: Refusals) -> list[PairRecord]:
        """One pair per document and language other than side A's; a document without side A is refused."""
        records = []
        side_a = self.options["side_a"]
        for identity, texts in self.texts.items():
            if side_a not in texts:
                where = next(iter(texts.values())).where
                refusals.add(
                    where,
                    Phrase(
                        "'%(id)s' has no text in %(side_a)s, the language of side A",
                        {"id": identity, "side_a": side_a},
                    ),
                )
                continue
            records += [_pair(identity, texts, (side_a, each), side_a) for each in texts if each != side_a]
        return records

    def _complete(self, refusals: Refusals) -> list[PairRecord]:
        languages = list(dict.fromkeys(language for texts in self.texts.values() for language in texts))
        pairs = wanted_pairs(languages, self.options)
        pivot = pairs[0][0] if self.options.get("pairs") and pairs else pivot_of(languages, self.options)
        needed = list(dict.fromkeys(language for pair in pairs for language in pair))
        self.report = report = ParallelDocumentReport(needed, pairs, dropped=list(self.dropped))
        report.dropped_documents = len({each.document for each in self.dropped} - self.texts.keys())
        records: list[PairRecord] = []
        sizes: list[TextSize] = []
        for identity, texts in self.texts.items():
            if not texts.keys() & set(needed) and needed:
                continue
            check_interruption()
            tokens, reasons = self._check_texts(identity, texts, needed)
            if reasons or not needed:
                report.dropped += reasons
                report.dropped_documents += 1
                continue
            report.kept += 1
            for pair in pairs:
                records.append(_pair(identity, texts, pair, pivot))
                subdomain = records[-1].metadata.get("subdomain", "")
                subdomain = subdomain if isinstance(subdomain, str) else ""
                sizes += [TextSize(pair, side, subdomain, tokens[each]) for side, each in zip("ab", pair, strict=True)]
        report.sizes = size_rows(sizes)
        if not records and not refusals.rejections:
            self._refuse(report, languages, refusals)
        return records

    def _refuse(self, report: ParallelDocumentReport, languages: Sequence[str], refusals: Refusals) -> None:
        if len(languages) < 2:
            where = next((text.where for each in self.texts.values() for text in each.values()), "")
            where = where or self.dropped[0].where
            params = {"languages": ", ".join(languages) or Phrase("none")}
            refusals.add(where, Phrase("texts in at least two languages are needed; found: %(languages)s", params))
        for each in report.dropped:
            params = {"document": each.document, "reason": each.phrase}
            refusals.add(each.where, Phrase("'%(document)s' is dropped, and no document remains: %(reason)s", params))

    def _check_texts(
        self, identity: str, texts: Mapping[str, LanguageText], needed: Sequence[str]
    ) -> tuple[dict[str, int], list[DroppedPage]]:
        """How many tokens each wanted text has, and why the document is dropped, if it is."""
        tokens: dict[str, int] = {}
        reasons = []
        for language in needed:
            page = texts.get(language)
            if page is None:
                where = next(iter(texts.values())).where
                reasons.append(DroppedPage(identity, language, where, _MISSING.with_params(language=language)))
                continue
            problem = page.problem
            if problem is None:
                ranges = page.text.tokens
                ranges = tokenize(page.text.text, language) if ranges is None else ranges
                tokens[language] = len(ranges)
                if self.fewest:
                    count = sentences_in(page.text.text, language, ranges, needed)
                    self.unchecked += not count.checked
                    problem = self._too_few(count, language)
            if problem is not None:
                reasons.append(DroppedPage(identity, language, page.where, problem))
        return tokens, reasons

    def _too_few(self, count: SentenceCount, language: str) -> Phrase | None:
        params = {"right": str(count.right), "all": str(count.sentences), "language": language}
        if count.right < self.fewest:
            params["fewest"] = str(self.fewest)
            problem = Phrase("fewer than %(fewest)s sentences in %(language)s: %(right)s of %(all)s", params)
        elif count.right < RIGHT_SHARE * count.sentences:
            problem = Phrase("most sentences are not in %(language)s: only %(right)s of %(all)s are", params)
        else:
            return None
        if not count.looks_like or count.looks_like == language.split("-")[0]:
            return problem
        return Phrase("%(problem)s; it looks like %(other)s", {"problem": problem, "other": count.looks_like})


def _pair(identity: str, texts: Mapping[str, LanguageText], languages: tuple[str, str], pivot: str) -> PairRecord:
    """The pair of two of a document's texts. One without the pivot is named by both languages."""
    a, b = (texts[language] for language in languages)
    name = languages[1] if languages[0] == pivot else "+".join(languages)
    own = {f"{key}_{side}": value for side, each in (("a", a), ("b", b)) for key, value in each.own.items()}
    metadata = {**a.metadata, **b.metadata, **own, "document": identity}
    return PairRecord(f"{identity}-{name}", a.text, b.text, split=a.split or b.split, metadata=metadata, where=b.where)
