"""Mining, from articles to matches: both versions of each article are compared, paragraph by paragraph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate, pairwise
from typing import Any, Self

from annotation.progress import OnProgress, ignore_progress
from assist.mining.articles import Article, languages_of, versions
from assist.mining.embeddings import Embeddings
from assist.mining.filters import Match, copied_share, filtered
from assist.mining.matching import mutual
from assist.mining.settings import MiningSettings
from assist.mining.words import Words


@dataclass(frozen=True, slots=True)
class ArticleVersion:
    """One version of an article without its paragraphs."""

    language: str
    where: str
    url: str


@dataclass(frozen=True, slots=True)
class MiningResult:
    """What was found. `paragraphs` and `summaries` count those of A and of B; `matches` are the best first.

    `articles` counts those in both languages, `alone` names those in one of them only.
    """

    languages: tuple[str, str]
    articles: int
    alone: list[str]
    paragraphs: tuple[int, int]
    summaries: tuple[int, int]
    matches: list[Match]
    sources: dict[str, tuple[ArticleVersion, ArticleVersion]]
    """By article, its version in A and in B."""

    def to_json(self) -> dict[str, Any]:
        """What was found, as it is stored."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The object that `to_json` wrote."""
        pairs = {name: tuple(data[name]) for name in ("languages", "paragraphs", "summaries")}
        sources = {name: (ArticleVersion(**a), ArticleVersion(**b)) for name, (a, b) in data["sources"].items()}
        matches = [Match(**each) for each in data["matches"]]
        return cls(**{**data, **pairs, "sources": sources, "matches": matches})

    def with_settings(self, settings: MiningSettings) -> Self:
        """The same matches under other bounds."""
        return replace(self, matches=filtered(self.matches, settings, self.languages))

    @property
    def kept_matches(self) -> list[Match]:
        """The matches that become pairs."""
        return [match for match in self.matches if not match.dropped]

    @property
    def dropped(self) -> Counter[str]:
        """How many matches were dropped, by reason."""
        return Counter(match.dropped for match in self.matches if match.dropped)

    @property
    def unmatched(self) -> tuple[int, int]:
        """How many paragraphs of A and of B were compared but match none."""
        a, b = (n - left_out - len(self.matches) for n, left_out in zip(self.paragraphs, self.summaries, strict=True))
        return a, b


def mine(
    articles: Sequence[Article], settings: MiningSettings, on_progress: OnProgress = ignore_progress
) -> MiningResult:
    """The matches in all articles that are there in both languages. `on_progress` counts paragraphs.

    Raises LanguagesError, and MethodError if the encoder can't be used.
    """
    languages = languages_of(articles, settings.language_a, settings.language_b)
    both, alone = versions(articles, *languages)
    firsts = [(_first(a, settings), _first(b, settings)) for a, b in both]
    sides = [
        [text for pair, first in zip(both, firsts, strict=True) for text in pair[side].paragraphs[first[side] :]]
        for side in (0, 1)
    ]
    total = len(sides[0]) + len(sides[1])
    compared: Words | Embeddings
    if settings.method == "words":
        compared = Words(sides[0], sides[1], languages)
        on_progress(total, total, "paragraphs")
    else:
        compared = Embeddings(sides[0], sides[1], settings, lambda done, of: on_progress(done, of, "paragraphs"))
    cuts = [
        list(
            accumulate(
                (len(pair[side].paragraphs) - first[side] for pair, first in zip(both, firsts, strict=True)), initial=0
            )
        )
        for side in (0, 1)
    ]
    matches: list[Match] = []
    for pair, first, rows, columns in zip(both, firsts, pairwise(cuts[0]), pairwise(cuts[1]), strict=True):
        blocks = compared.blocks(slice(*rows), slice(*columns))
        for row, column, value in mutual(blocks, columns[1] - columns[0]):
            texts = sides[0][rows[0] + row], sides[1][columns[0] + column]
            matches.append(
                Match(
                    pair[0].id,
                    row + first[0],
                    column + first[1],
                    *texts,
                    round(value, 4),
                    round(copied_share(*texts), 4),
                )
            )
    matches = filtered(matches, settings, languages)
    matches.sort(key=lambda match: (-match.similarity, match.article, match.a))
    a, b = (sum(len(pair[side].paragraphs) for pair in both) for side in (0, 1))
    return MiningResult(
        languages,
        len(both),
        sorted(f"{each.id} ({each.language})" for each in alone),
        (a, b),
        (sum(first[0] for first in firsts), sum(first[1] for first in firsts)),
        matches,
        {
            a.id: (ArticleVersion(a.language, a.where, a.url), ArticleVersion(b.language, b.where, b.url))
            for a, b in both
        },
    )


def _first(article: Article, settings: MiningSettings) -> int:
    """How many paragraphs at the beginning are the summary."""
    return int(settings.skip_summary and len(article.paragraphs) > 1)
