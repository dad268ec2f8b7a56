"""Fixtures for all tests."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.core.management.commands import flush
from django.test import Client, override_settings
from django.utils import translation
from whitenoise.middleware import WhiteNoiseMiddleware

from tests.api import document
from tests.environment import without_settings
from tests.needs import ALLOWED, NEEDS, no_postgres, require
from tests.once import made_once
from tests.ordering import longest_first
from tests.paths import ROOT

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
# What methods find does not depend on the dictionaries of the machine.
os.environ["DIPTYCH_DICTIONARIES"] = ""
# What a busy machine takes for an example says nothing of what is tested.
hypothesis.settings.register_profile("unhurried", deadline=None)
hypothesis.settings.load_profile("unhurried")

RERUNS = {"browser": 2, "processes": 1}
"""How often a test of a marker that fails is run again in continuous integration."""
PURE = tuple(
    ROOT / "tests" / each
    for each in (
        *("agreement/adjudication", "agreement/metrics"),
        *("annotation/glossaries", "annotation/planning", "annotation/text"),
        *("assist/encoder_choice", "assist/item_generation", "assist/methods", "assist/mining"),
    )
)
"""The tests of pure packages: none uses the database, so the second pass need not import them."""
UNSTATED = 3.0
"""Seconds for a test marked `long` that is not marked `takes`: most are one case of many."""
IN_BROWSER = 2.0
"""Seconds for a test in a browser that is marked neither."""
BROWSER_TIMEOUT = 240
"""Seconds after which a test in a browser fails: a browser that hangs should not hold up the others."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--database-only", action="store_true", help="run only the tests of the database")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """Where several processes share the cores, each computes in one thread.

    Threads of PyTorch and NumPy that wait for a core spin: the tests of encoders took three times the processor time.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")


def pytest_sessionstart() -> None:
    if not any(ROOT.glob("locale/*/LC_MESSAGES/*.mo")):
        raise pytest.UsageError("the translations are not compiled: run script/setup --dev")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if config.getoption("--database-only") and collection_path in PURE else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With --database-only (the second pass, on PostgreSQL) skip tests that say nothing about the database.

    In continuous integration a test that fails although nothing is wrong costs a whole run. So one in a browser that
    fails is run up to twice more, and one that starts or kills processes once more, and reported as rerun: a busy
    machine can make either miss what it waits for. A fault fails every time.
    """
    for item in items:
        if _uses_database(item) and any(item.path.is_relative_to(folder) for folder in PURE):
            raise pytest.UsageError(f"{item.nodeid} uses the database, in a folder of tests of pure modules")
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.timeout(BROWSER_TIMEOUT))
        if os.environ.get("CI"):
            reruns = next((count for marker, count in RERUNS.items() if item.get_closest_marker(marker)), 0)
            if reruns:
                item.add_marker(pytest.mark.flaky(reruns=reruns))
    if config.getoption("--database-only"):
        kept = [item for item in items if _uses_database(item)]
        left_out = [item for item in items if not _uses_database(item)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


@pytest.hookimpl(trylast=True, specname="pytest_collection_modifyitems")
def pytest_long_tests_first(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In several processes the longest tests start first; after -m and -k have chosen."""
    processes = getattr(config, "workerinput", {}).get("workercount", 0)
    if processes:
        items[:] = longest_first(items, [_seconds(item) for item in items], [_group(item) for item in items], processes)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What has been imported and collected stays to the end: the garbage collector need not visit it again and again.

    It took a tenth of the tests' processor time.
    """
    gc.collect()
    gc.freeze()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """The database that others are copied from, if this run made one, is dropped by the process that began it."""
    if "PYTEST_XDIST_WORKER" in os.environ or no_postgres():
        return
    from tests import postgres

    postgres.drop_template(getattr(session.config, "_tmp_path_factory"))  # noqa: B009


def _seconds(item: pytest.Item) -> float:
    takes = item.get_closest_marker("takes")
    if takes:
        return float(takes.args[0])
    if item.get_closest_marker("long"):
        return UNSTATED
    return IN_BROWSER if item.get_closest_marker("browser") else 0.0


def _group(item: pytest.Item) -> str:
    """Tests of a group stay in one process, for they share a fixture of their module; so do those in browsers.

    They mostly wait, so beside the others, which compute, no core is idle; and one browser at a time is quick.
    """
    if item.get_closest_marker("browser"):
        return "browser"
    found = getattr(item, "_fixtureinfo").name2fixturedefs  # noqa: B009
    shared = any(each.scope == "module" for each in (defined[-1] for defined in found.values()))
    return item.nodeid.partition("::")[0] if shared else item.nodeid


def _uses_database(item: pytest.Item) -> bool:
    if item.get_closest_marker("any_database"):
        return False
    fixtures = {"db", "transactional_db", "live_server"}
    return item.get_closest_marker("django_db") is not None or bool(fixtures & set(getattr(item, "fixturenames", ())))


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in (*NEEDS, *ALLOWED):
        if item.get_closest_marker(marker):
            require(marker)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> None:
    """Each process has its own copy of a database that is migrated once; SQLite's is a file, as in production.

    A live server with an in-memory database would share one connection among its threads, and simultaneous requests
    would interfere with each other's transactions, which never happens in production.
    """
    database = settings.DATABASES["default"]
    options = database.setdefault("TEST", {})
    if database["ENGINE"].endswith("sqlite3"):
        copy = tmp_path_factory.mktemp("database") / "test.sqlite3"
        shutil.copyfile(request.getfixturevalue("migrated"), copy)
        options["NAME"] = str(copy)
    else:
        from tests import postgres

        options["TEMPLATE"] = postgres.template(tmp_path_factory)


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Of a database that is there only the migrations that it lacks are run."""
    return str(settings.DATABASES["default"]["ENGINE"]).endswith("sqlite3")


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite database with all tables and no rows, to be copied as `diptych.sqlite3` into a site's data folder."""

    def make(folder: Path) -> None:
        environment = without_settings() | {"DIPTYCH_DATA": str(folder)}
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)

    return made_once(tmp_path_factory, "migrated", make) / "diptych.sqlite3"


@pytest.fixture(scope="session", autouse=True)
def only_filled_tables_emptied() -> Iterator[None]:
    """After a test that commits, Django truncates every table and makes content types and permissions again.

    PostgreSQL makes a new file for each table and index then. Here those with rows are emptied, and those two stay.
    """
    kept = {"django_content_type", "auth_permission"}

    def emptied(_style: Any, connection: Any, **options: Any) -> list[str]:
        assert not options.get("reset_sequences"), "numbers are not reset here"
        names = [name for name in connection.introspection.django_table_names(only_existing=True) if name not in kept]
        tables = {name: connection.ops.quote_name(name) for name in names}
        filled = " UNION ALL ".join(
            f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {table})" for name, table in tables.items()
        )
        with connection.cursor() as cursor:
            cursor.execute(filled)
            return [f"DELETE FROM {tables[name]}" for (name,) in cursor.fetchall()]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flush, "sql_flush", emptied)
        patch.setattr(flush, "emit_post_migrate_signal", lambda *_args, **_options: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """A real password hash takes a quarter of a second by design; tests create hundreds of users."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(scope="session", autouse=True)
def nothing_collected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Static files from the checkout, not those collected earlier."""
    with override_settings(STATIC_ROOT=tmp_path_factory.mktemp("static")):
        yield


@pytest.fixture(scope="session", autouse=True)
def static_files_listed_once() -> Iterator[None]:
    """Every `Client` makes the middleware anew, which reads the folders of static files each time: 15 ms."""
    listed: dict[str, dict[str, Any]] = {}
    read = WhiteNoiseMiddleware.add_files_from_finders

    def add(self: Any) -> None:
        state = repr((settings.STATIC_URL, settings.STATIC_ROOT, settings.STORAGES, settings.DEBUG))
        if state not in listed:
            read(self)
            listed[state] = dict(self.files)
        self.files.update(listed[state])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", add)
        yield


@pytest.fixture(autouse=True)
def nothing_asked_yet() -> None:
    """Tests use the same keys of accounts again."""
    from config.api_tokens import token_allowance
    from config.request_limit import allowance

    allowance.forget()
    token_allowance.forget()


@pytest.fixture(autouse=True)
def api_as_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every API response in any test agrees with the API's document."""
    request = Client.request

    def checked(self: Client, **environ: Any) -> Any:
        response = request(self, **environ)
        path = environ["PATH_INFO"]
        # A response to HEAD has no body.
        if environ["REQUEST_METHOD"] != "HEAD" and path.startswith("/api/") and not path.startswith(document.UNCHECKED):
            method, kind = environ["REQUEST_METHOD"], response.headers.get("Content-Type", "")
            address = response.status_code != 404 or response.json()["error"]["code"] != "no-such-address"
            if address and (kind.startswith("application/json") or document.operation_of(method, path)):
                document.check(method, path, response.status_code, response.json())
        return response

    monkeypatch.setattr(Client, "request", checked)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """A request leaves its language behind in the thread, where the next test would find it."""
    yield
    translation.deactivate()
