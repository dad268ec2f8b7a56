"""A table that a lead sends from the browser or by the API: one file, read and checked."""

from __future__ import annotations

from typing import Any, cast

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.services.import_report import ImportRefused
from annotation.services.uploads import SentFile, unpacked_uploads
from assist.encoder_choice.tables import TableError, read_text


def uploaded_text(file: UploadedFile[Any], where: str) -> str:
    """The text of a file. Raises Invalid, for the field `where`, if it can't be stored as text, or is an archive."""
    name = str(file.name)
    if name.lower().endswith(".zip"):
        text = _("%(file)s is an archive; one table is expected.")
        raise Invalid(text % {"file": name}, code="file", where=where, hint=_("Unpack it and send one of its files."))
    try:
        with unpacked_uploads([cast(SentFile, file)]) as paths:
            return read_text(paths[0])
    except TableError as error:
        raise Invalid(error.phrase.text(_), code="file", where=where) from error
    except ImportRefused as error:
        raise Invalid(error.rejections[0].phrase.text(_), code="file", where=where) from error
