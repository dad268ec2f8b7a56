"""Every module of the browser side has its own test in node; `script/mutate --app js` shows what those tests notice."""

from __future__ import annotations

import re
from pathlib import Path

from tests.mutate.belonging import imports, mirrored
from tests.paths import ROOT

MODULES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "static/js").rglob("*.js"))
TYPES_ONLY = ("static/js/adjudicate/types.js", "static/js/workspace/model/types.js")
"""Modules of type declarations: nothing in them runs, and `tsc` checks them."""


def test_every_module_has_a_test_at_the_mirrored_path_that_imports_it() -> None:
    assert len(MODULES) > 50
    tests = {module: ROOT / mirrored(module) for module in MODULES if module not in TYPES_ONLY}
    untested = [module for module, test in tests.items() if not test.exists() or not imports(ROOT, test, module)]
    assert not untested


def test_modules_without_a_test_are_comments_and_an_empty_export() -> None:
    for module in TYPES_ONLY:
        code = re.sub(r"/\*.*?\*/", "", (ROOT / module).read_text("utf-8"), flags=re.DOTALL)
        assert code.split() == ["export", "{};"], module


def test_every_test_is_at_the_path_of_a_module() -> None:
    """A module with several tests has the others beside it: `journal.test.js`, `journal-new.test.js`."""
    paths = {mirrored(module).removesuffix(".test.js") for module in MODULES}
    tests = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests/js").rglob("*.test.js"))
    assert len(tests) > 50
    stray = [name for name in tests if not any(re.match(rf"{re.escape(path)}[.-]", name) for path in paths)]
    assert not stray


LAYERS = ("main", "input", "sync", "view", "model")
"""The folders of the workspace, from what knows most to what knows only data; `main` is the module that wires."""
_IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"(\.[^"]+)"', re.MULTILINE)


def test_the_workspace_imports_only_from_its_own_layer_and_those_below() -> None:
    root = ROOT / "static/js/workspace"
    modules = sorted(root.rglob("*.js"))
    imports = [
        (module, (module.parent / found).resolve())
        for module in modules
        for found in _IMPORT.findall(module.read_text("utf-8"))
    ]
    outside = {found for _, found in imports if root not in found.parents}
    assert outside == {ROOT / "static/js/gettext.js"}
    edges = [(module, found) for module, found in imports if found not in outside]
    assert len(edges) > 150

    def layer(module: Path) -> int:
        return LAYERS.index(module.relative_to(root).with_suffix("").parts[0])

    upward = [f"{above.name} → {below.name}" for above, below in edges if layer(above) > layer(below)]
    assert not upward
