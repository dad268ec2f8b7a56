"""TEI P5: reads what `writer` writes, also after an editor of XML changed it, and other such files.

A `TEI` is a pair: its first two `<text>`s are the sides, a third one the statement. Words are `<w>` and `<pc>`; spans
lead from word to word by `xml:id`. Elements count by their names, whatever the prefix of the namespace.
"""

from __future__ import annotations

from annotation.formats.base import FORMATS, Format
from annotation.formats.tei.reader import ENDING, is_tei, read
from annotation.formats.tei.writer import omitted, write

__all__ = ["FORMAT", "read", "write"]

FORMAT = FORMATS.register(
    Format(
        "tei",
        "TEI P5: two texts word by word, spans and links as stand-off annotation",
        read,
        write,
        extensions=(ENDING,),
        recognises=is_tei,
        exports="TEI P5: both texts word by word, spans and links as stand-off annotation",
        ending=ENDING,
        omitted=omitted,
    )
)
