"""What the word lists know of a project's texts, and which dictionaries are installed, for a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from annotation.models import Project
from annotation.text.tokens import base_language
from assist.inputs import lists_snapshot, pair_inputs, read_pairs, word_lists
from assist.methods.base import MethodError, Side
from assist.methods.lexicon import dictd, sources
from assist.methods.wordmodel.coverage import Coverage, content, coverage
from assist.methods.wordmodel.dictionary import between
from assist.selectors import pair_languages

SAMPLE = 100
"""Pairs, spread over the project, whose words are counted: more would say the same, and take longer."""


@dataclass(frozen=True)
class Installed:
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
    coverage: list[Coverage] = field(default_factory=list)
    installed: list[Installed] = field(default_factory=list)
    cedict: bool = False
    problem: str = ""

    @property
    def percent(self) -> int:
        """The share of all words counted that some list knows, in per cent."""
        words = sum(each.words for each in self.coverage)
        return round(100 * sum(each.all * each.words for each in self.coverage) / words) if words else 0

    @property
    def lists(self) -> list[str]:
        """The word lists that have a column, in order."""
        return list(dict.fromkeys(name for each in self.coverage for name in each.shares))

    @property
    def rows(self) -> list[tuple[Coverage, list[int | None]]]:
        """Coverage with the per cent of all lists and of each; None for a list of other languages."""
        shares = [[each.all, *(each.shares.get(name) for name in self.lists)] for each in self.coverage]
        percents = [[None if share is None else round(100 * share) for share in row] for row in shares]
        return list(zip(self.coverage, percents, strict=True))


def word_list_report(project: Project) -> WordListReport:
    """How much of the project's texts the word lists know, language by language."""
    keys = list(project.pairs.order_by("position", "pk").values_list("pk", flat=True))
    chosen = keys[:: max(1, -(-len(keys) // SAMPLE))]
    languages = pair_languages(project)
    try:
        lists = word_lists(lists_snapshot(project, languages))
        used = [each for each in sources.dictionaries() if each.name in lists.dictionaries]
        sides = _sides(project, chosen)
        found = [coverage(content(texts), *key, lists) for key, texts in sorted(sides.items())]
        installed = [Installed(each.name, dictd.title(each), dictd.licence(each)) for each in used]
    except (MethodError, dictd.DictionaryError, OSError) as error:
        return WordListReport(len(chosen), problem=str(error))
    chinese = any("zh" in key and between(*key).stems for key in sides)
    return WordListReport(len(chosen), found, installed, chinese)


def _sides(project: Project, keys: Sequence[int]) -> dict[tuple[str, str], list[Side]]:
    """The texts of pairs in two languages, by their language and that of the other side (base codes)."""
    found: dict[tuple[str, str], list[Side]] = defaultdict(list)
    for pair in pair_inputs(read_pairs(keys), project.labels):
        a, b = base_language(pair.a.language), base_language(pair.b.language)
        if a != b:
            found[a, b].append(pair.a)
            found[b, a].append(pair.b)
    return dict(found)
