"""Django's backend of PostgreSQL, but a kept connection is checked without asking the server.

Django asks before each request whether the server still answers, which costs a round trip. A server that ends a
connection says so, or its machine does, so the connection has something to read; only then is it checked.
"""

from __future__ import annotations

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    def is_usable(self) -> bool:
        if self.connection is None or self.connection.closed:
            return False
        waiting = select.poll()
        waiting.register(self.connection.fileno(), select.POLLIN)
        return not waiting.poll(0) or super().is_usable()
