"""SwissGov-RSD's published annotations: a folder per annotator and language, a file per document, a line per span.

Side A is English (`text2` in the files), side B the other language (`text1`). Empty files are documents in which an
annotator marked nothing; the lists of aligned pages say which pages those are.
"""

from __future__ import annotations

from annotation.formats.base import FORMATS, Format, Option
from annotation.formats.swissgov.folder import is_annotations
from annotation.formats.swissgov.reader import read
from annotation.formats.swissgov.writer import omitted, scheme_problem, write
from annotation.text.schemes import PRESETS

__all__ = ["FORMAT", "read", "write"]

OPTIONS = {
    "language": Option("the other language: de, fr or it (needed if the folder has several)"),
    "phase": Option("main (annotations_raw, the default) or trial (annotations_trial)"),
    "pages": Option(
        "the folder with the page texts, if it is not inside, next to or above the imported folder", web=False
    ),
}

FORMAT = FORMATS.register(
    Format(
        "swissgov",
        "the SwissGov-RSD annotations folder",
        read,
        write,
        OPTIONS,
        exports="SwissGov-RSD folders",
        recognises_folder=is_annotations,
        omitted=omitted,
        scheme_problem=scheme_problem,
        scheme=PRESETS["graded"],
    )
)
