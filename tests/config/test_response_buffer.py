"""What a client has not read yet of its answers, with room for a temporary file and without."""

from __future__ import annotations

import errno
import os
import random
from io import BytesIO

import pytest

from config import response_buffer
from config.response_buffer import ResponseBuffer

KEPT = 100


@pytest.fixture(params=[10_000, 250, 0], ids=["room", "little room", "no room"])
def room(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many bytes of a file there is room for."""
    write = os.pwrite

    def limited(file: int, data: bytes, offset: int) -> int:
        fits = data[: max(0, request.param - offset)]
        if not fits:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(file, fits, offset)

    monkeypatch.setattr(os, "pwrite", limited)
    return int(request.param)


def test_what_is_taken_is_what_was_appended(room: int) -> None:
    """In any order of appending and taking, as by a client that reads now and then."""
    chance = random.Random(room)
    given, taken, buffer = b"", b"", ResponseBuffer(KEPT)
    for _ in range(300):
        data = chance.randbytes(chance.choice([1, 30, 150]))
        buffer.append(data)
        given += data
        assert len(buffer) == len(given) - len(taken)
        for size in (chance.randrange(1, 80) for _ in range(chance.randrange(3))):
            part = buffer.get(size)
            assert len(part) <= size and (part or not len(buffer))
            buffer.skip(len(part), True)
            taken += part
    while part := buffer.get(64):
        buffer.skip(len(part))
        taken += part
    assert taken == given and len(buffer) == 0
    buffer.close()


def test_more_than_is_kept_in_memory_is_in_a_file_while_there_is_room(room: int) -> None:
    buffer = ResponseBuffer(KEPT)
    buffer.append(b"a" * (KEPT - 1))
    assert buffer.file is None
    for _ in range(3):
        buffer.append(b"b" * KEPT)
    assert len(buffer) == 4 * KEPT - 1
    assert (len(buffer.memory) == 0) is (room > 4 * KEPT)


def test_no_file_that_can_be_made_is_no_reason_to_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(**_: object) -> BytesIO:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(response_buffer, "TemporaryFile", none)
    buffer = ResponseBuffer(KEPT)
    for _ in range(3):
        buffer.append(b"a" * KEPT)
    assert buffer.get() == b"a" * 3 * KEPT


def test_a_closed_one_is_empty() -> None:
    buffer = ResponseBuffer(KEPT)
    buffer.append(b"a" * 2 * KEPT)
    buffer.append(b"b")
    file = buffer.file
    buffer.close()
    assert len(buffer) == 0 and file is not None and file.closed
