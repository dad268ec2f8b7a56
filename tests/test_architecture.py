"""Rules of the code base: direction of imports, purity, size, types, style, migrations, licence."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps

from tests.paths import ROOT

APPS = ("annotation", "assist", "agreement", "operation", "config")
MODULE_LINES = 400
HEAVY = (
    *("torch", "transformers", "simalign", "sentence_transformers", "datasets"),
    *("pandas", "pyarrow", "scipy", "sklearn", "altair", "jieba", "crowdkit", "allauth", "jwt"),
)
LICENCE = "GPL-3.0-or-later"


def run(*command: str) -> None:
    """Run a tool in the checkout; fails with its output."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-3000:]


def tool(name: str) -> str:
    return str(Path(sys.executable).parent / name)


def sources(pattern: str) -> list[Path]:
    """The project's own files of a kind."""
    skipped = {".venv", "node_modules", "var", "migrations", "vendor"}
    found = (path for path in ROOT.rglob(pattern) if not skipped & set(path.relative_to(ROOT).parts))
    return sorted(found)


def test_imports_go_in_one_direction() -> None:
    run(tool("lint-imports"), "--no-cache")


SEEDS = {
    "annotation/display_names.py": "from annotation import models",
    "annotation/polling.py": "from annotation.services import claims",
    "annotation/text/spans.py": "from annotation.formats import record",
    "annotation/text/items/base.py": "from annotation.text.items import yes_no_choices",
    "annotation/formats/record.py": "from annotation.formats import tabular",
    "annotation/selectors/pairs.py": "from annotation.services import imports",
    "assist/models.py": "from assist.runs import selectors",
    "assist/runs/services.py": "from assist.encoder_comparisons import jobs",
    "assist/methods/base.py": "from assist.methods.shared import proposals",
    "assist/methods/encoder/encode.py": "from assist.methods.wordmodel import corpus",
    "agreement/metrics/alpha.py": "from agreement.adjudication import base",
    "agreement/metrics/arrays.py": "from agreement.metrics import documents",
    "agreement/adjudication/reasons.py": "from agreement.adjudication import token_rules",
    "agreement/data/annotation_arrays.py": "from agreement.report import query_params",
    "agreement/report/compute/figures.py": "from agreement.report.render import tables",
    "agreement/report/services/reports.py": "from agreement.report import views",
    "agreement/gold/status.py": "from agreement.gold.services import drafts",
    "agreement/prelabel_eval/scores.py": "from agreement.prelabel_eval import panels",
    "agreement/publication/card.py": "from agreement.publication import export",
    "annotation/services/claims.py": "from annotation.services import imports",
    "annotation/selectors/audit.py": "from annotation.selectors import audit_sources",
    "assist/mining/articles.py": "from assist.mining import records",
    "config/caching.py": "from config import settings",
    "annotation/services/uploads.py": "from config import caching",
    **{
        f"{package}/of_no_layer.py": ""
        for package in (*APPS, "agreement/gold", "annotation/services", "assist/methods")
    },
}
"""Imports that go upwards, and modules that no contract names."""


def test_an_upward_import_and_a_module_of_no_layer_are_noticed(tmp_path: Path) -> None:
    """All at once: each is named in what the check says, so none hides behind another."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for app in APPS:
        shutil.copytree(ROOT / app, tmp_path / app, ignore=shutil.ignore_patterns("*.pyc", "resources"))
    for name, line in SEEDS.items():
        with (tmp_path / name).open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")
    command = [tool("lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    said = " ".join(done.stdout.split())
    unnoticed = [name for name, line in SEEDS.items() if _as_reported(name, line) not in said]
    assert done.returncode == 1 and not unnoticed, done.stdout[-6000:]


def _as_reported(name: str, line: str) -> str:
    """How the check names a seeded fault: an import by both modules, a module that no contract has by its own."""
    module = name.removesuffix(".py").replace("/", ".")
    if not line:
        return module
    _from, package, _import, imported = line.split()
    return f"{module} -> {package}.{imported}"


BELOW = {
    "annotation": {"assist", "agreement", "operation", "config"},
    "assist": {"agreement", "operation", "config"},
    "agreement": {"assist", "operation", "config"},
    "operation": {"config"},
}
"""By app, those that it may not import."""
NAMED_UPWARDS = {
    "annotation/services/project_archive/tables.py": "the one list of all tables that have rows of a project",
    "annotation/views/account.py": "sessions store the name of what loads their account",
    "agreement/publication/reproduction.py": "Django takes databases by the name of their engine",
}
"""Modules that name something of an app that theirs may not import, as text, and why."""


def named_upwards(app: str, code: str) -> list[str]:
    """The texts in a module of `app` that name an app it may not import, or a module or model of one."""
    tree = ast.parse(code)
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)
    labels = {node.args[0] for node in calls if getattr(node.func, "attr", "") == "get_model"}
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        first, _, rest = node.value.partition(".")
        if first in BELOW[app] and (node in labels or _is_module_or_model(first, rest.partition(".")[0])):
            found.append(node.value)
    return found


def _is_module_or_model(app: str, name: str) -> bool:
    folder = ROOT / app
    models = {model._meta.model_name for model in apps.get_models() if model._meta.app_label == app}
    return bool(name) and (name.lower() in models or (folder / name).is_dir() or (folder / f"{name}.py").exists())


def test_no_app_names_what_it_may_not_import() -> None:
    """`get_model`, `import_module` and the like would get around the contracts; hooks are there for that."""
    found = {
        str(path.relative_to(ROOT))
        for app in BELOW
        for path in (ROOT / app).rglob("*.py")
        if "migrations" not in path.parts and named_upwards(app, path.read_text("utf-8"))
    }
    assert found == set(NAMED_UPWARDS)


@pytest.mark.parametrize(
    ("app", "line"),
    [
        ("annotation", 'apps.get_model("agreement.publication")'),
        ("annotation", 'import_string("assist.runs.reader.ProjectRuns")'),
        ("agreement", 'apps.get_model("assist", "Run")'),
        ("agreement", 'import_module("assist.models")'),
        ("assist", 'LABEL = "agreement.GoldVersion"'),
        ("operation", 'import_module("config.settings")'),
    ],
)
def test_a_name_that_goes_upwards_is_noticed(app: str, line: str) -> None:
    assert named_upwards(app, line)


@pytest.mark.parametrize("line", ['NAME = "config.json"', 'apps.get_model("annotation.pair")', 'TAB = "agreement"'])
def test_other_texts_are_no_names(line: str) -> None:
    assert not named_upwards("assist", line)


REGISTRIES = {"agreement.adjudication", "agreement.metrics.registered", "annotation.formats", "annotation.text.items"}
"""Packages whose modules register themselves: a new one is named nowhere else, and only what they share has layers."""
FRAMEWORK = {f"config.{name}" for name in ("formats", "formats.en", "formats.es", "openid", "postgresql", "sqlite3")}
"""Packages of the modules that Django looks for by name."""


def _contracts() -> list[dict[str, Any]]:
    loaded = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts: list[dict[str, Any]] = loaded["tool"]["importlinter"]["contracts"]
    return contracts


def test_every_package_says_in_which_order_its_modules_import_each_other() -> None:
    packages = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for app in APPS
        for path in (ROOT / app).rglob("__init__.py")
        if not {"migrations", "management"} & set(path.parts)
    }
    exhaustive = {package for each in _contracts() if each.get("exhaustive") for package in each["containers"]}
    assert packages - exhaustive == REGISTRIES | FRAMEWORK


def _modules_of(package: str) -> dict[str, str]:
    """The code of a package's modules by their names; of a package among them, that of all its modules."""
    folder = ROOT.joinpath(*package.split("."))
    modules = [path for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    return {
        path.stem: "\n".join(
            each.read_text("utf-8") for each in (sorted(path.rglob("*.py")) if path.is_dir() else [path])
        )
        for path in modules
        if path.stem != "__init__"
    }


def _imported(package: str, code: str) -> set[str]:
    """The modules of a package that code imports, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(code.replace("from __future__ import annotations", ""))):
        if isinstance(node, ast.ImportFrom) and node.module == package:
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{package}."):
            found.add((node.module or "").removeprefix(f"{package}.").partition(".")[0])
    return found


@pytest.mark.parametrize("package", sorted(REGISTRIES))
def test_what_registers_itself_rests_on_what_all_of_its_kind_share(package: str) -> None:
    """A format, a rule, a metric or a type of item imports no other, and what they share imports none of them."""
    own = [layer for each in _contracts() if each.get("containers") == [package] for layer in each["layers"]]
    shared = {name for layer in own for name in layer.split(" | ")}
    modules = _modules_of(package)
    registered = {name for name, code in modules.items() if re.search(r"^\w+ = [A-Z_]+\.register\(", code, re.M)}
    assert registered and set(modules) == shared | registered and not shared & registered
    wrong = {name: (_imported(package, code) & registered) - {name} for name, code in modules.items()}
    assert not {name: others for name, others in wrong.items() if others}


PAGES = {
    "urls",
    "views",
    "api",
    "templatetags",
    "drilldown",
    "drilldown_lists",
    "monitor_views",
    "figure_urls",
    "workspace_payload",
    "adjudication_payload",
    "event_addresses",
    "middleware",
    "pages",
    "prompt_views",
}
"""What answers requests, and what makes the addresses in an answer or a notification."""


def test_only_what_answers_requests_makes_addresses_and_pages() -> None:
    """Services, selectors and computations return data; only views, API and commands build URLs."""
    knows = re.compile(r"^\s*(?:from|import) django\.(?:urls|shortcuts|template)\b", re.M)
    made = [
        str(path.relative_to(ROOT))
        for path in sources("*.py")
        if path.relative_to(ROOT).parts[0] in APPS[:4]
        and not PAGES & set(path.relative_to(ROOT).with_suffix("").parts)
        and knows.search(path.read_text("utf-8"))
    ]
    assert not made


def test_computations_of_reports_translate_nothing() -> None:
    """They give names, codes, numbers and marked notes; `agreement/report/render` makes sentences of them."""
    used = re.compile(r"\b(?:n?p?gettext(?:_lazy)?)\b")
    computing = sorted((ROOT / "agreement/report/compute").glob("*.py"))
    assert len(computing) > 10
    assert not [path.name for path in computing if used.search(path.read_text("utf-8"))]


@pytest.mark.long
@pytest.mark.takes(19)
def test_nothing_heavy_is_imported_with_a_module() -> None:
    """Torch, scipy and the like are imported where they are used.

    Otherwise every worker, every command and every process that serves pages would start slowly and need more memory.
    """
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for app in APPS
        for path in sources("*.py")
        # A script that is shipped with datasets is never imported.
        if path.relative_to(ROOT).parts[0] == app
        and path.parent.name != "shipped"
        # They rest on django-allauth, which is part of a site only if it has a provider.
        and (path.parent.name != "openid" or path.stem in ("__init__", "options", "failed"))
    ]
    program = f"""
import django, importlib, json, os, sys
from django.core import management
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()
for name in {modules!r}:
    importlib.import_module(name)
for name, app in management.get_commands().items():
    management.load_command_class(app, name).create_parser("manage.py", name)
print(json.dumps(sorted(set({HEAVY!r}) & set(sys.modules))))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == []


def test_modules_are_small() -> None:
    sizes = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for pattern in ("*.py", "*.js")
        for path in sources(pattern)
    }
    assert sizes
    # Comes with every dataset, as one file.
    sizes.pop("agreement/publication/shipped/recompute.py")
    large = {name: n for name, n in sizes.items() if n > MODULE_LINES}
    assert not large, f"split by meaning: {large}"


@pytest.mark.long
@pytest.mark.takes(60)
def test_types() -> None:
    # Nothing uses a cache that CI writes, and writing it takes a third of the time.
    cache = ("--cache-dir", os.devnull) if os.environ.get("CI") else ()
    run(tool("mypy"), *cache, *APPS, "tests", "benchmarks", "fixtures", "manage.py")


def test_style() -> None:
    run(tool("ruff"), "check", "--no-cache", ".")
    run(tool("ruff"), "format", "--no-cache", "--check", ".")


@pytest.mark.node
def test_types_of_the_browser_side() -> None:
    npm = shutil.which("npm")
    assert npm
    run(npm, "run", "--silent", "check")


def test_migrations_agree_with_the_models(tmp_path: Path) -> None:
    environment = {**os.environ, "DIPTYCH_DATA": str(tmp_path), "DATABASE_URL": f"sqlite:///{tmp_path / 'new.sqlite3'}"}
    command = [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_migrations_are_named_by_intent_and_import_nothing_live() -> None:
    for path in ROOT.glob("*/migrations/0*.py"):
        assert "_auto_" not in path.name
        live = re.findall(
            r"^(?:from|import) \w+\.(?:services|selectors|views|runs|lots).*", path.read_text("utf-8"), re.M
        )
        assert not live, f"{path.name}: {live}"


def test_the_licence_is_named_wherever_tools_look_for_it() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        assert tomllib.load(file)["project"]["license"] == LICENCE
    line = f"SPDX-License-Identifier: {LICENCE}"
    named = [
        ROOT / "README.md",
        ROOT / "requirements.txt",
        ROOT / "requirements-core.txt",
        ROOT / "requirements-openid.txt",
        *(path for path in (ROOT / "script").iterdir() if path.is_file()),
        ROOT / ".ci" / "run",
    ]
    assert not [path.name for path in named if line not in path.read_text(encoding="utf-8")]


def test_pins_are_exact_and_name_no_index() -> None:
    for name in ("requirements-core.txt", "requirements.txt", "requirements-openid.txt", "requirements-dev.txt"):
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
            if line and not line.startswith(("#", "-r ")):
                assert "==" in line, f"{name}: {line}"
                assert "://" not in line
    assert "torch==2.13.0" in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()


def test_the_map_names_what_is_there() -> None:
    """Every path that is written out in full exists."""
    text = (ROOT / "docs/map.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:annotation|assist|agreement|config|static|tests|fixtures|script)/[\w./]+)`", text)
    assert len(named) > 30
    assert not [name for name in named if not (ROOT / name).exists()]
