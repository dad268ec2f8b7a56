"""Django's backend of SQLite, but threads of a process that write wait for each other in a queue.

SQLite lets one connection write at a time; others sleep and try again, each time for longer. Of eight threads that save
at once, some would wait much longer than others while nobody writes. Other processes wait by SQLite's own lock.
"""

from __future__ import annotations

import threading

from django.db.backends.sqlite3 import base

_turns: dict[str, threading.Lock] = {}
_making = threading.Lock()


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that holds its process's turn to write from the beginning to the end of a transaction."""

    _turn: threading.Lock | None = None

    def _start_transaction_under_autocommit(self) -> None:
        self._take_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._end_turn()
            raise

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]
        self._end_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._end_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._end_turn()

    def _take_turn(self) -> None:
        """Wait for as long as SQLite would; after that, SQLite's own lock says whether the database is busy."""
        with _making:
            turn = _turns.setdefault(str(self.settings_dict["NAME"]), threading.Lock())
        if turn.acquire(timeout=self.settings_dict["OPTIONS"].get("timeout", 5.0)):
            self._turn = turn

    def _end_turn(self) -> None:
        if self._turn is not None:
            self._turn.release()
            self._turn = None
