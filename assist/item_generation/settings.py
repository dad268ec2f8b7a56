"""The settings of generating items; their defaults are the two papers'."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Self

from annotation.phrases import Phrase
from annotation.settings_model import SettingError, Settings, setting
from annotation.text.languages import language_problem
from assist.methods.encoder.pretrained import PACKAGED
from assist.methods.llm import llm_setting

TEMPERATURES = {"clsd": 1.0, "compositionality": 0.5}


class GenerationSettings(Settings):
    """Languages, how the model is asked, and which items are kept."""

    language: str = setting("en", "Language", "language tag of the generated sentences; for clsd, of the translation")
    source_language: str = setting("de", "Language of the sources", "language tag; only for clsd")
    distractors: int = setting(
        4, "Distractors", "number of sentences requested for each translation; only for clsd", 1, 20
    )
    encoders: str = setting(
        PACKAGED,
        "Encoders of the filter",
        "names or folders, separated by commas: differences are only made of neighbouring sentences that every one of "
        "them finds less similar than the maximum; if empty: no filter",
    )
    most_similar: float = setting(
        0.25,
        "Maximum similarity",
        "neighbouring sentences with this cosine or more are too similar for a difference",
        -1,
        1,
    )
    sample: int | None = setting(
        None, "Items", "how many are kept for each operator (clsd: in total); if empty: all", low=1
    )
    seed: int = setting(1, "Random seed", "which items are kept if there are more", low=0)
    model: str | None = setting(None, "Model", "name of the model, as the server knows it; if empty: the site's first")
    address: str | None = setting(
        None,
        "Another server",
        "base address of a server that speaks OpenAI's protocol; if empty: the server of this site",
    )
    temperature: float | None = setting(
        None, "Temperature", "if empty: 1 for distractors, 0.5 for fusions, as in the papers", 0.0, 2.0
    )
    structured: Literal["auto", "schema", "object", "none"] = llm_setting("structured")
    reasoning: int = llm_setting("reasoning")
    limit: float = setting(
        1.0,
        "Spending limit",
        "the most that items of the project may cost in all, in the currency of the prices",
        0.0,
        1e6,
    )
    prompt_price: float = llm_setting("prompt_price")
    answer_price: float = llm_setting("answer_price")
    per_minute: int = llm_setting("per_minute")
    parallel: int = llm_setting("parallel")

    @classmethod
    def read(cls, values: Mapping[str, object]) -> Self:
        """As for other settings; languages must be tags, as the import of what is made wants them."""
        chosen = super().read(values)
        for name in ("language", "source_language"):
            if problem := language_problem(getattr(chosen, name)):
                params: dict[str, str | Phrase] = {"setting": name, "problem": problem}
                raise SettingError(Phrase("Setting “%(setting)s”: %(problem)s.", params), name)
        return chosen

    def degrees(self, task: str) -> float:
        """The temperature of a task."""
        return TEMPERATURES[task] if self.temperature is None else self.temperature

    @property
    def filters(self) -> list[str]:
        """The encoders of the filter."""
        names = [name.strip() for name in self.encoders.split(",")]
        return [name for name in names if name and name.lower() != "none"]
