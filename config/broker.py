"""The file-system broker, changed so that an unreadable message is only skipped and never ends the worker.

Messages only wake workers, which find their jobs in the database themselves: a lost message costs only seconds.
"""

from __future__ import annotations

import logging
import uuid
from pathlib import Path
from time import monotonic
from typing import Any

from kombu.transport import filesystem as kombu_filesystem
from kombu.utils import json

filesystem: Any = kombu_filesystem  # its classes have no types
to_json: Any = json.dumps
logger = logging.getLogger(__name__)

_UNREADABLE = (ValueError, TypeError, AttributeError, LookupError, filesystem.ChannelError)
"""The errors of reading a file as a message if it is empty, damaged or something else."""


class FolderChannel(filesystem.Channel):  # type: ignore[misc]
    """Messages are complete when a worker sees them, and files that are not messages are skipped."""

    def _put(self, queue: str, payload: Any, **_: Any) -> None:
        # The name has the order and the queue. Until it ends like that of a message, no worker opens the file.
        path = Path(self.data_folder_out) / f"{monotonic() * 1000:.0f}_{uuid.uuid4()}.{queue}.msg"
        unfinished = path.with_suffix(".new")
        try:
            unfinished.write_text(to_json(payload))
            unfinished.rename(path)
        except OSError as error:
            raise filesystem.ChannelError(f"cannot write the message {path.name}: {error.strerror}") from error

    def _get(self, queue: str) -> Any:
        while True:
            try:
                payload = super()._get(queue)
                self.Message(payload, channel=self)
                return payload
            except _UNREADABLE as error:
                logger.warning("a message for %s could not be read and is skipped: %s", queue, error)

    def get_table(self, exchange: str) -> Any:
        try:
            return super().get_table(exchange)
        except ValueError:  # it is being written, or its writer was killed
            return []

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        try:
            super()._queue_bind(exchange, routing_key, pattern, queue)
        except ValueError:
            self._exchange_file(exchange).unlink(missing_ok=True)
            super()._queue_bind(exchange, routing_key, pattern, queue)


class Transport(filesystem.Transport):  # type: ignore[misc]
    """Kombu's, with our channels."""

    Channel = FolderChannel
