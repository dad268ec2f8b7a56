"""Pages in several languages: HTML or plain text, a file per page and language, made into pairs of their main texts.

A page is kept if it exists in every wanted language with at least three sentences in that language, and is more than
links; what is dropped is reported with the reason. Side A is the pivot's page (`language_pairs`).
"""

from __future__ import annotations

from annotation.formats import language_pairs
from annotation.formats.base import FORMATS, Format, Option
from annotation.formats.pages.files import LIST, has_pages, is_page
from annotation.formats.pages.reader import read
from annotation.formats.pages.sample import write_sample

__all__ = ["FORMAT", "read"]

FORMAT = FORMATS.register(
    Format(
        "pages",
        "pages in several languages: a folder or archive of HTML or text files by language",
        read,
        None,
        {"side_a": Option("language of side A, the pivot"), **language_pairs.OPTIONS},
        marker=LIST,
        recognises=is_page,
        recognises_folder=has_pages,
        documents=True,
        samples={"pairs-pages.zip": write_sample},
    )
)
