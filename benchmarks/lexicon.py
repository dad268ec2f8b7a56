"""How much of running text the word lists know: `python -m benchmarks.lexicon [--data FOLDER]`.

For the demo's texts and the published ones, by language: the share of running content words that have an entry for the
other language (`assist.methods.wordmodel.coverage`), in Diptych's lists and in installed ones.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from annotation.text.tokens import tokenize
from assist.methods.base import TextSide, WordLists
from assist.methods.lexicon import sources
from assist.methods.wordmodel.coverage import CORE, content, coverage

DEMO = Path(__file__).parents[1] / "fixtures"
Texts = dict[tuple[str, str], list[str]]
"""Texts by language and the other language of the pairs."""


def shown(name: str, texts: Texts) -> None:
    """Print a line for each language, and for the English paired with it."""
    installed = WordLists(dictionaries=tuple(each.name for each in sources.dictionaries()))
    for (language, other), contents in sorted(texts.items(), key=lambda item: sorted(item[0])):
        stems = content(TextSide(language, text, tokenize(text, language)) for text in contents)
        covered = coverage(stems, language, other, installed)
        more = (
            f"; {covered.all:.0%} with {', '.join(sorted(set(covered.shares) - {CORE}))}"
            if len(covered.shares) > 1
            else ""
        )
        print(f"{name}, {language} into {other}: {covered.shares[CORE]:.0%} of {covered.words} content words{more}")


def demo() -> Texts:
    """The demo's texts."""
    texts: Texts = {}
    for path in sorted(DEMO.glob("demo-*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            add(texts, (row[side]["language"] for side in "ab"), (row[side]["text"] for side in "ab"))
    return texts


def published(data: Path) -> Texts:
    """The published texts."""
    result: Texts = {}
    for languages, texts in _published(data):
        add(result, languages, texts)
    return result


def add(into: Texts, languages: Iterable[str], texts: Iterable[str]) -> None:
    """Add a pair, each side under both languages."""
    (a, b), (text_a, text_b) = languages, texts
    into.setdefault((a, b), []).append(text_a)
    into.setdefault((b, a), []).append(text_b)


def _published(data: Path) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    for folder in sorted((data / "xparade").glob("complete_data_*")):
        language = folder.name[-2:]
        rows = [json.loads(path.read_text()) for path in sorted(folder.glob(f"{language}-en-*.json"))]
        for row in chain(*rows):
            yield (language, "en"), (row["premise"], row["text"])
    for path in sorted((data / "swissgov" / "gold_labels").glob("gold_admin_*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            yield ("en", path.stem[-2:]), (row["text_a"], row["text_b"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of the published annotations")
    shown("demo", demo())
    shown("published", published(parser.parse_args().data))


if __name__ == "__main__":
    main()
