"""Buffers what a client has not read yet of a response: in memory, or beyond a size in a temporary file if it has room.

waitress' own buffer, which this replaces, loses part of a response when its file has no room. Then the client waits for
ever, and so does the connection. Knows nothing of Django.
"""

from __future__ import annotations

import os
from tempfile import TemporaryFile
from typing import IO

from waitress.buffers import BytesIOBasedBuffer


class ResponseBuffer:
    """Bytes that are appended at the end and taken from the front, as waitress does with an `outbuf`.

    Without room for the file they stay in memory: a full disk must not keep anyone from reading.
    """

    def __init__(self, kept_in_memory: int) -> None:
        self.kept_in_memory = kept_in_memory
        self.file: IO[bytes] | None = None
        # The part of the file that is still to be taken; what is in memory comes after it.
        self.begin = self.end = 0
        self.memory = BytesIOBasedBuffer()
        self.has_room = True

    def __len__(self) -> int:
        return self.end - self.begin + len(self.memory)

    def append(self, data: bytes) -> None:
        self.memory.append(data)
        if self.has_room and (self.file is not None or len(self.memory) >= self.kept_in_memory):
            self._move_to_file()

    def get(self, size: int = -1) -> bytes:
        """Up to `size` of the bytes at the front, which stay; all of file or memory if negative."""
        if self.file is not None and self.begin < self.end:
            left = self.end - self.begin
            return os.pread(self.file.fileno(), left if size < 0 else min(size, left), self.begin)
        return bytes(self.memory.get(size))

    def skip(self, size: int, allow_prune: bool = False) -> None:
        """Take bytes from the front: at most as many as `get` has returned."""
        if self.begin < self.end:
            self.begin += size
        else:
            self.memory.skip(size)

    def close(self) -> None:
        self.memory.close()
        if self.file is not None:
            self.file.close()
            self.file = None
        self.begin = self.end = 0

    def _move_to_file(self) -> None:
        moved = memoryview(self.memory.get())
        end = self.end
        try:
            if self.file is None:
                self.file = TemporaryFile(buffering=0)  # noqa: SIM115  # `close` closes it
            while moved:
                written = os.pwrite(self.file.fileno(), moved, end)
                end, moved = end + written, moved[written:]
        except OSError:
            # Whatever was written beyond `self.end` is in memory too.
            self.has_room = False
            return
        self.end = end
        self.memory = BytesIOBasedBuffer()
