"""Small sources in every format, written for the tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PAGE_EN = "https___www.town.example_town_en_home_library.html"
PAGE_DE = "https___www.town.example_town_de_start_bibliothek.html"
NAME = "town.example_town_en_home_library"


def lines(path: Path, *items: Any) -> Path:
    """One JSON object per line; strings are written as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join((item if isinstance(item, str) else json.dumps(item)) + "\n" for item in items))
    return path


def pair(**changes: Any) -> dict[str, Any]:
    """A `jsonl` object."""
    return {
        "id": "p1",
        "a": {"language": "en", "text": "Open on Sundays."},
        "b": {"language": "de", "text": "Sonntags offen."},
    } | changes


def span(label: str, *fragments: tuple[str, int, int], **changes: Any) -> dict[str, Any]:
    parts = [{"side": side, "start": start, "end": end} for side, start, end in fragments]
    return {"label": label, "fragments": parts} | changes


def swapped(item: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The mirror of a `jsonl` object: its texts with the sides swapped, and nothing else."""
    return {"id": f"{item['id']}-mirror", "a": item["b"], "b": item["a"]} | changes


def parade_back() -> dict[str, Any]:
    """The mirror of `parade()`, unmarked."""
    there = parade()
    words = ["EN:", "The", "museum", "is", "open", "on", "Mondays", "."]
    tokens = {str(index): word for index, word in enumerate(words)}
    texts = {"premise": there["text"], "text": there["premise"]}
    return parade(pair_type="es-en", tokens=tokens, annotations=[], labels={}, **texts)


def parade(**changes: Any) -> dict[str, Any]:
    """An X-PARADE pair: eight tokens, the index 4 cut out."""
    return {
        "tokens": {"0": "ES:", "1": "El", "2": "museo", "3": "abre", "5": "los", "6": "lunes", "7": ",", "8": "gratis"},
        "text": "El museo abre los lunes, gratis",
        "pair_type": "en-es",
        "premise": "The museum is open on Mondays.",
        "pageid": "77",
        "similarity": 0.7,
        "title": "Museo",
        "annotations": [
            {
                "annotator_id": 0,
                "comment": None,
                "spans": {
                    "new information": [8],
                    "new information (inferable)": [2, 3, 5],
                    "connotation difference": [6],
                },
            },
            {
                "annotator_id": 1,
                "comment": "free?",
                "spans": {
                    "new information": [7, 8],
                    "new information (inferable)": [],
                    "connotation difference": [],
                },
            },
        ],
        "labels": {"same": [0, 1, 2, 3, 5, 6], "new": [7, 8], "inf": []},
    } | changes


def town_line(**changes: Any) -> dict[str, Any]:
    """A SwissGov-RSD line: 'twice' in English, 'einmal' in German."""
    return {
        "text1": ["einmal"],
        "text2": ["twice"],
        "text1_positions": [[2, 1]],
        "text2_positions": [[1, 1]],
        "score": 3,
        "page_other": PAGE_DE,
        "page_en": PAGE_EN,
        "languages": ["de", "en"],
        "pair": f"en_{NAME} -- de_town.example_town_de_start_bibliothek",
    } | changes


def town(root: Path, *, first: list[Any], second: list[Any], trial: list[Any] | None = None) -> Path:
    """The published folder with one document, whose pages have two and three lines."""
    for page, language, text in (
        (PAGE_EN, "en", "The library: news\nOpen twice a week, in winter."),
        (PAGE_DE, "de", "Die Bibliothek\n\nOffen einmal  pro Woche."),
    ):
        folder = root / "cut_parsed_pages" / language
        folder.mkdir(parents=True, exist_ok=True)
        (folder / page.replace(".html", ".txt")).write_text(text)
    (root / "aligned_pages.json").write_text(json.dumps({PAGE_EN: [PAGE_DE, "fr.html", "it.html"]}))
    lines(root / "annotations_raw" / "annotations1" / "de" / f"{NAME}.jsonl", *first)
    lines(root / "annotations_raw" / "annotations2" / "de" / f"{NAME}.jsonl", *second)
    if trial is not None:
        lines(root / "annotations_trial" / "annotations1" / "de" / f"{NAME}.jsonl", *trial)
    return root
