"""Files that a lead sends from a browser: kept for the time of an import, archives unpacked into plain folders."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from annotation.errors import Invalid

LARGEST_ARCHIVE = 500 * 1024 * 1024
MOST_FILES = 20_000


@contextmanager
def uploaded(files: Iterable[UploadedFile[Any]]) -> Iterator[list[Path]]:
    """The paths of the files in a folder that is gone afterwards; a zip becomes the folder that it holds.

    Raises Invalid for an archive that is broken, too large, or whose names lead out of it.
    """
    with TemporaryDirectory(prefix="diptych-import-") as name:
        folder = Path(name)
        paths = []
        for number, file in enumerate(files):
            place = folder / str(number)
            place.mkdir()
            path = place / (PurePosixPath(file.name or "file").name or "file")
            with path.open("wb") as target:
                for chunk in file.chunks():
                    target.write(chunk)
            paths.append(_unpacked(path) if path.suffix.lower() == ".zip" else path)
        yield paths


def _unpacked(archive: Path) -> Path:
    """The folder of an archive: the one it holds when that is all it holds, else the place it was unpacked to."""
    target = archive.with_suffix("")
    try:
        with zipfile.ZipFile(archive) as packed:
            members = [member for member in packed.infolist() if not member.is_dir()]
            if len(members) > MOST_FILES or sum(member.file_size for member in members) > LARGEST_ARCHIVE:
                raise Invalid(
                    _("The archive is too large."), where="upload", hint=_("Import it with the command import_pairs.")
                )
            for member in members:
                _extract(packed, member, target)
    except zipfile.BadZipFile as error:
        raise Invalid(_("%(name)s is no zip archive.") % {"name": archive.name}, where="upload") from error
    inside = [each for each in target.iterdir() if not each.name.startswith(("__MACOSX", "."))]
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else target


def _extract(packed: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> None:
    path = (target / member.filename).resolve()
    if not path.is_relative_to(target.resolve()):
        raise Invalid(_("The archive names a file outside itself."), where="upload", hint=member.filename)
    path.parent.mkdir(parents=True, exist_ok=True)
    with packed.open(member) as source, path.open("wb") as out:
        shutil.copyfileobj(source, out)
