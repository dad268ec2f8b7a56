"""Fuzz the readers: `python -m tests.fuzz [--format NAME]… [--seconds N | --count N] [--seed N] [--keep FOLDER]`.

Each format's valid seed is changed in a small, random way; what is found is printed with the number that repeats it.
Without limits every format is given ten seconds. Ends with 1 if anything was found.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzz import checks, mutations, seeds

SHOWN = 20


def fuzz(
    name: str, *, count: int, seconds: float, first: int, keep: Path | None = None
) -> tuple[int, int, Counter[str]]:
    """How many changed sources were read, how many of them were accepted, and what was found, by kind."""
    found: Counter[str] = Counter()
    accepted = done = 0
    with TemporaryDirectory(prefix="diptych-fuzz-") as folder:
        seed = seeds.make(name, Path(folder) / "seed")
        if not checks.look(name, seed, seeds.options(name), Path(folder) / "out"):
            raise SystemExit(f"{name}: the seed itself is not accepted")
        end = time.monotonic() + seconds
        while done < count and time.monotonic() < end:
            work = Path(folder) / "work"
            shutil.copytree(seed.parent, work)
            source = work / seed.name
            number = first + done
            mutations.mutate(source, random.Random(f"{name}-{number}"))
            try:
                accepted += checks.look(name, source, seeds.options(name), work / "out")
            except Exception as error:
                kind = _kind(error)
                found[kind] += 1
                if found[kind] == 1:
                    print(f"{name}: --seed {number} --count 1: {str(error)[:400]}\n  {kind}", flush=True)
                    if keep is not None:
                        shutil.copytree(work, keep / f"{name}-{number}", dirs_exist_ok=True)
            shutil.rmtree(work)
            done += 1
    return done, accepted, found


def _kind(error: Exception) -> str:
    """An error by its type and the functions of our own that it went through."""
    ours = [each for each in traceback.extract_tb(error.__traceback__) if "annotation" in each.filename]
    steps = " < ".join(f"{Path(each.filename).name}:{each.lineno}" for each in reversed(ours[-3:]))
    return f"{type(error).__name__} at {steps or str(error)[:80]}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--format", action="append", choices=seeds.NAMES, help="all of them unless named")
    parser.add_argument("--seconds", type=float, default=0, help="in all, shared by the formats")
    parser.add_argument("--count", type=int, default=0, help="changed sources of each format")
    parser.add_argument("--seed", type=int, default=1, help="the number of the first change")
    parser.add_argument("--keep", type=Path, help="a folder for sources on which something was found")
    given = parser.parse_args()
    names = given.format or seeds.NAMES
    share = given.seconds / len(names) if given.seconds else float("inf") if given.count else 10
    everything = 0
    for name in names:
        done, accepted, found = fuzz(
            name, count=given.count or sys.maxsize, seconds=share, first=given.seed, keep=given.keep
        )
        print(f"{name}: {done} changed sources, {accepted} accepted, {sum(found.values())} findings", flush=True)
        for kind, times in found.most_common(SHOWN):
            print(f"  {times} × {kind}")
        everything += sum(found.values())
    return 1 if everything else 0


if __name__ == "__main__":
    raise SystemExit(main())
