"""Unpacks zip archives into plain folders; everything that is wrong with one is refused with location and reason.

Sizes are checked twice: as stated by the archive, before anything is unpacked, and again while unpacking.
"""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from annotation.formats.interruption import check_interruption
from annotation.formats.record import FormatError
from annotation.formats.safe_paths import MAX_NAME_BYTES, fold_case
from annotation.formats.source import Refusals, refusal
from annotation.phrases import Phrase
from annotation.strict_json import first_unprintable
from annotation.text.limits import MAX_COMPRESSION_RATIO, MAX_FILES, MAX_UPLOAD_BYTES, MEGABYTE

MAX_DIRECTORY_BYTES = 400 * MAX_FILES
MAX_DEPTH = 20
MAX_PATH_BYTES = 1_000
_CHUNK = 256 * 1024
_NESTED = (".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst")
_JUNK = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")
_TOO_MANY = Phrase(
    "its list of files is too long; at most %(most_files)s files are accepted", {"most_files": str(MAX_FILES)}
)
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def unpack(archive: Path, target: Path, *, max_bytes: int = MAX_UPLOAD_BYTES) -> Path:
    """Unpack `archive` into the new folder `target`; returns the folder with the files.

    That is the archive's own folder if it contains nothing else, otherwise `target`. At most `max_bytes` bytes are
    written. Raises FormatError naming every entry that is refused; files already unpacked are left there.
    """
    with open_archive(archive) as packed:
        members = _members(archive, packed.infolist(), max_bytes)
        for parts, member in members:
            path = target.joinpath(*parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            with _readable(f"{archive.name}/{'/'.join(parts)}"):
                _extract(packed, member, path)
    inside = sorted({parts[0] for parts, _ in members})
    only = target / inside[0]
    return only if len(inside) == 1 and only.is_dir() else target


@contextmanager
def open_archive(archive: Path, damaged: Phrase | None = None) -> Iterator[zipfile.ZipFile]:
    """An archive of unknown origin, to read its entries. Raises FormatError for whatever is wrong with it.

    `damaged` is what to say of one that can't be read, for files that nobody packed.
    """
    with _readable(archive.name, damaged), _Reader(archive) as file, zipfile.ZipFile(file) as packed:
        yield packed


class _Reader(BufferedReader):
    """A file that is read in small pieces; otherwise the list of an archive's entries is read at once, however long."""

    def __init__(self, path: Path) -> None:
        super().__init__(path.open("rb", buffering=0))
        self.size = path.stat().st_size

    def read(self, size: int | None = -1, /) -> bytes:
        rest = max(0, self.size - self.tell())
        size = rest if size is None or size < 0 else min(size, rest)
        if size > MAX_DIRECTORY_BYTES:
            raise zipfile.LargeZipFile
        return super().read(size)


@contextmanager
def _readable(where: str, damaged: Phrase | None = None) -> Iterator[None]:
    """Turn every error that a damaged or unusual archive raises into a refusal."""
    try:
        yield
    except FormatError:
        raise
    except zipfile.LargeZipFile as error:
        raise refusal(where, _TOO_MANY) from error
    except zipfile.BadZipFile as error:
        if damaged is not None:
            raise refusal(where, damaged) from error
        reason = Phrase("damaged: its checksum doesn't match") if "CRC" in str(error) else Phrase("not a zip archive")
        raise refusal(where, Phrase("%(reason)s; pack it again", {"reason": reason})) from error
    except OSError as error:
        raise refusal(
            where, Phrase("cannot be unpacked: %(value)s", {"value": error.strerror or Phrase("it is damaged")})
        ) from error
    except (zlib.error, EOFError, RuntimeError, ValueError, OverflowError, IndexError, KeyError) as error:
        # NotImplementedError (a compression method) is a RuntimeError, UnicodeDecodeError (a name) a ValueError.
        reason = damaged or Phrase("damaged, or packed in a way that cannot be read; pack it again")
        raise refusal(where, reason) from error


def _members(
    archive: Path, entries: list[zipfile.ZipInfo], max_bytes: int
) -> list[tuple[tuple[str, ...], zipfile.ZipInfo]]:
    """The files to unpack, by their checked paths. Raises FormatError."""
    _check_sizes(archive, entries, max_bytes)
    refusals = Refusals()
    members: list[tuple[tuple[str, ...], zipfile.ZipInfo]] = []
    files: dict[tuple[str, ...], str] = {}
    folders: dict[tuple[str, ...], str] = {}
    for entry in entries:
        where = f"{archive.name}/{_display_name(entry.filename)}"
        parts = tuple(entry.filename.replace("\\", "/").rstrip("/").split("/"))
        if parts[0] in _JUNK or parts[-1] in _JUNK:
            continue
        if problem := _bad_name(parts) or _bad_entry(entry):
            refusals.add(where, problem)
            continue
        keys = [tuple(map(fold_case, parts[: index + 1])) for index in range(len(parts))]
        for key in keys if entry.is_dir() else keys[:-1]:
            folders.setdefault(key, where)
        if entry.is_dir():
            continue
        if keys[-1] in files:
            refusals.add(
                where,
                Phrase("appears twice (names that differ only in case count as the same); rename one of the files"),
            )
        files[keys[-1]] = where
        members.append((parts, entry))
    for key in files.keys() & folders.keys():
        refusals.add(files[key], Phrase("is a file and a folder at once; rename one of them"))
    refusals.raise_any()
    if not members:
        reason = Phrase("holds folders, but no file") if entries else Phrase("is empty")
        raise refusal(archive.name, Phrase("%(reason)s; nothing to import", {"reason": reason}))
    return members


def _check_sizes(archive: Path, entries: list[zipfile.ZipInfo], max_bytes: int) -> None:
    """Raises FormatError for too many files, and for more bytes than are accepted or credible."""
    if len(entries) > MAX_FILES:
        raise refusal(
            archive.name,
            Phrase(
                "holds %(n)s files; at most %(most_files)s are accepted",
                {"n": str(len(entries)), "most_files": str(MAX_FILES)},
            ),
        )
    total = sum(entry.file_size for entry in entries)
    if total > max_bytes:
        raise refusal(
            archive.name,
            Phrase(
                "unpacks to %(total)s MB; at most %(largest)s MB are accepted",
                {"total": str(total // MEGABYTE), "largest": str(max_bytes // MEGABYTE)},
            ),
        )
    if total > MEGABYTE + MAX_COMPRESSION_RATIO * archive.stat().st_size:
        reason = Phrase(
            "unpacks to more than %(largest_ratio)s times its size, which no collection of texts does",
            {"largest_ratio": str(MAX_COMPRESSION_RATIO)},
        )
        raise refusal(archive.name, reason)


def _bad_name(parts: tuple[str, ...]) -> Phrase | None:
    """Why a path in an archive is refused; None if it is not."""
    if not parts[0]:
        return Phrase("an absolute path; pack the folder itself")
    if parts[0][1:2] == ":":
        return Phrase("a path with a drive letter; pack the folder itself")
    if ".." in parts:
        return Phrase("a path that leads outside the archive; pack the folder itself")
    if "." in parts or "" in parts:
        return Phrase("a path with an empty part or '.'; pack the folder itself")
    if any(map(first_unprintable, parts)):
        return Phrase("a name with characters that cannot be printed; rename it")
    longest = max(len(part.encode()) for part in parts)
    if longest > MAX_NAME_BYTES:
        return Phrase(
            "a name of %(longest)s bytes; at most %(longest_name)s are accepted",
            {"longest": str(longest), "longest_name": str(MAX_NAME_BYTES)},
        )
    if len("/".join(parts).encode()) > MAX_PATH_BYTES or len(parts) > MAX_DEPTH:
        return Phrase(
            "a path of more than %(longest_path)s bytes or %(deepest)s folders",
            {"longest_path": str(MAX_PATH_BYTES), "deepest": str(MAX_DEPTH)},
        )
    return None


def _bad_entry(entry: zipfile.ZipInfo) -> Phrase | None:
    """Why an entry is refused, apart from its name; None if it is not."""
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        if kind == stat.S_IFLNK:
            return Phrase("a symbolic link; pack the files themselves")
        return Phrase("a special file; pack the files themselves")
    if entry.flag_bits & 0x41:
        return Phrase("this file is encrypted; create the archive again without a password")
    if not entry.is_dir() and entry.compress_type not in _METHODS:
        return Phrase("packed in an unusual way; pack it as an ordinary zip (deflate)")
    if entry.filename.lower().endswith(_NESTED):
        return Phrase("an archive inside the archive; unpack it first")
    return None


def _extract(packed: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path) -> None:
    """Write one file, at most as many bytes as announced."""
    left = member.file_size
    with packed.open(member) as source, path.open("xb") as out:
        while chunk := source.read(_CHUNK):
            check_interruption()
            left -= len(chunk)
            if left < 0:
                raise zipfile.BadZipFile("CRC")
            out.write(chunk)
    if left:
        raise zipfile.BadZipFile("CRC")


def _display_name(name: str) -> str:
    """A name for a one-line message."""
    shown = "".join(character if character.isprintable() else "\ufffd" for character in name)
    return shown if len(shown) <= 120 else f"{shown[:119]}…"
