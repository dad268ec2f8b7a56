"""Do the tests notice a fault? script/mutate [--app NAME]… [--path PATH] [--count N] [--seed N] [--tests PATH…]

Seeds small faults, one at a time, in a copy of the checkout: an operator changed, a condition negated, a return value
dropped, a constant changed, a statement removed. After each, the tests that belong to the module are run. A fault that
they do not notice is shown with its location and diff. Ends with 0 if all were noticed, 1 if one was not, 2 if
nothing could be tried.
"""

from __future__ import annotations

import argparse
import difflib
import random
import signal
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.mutate.belonging import tests_of
from tests.mutate.faults import APPS, Fault, chosen, faults
from tests.mutate.workshop import Workshop, copied
from tests.paths import ROOT


def say(text: str) -> None:
    print(text, flush=True)


def difference(fault: Fault, source: bytes) -> str:
    """The lines that a fault changes, as a unified diff."""
    before, after = (text.decode().splitlines() for text in (source, fault.applied(source)))
    lines = difflib.unified_diff(before, after, fault.path, fault.path, lineterm="", n=1)
    return "\n".join(f"    {line}" for line in lines)


def picked(root: Path, options: argparse.Namespace) -> list[Fault]:
    """The faults to try: as many of each app as asked for, or of the one that the path lies in."""
    found: list[Fault] = []
    for app in options.app or APPS:
        dice = random.Random(f"{options.seed}-{app}")
        found += sorted(chosen(faults(root, app, options.path), options.count, dice))
    return found


def try_all(workshop: Workshop, options: argparse.Namespace) -> Counter[str]:
    """Try each fault and say what became of it; how many were noticed, survived, or could not be tried.

    Everything is read from the copy: someone may go on working in the checkout.
    """
    root = workshop.copy
    counts: Counter[str] = Counter()
    modules: dict[str, Counter[str]] = {}
    found = picked(root, options)
    try:
        for number, fault in enumerate(found, start=1):
            tests = tuple(options.tests) or tests_of(root, fault.path)
            outcome = workshop.sound(tests)
            if outcome == "passed":
                outcome = workshop.try_fault(fault, tests)
                what = "SURVIVED" if outcome == "passed" else "noticed"
            else:
                what = "tests fail without it" if outcome == "failed" else "NO TESTS"
            counts[what] += 1
            modules.setdefault(fault.path, Counter())[what] += 1
            say(f"{number}/{len(found)} {what}: {fault.path}:{fault.line} {fault.kind}")
            if what == "SURVIVED":
                say(difference(fault, (root / fault.path).read_bytes()))
                say(f"    passed: {' '.join(tests)}")
    finally:
        say("")
        for path, of in sorted(modules.items()):
            if set(of) != {"noticed"}:
                say(f"{path}: {', '.join(f'{n} {what}' for what, n in sorted(of.items()))}")
        say(f"of {sum(counts.values())} faults: {', '.join(f'{n} {what}' for what, n in sorted(counts.items()))}")
    return counts


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="script/mutate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--app", action="append", choices=APPS, help="faults in this app alone; js: static/js")
    parser.add_argument("--path", default="", help="faults in this module or folder alone")
    parser.add_argument("--count", type=int, default=20, metavar="N", help="how many faults in each app (20)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another choice of faults (0)")
    parser.add_argument("--tests", nargs="+", default=[], metavar="PATH", help="run these instead of those that belong")
    parser.add_argument("--list", action="store_true", help="only show the faults and their tests")
    options = parser.parse_args(arguments)
    if options.path:
        options.path = options.path.rstrip("/").removeprefix("./")
        inside = [app for app, folder in APPS.items() if Path(options.path).is_relative_to(folder)]
        if not inside or (options.app and inside[0] not in options.app):
            parser.error(f"--path {options.path}: it must lie in {', '.join(APPS[app] for app in options.app or APPS)}")
        options.app = inside
    return options


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    options = parsed(arguments)
    if missing := [path for path in (options.path, *options.tests) if path and not (root / path).exists()]:
        say(f"mutate: there is no {missing[0]}")
        return 2
    if options.list:
        for fault in picked(root, options):
            tests = " ".join(options.tests or tests_of(root, fault.path)) or "no tests"
            say(f"{fault.path}:{fault.line} {fault.kind} ({tests})")
        return 0
    with copied(root) as copy:
        counts = try_all(Workshop(root, copy), options)
    if counts["SURVIVED"] or counts["NO TESTS"]:
        return 1
    return 0 if counts["noticed"] else 2


def _end(number: int, _frame: Any) -> None:
    """Leave by an exception, so that the copy is removed and no process is left behind."""
    sys.exit(128 + number)


if __name__ == "__main__":
    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, _end)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
