"""Files that a lead uploads: kept for the duration of an import, archives unpacked into plain folders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import Protocol

from annotation.formats.interruption import check_interruption
from annotation.formats.record import FormatError
from annotation.formats.safe_paths import Names, local_name
from annotation.formats.source import refusal
from annotation.formats.zip_files import unpack
from annotation.phrases import Phrase
from annotation.services.import_report import ImportRefused
from annotation.temporary_folders import leftovers_remove, temporary_folder
from annotation.text.limits import MAX_UPLOAD_BYTES, MEGABYTE

UPLOADS = "diptych-import-"


class SentFile(Protocol):
    """A file with its name, size and bytes, wherever they are stored."""

    @property
    def name(self) -> str: ...

    @property
    def size(self) -> int: ...

    def chunks(self) -> Iterator[bytes]: ...


@contextmanager
def unpacked_uploads(files: Iterable[SentFile]) -> Iterator[list[Path]]:
    """The paths of the files in a temporary folder; a zip becomes the folder that it contains.

    Raises ImportRefused for an archive that is broken or unsafe, or an upload that is too large.
    """
    with temporary_folder(UPLOADS) as folder:
        try:
            paths = upload_store(files, folder)
        except FormatError as error:
            raise ImportRefused(error.rejections) from error
        yield paths


def uploads_clean() -> None:
    """Remove the files of imports whose worker was killed."""
    leftovers_remove(UPLOADS, Path(gettempdir()))


def upload_check(files: Iterable[SentFile]) -> None:
    """Raises FormatError for an upload that is too large."""
    if sum(file.size for file in files) > MAX_UPLOAD_BYTES:
        reason = Phrase(
            "the upload is too large; at most %(largest_upload)s MB are accepted",
            {"largest_upload": str(MAX_UPLOAD_BYTES // MEGABYTE)},
        )
        raise refusal(", ".join(file.name for file in files), reason)


def upload_store(files: Iterable[SentFile], folder: Path) -> list[Path]:
    """Write the files under `folder` and unpack archives; returns the paths to import. Raises FormatError.

    Each file is in a separate folder, three levels down: some readers look for related files in the two folders above,
    and must not find anything there that is not part of this upload.
    """
    names = Names(local_name)
    paths = []
    left = MAX_UPLOAD_BYTES
    for number, file in enumerate(files):
        location = folder / "upload" / str(number) / "files"
        location.mkdir(parents=True)
        name = names.name(number, file.name)
        packed = name.lower().endswith(".zip")
        path = (folder / "packed" if packed else location) / name
        path.parent.mkdir(exist_ok=True)
        left -= file.size
        if left < 0:
            raise refusal(
                path.name,
                Phrase(
                    "the upload is too large; at most %(largest_upload)s MB are accepted",
                    {"largest_upload": str(MAX_UPLOAD_BYTES // MEGABYTE)},
                ),
            )
        with path.open("wb") as target:
            for chunk in file.chunks():
                check_interruption()
                target.write(chunk)
        if packed:
            # Refusals say which archive a file came from: `display_name` finds it in the path.
            unpacked = unpack(path, location / name / path.stem, max_bytes=left)
            left -= sum(each.stat().st_size for each in unpacked.rglob("*") if each.is_file())
            path.unlink()
            path = unpacked
        paths.append(path)
    return paths
