"""A project's settings apart from its scheme: which highlights are shown to whom, and what is allowed.

Stored as JSON in `Project.settings`; only this module knows its keys, defaults and bounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from annotation.vocabulary import FINAL_VERDICTS, Phase, ReadingLevel, Verdict

LATEST = "latest"


class OptionsError(ValueError):
    """Invalid settings; the message says which and why."""


def _is_kind(value: object, default: object) -> bool:
    """Whether a value is of the kind of a setting's default; None is a whole number or none."""
    if isinstance(value, tuple):
        return isinstance(default, tuple) and all(isinstance(each, str) for each in value)
    return type(value) in ((int, type(None)) if default is None else (type(default),))


@dataclass(frozen=True, slots=True)
class ProjectOptions:
    """A project's settings.

    highlights_run: slug of the run whose highlights are shown, 'latest' for the newest finished one that has
        any, '' for none.
    highlights_share: percentage of the assignments that show highlights, fixed per pair and annotator.
    metadata_shown: whether annotators see a pair's metadata (its page's address, topic).
    verdicts: the verdicts that annotators can submit; 'submitted' is always allowed.
    skip_percent: the largest share of the assignments in a phase that an annotator may skip; None for no limit.
    closed_phases: phases in which nothing can be submitted or reopened any more.
    adjudication_blind: whether adjudicators see letters instead of names.
    gold_shown: whether annotators see how the gold differs from their work, once their phase is closed.
    reading_level: the CEFR level from which a person is taken to read a language, for plans.
    currency: of hourly rates and costs, three letters (ISO 4217).
    """

    highlights_run: str = LATEST
    highlights_share: int = 100
    metadata_shown: bool = True
    verdicts: tuple[str, ...] = tuple(verdict.value for verdict in FINAL_VERDICTS)
    skip_percent: int | None = None
    closed_phases: tuple[str, ...] = ()
    adjudication_blind: bool = False
    gold_shown: bool = False
    reading_level: str = ReadingLevel.B2.value
    currency: str = "EUR"

    def __post_init__(self) -> None:
        if not 0 <= self.highlights_share <= 100:
            raise OptionsError(f"highlights_share: a percentage from 0 to 100, not {self.highlights_share}")
        if self.skip_percent is not None and not 0 <= self.skip_percent <= 100:
            raise OptionsError(f"skip_percent: a percentage from 0 to 100, not {self.skip_percent}")
        if unknown := set(self.verdicts) - set(FINAL_VERDICTS):
            raise OptionsError(f"verdicts: {', '.join(sorted(unknown))} is not one of {', '.join(FINAL_VERDICTS)}")
        if Verdict.SUBMITTED not in self.verdicts:
            raise OptionsError("verdicts: 'submitted' is always allowed and can't be removed")
        if unknown := set(self.closed_phases) - set(Phase):
            raise OptionsError(f"closed_phases: {', '.join(sorted(unknown))} is not one of {', '.join(Phase)}")
        if self.reading_level not in ReadingLevel.values:
            levels = ", ".join(ReadingLevel)
            raise OptionsError(f"reading_level: {self.reading_level!r} is not one of {levels}")
        if not (len(self.currency) == 3 and self.currency.isascii() and self.currency.isupper()):
            raise OptionsError(f"currency: {self.currency!r} is not a currency code such as EUR")

    def to_json(self) -> dict[str, Any]:
        data = asdict(self)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in data.items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ProjectOptions:
        """The options in `data`; missing keys have their defaults, unknown keys are ignored. Raises OptionsError."""
        defaults = {field.name: field.default for field in fields(cls)}
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in data.items() if key in defaults
        }
        for key, value in values.items():
            if not _is_kind(value, defaults[key]):
                raise OptionsError(f"{key}: a value of another kind is expected")
        return cls(**values)

    def skips_allowed(self, assignments: int) -> int | None:
        """How many of `assignments` may be skipped: the share, rounded down; None for no limit."""
        return None if self.skip_percent is None else assignments * self.skip_percent // 100
