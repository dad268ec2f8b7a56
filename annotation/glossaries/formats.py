"""The formats of glossary files, by file extension."""

from __future__ import annotations

from collections.abc import Mapping

from annotation.glossaries import cedict, tbx, tsv
from annotation.glossaries.files import MAX_FILE_BYTES, GlossaryFileError, ParsedGlossary, Reader
from annotation.phrases import Phrase

READERS: Mapping[str, Reader] = {
    ".tsv": tsv.read,
    ".tab": tsv.read,
    ".txt": tsv.read,
    ".tbx": tbx.read,
    ".xml": tbx.read,
    ".u8": cedict.read,
}
_CEDICT = b"CC-CEDICT"
_HEADER_BYTES = 2_000


def read(name: str, data: bytes, source: str, target: str) -> ParsedGlossary:
    """The entries of a file by its name's extension; a text file whose comments say CC-CEDICT is read as that.

    Raises GlossaryFileError if the file is too large, in an unknown format, or cannot be read.
    """
    if len(data) > MAX_FILE_BYTES:
        raise GlossaryFileError(
            Phrase("%(n)s bytes; at most %(most)s are accepted", {"n": str(len(data)), "most": str(MAX_FILE_BYTES)})
        )
    ending = f".{name.rpartition('.')[2].lower()}" if "." in name else ""
    reader = READERS.get(ending)
    if reader is None:
        raise GlossaryFileError(
            Phrase(
                "unknown file extension; the file's name should end in one of %(endings)s",
                {"endings": ", ".join(READERS)},
            )
        )
    if (
        ending in (".txt", ".tsv")
        and data[:_HEADER_BYTES].lstrip(b"\xef\xbb\xbf").startswith(b"#")
        and _CEDICT in data[:_HEADER_BYTES]
    ):
        reader = cedict.read
    parsed = reader(data, source, target)
    if not parsed.entries and not parsed.rejected:
        raise GlossaryFileError(Phrase("the file has no entries"))
    return parsed
