"""Published figures, shown next to a project's own analyses if its pairs are from the same dataset.

Only facts that the papers and their released files give. A project is of a dataset if its first import was of that
dataset's own format, or of SwissGov-RSD's merged gold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.formats import rsd, swissgov, xparade
from annotation.models import JobStatus, Project
from annotation.models.imports import Import


@dataclass(frozen=True, slots=True)
class PublishedRank:
    """Spearman's rho × 100 of a method on the gold of a language pair."""

    method: str
    languages: str
    value: float


@dataclass(frozen=True, slots=True)
class PublishedLabels:
    """Tokens by label in the released gold of a language pair."""

    languages: str
    tokens: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PublishedFigures:
    """What was published about a dataset. `failures` are percentages."""

    dataset: str = ""
    source: str = ""
    ranks: tuple[PublishedRank, ...] = ()
    labels: tuple[PublishedLabels, ...] = ()
    failures: tuple[tuple[str, float], ...] = ()


SWISSGOV = PublishedFigures(
    "SwissGov-RSD",
    "Wastl, Vamvas, Sennrich 2025, arXiv 2512.07538.",
    ranks=(
        PublishedRank("Qwen3-Embedding 4B (DiffAlign)", "EN-DE", 16.1),
        PublishedRank("XLM-R+SimCSE (DiffAlign)", "EN-DE", 14.1),
        PublishedRank("LaBSE (DiffAlign)", "EN-DE", 12.5),
        PublishedRank("ModernBERT, fine-tuned", "EN-DE", 8.7),
        PublishedRank("GPT-4o", "EN-DE", 6.3),
    ),
    labels=(PublishedLabels("EN-DE", {"0": 132773, "1": 988, "2": 4099, "3": 4416, "4": 1766, "5": 5592}),),
    failures=(("LLM, 405 B, open", 7.0), ("GPT-4o", 2.1), ("LLM, small, fine-tuned", 7.4)),
)
XPARADE = PublishedFigures(
    "X-PARADE",
    "Rodriguez, Erk, Durrett 2024, arXiv 2309.08873.",
    labels=(
        PublishedLabels("EN-ES", {"same": 7797, "inferable": 1981, "new": 7032}),
        PublishedLabels("ES-EN", {"same": 7351, "inferable": 1468, "new": 8183}),
    ),
)
NO_FIGURES = PublishedFigures()
FIGURES_BY_FORMAT = {swissgov.FORMAT.name: SWISSGOV, xparade.FORMAT.name: XPARADE}
MERGED, MERGED_IDS = rsd.FORMAT.name, "admin_"
"""SwissGov-RSD's gold is released as merged token labels, with ids such as 'admin_de_0'."""


def published_for(project: Project) -> PublishedFigures:
    """The figures of the dataset that a project's first import brought; of others none."""
    done = Import.objects.filter(project=project, status=JobStatus.DONE, dry_run=False).order_by("pk")
    format_name = done.values_list("format", flat=True).first() or ""
    if format_name == MERGED and project.pairs.filter(external_id__startswith=MERGED_IDS).exists():
        return SWISSGOV
    return FIGURES_BY_FORMAT.get(format_name, NO_FIGURES)
