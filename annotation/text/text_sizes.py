"""How long texts are: documents and tokens by pair of languages, side and subdomain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TextSize:
    """One side of a pair: the languages of both sides, which side it is, its subdomain ('' for none), its tokens."""

    languages: tuple[str, str]
    side: str
    subdomain: str
    tokens: int


@dataclass(frozen=True, slots=True)
class SizeRow:
    """A row of the table of statistics: one side of the pairs in two languages, in a subdomain or ('') in all.

    Tokens are words and punctuation marks; `min_tokens`, `max_tokens` and `mean` are those of a text.
    """

    languages: tuple[str, str]
    side: str
    subdomain: str
    documents: int
    tokens: int
    min_tokens: int
    max_tokens: int

    @property
    def language(self) -> str:
        return self.languages[0 if self.side == "a" else 1]

    @property
    def mean(self) -> float:
        return self.tokens / self.documents

    def to_json(self) -> dict[str, Any]:
        """The row as it is stored and sent."""
        return {
            "languages": "-".join(self.languages),
            "side": self.side,
            "language": self.language,
            "subdomain": self.subdomain,
            "documents": self.documents,
            "tokens": self.tokens,
            "min": self.min_tokens,
            "max": self.max_tokens,
            "mean": round(self.mean, 2),
        }


def size_rows(sizes: Iterable[TextSize]) -> list[SizeRow]:
    """A row for each side of each two languages, followed by one for each of its subdomains, if there are any.

    Languages are in the order in which they first come, subdomains in alphabetical order. Texts without a subdomain
    are only in the first row.
    """
    groups: dict[tuple[tuple[str, str], str], dict[str, list[int]]] = {}
    for size in sizes:
        for side in ("a", "b"):
            groups.setdefault((size.languages, side), defaultdict(list))
        group = groups[size.languages, size.side]
        for subdomain in {"", size.subdomain}:
            group[subdomain].append(size.tokens)
    return [
        SizeRow(languages, side, subdomain, len(tokens), sum(tokens), min(tokens), max(tokens))
        for (languages, side), by_subdomain in groups.items()
        for subdomain, tokens in sorted(by_subdomain.items())
    ]
