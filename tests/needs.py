"""What some tests need beside Python, where it is, and whether it is there. In CI what is missing fails."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from functools import cache
from urllib.parse import urlsplit

import pytest

from tests.paths import ROOT

POSTGRES = os.environ.get("DIPTYCH_TEST_POSTGRES", "postgres://postgres@127.0.0.1:5432/postgres")
REDIS = os.environ.get("DIPTYCH_TEST_REDIS", "redis://127.0.0.1:6379/0")
CHROMIUM = os.environ.get("DIPTYCH_TEST_CHROMIUM", "")


@cache
def no_redis() -> str:
    """Why there is no Redis; '' where there is one."""
    import redis

    try:
        redis.Redis.from_url(REDIS, socket_connect_timeout=3).ping()
    except redis.RedisError as error:
        return f"no Redis answers at {REDIS} ({error}); set DIPTYCH_TEST_REDIS"
    return ""


def no_redis_server() -> str:
    """Why no Redis of our own can be started, to be killed and started again; '' where one can."""
    return "" if shutil.which("redis-server") else "no redis-server command found; install Redis"


@cache
def no_postgres() -> str:
    """Why there is no PostgreSQL; '' where there is one."""
    import psycopg

    try:
        psycopg.connect(POSTGRES, connect_timeout=3).close()
    except psycopg.Error as error:
        return f"no PostgreSQL answers at {POSTGRES} ({str(error).strip()}); set DIPTYCH_TEST_POSTGRES"
    return ""


def own_database() -> str:
    """The address of a database that is nobody else's; Django's test runner makes it and drops it."""
    return urlsplit(POSTGRES)._replace(path=f"/diptych_{os.getpid()}").geturl()


@cache
def chromium() -> str:
    """The path of a Chromium; '' where there is none."""
    names = (CHROMIUM, "chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if name and (path := shutil.which(name))), "")


def no_browser() -> str:
    """Why there is no Chromium; '' where there is one."""
    return (
        ""
        if chromium()
        else "no Chromium found; install it (Debian: apt install chromium) or set DIPTYCH_TEST_CHROMIUM"
    )


def no_node() -> str:
    """Why the browser side's types cannot be checked; '' where they can."""
    if not shutil.which("npm"):
        return "no Node.js found (npm); install version 20 or later"
    return "" if (ROOT / "node_modules" / ".bin" / "tsc").exists() else "no TypeScript found; run npm ci"


NEEDS: dict[str, Callable[[], str]] = {
    "redis": no_redis,
    "redis_server": no_redis_server,
    "postgres": no_postgres,
    "browser": no_browser,
    "node": no_node,
}


def require(marker: str) -> None:
    """Skip the test, saying why, where what its marker names is missing; in CI fail."""
    reason = NEEDS[marker]()
    if reason and os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    if reason:
        pytest.skip(reason)
