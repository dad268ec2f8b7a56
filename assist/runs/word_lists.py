"""What the word lists know of a project's texts, and which dictionaries are installed, for a page.

A worker counts it: the lists take seconds to read and hundreds of megabytes, which the web process does without.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.job_notifications import notify
from annotation.models import Project
from annotation.selectors.glossary import glossary_entries, glossary_revision
from annotation.services.claims import Heartbeat, claim_finish
from annotation.services.jobs import JobKind
from annotation.text.tokens import base_language
from assist.methods.base import MethodError, TextSide
from assist.methods.lexicon import dictd, sources
from assist.methods.wordmodel.coverage import TextCoverage, content, coverage
from assist.methods.wordmodel.dictionary import dictionary_between
from assist.models import WordListCoverage
from assist.runs.method_inputs import pair_inputs, read_pairs, word_list_snapshot, word_lists
from assist.runs.selectors import pair_languages

SAMPLE = 100
"""Pairs, spread over the project, whose words are counted: more would say the same, and take longer."""

CURRENT_FOR = timedelta(days=1)
"""After this long it is counted again: dictionaries may have been installed or removed on the workers' machines."""


@dataclass(frozen=True)
class InstalledDictionary:
    """An installed dictionary: the name of its files, what it calls itself, and the licence that it names."""

    name: str
    title: str
    licence: str


@dataclass(frozen=True)
class WordListReport:
    """Coverage by language, and the dictionaries that are used; `pairs` is of how many the words were counted.

    `problem` says which dictionary can't be read; then there is no coverage.
    """

    pairs: int
    coverage: list[TextCoverage] = field(default_factory=list)
    installed: list[InstalledDictionary] = field(default_factory=list)
    cedict: bool = False
    problem: str = ""

    @property
    def percent(self) -> int:
        """The share of all words counted that some list knows, in percent."""
        words = sum(each.words for each in self.coverage)
        return round(100 * sum(each.all * each.words for each in self.coverage) / words) if words else 0

    @property
    def lists(self) -> list[str]:
        """The word lists that have a column, in order."""
        return list(dict.fromkeys(name for each in self.coverage for name in each.shares))

    @property
    def rows(self) -> list[tuple[TextCoverage, list[float | None]]]:
        """Coverage with the share of all lists and of each; None for a list of other languages."""
        return [(each, [each.all, *(each.shares.get(name) for name in self.lists)]) for each in self.coverage]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> WordListReport:
        """The report that `to_json` wrote."""
        coverage = [TextCoverage(**each) for each in data["coverage"]]
        installed = [InstalledDictionary(**each) for each in data["installed"]]
        return cls(data["pairs"], coverage, installed, data["cedict"], data["problem"])


def word_list_request(project: Project) -> tuple[WordListCoverage, bool]:
    """The project's counts, and whether they are of its current texts and glossary; if not, workers are notified.

    What failed is requested again when texts or glossary have changed, or the next day.
    """
    row = WordListCoverage.objects.get_or_create(project=project)[0]
    current, now = _fingerprint(project), timezone.now()
    recent = row.computed is not None and now - row.computed < CURRENT_FOR
    if current in (row.fingerprint, row.failed) and recent:
        return row, not row.failed
    if row.requested_fingerprint != current:
        requeued: dict[str, Any] = {} if row.requested_fingerprint else {"attempts": 0, "requested": now}
        WordListCoverage.objects.filter(pk=row.pk).update(requested_fingerprint=current, **requeued)
        transaction.on_commit(lambda: notify(WORD_LISTS.name))
        row.refresh_from_db()
    return row, False


def _fingerprint(project: Project) -> str:
    """A digest of the texts that are counted and of the glossary."""
    texts = project.pairs.filter(pk__in=_sample(project)).order_by("pk")
    state = [*texts.values_list("a__digest", "b__digest"), glossary_revision(glossary_entries(project))]
    return hashlib.sha256(repr(state).encode()).hexdigest()


def _sample(project: Project) -> list[int]:
    keys = list(project.pairs.order_by("position", "pk").values_list("pk", flat=True))
    return keys[:: max(1, -(-len(keys) // SAMPLE))]


def _perform(row: WordListCoverage, heartbeat: Heartbeat) -> None:
    current = _fingerprint(row.project)
    report = word_list_report(row.project).to_json()
    claim_finish(row, report=report, fingerprint=current, failed="", problem="", **_end_fields())


def _failed(row: WordListCoverage, problem: str) -> dict[str, Any]:
    return {"failed": row.requested_fingerprint, "problem": problem, **_end_fields()}


def _end_fields() -> dict[str, Any]:
    return {"computed": timezone.now(), "requested_fingerprint": "", "requested": None}


WORD_LISTS = JobKind(
    name="word lists",
    unfinished=lambda: WordListCoverage.objects.exclude(requested_fingerprint="").select_related("project"),
    perform=_perform,
    failed=_failed,
)


def word_list_report(project: Project) -> WordListReport:
    """How much of the project's texts the word lists know, language by language."""
    chosen = _sample(project)
    languages = pair_languages(project)
    try:
        lists = word_lists(word_list_snapshot(project, languages))
        used = [each for each in sources.dictionaries() if each.name in lists.dictionaries]
        sides = _sides(project, chosen)
        coverages = [coverage(content(texts), *key, lists) for key, texts in sorted(sides.items())]
        installed = [InstalledDictionary(each.name, dictd.title(each), dictd.licence(each)) for each in used]
    except (MethodError, dictd.DictionaryError, OSError) as error:
        return WordListReport(len(chosen), problem=str(error))
    chinese = any("zh" in key and dictionary_between(*key).stems for key in sides)
    return WordListReport(len(chosen), coverages, installed, chinese)


def _sides(project: Project, keys: Sequence[int]) -> dict[tuple[str, str], list[TextSide]]:
    """The texts of pairs in two languages, by their language and that of the other side (base codes)."""
    sides: dict[tuple[str, str], list[TextSide]] = defaultdict(list)
    for pair in pair_inputs(read_pairs(keys), project.labels):
        a, b = base_language(pair.a.language), base_language(pair.b.language)
        if a != b:
            sides[a, b].append(pair.a)
            sides[b, a].append(pair.b)
    return dict(sides)
