"""How much of running text the word lists know: `python -m benchmarks.lexicon [--data FOLDER]`.

Of the published texts, by language and direction: the share of running content words that have an entry in the other
language. Content words are what is left without punctuation, numbers and the 100 most frequent stems of the language.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from annotation.text.tokens import tokenize
from assist.methods import strings
from assist.methods.wordmodel import dictionary

FREQUENT = 100


def stems(texts: Iterable[str], language: str) -> list[str]:
    """The stems of the content words of texts, in order."""
    words = (text[start:end] for text in texts for start, end in tokenize(text, language))
    found = [strings.stem(word, language) for word in words if strings.is_word(word) and not strings.number(word)]
    frequent = {stem for stem, _ in Counter(found).most_common(FREQUENT)}
    return [stem for stem in found if stem not in frequent]


def coverage(texts: Iterable[str], language: str, other: str) -> float:
    """The share of running content words that the word lists translate."""
    found = stems(texts, language)
    known = dictionary.between(language, other).stems
    return sum(stem in known for stem in found) / len(found)


def published(data: Path) -> Iterator[tuple[str, list[str]]]:
    """Languages and their published texts."""
    for folder in sorted((data / "xparade").glob("complete_data_*")):
        language = folder.name[-2:]
        rows = [json.loads(path.read_text()) for path in sorted(folder.glob(f"{language}-en-*.json"))]
        yield language, [row["premise"] for row in chain(*rows)]
        yield "en", [row["text"] for row in chain(*rows)]
    for path in sorted((data / "swissgov" / "gold_labels").glob("gold_admin_*.jsonl")):
        lines = path.read_text().splitlines()
        yield path.stem[-2:], [json.loads(line)["text_b"] for line in lines]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of the published annotations")
    data = parser.parse_args().data
    texts: dict[str, list[str]] = {}
    for language, more in published(data):
        texts.setdefault(language, []).extend(more)
    for language in sorted(set(texts) - {"en"}):
        there, back = coverage(texts[language], language, "en"), coverage(texts["en"], "en", language)
        print(
            f"{language}: {there:.0%} of its content words have an English entry; {back:.0%} of English ones have its"
        )


if __name__ == "__main__":
    main()
