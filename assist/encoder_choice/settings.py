"""The settings of a comparison of encoders from the browser or the API."""

from __future__ import annotations

from annotation.settings_model import Settings, device_setting, setting
from assist.encoder_choice.pivot import PIVOT


class ComparisonSettings(Settings):
    """What encoders are compared on."""

    clsd: bool = setting(True, "Meaning or form", "cross-lingual semantic discrimination (CLSD)")
    compositionality: bool = setting(True, "Overlap, difference, union", "set-theoretic compositionality")
    gold: bool = setting(True, "Gold of this project", "DiffAlign with each encoder, on pairs with gold")
    gold_pairs: int = setting(
        100,
        "Pairs with gold",
        "how many are pre-labelled, chosen at random; none from the split 'test'",
        low=1,
        high=10_000,
    )
    translation_model: str | None = setting(
        None,
        "Translation model",
        "translates the rows into the pivot, if they have no columns for it: a Hugging Face name or a folder that the "
        "server administrator provides; {source} and {target} stand for the languages' codes; if empty: only columns",
        name_parts=2,
    )
    source_language: str = setting("", "Language of the sources", "language tag; only to translate")
    target_language: str = setting("", "Language of the translations", "language tag; only to translate")
    pivot_language: str = setting(PIVOT, "Language of the pivot", "language tag; only to translate")
    device: str = device_setting()
