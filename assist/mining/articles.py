"""Articles as files: JSON lines with `id`, `language` and `text`, or plain text with the language in its path.

A text file is `ARTICLE.LANGUAGE.txt`, `ARTICLE/LANGUAGE.txt` or `LANGUAGE/ARTICLE.txt`; in the last two, languages have
two letters, with a region or script where needed. Each line that is not empty is a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.formats.field_types import FieldError, check_keys, string
from annotation.formats.interruption import check_interruption
from annotation.formats.source import Refusals, display_name, json_lines, read_text, refusal, with_ending
from annotation.phrases import Phrase, PhraseError, field_problem
from annotation.text.languages import language_problem
from annotation.text.paragraphs import paragraphs
from annotation.text.tokens import base_language

ENDINGS = (".txt", ".jsonl")
MAX_PARAGRAPHS = 200_000
"""Paragraphs of all articles together."""
MAX_CHARACTERS = 64_000_000
"""Their characters: the web process reads what the page sends."""
MAX_ID_LENGTH = 100
_FIELDS = {"id", "language", "text", "url"}
_SHORT = re.compile(r"[a-z]{2}(?:-[a-z0-9]{2,8})*", re.IGNORECASE | re.ASCII)
_NAMES = Phrase("name it ARTICLE.LANGUAGE.txt, such as zurich.en.txt")


@dataclass(frozen=True, slots=True)
class Article:
    """One language version of an article: its paragraphs in order, and where it was read ('file' or 'file:line')."""

    id: str
    language: str
    paragraphs: tuple[str, ...]
    where: str
    url: str = ""


def read_articles(paths: Sequence[Path]) -> list[Article]:
    """The articles in files and folders (and the folders below). Raises FormatError naming all that is refused."""
    refusals = Refusals()
    articles: dict[tuple[str, str], Article] = {}
    total = characters = 0
    for path in _files(paths):
        for article in _jsonl(path, refusals) if path.suffix.lower() == ".jsonl" else _text(path, refusals):
            check_interruption()
            key = (article.id, article.language.lower())
            if key in articles:
                params = {"id": article.id, "language": article.language, "where": articles[key].where}
                refusals.add(
                    article.where,
                    Phrase("article '%(id)s' in '%(language)s' appears twice; first in %(where)s", params),
                )
                continue
            articles[key] = article
            total += len(article.paragraphs)
            characters += sum(map(len, article.paragraphs))
            if total > MAX_PARAGRAPHS or characters > MAX_CHARACTERS:
                params = {"most": str(MAX_PARAGRAPHS), "characters": str(MAX_CHARACTERS // 1_000_000)}
                reason = Phrase(
                    "articles can have at most %(most)s paragraphs and %(characters)s million characters in total; "
                    "mine the rest separately",
                    params,
                )
                raise refusal(article.where, reason)
    refusals.raise_any()
    return list(articles.values())


def _files(paths: Sequence[Path]) -> list[Path]:
    result: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(file for ending in ENDINGS for file in with_ending(path, ending, below=True))
            if not inside:
                raise refusal(
                    display_name(path), Phrase("the folder holds no %(names)s file", {"names": " or ".join(ENDINGS)})
                )
            result.extend(inside)
        elif not path.is_file():
            raise refusal(display_name(path), Phrase("there is no such file or folder"))
        elif path.suffix.lower() not in ENDINGS:
            raise refusal(display_name(path), Phrase("articles are .txt or .jsonl files, or folders of them"))
        else:
            result.append(path)
    return result


def _jsonl(path: Path, refusals: Refusals) -> list[Article]:
    articles = []
    for where, data in json_lines(path, refusals):
        try:
            articles.append(_row(data, where))
        except FieldError as error:
            refusals.add(where, error.phrase)
    return articles


def _row(data: Mapping[str, Any], where: str) -> Article:
    check_keys(data, _FIELDS, "")
    name = string(data, "id", max_length=MAX_ID_LENGTH, needed=True)
    language = string(data, "language", needed=True)
    if problem := language_problem(language):
        raise FieldError(field_problem("language", problem))
    text = string(data, "text", needed=True)
    return Article(name, language, _paragraphs(text), where, string(data, "url", max_length=2000))


def _text(path: Path, refusals: Refusals) -> list[Article]:
    where = display_name(path)
    named = _name_and_language(path)
    if isinstance(named, Phrase):
        refusals.add(where, named)
        return []
    refusals.count_row(where)
    text = read_text(path)
    if not text.strip():
        refusals.add(where, Phrase("empty"))
        return []
    return [Article(*named, _paragraphs(text), where)]


def _name_and_language(path: Path) -> tuple[str, str] | Phrase:
    """The article and the language that a text file's path names, or why it names none."""
    stem, folder = path.stem, path.absolute().parent.name
    name, _, ending = stem.rpartition(".")
    if name and language_problem(ending) is None:
        return _checked_name(name, ending)
    here, above = bool(_SHORT.fullmatch(stem)), bool(_SHORT.fullmatch(folder))
    if here and above:
        params: dict[str, str | Phrase] = {"name": stem, "folder": folder, "names": _NAMES}
        return Phrase("'%(name)s' and its folder '%(folder)s' could both be the language; %(names)s", params)
    if here:
        return _checked_name(folder, stem)
    return _checked_name(stem, folder) if above else Phrase("its name shows no language; %(names)s", {"names": _NAMES})


def _checked_name(name: str, language: str) -> tuple[str, str] | Phrase:
    if len(name) <= MAX_ID_LENGTH:
        return name, language
    return Phrase(
        "the article's name has %(n)s characters; at most %(longest)s are accepted",
        {"n": str(len(name)), "longest": str(MAX_ID_LENGTH)},
    )


def _paragraphs(text: str) -> tuple[str, ...]:
    return tuple(text[start:end] for start, end in paragraphs(text))


class LanguagesError(PhraseError):
    """Articles that are not in two languages; the phrase says what to set."""


def languages_of(articles: Sequence[Article], a: str = "", b: str = "") -> tuple[str, str]:
    """The languages of sides A and B (base codes): those given, or the two that the articles are in; else raises
    LanguagesError.
    """
    base_languages = sorted({base_language(article.language) for article in articles})
    languages = [base_language(each) for each in (a, b) if each]
    rest = [each for each in base_languages if each not in languages]
    missing = [each for each in languages if each not in base_languages]
    if missing or len(languages) + len(rest) < 2 or (len(languages) < 2 and len(languages) + len(rest) > 2):
        params = {"names": ", ".join(base_languages)}
        raise LanguagesError(
            Phrase("The articles are in %(names)s. Choose two of them as the languages of sides A and B.", params)
            if len(base_languages) > 1
            else Phrase("The articles are all in one language, %(names)s. Add the other language.", params)
        )
    if a and b:
        pair = (languages[0], languages[1])
    elif a:
        pair = (languages[0], rest[0])
    elif b:
        pair = (rest[0], languages[0])
    else:
        pair = (rest[1], rest[0]) if rest[1] == "en" else (rest[0], rest[1])
    if pair[0] == pair[1]:
        raise LanguagesError(Phrase("Sides A and B need two different languages."))
    return pair


def versions(articles: Sequence[Article], a: str, b: str) -> tuple[list[tuple[Article, Article]], list[Article]]:
    """The articles that there are in both languages, as (A, B) by id, and those of either language without the other.

    Of several versions in one language ('en' and 'en-GB') the first counts.
    """
    sides: tuple[dict[str, Article], dict[str, Article]] = {}, {}
    for article in articles:
        for side, language in zip(sides, (a, b), strict=True):
            if base_language(article.language) == language:
                side.setdefault(article.id, article)
    both = [(sides[0][name], sides[1][name]) for name in sides[0] if name in sides[1]]
    alone = [article for side, other in (sides, sides[::-1]) for name, article in side.items() if name not in other]
    return both, alone
