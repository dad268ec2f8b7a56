"""Which tests belong to a module: those at the mirrored path under `tests/`; for JavaScript those that import it."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

_IMPORT = re.compile(r"""(?:from|import|import\()\s*["'](\.[^"']+)["']""")


def tests_of(root: Path, module: str) -> tuple[str, ...]:
    """Paths from the root; empty where nothing belongs to the module."""
    return _node_tests(root, module) if module.endswith(".js") else _python_tests(root, PurePosixPath(module))


def _python_tests(root: Path, module: PurePosixPath) -> tuple[str, ...]:
    """`tests/<folder>/test_<module>.py`; else the app's tests that name the module, by file name or import; else all in
    the folder (where it does not exist: in its parent)."""
    name = module.parent.name if module.stem == "__init__" else module.stem
    folder = root.joinpath("tests", *(part for part in module.parent.parts if part != "management"))
    while not folder.is_dir():
        folder = folder.parent
    if folder == root / "tests":
        return ()
    exact = folder / f"test_{name}.py"
    if exact.is_file():
        return (_relative(root, exact),)
    package = ".".join(module.parent.parts)
    imports = re.compile(rf"\b{re.escape(package)}\.{name}\b|from {re.escape(package)} import [^\n]*\b{name}\b")
    near = [
        path
        for path in sorted((root / "tests" / module.parts[0]).rglob("test_*.py"))
        if path.stem == f"test_{name}" or imports.search(path.read_text(encoding="utf-8"))
    ]
    return tuple(_relative(root, path) for path in near or sorted(folder.glob("test_*.py")))


def mirrored(module: str) -> str:
    """The path of a script's own test: `static/js/workspace/view/map.js` has `tests/js/view/map.test.js`."""
    path = PurePosixPath(module).relative_to("static/js")
    if path.parts[0] == "workspace":
        path = path.relative_to("workspace")
    return str("tests/js" / path.with_suffix(".test.js"))


def imports(root: Path, test: Path, module: str) -> bool:
    """Whether a script's test imports a module, itself or through a helper in its own folder."""
    wanted = (root / module).resolve()
    found = [(test.parent / each).resolve() for each in _IMPORT.findall(test.read_text(encoding="utf-8"))]
    beside = [path for path in found if path.parent == test.parent.resolve() and path.is_file()]
    return wanted in found or any(imports(root, path, module) for path in beside)


def _node_tests(root: Path, module: str) -> tuple[str, ...]:
    tests = sorted((root / "tests" / "js").rglob("*.test.js"))
    return tuple(_relative(root, path) for path in tests if imports(root, path, module))


def _relative(root: Path, path: Path) -> str:
    return str(path.relative_to(root))
