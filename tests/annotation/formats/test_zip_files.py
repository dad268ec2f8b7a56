"""Archives: everything wrong with one is refused with location and reason, before it costs memory or disk."""

from __future__ import annotations

import io
import random
import stat
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from annotation.formats import zip_files
from annotation.formats.record import FormatError
from annotation.formats.zip_files import unpack
from annotation.text.limits import MAX_FILES


def packed(folder: Path, *files: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    """An archive of files in this order; a name may occur twice, and one that ends in '/' is a folder."""
    path = folder / "upload.zip"
    with zipfile.ZipFile(path, "w", method) as target:
        for name, content in files:
            target.writestr(zipfile.ZipInfo(name), content, method)
    return path


def refused(path: Path, **options: int) -> str:
    with pytest.raises(FormatError) as caught:
        unpack(path, path.with_name("out"), **options)
    for rejection in caught.value.rejections:
        assert rejection.where.startswith("upload.zip") and str(path.parent) not in str(rejection)
    return "\n".join(map(str, caught.value.rejections))


def test_an_archive_becomes_the_folder_that_it_holds(tmp_path: Path) -> None:
    path = packed(tmp_path, ("set/", b""), ("set/a.jsonl", b"one"), ("set/b/c.jsonl", b"two"), ("__MACOSX/set/a", b"x"))
    folder = unpack(path, tmp_path / "out")
    assert folder == tmp_path / "out" / "set"
    assert sorted(each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file()) == [
        "a.jsonl",
        "b/c.jsonl",
    ]
    assert not (tmp_path / "out" / "__MACOSX").exists()


@pytest.mark.parametrize("names", [("a.jsonl",), ("a.jsonl", "b/c.jsonl"), ("a\\b.jsonl", "a.jsonl")])
def test_several_things_stay_where_they_are_unpacked(names: tuple[str, ...], tmp_path: Path) -> None:
    path = packed(tmp_path, *((name, b"x") for name in names))
    assert unpack(path, tmp_path / "out") == tmp_path / "out"


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        ((), "upload.zip: is empty"),
        (("folder/", "folder/inner/"), "upload.zip: holds folders, but no file"),
        (("../outside",), "upload.zip/../outside: a path that leads outside the archive"),
        (("a/../../outside",), "leads outside the archive"),
        (("..\\outside",), "leads outside the archive"),
        (("/etc/passwd",), "an absolute path"),
        (("C:\\a.jsonl",), "a drive letter"),
        ((".",), "upload.zip/.: a path with an empty part or '.'"),
        (("./a.jsonl",), "an empty part or '.'"),
        (("a//b.jsonl",), "an empty part or '.'"),
        (("a", "a/b"), "upload.zip/a: is a file and a folder at once"),
        (("a/b", "A"), "upload.zip/A: is a file and a folder at once"),
        (("a/", "a"), "upload.zip/a: is a file and a folder at once"),
        (("a.jsonl", "a.jsonl"), "upload.zip/a.jsonl: appears twice"),
        (("a.jsonl", "A.jsonl"), "upload.zip/A.jsonl: appears twice"),
        (("é.jsonl", "e\u0301.jsonl"), "appears twice"),
        (("x" * 300 + ".jsonl",), "a name of 306 bytes; at most"),
        (("/".join(["long" * 20] * 15),), "a path of more than"),
        (("/".join("abcdefghijklmnopqrstuvwxyz"),), "a path of more than 1000 bytes or 20 folders"),
        (("inner.zip",), "upload.zip/inner.zip: an archive inside the archive; unpack it first"),
        (("set/inner.tar.gz",), "an archive inside the archive"),
        (("a\nb.jsonl",), "cannot be printed"),
    ],
)
def test_invalid_names_are_refused(names: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    assert reason in refused(packed(tmp_path, *((name, b"") for name in names)))
    assert not list((tmp_path / "out").rglob("*")) and sorted(tmp_path.iterdir()) == [tmp_path / "upload.zip"]


def test_everything_wrong_is_named_at_once(tmp_path: Path) -> None:
    found = refused(packed(tmp_path, ("../a", b""), ("b.zip", b""), ("good.jsonl", b"")))
    assert len(found.splitlines()) == 2


@pytest.mark.parametrize(("kind", "reason"), [(stat.S_IFLNK, "a symbolic link"), (stat.S_IFIFO, "a special file")])
def test_links_and_special_files_are_refused(kind: int, reason: str, tmp_path: Path) -> None:
    info = zipfile.ZipInfo("link")
    info.create_system, info.external_attr = 3, (kind | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "upload.zip", "w") as target:
        target.writestr(info, "/etc/passwd")
    assert reason in refused(tmp_path / "upload.zip")


def test_an_encrypted_archive_is_refused(tmp_path: Path) -> None:
    path = packed(tmp_path, ("a.jsonl", b"secret"))
    data = bytearray(path.read_bytes())
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + at] |= 1
    path.write_bytes(data)
    assert "upload.zip/a.jsonl: this file is encrypted; create the archive again without a password" in refused(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_methods_are_refused(method: int, tmp_path: Path) -> None:
    assert "packed in an unusual way" in refused(packed(tmp_path, ("a", b"x" * 100), method=method))


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    for content in (b"", b"no archive", b"PK\x05\x06" + b"\xff" * 18, b"PK\x03\x04" * 50):
        (tmp_path / "upload.zip").write_bytes(content)
        assert "upload.zip: " in refused(tmp_path / "upload.zip")


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = packed(tmp_path, ("pairs.jsonl", b"\n" * 20_000_000))
    assert path.stat().st_size < 100_000
    tracemalloc.start()
    found = refused(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "upload.zip: unpacks to more than 100 times its size" in found
    assert peak < 2_000_000 and not (tmp_path / "out").exists()


def test_too_much_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = packed(tmp_path, ("a", bytes(3_000_000)), ("b", bytes(3_000_000)), method=zipfile.ZIP_STORED)
    assert "unpacks to 5 MB; at most 4 MB are accepted" in refused(path, max_bytes=4 * 1024 * 1024)


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_files, "MAX_FILES", 3)
    assert "holds 4 files; at most 3" in refused(packed(tmp_path, *((str(n), b"") for n in range(4))))


def test_a_list_of_files_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    """Entries take several hundred bytes of memory each, however few they take in the archive."""
    one = packed(tmp_path, ("a", b"")).read_bytes()
    start = one.index(b"PK\x01\x02")
    entry, end = one[start : one.index(b"PK\x05\x06")], one[one.index(b"PK\x05\x06") :]
    entries = entry * (zip_files.MAX_DIRECTORY_BYTES // len(entry) + 1)
    end = end[:8] + struct.pack("<HHLL", 0xFFFF, 0xFFFF, len(entries), start) + end[20:]
    (tmp_path / "upload.zip").write_bytes(one[:start] + entries + end)
    assert f"its list of files is too long; at most {MAX_FILES} files" in refused(tmp_path / "upload.zip")


def test_a_wrong_size_is_found_while_unpacking(tmp_path: Path) -> None:
    path = packed(tmp_path, ("a.jsonl", b"\n" * 300_000))
    data = path.read_bytes()
    for size in (10, 1_000_000):
        path.write_bytes(data.replace(struct.pack("<L", 300_000), struct.pack("<L", size)))
        assert "upload.zip/a.jsonl: damaged" in refused(path)
        written = sum(each.stat().st_size for each in (tmp_path / "out").rglob("*") if each.is_file())
        assert written <= size
        (tmp_path / "out" / "a.jsonl").unlink()
        (tmp_path / "out").rmdir()


def test_a_damaged_archive_is_a_refusal_whatever_is_damaged(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name in ("set/a.jsonl", "set/b.jsonl"):
            target.writestr(name, "".join(f'{{"id": "{number}"}}\n' for number in range(40)))
    draw = random.Random(7)
    change: list[Callable[[bytearray], object]] = [
        lambda data: data.__setitem__(draw.randrange(len(data)), draw.randrange(256)),
        lambda data: data.__delitem__(slice(draw.randrange(len(data)), None)),
        lambda data: data.__delitem__(draw.randrange(len(data))),
    ]
    refusals = 0
    for number in range(300):
        data = bytearray(buffer.getvalue())
        for _ in range(draw.randint(1, 3)):
            draw.choice(change)(data)
        path = tmp_path / "upload.zip"
        path.write_bytes(data)
        try:
            unpack(path, tmp_path / str(number))
        except FormatError as error:
            refusals += 1
            assert str(tmp_path) not in str(error)
    assert refusals > 150
