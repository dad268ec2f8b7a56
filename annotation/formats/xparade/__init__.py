"""X-PARADE's published JSON: one file per direction and split, token indices by label for each annotator.

Side A is the premise. Side B's tokens are fixed by the file: an object from index to token, in which index 0 is the
language tag ('ES:') and not a token, and indices may have gaps where text was cut out. `translation`, `translation2`
and so on are English translations of the side that is not English.
"""

from __future__ import annotations

from annotation.formats.base import FORMATS, Format, Option
from annotation.formats.xparade.reader import read
from annotation.formats.xparade.writer import omitted, write
from annotation.text.schemes import PRESETS

__all__ = ["FORMAT", "read", "write"]

OPTIONS = {"split": Option("the split of all pairs, if the file name doesn't contain dev, test or train")}

FORMAT = FORMATS.register(
    Format(
        "xparade",
        "X-PARADE files of one direction",
        read,
        write,
        OPTIONS,
        extensions=(".json",),
        exports="X-PARADE files",
        omitted=omitted,
        scheme=PRESETS["xparade"],
    )
)
