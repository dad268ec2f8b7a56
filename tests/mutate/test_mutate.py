"""script/mutate: which faults it makes, which tests it runs, what it says, and that it never touches the checkout."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.mutate import workshop
from tests.mutate.__main__ import main
from tests.mutate.belonging import mirrored
from tests.mutate.belonging import tests_of as belonging
from tests.mutate.faults import APPS, chosen, faults, python_faults, script_faults
from tests.paths import ROOT

PYTHON = '''"""A docstring."""
@register(1)
def area(é: Literal[3], wide: bool = False) -> int:
    """Another."""
    for each in items:
        if each <= 2 and "é" not in each:
            raise ValueError(f"{each + 1} is too small")
        total += 2 * each
    logger.warning("slow")
    kept[0] = None
    print("done", é is not None)
    return total
'''
SCRIPT = """/** É: 1 + 1 is no code here. */
export const area = (é) => é ?? 4;
export function sum(items) {
  let total = 0;
  for (const each of items) if (each === 2) total += each;
  if (total > 9) throw new Error("1 + 1");
  return total;
}
"""


def test_the_faults_of_a_python_module() -> None:
    source = PYTHON.encode()
    found = python_faults("area.py", source)
    assert [(each.line, source[each.start : each.end].decode(), each.text) for each in found] == [
        (3, "False", "True"),
        (6, 'each <= 2 and "é" not in each', '(not (each <= 2 and "é" not in each))'),
        (6, "<=", "<"),
        (6, "2", "3"),
        (6, "and", "or"),
        (6, "not in", "in"),
        (7, 'raise ValueError(f"{each + 1} is too small")', "pass"),
        (8, "total += 2 * each", "pass"),
        (8, "2", "3"),
        (8, "*", "/"),
        (10, "kept[0] = None", "pass"),
        (11, 'print("done", é is not None)', "pass"),
        (11, "is not", "is"),
        (12, "total", "None"),
    ]
    for each in found:
        compile(each.applied(source), "area.py", "exec")


@pytest.mark.node
def test_the_faults_of_a_javascript_module(tmp_path: Path) -> None:
    (tmp_path / "area.js").write_text(SCRIPT, encoding="utf-8")
    source = SCRIPT.encode()
    found = script_faults(tmp_path, ["area.js"])
    assert [(each.line, source[each.start : each.end].decode(), each.text) for each in found] == [
        (2, "é ?? 4", "undefined"),
        (2, "??", "&&"),
        (2, "4", "5"),
        (4, "0", "1"),
        (5, "each === 2", "!(each === 2)"),
        (5, "===", "!=="),
        (5, "2", "3"),
        (5, "total += each;", ";"),
        (5, "+=", "-="),
        (6, "total > 9", "!(total > 9)"),
        (6, ">", ">="),
        (6, "9", "10"),
        (6, 'throw new Error("1 + 1");', ";"),
        (7, "total", "undefined"),
    ]


@pytest.mark.long
@pytest.mark.takes(5)
@pytest.mark.parametrize("app", [app for app in APPS if app != "js"])
def test_every_app_has_faults_and_they_are_spread_over_its_modules(app: str) -> None:
    grouped = faults(ROOT, app)
    found = list(chosen(grouped, 20, random.Random(3)))
    assert len({each.path for each in found}) == min(20, len(grouped)) > 10
    assert found == list(chosen(grouped, 20, random.Random(3))) != list(chosen(grouped, 20, random.Random(4)))
    one = next(iter(grouped.values()))
    assert set(chosen({"x": one}, 10_000, random.Random(0))) == set(one)


def test_a_module_has_the_tests_at_its_mirrored_path() -> None:
    assert belonging(ROOT, "annotation/text/tokens.py") == ("tests/annotation/text/test_tokens.py",)
    assert belonging(ROOT, "annotation/management/commands/import_pairs.py") == (
        "tests/annotation/commands/test_import_pairs.py",
    )


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of a few modules; of `annotation/sums.py` only `twice` is tested."""
    monkeypatch.delenv("DJANGO_SETTINGS_MODULE")  # its tests know no Django
    root = tmp_path / "checkout"
    files = {
        "annotation/__init__.py": "",
        "annotation/sums.py": "def twice(n):\n    return n * 2\n\n\ndef half(n):\n    return n / 2\n",
        "annotation/untested/other.py": "def other():\n    return True\n",
        "tests/annotation/test_sums.py": "from annotation.sums import twice\n\ndef test(): assert twice(3) == 6\n",
        "tests/annotation/test_slips.py": "def test(): assert False\n",
        "static/js/sums.js": "export const twice = (n) => n * 2;\n",
        "static/js/untested.js": "export const other = () => true;\n",
        "tests/js/sums.test.js": (
            'import assert from "node:assert/strict";\nimport { test } from "node:test";\n'
            'import { twice } from "../../static/js/sums.js";\ntest("twice", () => assert.equal(twice(3), 6));\n'
        ),
        "package.json": '{"type": "module"}',
        ".gitignore": "secret\n",
        "secret": "not to be copied",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return root


def test_a_module_without_tests_of_its_own_has_those_that_import_it_else_those_of_its_folder(checkout: Path) -> None:
    (checkout / "tests" / "annotation" / "test_uses.py").write_text("from annotation.untested import other\n")
    assert belonging(checkout, "annotation/untested/other.py") == ("tests/annotation/test_uses.py",)
    folder = tuple(f"tests/annotation/test_{name}.py" for name in ("slips", "sums", "uses"))
    assert belonging(checkout, "annotation/untested/more.py") == folder
    assert belonging(checkout, "assist/runs/processing.py") == ()
    assert belonging(checkout, "static/js/sums.js") == (mirrored("static/js/sums.js"),) == ("tests/js/sums.test.js",)
    assert mirrored("static/js/workspace/view/map.js") == "tests/js/view/map.test.js"


def contents(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file() and ".git" not in path.parts}


@pytest.mark.long
@pytest.mark.takes(12)
def test_survivors_are_shown_and_the_checkout_is_only_read(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(checkout)
    assert main(["--path", "annotation/sums.py", "--count", "99"], checkout) == 1
    said = capsys.readouterr().out
    assert contents(checkout) == before
    assert "noticed: annotation/sums.py:2 operator changed" in said
    assert "SURVIVED: annotation/sums.py:6 operator changed" in said
    assert "    -    return n / 2\n    +    return n * 2\n" in said
    assert "passed: tests/annotation/test_sums.py" in said
    assert "of 6 faults: 3 SURVIVED, 3 noticed" in said


def test_a_module_without_tests_and_tests_that_fail_anyway_are_told_apart(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slips = ["--tests", "tests/annotation/test_slips.py"]
    assert main(["--path", "annotation/sums.py", "--count", "1", *slips], checkout) == 2
    assert "tests fail without it: annotation/sums.py" in capsys.readouterr().out
    shutil.rmtree(checkout / "tests" / "annotation")
    assert main(["--app", "annotation", "--count", "1"], checkout) == 1
    assert "NO TESTS: annotation/" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.node
def test_javascript_is_tried_with_the_tests_that_import_it(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--app", "js", "--count", "99"], checkout) == 1
    said = capsys.readouterr().out
    assert said.count("noticed: static/js/sums.js:1") == 3 and "NO TESTS: static/js/untested.js:1" in said


@pytest.mark.long
def test_a_fault_that_never_ends_is_noticed(
    checkout: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = "def twice(n):\n    while n < 0:\n        n = n\n    return 6\n"
    (checkout / "annotation" / "sums.py").write_text(endless)
    monkeypatch.setattr(workshop, "PATIENCE", 0.0)
    assert main(["--path", "annotation/sums.py", "--count", "99"], checkout) == 1
    assert "noticed: annotation/sums.py:2 condition negated" in capsys.readouterr().out


def test_the_copy_has_what_git_knows_and_goes_away(checkout: Path) -> None:
    with workshop.copied(checkout) as copy:
        assert (copy / "annotation" / "sums.py").is_file() and not (copy / "secret").exists()
    assert not copy.parent.exists()


@pytest.mark.long
def test_an_interruption_leaves_neither_a_copy_nor_a_process(tmp_path: Path) -> None:
    module = ROOT / "annotation" / "costs.py"
    before = module.read_bytes()
    command = [sys.executable, "-m", "tests.mutate", "--path", "annotation/costs.py", "--count", "99"]
    with (tmp_path / "said").open("wb") as said:
        running = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "TMPDIR": str(tmp_path)}, stdout=said)
        end = time.monotonic() + 120
        while not (tmp_path / "said").read_text() and running.poll() is None and time.monotonic() < end:
            time.sleep(0.1)
        running.send_signal(signal.SIGTERM)
        assert running.wait(30) == 128 + signal.SIGTERM
    assert "1/" in (tmp_path / "said").read_text() and "faults:" in (tmp_path / "said").read_text()
    assert module.read_bytes() == before and [path.name for path in tmp_path.iterdir()] == ["said"]
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
    assert f"{tmp_path}/" not in listed


@pytest.mark.parametrize("arguments", [["--path", "README.md"], ["--app", "assist", "--path", "annotation/costs.py"]])
def test_a_path_outside_the_apps_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert "it must lie in" in capsys.readouterr().err
    assert main(["--path", "annotation/nowhere.py"]) == 2
