"""Dictionaries in the format of dictd, as Debian's packages `dict-freedict-*` install them.

An index (`NAME.index`) has a line per headword: the headword, a tab, the offset and, after another tab, the length of
its article, both in base 64 and in bytes of the uncompressed `NAME.dict` or `NAME.dict.dz`, which gzip can read. The
names end in the languages: `freedict-eng-deu`. An article is the headword as it is written, with its pronunciation, and
then lines with translations; indented lines are examples, notes and references.

A large dictionary has half a million headwords and 100 MB of articles. Only those headwords are looked up that may be
words of given texts: one pass over the index, one over the articles, in memory only what is wanted.
"""

import gzip
import hashlib
import re
import unicodedata
import zlib
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from babel.core import get_global

from annotation.text.stems import stem
from assist.methods.lexicon.entries import TermEntry

MAX_INDEX_BYTES = 256 * 1024 * 1024
"""Bytes of an index."""
MAX_ARTICLE_BYTES = 1024 * 1024
"""Bytes of an article."""
MAX_ARTICLES = 1_000_000
"""Articles that are looked up at a time."""
MAX_DATA_BYTES = 2 * 1024 * 1024 * 1024
"""Bytes of all articles, uncompressed."""

_NAME = re.compile(r"(?:.+-)?(?P<source>[a-z]{2,3})-(?P<target>[a-z]{2,3})")
_DIGITS = {
    code: position for position, code in enumerate(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
_MAX_DIGITS = 10
_STEP = 1024 * 1024
_FIRST = 3
"""Letters that are compared first."""
_ENDING = 4
"""Letters by which a word may be longer than its stem."""

_MARKS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\{[^{}]*\}|\([^()]*\)|/[^/ ]*/")
_SENSE = re.compile(r"^\s*\d+\.\s+")
_PLACEHOLDER = re.compile(r"\b(?:sb|sth|etw|jd|jdm|jdn|jds|qn|qc|qch|qqn|qqch)\.", re.IGNORECASE)
_LEAD = re.compile(r"^(?:to be |to |a |an |the )")
_MAX_WORDS = 3
"""Words of a translation; longer ones explain."""

_LICENCES = (
    (r"Affero General Public License", "AGPL"),
    (r"(?<!Affero )General Public License|\bGPL", "GPL"),
    (r"Creative Commons|\bCC[ -]BY", "Creative Commons"),
    (r"public domain", "public domain"),
)


class DictionaryError(ValueError):
    """Files that are not a dictionary in this format, or are damaged; the message says where and why."""


@dataclass(frozen=True)
class DictdDictionary:
    """An installed dictionary: its index, its articles, and the languages it translates from and to (base codes)."""

    index: Path
    articles: Path
    source: str
    target: str

    @property
    def name(self) -> str:
        return self.index.stem


def installed_dictionaries(folder: Path | None) -> list[DictdDictionary]:
    """The dictionaries in a folder, by name; those whose name does not end in two languages are skipped."""
    dictionaries: list[DictdDictionary] = []
    if folder is None or not folder.is_dir():
        return dictionaries
    for index in sorted(folder.glob("*.index")):
        languages = _NAME.fullmatch(index.stem)
        articles = next((path for path in _articles(index) if path.is_file()), None)
        if languages and articles:
            dictionaries.append(
                DictdDictionary(index, articles, _code(languages["source"]), _code(languages["target"]))
            )
    return dictionaries


def dictionaries_between(dictionaries: Iterable[DictdDictionary], one: str, other: str) -> list[DictdDictionary]:
    """Those of two languages, in either direction."""
    return [each for each in dictionaries if {each.source, each.target} == {one, other} and one != other]


def look_up(dictionary: DictdDictionary, stems: Container[str], prefixes: Collection[str]) -> list[TermEntry]:
    """The entries of single words with one of these stems; ``prefixes`` are `stem_prefixes` of the same.

    Raises DictionaryError if the dictionary cannot be read.
    """

    # Most headwords are skipped by their first letters alone.
    firsts = {prefix[:_FIRST] for prefix in prefixes}

    def is_wanted(headword: str) -> bool:
        word = _fold_word(headword)
        if not any(word[:size] in firsts for size in range(_FIRST, 0, -1)):
            return False
        near = any(word[:size] in prefixes for size in range(max(1, len(word) - _ENDING), len(word) + 1))
        return near and stem(headword, dictionary.source) in stems

    ranges = [(offset, size, word) for word, offset, size in _headwords(dictionary.index, is_wanted, single=True)]
    entries = []
    for word, article in _read(dictionary.articles, ranges):
        if translations := translations_of(article):
            entries.append(TermEntry(word, translations))
    return entries


def stem_prefixes(stems: Iterable[str]) -> frozenset[str]:
    """What words with one of these stems begin with: the stem without its last letter and accents.

    Stemmers change the last letter at most ('happy', 'happi') and remove accents.
    """
    return frozenset(folded[:-1] or folded for folded in map(_fold_word, stems))


def translations_of(article: str) -> tuple[str, ...]:
    """The translations in an article: without grammar, labels, remarks, examples and references."""
    translations: dict[str, None] = {}
    for line in article.split("\n")[1:]:
        if line.startswith("  ") or line.lstrip().startswith(("see:", '"')):
            continue
        for part in re.split(r"[,;]", _MARKS.sub(" ", _SENSE.sub("", line))):
            word = _LEAD.sub("", " ".join(part.split()).strip(" .!?"))
            if _usable(word, part):
                translations[word] = None
    return tuple(translations)


def licence(dictionary: DictdDictionary) -> str:
    """The licence in the dictionary's own description: 'GPL, version 2 or later'; 'not named' if there is none."""
    text = " ".join(_described(dictionary, "info").split())
    start = text.find("Availability:")
    end = text.find("Published at:", start)
    text = text[start if start >= 0 else 0 : end if end >= 0 else None]
    names = [name for pattern, name in _LICENCES if re.search(pattern, text, re.IGNORECASE)]
    if not names:
        return "not named"
    version = re.search(r"\bver(?:sion|\.)\s*([0-9](?:\.[0-9])?)", text)
    later = re.search(r"any\s+later\s+version|or\s+later|GPLv[23]\+", text) and not re.search(r"GPLv3\b(?!\+)", text)
    suffix = f", version {version[1].removesuffix('.0')}" if version else ""
    return f"{' and '.join(reversed(names))}{suffix}{' or later' if version and later else ''}"


def title(dictionary: DictdDictionary) -> str:
    """The dictionary's own name; otherwise its file's name."""
    return " ".join(_described(dictionary, "short").split()) or dictionary.name


def digest(dictionary: DictdDictionary) -> str:
    """Identifies the content of the dictionary's files, so that workers can check whether theirs is the same."""
    stats = [path.stat() for path in (dictionary.index, dictionary.articles)]
    return _digest(dictionary, tuple((each.st_size, each.st_mtime_ns) for each in stats))


@lru_cache(maxsize=64)
def _digest(dictionary: DictdDictionary, _changed: tuple[tuple[int, int], ...]) -> str:
    digest = hashlib.sha256()
    for path in (dictionary.index, dictionary.articles):
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:16]


def _usable(word: str, part: str) -> bool:
    if not word or len(word.split()) > _MAX_WORDS or _PLACEHOLDER.search(part):
        return False
    return any(character.isalpha() for character in word) and not re.search(r"[<>()\[\]{}…~|/=:\"]", word)


def _articles(index: Path) -> Iterator[Path]:
    yield index.with_suffix(".dict.dz")
    yield index.with_suffix(".dict")


def _code(language: str) -> str:
    """The shortest code of a language: 'deu' -> 'de'."""
    aliases: Mapping[str, str] = get_global("language_aliases")
    return aliases.get(language, language)


def _fold_word(word: str) -> str:
    """A word in lower case without accents."""
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFD", word.lower())
    return "".join(part for part in parts if not "\u0300" <= part <= "\u036f")


def _headwords(
    index: Path, is_wanted: Callable[[str], bool], *, single: bool = False
) -> Iterator[tuple[str, int, int]]:
    """Headword, offset and length of the wanted lines of an index, without phrases if ``single``.

    Raises DictionaryError naming a bad line.
    """
    if index.stat().st_size > MAX_INDEX_BYTES:
        raise DictionaryError(f"{index.name}: more than {MAX_INDEX_BYTES} bytes")
    count = 0
    with index.open("rb") as file:
        for number, line in enumerate(file, 1):
            cells = line.rstrip(b"\r\n").split(b"\t")
            if len(cells) < 3:
                raise DictionaryError(f"{index.name}:{number}: a headword, an offset and a length are expected")
            if single and b" " in cells[0]:
                continue
            try:
                # The fourth column has the headword as written, if that differs.
                word = (cells[3] if len(cells) > 3 and cells[3] else cells[0]).decode("utf-8")
            except UnicodeDecodeError as error:
                raise DictionaryError(f"{index.name}:{number}: not valid UTF-8") from error
            if is_wanted(word):
                count += 1
                if count > MAX_ARTICLES:
                    raise DictionaryError(f"{index.name}:{number}: more than {MAX_ARTICLES} headwords are wanted")
                offset, size = (_number(cell, index, number) for cell in cells[1:3])
                if size > MAX_ARTICLE_BYTES:
                    raise DictionaryError(f"{index.name}:{number}: an article of {size} bytes")
                yield word, offset, size


def _number(digits: bytes, index: Path, line: int) -> int:
    value = 0
    if not digits or len(digits) > _MAX_DIGITS:
        raise DictionaryError(f"{index.name}:{line}: not a number in base 64")
    for digit in digits:
        if digit not in _DIGITS:
            raise DictionaryError(f"{index.name}:{line}: not a number in base 64")
        value = value * 64 + _DIGITS[digit]
    return value


def _read(path: Path, ranges: list[tuple[int, int, str]]) -> Iterator[tuple[str, str]]:
    """Headwords and articles, in the order of the file, which is read once. Raises DictionaryError."""
    position, start, article = 0, -1, b""
    with path.open("rb") as raw:
        file: BinaryIO = gzip.GzipFile(fileobj=raw) if path.suffix == ".dz" else raw  # type: ignore[assignment]
        try:
            for offset, size, word in sorted(ranges):
                if offset > MAX_DATA_BYTES:
                    raise DictionaryError(f"{path.name}: '{word}' is said to be at byte {offset}")
                if offset != start or len(article) != size:  # several headwords may share an article
                    while position < offset:
                        skipped = len(file.read(min(_STEP, offset - position)))
                        if not skipped:
                            break
                        position += skipped
                    if position > offset:
                        file.seek(offset)
                        position = offset
                    start, article = offset, file.read(size)
                    position += len(article)
                if len(article) != size:
                    raise DictionaryError(f"{path.name}: ends before the article of '{word}'")
                yield word, article.decode("utf-8", "replace")
        except (OSError, EOFError, zlib.error) as error:
            raise DictionaryError(f"{path.name}: damaged: {error}") from error


@lru_cache(maxsize=256)
def _described(dictionary: DictdDictionary, what: str) -> str:
    """The dictionary's own description: the article of '00-database-info' or '…-short', without its first line."""
    names = {f"00-database-{what}", f"00database{what}"}
    ranges = [(offset, size, word) for word, offset, size in _headwords(dictionary.index, names.__contains__)]
    for _, article in _read(dictionary.articles, ranges):
        first, _, rest = article.partition("\n")
        return rest if first.strip() in names or not first.strip() else article
    return ""
