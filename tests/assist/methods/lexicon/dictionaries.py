"""Dictionaries in dictd's format, made for tests."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path

_BASE_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

INFO = """00-database-info
English-German test dictionary

Availability:

    Available under the terms of the GNU General Public License ver. 2.0 and
  any later version.

Published at: https://example.org/
"""
ARTICLES = {
    "00databaseinfo": INFO,
    "00databaseshort": "00-database-short\nA test dictionary ver. 0.1\n",
    "house": "house /hˈaʊs/ <n>\nHaus <neut>, Wohnhaus <neut> [constr.]\n         Note: a remark, of no use\n"
    '      "build a house"  - ein Haus bauen\n see: {houses}, {open house}\n',
    "happy": "happy /hˈapi/\n1. glücklich, (sehr) froh\n2. mit etw. zufrieden\n",
    "power of attorney": "power of attorney\nVollmacht <fem>\n",
    "unused": "unused\nunbenutzt\n",
}


def base_64(number: int) -> str:
    digits = _BASE_64[number % 64]
    while number := number // 64:
        digits = _BASE_64[number % 64] + digits
    return digits


def write(
    folder: Path, name: str = "freedict-eng-deu", articles: Mapping[str, str] = ARTICLES, *, packed: bool = True
) -> Path:
    """Write a dictionary; returns its index."""
    data, index = b"", ""
    for word, article in articles.items():
        body = article.encode()
        index += f"{word}\t{base_64(len(data))}\t{base_64(len(body))}\n"
        data += body
    path = folder / f"{name}.dict{'.dz' if packed else ''}"
    path.write_bytes(gzip.compress(data) if packed else data)
    (folder / f"{name}.index").write_text(index, encoding="utf-8")
    return folder / f"{name}.index"
