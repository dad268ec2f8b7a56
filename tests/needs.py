"""External requirements of some tests: where they are, and whether they are available. In CI missing ones fail."""

from __future__ import annotations

import os
import shutil
import subprocess
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
    """Why there is no Redis; '' if there is one."""
    import redis

    try:
        redis.Redis.from_url(REDIS, socket_connect_timeout=3).ping()
    except redis.RedisError as error:
        return f"no Redis answers at {REDIS} ({error}); set DIPTYCH_TEST_REDIS"
    return ""


def no_redis_server() -> str:
    """Why no Redis of our own can be started, killed and restarted; '' if one can."""
    return "" if shutil.which("redis-server") else "no redis-server command found; install Redis"


def no_postgres_server() -> str:
    """Why no PostgreSQL of our own can be started, killed and restarted; '' if one can."""
    from benchmarks.servers import postgres_command

    return "" if postgres_command("initdb") else "no initdb command found; install PostgreSQL's server"


@cache
def no_postgres() -> str:
    """Why there is no PostgreSQL; '' if there is one."""
    import psycopg

    try:
        psycopg.connect(POSTGRES, connect_timeout=3).close()
    except psycopg.Error as error:
        return f"no PostgreSQL answers at {POSTGRES} ({str(error).strip()}); set DIPTYCH_TEST_POSTGRES"
    return ""


def own_database() -> str:
    """The URL of a database of its own; Django's test runner creates and drops it."""
    return urlsplit(POSTGRES)._replace(path=f"/diptych_{os.getpid()}").geturl()


@cache
def chromium() -> str:
    """The path of a Chromium; '' if there is none.

    Without windows (Debian's chromium-headless-shell) it takes three quarters of the processor time.
    """
    names = (CHROMIUM, "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if name and (path := shutil.which(name))), "")


def no_browser() -> str:
    """Why there is no Chromium; '' if there is one."""
    return (
        ""
        if chromium()
        else "no Chromium found; install it (Debian: apt install chromium-headless-shell) or set DIPTYCH_TEST_CHROMIUM"
    )


def no_node() -> str:
    """Why the types of the browser side can't be checked or generated; '' if they can."""
    if not shutil.which("npm"):
        return "no Node.js found (npm); install version 20 or later"
    lacking = [name for name in ("tsc", "openapi-typescript") if not (ROOT / "node_modules/.bin" / name).exists()]
    return f"no {' and no '.join(lacking)} found; run npm ci" if lacking else ""


@cache
def no_namespaces() -> str:
    """Why no network namespaces and file systems of our own can be made; '' if they can."""
    made = ["unshare", "--net", "--mount", "--propagation", "private", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    if os.geteuid() or not (shutil.which("ip") and shutil.which("unshare")):
        return "network namespaces and mounts need root, and the commands ip and unshare"
    refused = subprocess.run(made, capture_output=True, text=True)
    return f"this machine allows no namespaces or mounts ({refused.stderr.strip()})" if refused.returncode else ""


def no_compiler() -> str:
    """Why no clock can be set back for a process; '' if it can."""
    return "" if shutil.which("cc") else "no C compiler found (cc)"


ALLOWED: dict[str, Callable[[], str]] = {"namespaces": no_namespaces, "compiler": no_compiler}
"""What a machine allows or not, whoever installs what: in CI too, tests that need it are skipped if it does not."""

NEEDS: dict[str, Callable[[], str]] = {
    "redis": no_redis,
    "redis_server": no_redis_server,
    "postgres": no_postgres,
    "postgres_server": no_postgres_server,
    "browser": no_browser,
    "node": no_node,
}


def require(marker: str) -> None:
    """Skip the test, with the reason, if the requirement of its marker is missing; in CI fail for one of `NEEDS`."""
    reason = (NEEDS | ALLOWED)[marker]()
    if reason and marker in NEEDS and os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    if reason:
        pytest.skip(reason)
