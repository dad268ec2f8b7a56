"""Reads of the languages that people read, and of those that pairs are in."""

from __future__ import annotations

from collections import defaultdict

from annotation.models import Annotator, Pair, Project
from annotation.models.people import ReadingSkill
from annotation.reading_languages import can_read, readers
from annotation.selectors.projects import options_of


def skills_by_annotator(project: Project) -> dict[int, dict[str, str]]:
    """By annotator, their level in each language they stated, in the order in which they stated them."""
    skills: dict[int, dict[str, str]] = defaultdict(dict)
    rows = ReadingSkill.objects.filter(annotator__project=project).order_by("pk")
    for person, language, level in rows.values_list("annotator_id", "language", "level"):
        skills[person][language] = level
    return dict(skills)


def skills_of(annotator: Annotator) -> dict[str, str]:
    """One person's level in each language they stated."""
    return dict(ReadingSkill.objects.filter(annotator=annotator).order_by("pk").values_list("language", "level"))


def pair_languages(project: Project) -> dict[int, tuple[str, ...]]:
    """By pair, the languages of its texts, each once."""
    columns = ("pk", "a__language", "b__language", "statement__language")
    rows = Pair.objects.filter(project=project).order_by().values_list(*columns)
    return {pk: tuple(dict.fromkeys(filter(None, languages))) for pk, *languages in rows}


def pair_readers(project: Project) -> dict[int, frozenset[int]]:
    """By pair, everyone in the project who reads its languages; who stated none is taken to."""
    skills = skills_by_annotator(project)
    everyone = Annotator.objects.filter(project=project).order_by().values_list("pk", flat=True)
    all_skills = {person: skills.get(person, {}) for person in everyone}
    return readers(all_skills, pair_languages(project), options_of(project).reading_level)


def pairs_read_by(annotator: Annotator) -> frozenset[int] | None:
    """The pairs of the project whose languages someone reads; None (all) if they stated none."""
    skills = skills_of(annotator)
    if not skills:
        return None
    minimum = options_of(annotator.project).reading_level
    languages = pair_languages(annotator.project)
    return frozenset(pair for pair, own in languages.items() if can_read(skills, own, minimum))
