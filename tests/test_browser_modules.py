"""Every module of the browser side has a test in node; `script/mutate --app js` shows what those tests notice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.mutate.belonging import tests_of as belonging
from tests.mutate.faults import faults
from tests.paths import ROOT


@pytest.mark.node
def test_every_module_with_something_to_break_has_a_test_in_node() -> None:
    modules = faults(ROOT, "js")
    assert len(modules) > 50
    assert not [module for module in modules if not belonging(ROOT, module)]


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
