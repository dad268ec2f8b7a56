"""Mined matches as pairs to import, each with where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.formats.record import PairRecord, ParsedSource, TextRecord
from annotation.text.schemes import PRESETS
from assist.mining.filters import Match
from assist.mining.mine import MiningResult
from assist.mining.settings import MiningSettings

SCHEME = "xparade"
"""The preset of a project that is created for mined pairs."""


def pair_id(match: Match) -> str:
    """The pair's id: the article and the numbers of its paragraphs in A and B, from 1."""
    return f"{match.article}:{match.a + 1}-{match.b + 1}"


def mined_source(mined: MiningResult, settings: MiningSettings) -> ParsedSource:
    """The matches kept, as pairs of a project with labels 'new' and 'inferable'."""
    return ParsedSource([_record(match, mined, settings) for match in mined.kept_matches], PRESETS[SCHEME])


def _record(match: Match, mined: MiningResult, settings: MiningSettings) -> PairRecord:
    a, b = mined.sources[match.article]
    return PairRecord(
        pair_id(match),
        TextRecord(a.language, match.text_a),
        TextRecord(b.language, match.text_b),
        metadata={
            **{name: each.url for name, each in (("url_a", a), ("url_b", b)) if each.url},
            "mined": provenance(match, settings),
        },
        where=a.where,
    )


def provenance(match: Match, settings: MiningSettings) -> Mapping[str, Any]:
    """Where a pair comes from: article and paragraphs (from 1), similarity, how it was computed, and all settings that
    are not the default.
    """
    default = MiningSettings().model_dump()
    values = settings.model_dump()
    changed = {name: value for name, value in values.items() if value != default[name]}
    return {
        "article": match.article,
        "paragraph_a": match.a + 1,
        "paragraph_b": match.b + 1,
        "similarity": match.similarity,
        "copied": match.copied,
        "method": settings.method,
        **({"model": settings.encoder} if settings.method == "encoder" else {}),
        "settings": changed,
    }
