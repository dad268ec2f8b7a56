"""Pages of an invented town in three languages, one of which is as it should be and the others are each dropped."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

TEXTS = {
    "en": (
        "The library is open on all weekdays from nine to six.",
        "Children and students pay nothing for a card.",
        "You can borrow ten books for four weeks at a time.",
    ),
    "de": (
        "Die Bibliothek ist an allen Werktagen von neun bis sechs Uhr offen.",
        "Kinder und Studierende zahlen nichts für eine Karte.",
        "Sie können zehn Bücher für vier Wochen ausleihen.",
    ),
    "fr": (
        "La bibliothèque est ouverte tous les jours ouvrables de neuf à six heures.",
        "Les enfants et les étudiants ne paient rien pour une carte.",
        "Vous pouvez emprunter dix livres pour quatre semaines.",
    ),
}
DROPPED = {
    ("links", "de"): "only links",
    ("missing", "fr"): "missing in fr",
    ("short", "fr"): "fewer than 3 sentences in fr: 1 of 1",
    ("wrong", "fr"): "fewer than 3 sentences in fr: 0 of 3; it looks like de",
}


def html(body: str, *, head: str = '<meta charset="utf-8">') -> str:
    """A page as a content management system makes it: navigation, scripts and styles around the text."""
    return (
        f"<!DOCTYPE html><html><head>{head}<title>Town</title><script>var hidden = 'scripted words';</script>"
        "<style>.styled { color: red }</style></head><body><header><nav>"
        "<a href='/'>Home</a> <a href='/a'>All topics</a>"
        f"</nav></header><main>{body}</main><footer><p>Small print of the town.</p></footer></body></html>"
    )


def paragraphs(texts: Sequence[str]) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def town_pages(folder: Path) -> Path:
    """Five pages in three languages: 'library' is kept, and four are dropped for a reason each (`DROPPED`)."""
    for language, texts in TEXTS.items():
        links = "<ul>" + "".join(f'<li><a href="/{n}">{text}</a></li>' for n, text in enumerate(texts * 4)) + "</ul>"
        pages = {
            "library": f"<h1>Bibliotheca</h1>{paragraphs(texts)}",
            "links": links if language == "de" else paragraphs(texts),
            "missing": "" if language == "fr" else paragraphs(texts),
            "short": paragraphs(texts[:1] if language == "fr" else texts),
            "wrong": paragraphs(TEXTS["de"] if language == "fr" else texts),
        }
        for name, body in pages.items():
            if body:
                page(folder / language / f"{name}.html", html(body))
    return folder


def page(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def packed(folder: Path, out: Path) -> Path:
    """The folder's files as a zip archive."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    return out
