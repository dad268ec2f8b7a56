"""Which languages people read, and how well."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from annotation.phrases import Phrase, PhraseError
from annotation.strict_json import display_text
from annotation.text.languages import language_problem
from annotation.vocabulary import ReadingLevel

MAX_LANGUAGES = 20
MAX_TAG_LENGTH = 35
LEVELS = ", ".join(ReadingLevel.values)
MIN_LEVEL = ReadingLevel.B2.value
"""The level from which a person is taken to read a language, unless the project says otherwise."""
Skills = Mapping[str, str]
"""A person's level by language tag; empty if they have not stated any."""


def parse_skills(text: str) -> dict[str, str]:
    """The languages of a list such as 'en C1, de native', with their levels. Raises PhraseError."""
    skills: dict[str, str] = {}
    for part in text.replace(";", ",").replace("\n", ",").split(","):
        words = part.split()
        if not words:
            continue
        if len(words) != 2:
            params = {"part": display_text(part.strip()), "levels": LEVELS}
            raise PhraseError(
                Phrase("'%(part)s' is not a language with a level; write it like de B2 (levels: %(levels)s)", params)
            )
        skills[words[0]] = words[1]
    return checked_skills(skills)


def checked_skills(skills: Skills) -> dict[str, str]:
    """The languages with their levels in one spelling. Raises PhraseError for an unknown tag or level, or too many."""
    if len(skills) > MAX_LANGUAGES:
        raise PhraseError(Phrase("at most %(n)s languages can be stated", {"n": str(MAX_LANGUAGES)}))
    levels = {level.casefold(): level for level in ReadingLevel.values}
    result: dict[str, str] = {}
    for language, level in skills.items():
        if (problem := language_problem(language)) is not None:
            raise PhraseError(problem)
        if len(language) > MAX_TAG_LENGTH:
            raise PhraseError(Phrase("a language tag can have at most %(n)s characters", {"n": str(MAX_TAG_LENGTH)}))
        if level.casefold() not in levels:
            params = {"level": display_text(level), "levels": LEVELS}
            raise PhraseError(Phrase("'%(level)s' is not a reading level; write one of %(levels)s", params))
        result[language] = levels[level.casefold()]
    return result


def skills_text(skills: Skills) -> str:
    """The list that `parse_skills` reads."""
    return ", ".join(f"{language} {level}" for language, level in skills.items())


def level_of(skills: Skills, language: str) -> str | None:
    """How well a person reads a language: of its own tag, else the best of the same language ('de' for 'de-CH')."""
    own = {tag.casefold(): level for tag, level in skills.items()}
    if language.casefold() in own:
        return own[language.casefold()]
    primary = _primary(language)
    same = [level for tag, level in own.items() if _primary(tag) == primary]
    return max(same, key=ReadingLevel.values.index, default=None)


def can_read(skills: Skills, languages: Iterable[str], minimum: str = MIN_LEVEL) -> bool:
    """Whether someone reads all languages at least at `minimum`. Who has stated none is taken to read them all."""
    return not unreadable_languages(skills, languages, minimum)


def unreadable_languages(skills: Skills, languages: Iterable[str], minimum: str = MIN_LEVEL) -> list[str]:
    """The languages that someone does not read at `minimum`, in their order; none if they have not stated any."""
    if not skills:
        return []
    needed = ReadingLevel.values.index(minimum)
    distinct = dict.fromkeys(languages)
    return [each for each in distinct if not _enough(level_of(skills, each), needed)]


def readers(
    skills: Mapping[int, Skills], pairs: Mapping[int, Collection[str]], minimum: str = MIN_LEVEL
) -> dict[int, frozenset[int]]:
    """By pair, given its languages, the people who read all of them; `skills` has everyone in question."""
    by_languages: dict[frozenset[str], frozenset[int]] = {}
    result = {}
    for pair, languages in pairs.items():
        key = frozenset(languages)
        if key not in by_languages:
            by_languages[key] = frozenset(who for who, own in skills.items() if can_read(own, key, minimum))
        result[pair] = by_languages[key]
    return result


def _primary(tag: str) -> str:
    return tag.partition("-")[0].casefold()


def _enough(level: str | None, needed: int) -> bool:
    return level is not None and ReadingLevel.values.index(level) >= needed
