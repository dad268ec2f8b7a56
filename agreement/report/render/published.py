"""Agreement in published data, with which a project's own is compared: figures computed in the same way."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Published:
    """Agreement of one published dataset: its name, the values of its parts (pairs of languages, phases), and who
    published them.
    """

    dataset: str
    values: tuple[tuple[str, float], ...]
    source: str


SWISSGOV = Published(
    "SwissGov-RSD",
    (("EN-DE, English", 0.1117), ("EN-DE, German", 0.1022), ("trial, English", 0.2302), ("trial, German", 0.1663)),
    "Wastl, Vamvas, Sennrich 2025, arXiv 2512.07538, tables 2 and 6",
)
"""Mean IoU per side, documents in which both annotators marked something."""

XPARADE = Published(
    "X-PARADE",
    (("EN-ES", 0.657), ("ES-EN", 0.693)),
    "Rodriguez, Erk, Durrett 2024, arXiv 2309.08873, table 2",
)
"""Krippendorff's nominal alpha over words."""
