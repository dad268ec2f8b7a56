"""The environment's variables: one that can't be read is named in a sentence, without its value if that is a secret."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import environ
from django.core.exceptions import ImproperlyConfigured

EXPECTED = {int: "a whole number", float: "a number"}
ENGINES = ("sqlite3", "postgresql")
BROKERS = ("filesystem", "redis", "rediss", "sentinel", "amqp", "amqps", "pyamqp")


class Environment(environ.Env):  # type: ignore[misc]
    """As `environ.Env`. Raises ImproperlyConfigured, naming the variable, for an invalid value."""

    def get_value(self, var: str, cast: Any = None, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().get_value(var, cast, *args, **kwargs)
        except ValueError as error:
            raise _wrong(
                var, f"{self.ENVIRON.get(var)!r}; {EXPECTED.get(cast, 'something else')} is expected"
            ) from error

    def database(self, var: str, default: str) -> dict[str, Any]:
        """The database that a URL names."""
        try:
            options: dict[str, Any] = dict(self.db_url(var, default=default))
            supported = options["ENGINE"].rpartition(".")[2] in ENGINES
        except (ValueError, KeyError, ImproperlyConfigured):
            supported = False
        if not supported or not options.get("NAME"):
            raise _wrong(var, "no address of a database: sqlite:///PATH or postgres://USER:PASSWORD@HOST:PORT/NAME")
        return options

    def mail(self, var: str) -> dict[str, Any]:
        """The mail server that a URL names; {} without one."""
        if not self.str(var, default=""):
            return {}
        try:
            return dict(self.email_url(var))
        except (ValueError, KeyError, ImproperlyConfigured) as error:
            raise _wrong(var, "no address of a mail server, such as smtp+tls://USER:PASSWORD@HOST:587") from error

    def zone(self, var: str, default: str) -> str:
        """The name of a time zone."""
        name = str(self.str(var, default=default))
        try:
            ZoneInfo(name)
        except (ValueError, OSError, KeyError) as error:
            raise _wrong(var, f"{name!r}; the name of a time zone is expected, such as Europe/Zurich") from error
        return name

    def level(self, var: str, default: str) -> str:
        """The name of a level of logging."""
        name = str(self.str(var, default=default))
        if name not in logging.getLevelNamesMapping():
            raise _wrong(var, f"{name!r}; a level such as INFO or WARNING is expected")
        return name

    def broker(self, var: str) -> str:
        """The address of a broker; a folder without one."""
        url = str(self.str(var, default="filesystem://"))
        if urlsplit(url).scheme not in BROKERS:
            raise _wrong(var, "no address of a broker: filesystem://, redis://HOST:PORT/NUMBER or amqp://HOST:PORT")
        return url


def _wrong(var: str, what: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{var} is {what}.")
