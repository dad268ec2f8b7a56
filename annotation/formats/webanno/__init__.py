"""WebAnno TSV 3, which INCEpTION writes and reads: one document per pair, side A before side B.

An export of Diptych has an index beside the files, from which pairs come back value for value, also with work that was
added in INCEpTION. Without it, the options say what is read, and the document where side B begins.
"""

from __future__ import annotations

import re

from annotation.formats.base import FORMATS, Format, Option
from annotation.formats.webanno.index import INDEX
from annotation.formats.webanno.reader import ENDING, is_export, read
from annotation.formats.webanno.tsv import is_webanno
from annotation.formats.webanno.writer import omitted, write

__all__ = ["FORMAT", "read", "write"]

OPTIONS = {
    "layer": Option("the span layer to read, if the files have several and none of Diptych's"),
    "label": Option("the layer's feature that is the label, if it is neither 'label' nor 'value'"),
    "links": Option("the relation layer whose relations join annotations to one span"),
    "divider": Option("the line between side A and side B, if there is no diptych-webanno.csv"),
    "language_a": Option("language of side A, if there is no diptych-webanno.csv"),
    "language_b": Option("language of side B, if there is no such column"),
    "annotator": Option("the annotator of files outside an 'annotation' folder (default: 1)", names_person=True),
}

FORMAT = FORMATS.register(
    Format(
        "webanno",
        "WebAnno TSV 3 files, as INCEpTION exports them",
        read,
        write,
        OPTIONS,
        extensions=(ENDING,),
        recognises=is_webanno,
        recognises_folder=is_export,
        exports="WebAnno TSV 3.3 for INCEpTION: one document per pair, one file per annotator",
        marker=INDEX,
        files=re.compile(
            r"(?:source/[^/]+|(?:annotation|curation)/[^/]+/[^/]+)\.tsv|diptych-webanno\.(?:csv|scheme\.json)"
        ),
        omitted=omitted,
    )
)
