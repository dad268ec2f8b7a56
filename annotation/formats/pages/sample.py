"""The sample of pages in several languages: two pages in two languages, each a file of plain text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from annotation.formats.record import PairRecord

_PAGES = {
    "en/museum.txt": (
        "The museum is open on Sundays.",
        "Children don't pay for their tickets.",
        "You can borrow a guide at the entrance.",
    ),
    "de/museum.txt": (
        "Das Museum ist am Sonntag offen.",
        "Kinder bezahlen keinen Eintritt.",
        "Am Eingang können Sie einen Führer ausleihen.",
    ),
    "en/library.txt": (
        "The library is closed on Mondays.",
        "You can return books at any time.",
        "Ask us if you can't find a book.",
    ),
    "de/library.txt": (
        "Die Bibliothek ist am Montag geschlossen.",
        "Bücher können Sie jederzeit zurückgeben.",
        "Fragen Sie uns, wenn Sie ein Buch nicht finden.",
    ),
}


def write_sample(_records: Sequence[PairRecord], folder: Path) -> None:
    """Write the pages, which have the three sentences that a page needs, unlike the pairs of other samples."""
    for name, sentences in _PAGES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n\n".join(sentences) + "\n", encoding="utf-8")
