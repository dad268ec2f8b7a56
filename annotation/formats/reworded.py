"""Messages of stored refusals that the catalogues no longer have: with other words, or another placeholder."""

from __future__ import annotations

RENAMED = {
    "a row must begin with its number and its offsets ('1-1', '0-4'), not '%(row)s', '%(place)s'": "position",
    "not the manifest of an archive: %(place)s: %(problem)s": "location",
}
"""What `place` is called now in messages that are stored with it."""
REWORDED = {
    "not the manifest of an archive: %(location)s: %(problem)s": (
        "'%(location)s' is not valid in an archive's manifest; export the project as an archive again"
    ),
    "encrypted; pack it without a password": "this file is encrypted; create the archive again without a password",
    "this folder, with the pages' text, is neither in the folder given nor above it; add it": (
        "the folder with the pages' text is missing; put it in the folder that you import, or above it"
    ),
    "%(num_rows)s rows; a Parquet file unpacks to at most %(most)s": (
        "%(num_rows)s rows; a Parquet file may unpack to at most %(most)s"
    ),
    "%(unpacked)s MB unpacked; a Parquet file unpacks to at most %(most)s": (
        "%(unpacked)s MB unpacked; a Parquet file may unpack to at most %(most)s"
    ),
    "a Parquet file unpacks to at most %(most)s": ("a Parquet file may unpack to at most %(most)s"),
    "the Parquet files of an import together unpack to at most %(largest_upload)s MB": (
        "the Parquet files of an import may together unpack to at most %(largest_upload)s MB"
    ),
    "'%(first)s' names '%(name)s' as well": ("'%(first)s' also names '%(name)s' as its mirror"),
    "the first line of WebAnno TSV 3 is '#FORMAT=WebAnno TSV 3.3', not '%(line)s'; export it as that": (
        "the first line must be '#FORMAT=WebAnno TSV 3.3', not '%(line)s'; export the file as WebAnno TSV 3"
    ),
    "'%(location)s' is not as in an archive's manifest; export the project as an archive again": (
        "'%(location)s' is not valid in an archive's manifest; export the project as an archive again"
    ),
    "more than %(most)s columns; leave layers out": ("more than %(most)s columns; remove some layers"),
    "%(size)s bytes as JSON; at most %(largest_metadata)s are accepted. Leave out what is not needed": (
        "%(size)s bytes as JSON; at most %(largest_metadata)s are accepted. Remove what is not needed"
    ),
    "'%(document)s' is dropped, and no document is left: %(reason)s": (
        "'%(document)s' is dropped, and no document remains: %(reason)s"
    ),
    "%(n)s characters; at most %(longest)s can be kept": ("%(n)s characters; at most %(longest)s can be stored"),
    "at most %(longest)s characters can be kept": ("at most %(longest)s characters can be stored"),
    "%(name)s is not an entity of XML; write the character itself": (
        "%(name)s is not an XML entity; write the character itself"
    ),
    "the manifest does not name it": ("not listed in the manifest"),
    "an object from page to pages is expected, not %(kind)s": (
        "an object that maps a page to pages is expected, not %(kind)s"
    ),
    "the number of a row from 1 to 9999 is expected, not '%(given)s'": (
        "a row number from 1 to 9999 is expected, not '%(given)s'"
    ),
    "the offsets don't have the length of the word; they count UTF-16 units": (
        "the offsets don't match the length of the word; they count UTF-16 code units"
    ),
    "'%(word)s' is not at %(start)s-%(end)s of the text; offsets count UTF-16 units": (
        "'%(word)s' is not at %(start)s-%(end)s of the text; offsets count UTF-16 code units"
    ),
    "pairs whose text differs from that of the project's pair with their id, kept as pairs of their own": (
        "pairs whose text differs from that of the project's pair with the same id, kept as separate pairs"
    ),
    "'%(id)s' is in the project with another %(what)s; give it another id, or import it elsewhere": (
        "'%(id)s' is in the project with a different %(what)s; give it another id, or import it elsewhere"
    ),
    "article '%(id)s' in '%(language)s' is there twice; the other is %(where)s": (
        "article '%(id)s' in '%(language)s' appears twice; first in %(where)s"
    ),
    "not a readable Parquet file: it is damaged, and reading it fails, or takes over %(memory)s MB": (
        "not a readable Parquet file: it is damaged, and reading it fails, or needs more than %(memory)s MB"
    ),
    "reading its Parquet files takes over %(longest)s s": ("reading its Parquet files takes more than %(longest)s s"),
}
"""What messages that are stored say now."""
