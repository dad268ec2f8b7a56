"""The settings of mining; their defaults are X-PARADE's (Rodriguez, Erk and Durrett 2024)."""

from __future__ import annotations

from typing import Literal

from annotation.settings_model import Settings, device_setting, setting
from annotation.text.tokens import UNSPACED, base_language

LABSE = "sentence-transformers/LaBSE"
"""The encoder of the paper."""
MIN_SIMILARITY = {"words": 0.08, "encoder": 0.63}
"""The least similarity of a pair: the paper's for an encoder; for words, chosen on the pairs of X-PARADE's dev set."""
MAX_SIMILARITY = {"words": 1.0, "encoder": 0.95}
MIN_LENGTH, MIN_LENGTH_BY_LANGUAGE = 120, {"en": 86}
MAX_LENGTH, MAX_UNSPACED_LENGTH = 1000, 250


class MiningSettings(Settings):
    """Which languages, how paragraphs are compared, and which of the matches become pairs."""

    language_a: str = setting(
        "", "Language of side A", "language tag; empty: English if the articles have it, else the first in the alphabet"
    )
    language_b: str = setting("", "Language of side B", "language tag; empty: the other language of the articles")
    method: Literal["words", "encoder"] = setting(
        "words", "Comparison", "words: by word lists, names and numbers, without a download; encoder: by embeddings"
    )
    model: str | None = setting(
        None,
        "Encoder",
        "Hugging Face name of an encoder, or name of a folder that the server administrator provides; if empty: LaBSE",
        name_parts=2,
    )
    revision: str | None = setting(None, "Revision", "commit, branch or tag of a model from a hub", name_parts=3)
    pooling: Literal["auto", "mean", "first", "pooler"] = setting(
        "auto", "Pooling", "how an encoder's embeddings become one for a paragraph; auto: pooler for LaBSE, else mean"
    )
    device: str = device_setting()
    least_similar: float | None = setting(
        None, "Minimum similarity", "if empty: 0.08 for words, 0.63 for an encoder", low=0, high=1
    )
    most_similar: float | None = setting(
        None, "Maximum similarity", "if empty: 1 for words, 0.95 for an encoder", low=0, high=1
    )
    shortest: int | None = setting(
        None, "Shortest paragraph", "in characters; if empty: 86 in English, 1 in Chinese or Japanese, else 120", low=1
    )
    longest: int | None = setting(
        None, "Longest paragraph", "in characters; if empty: 250 in Chinese or Japanese, else 1000", low=1, high=100_000
    )
    most_copied: float = setting(
        0.6, "Maximum share of shared words", "a pair with a larger share of words in common is a copy", low=0, high=1
    )
    skip_summary: bool = setting(True, "Exclude summaries", "the first paragraph of an article that has several")
    per_article: int | None = setting(1, "Pairs per article", "if empty: no limit", low=1)
    sample: int | None = setting(None, "Pairs in total", "spread evenly over similarity; if empty: all", low=1)
    seed: int = setting(1, "Random seed", "decides between pairs that are equally suitable", low=0)

    @property
    def similarity(self) -> tuple[float, float]:
        """The least and the greatest similarity of a pair."""
        low = MIN_SIMILARITY[self.method] if self.least_similar is None else self.least_similar
        return low, MAX_SIMILARITY[self.method] if self.most_similar is None else self.most_similar

    def lengths(self, language: str) -> tuple[int, int]:
        """The least and the greatest length of a paragraph of a language, in characters."""
        base = base_language(language)
        unspaced = base in UNSPACED
        low = 1 if unspaced else MIN_LENGTH_BY_LANGUAGE.get(base, MIN_LENGTH)
        high = MAX_UNSPACED_LENGTH if unspaced else MAX_LENGTH
        return (low if self.shortest is None else self.shortest), (high if self.longest is None else self.longest)

    @property
    def encoder(self) -> str:
        """The name of the encoder."""
        return self.model or LABSE
