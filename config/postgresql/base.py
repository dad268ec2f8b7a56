"""Django's backend of PostgreSQL, which asks the server for less.

Django asks before each request whether the server still answers, which costs a round trip. A server that ends a
connection says so, or its machine does, so the connection has something to read; only then is it checked.

Django also sends each statement whole, with its values inside, so the server parses and plans it every time. Those that
are built once (`annotation/cached_statements.py`) have a cursor that sends the values apart: after a few times on a
connection the server keeps the statement's plan. That takes half as long, and a quarter for one that joins five tables.
"""

from __future__ import annotations

import select
from typing import Any, cast

from django.db.backends.postgresql import base, operations
from psycopg.types.numeric import Int8Dumper

PREPARE_AFTER = 2
"""How often a connection executes a statement before the server keeps it."""


class PreparedCursor(cast("Any", base.ServerBindingCursor)):  # type: ignore[misc]
    """A cursor whose statements the connection counts, and the server keeps.

    Only these are counted: others hold their values, which the connection would keep in memory as statements.
    """

    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        self.connection.prepare_threshold = PREPARE_AFTER
        try:
            return super().execute(query, params, **options)
        finally:
            self.connection.prepare_threshold = None


class DatabaseOperations(operations.DatabaseOperations):
    def last_executed_query(self, cursor: Any, sql: str, params: Any) -> str:
        """For logs and tests: a cursor says nothing of a statement that the server has kept."""
        return super().last_executed_query(cursor, sql, params) or str(self.compose_sql(sql, params))


class DatabaseWrapper(base.DatabaseWrapper):
    ops_class = DatabaseOperations

    def is_usable(self) -> bool:
        if self.connection is None or self.connection.closed:
            return False
        waiting = select.poll()
        waiting.register(self.connection.fileno(), select.POLLIN)
        return not waiting.poll(0) or super().is_usable()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        # Of one type whatever its size: for the server, statements with other types are other statements.
        connection.adapters.register_dumper(int, Int8Dumper)
        return connection

    def prepared_cursor(self) -> Any:
        """A cursor for statements that are executed again and again, with parameters that the server can type."""
        self.close_if_health_check_failed()
        self.ensure_connection()
        with self.wrap_database_errors:
            # Its type is incomplete.
            return cast("Any", self)._prepare_cursor(PreparedCursor(self.connection))
