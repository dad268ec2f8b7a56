"""Writes of a glossary: entries, files, what is refused, and the history that is kept."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.errors import Conflict, Invalid, NotFound
from annotation.models import Project
from annotation.models.glossary import GlossaryEntry
from annotation.selectors.glossary import (
    glossary_entries,
    glossary_in_pair,
    glossary_languages,
    glossary_last_change,
    glossary_list,
    glossary_revision,
)
from annotation.services.glossary import glossary_entry_delete, glossary_entry_save
from annotation.workspace_payload import pair_json
from tests.factories import PairFactory, ProjectFactory

pytestmark = pytest.mark.django_db


def add(project: Project, term: str = "law", *translations: str, **more: Any) -> GlossaryEntry:
    given = {"term_language": "en", "translation_language": "de", **more}
    return glossary_entry_save(project=project, term=term, translations=translations or ("Recht",), **given)


def add_both(project: Project) -> None:
    add(project, "power of attorney", "Vollmacht")
    add(project, "library", "Bibliothek", "Bücherei", note="the house")


def test_an_entry_is_tidied_and_its_history_kept() -> None:
    project = ProjectFactory()
    entry = add(project, "  power of\nattorney ", "Vollmacht", " Vollmacht", "Prokura", note=" for signing ")
    assert (entry.term, entry.translations, entry.note) == (
        "power of attorney", ["Vollmacht", "Prokura"], "for signing",
    )  # fmt: skip
    glossary_entry_save(
        project=project, entry=entry, base=1, term="mandate", translations=["Mandat"], term_language="en",
        translation_language="de",
    )  # fmt: skip
    glossary_entry_delete(entry=entry)
    history = GlossaryEntry.history.filter(project=project).order_by("history_id")
    assert [(each.history_type, each.term) for each in history] == [
        ("+", "power of attorney"),
        ("~", "mandate"),
        ("-", "mandate"),
    ]


def test_a_term_is_there_once_per_languages() -> None:
    project = ProjectFactory()
    entry = add(project)
    add(project, translation_language="fr")
    add(ProjectFactory())
    with pytest.raises(Conflict) as refused:
        add(project, "law", "Gesetz")
    assert (refused.value.where, refused.value.code) == ("term", "term-exists")
    other = add(project, "right")
    with pytest.raises(Conflict):
        glossary_entry_save(
            project=project,
            entry=other,
            base=1,
            term="law",
            translations=["x"],
            term_language="en",
            translation_language="de",
        )
    assert add(project, "Law").pk != entry.pk and GlossaryEntry.objects.filter(project=project).count() == 4


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"term": "a\x07"}, "term"),
        ({"term": " "}, "term"),
        ({"term": "x" * 300}, "term"),
        ({"translations": []}, "translations"),
        ({"translations": ["a;b"]}, "translations"),
        ({"note": "a\nb"}, "note"),
        ({"term_language": "english"}, "term_language"),
        ({"translation_language": ""}, "translation_language"),
        ({"translation_language": "EN"}, "translation_language"),
        ({"term_language": "x-" + "-".join(["abcdefgh"] * 5)}, "term_language"),
    ],
)
def test_what_cannot_be_kept_is_refused_by_field(given: dict[str, Any], where: str) -> None:
    usual = {"term": "law", "translations": ["Recht"], "term_language": "en", "translation_language": "de"}
    with pytest.raises(Invalid) as refused:
        glossary_entry_save(project=ProjectFactory(), **{**usual, **given})
    assert refused.value.where == where and not GlossaryEntry.objects.exists()


def test_entries_are_found_by_term_translation_and_note_whatever_their_case() -> None:
    project = ProjectFactory()
    add_both(project)
    for wanted, count in (("ATTORNEY", 1), ("bücherEI", 1), ("house", 1), ("nothing", 0), ("", 2)):
        assert len(glossary_list(project, wanted)) == count, wanted


def test_the_revision_names_the_content_and_the_last_change_grows() -> None:
    project = ProjectFactory()
    assert (glossary_revision({}), glossary_last_change(project.pk)) == ("", None)
    add_both(project)
    first, changed = glossary_revision(glossary_entries(project)), glossary_last_change(project.pk)
    entry = add(project)
    added = glossary_last_change(project.pk)
    assert glossary_revision(glossary_entries(project)) != first and changed and added and added > changed
    glossary_entry_delete(entry=entry)
    deleted = glossary_last_change(project.pk)
    assert glossary_revision(glossary_entries(project)) == first and deleted and deleted > added


def test_new_entries_have_the_languages_of_the_first_pair_or_of_the_newest() -> None:
    project = ProjectFactory()
    assert glossary_languages(project) == ("", "")
    add(project, term_language="fr", translation_language="it")
    assert glossary_languages(project) == ("fr", "it")
    pair = PairFactory(project=project)
    assert glossary_languages(project) == (pair.a.language, pair.b.language) != ("fr", "it")


def test_entries_are_sorted_as_people_do() -> None:
    project = ProjectFactory()
    for term in ("Zoo", "apple", "éclair", "Edge", "Apple", "eclair"):
        add(project, term)
    assert [row.term for row in glossary_list(project)] == ["Apple", "apple", "eclair", "éclair", "Edge", "Zoo"]


def change(entry: GlossaryEntry, base: int, *translations: str) -> GlossaryEntry:
    return glossary_entry_save(
        project=entry.project, entry=entry, base=base, term=entry.term, translations=translations,
        term_language=entry.term_language, translation_language=entry.translation_language,
    )  # fmt: skip


def test_a_change_of_an_older_revision_is_refused_with_the_newer_one() -> None:
    entry = add(ProjectFactory())
    assert entry.revision == 1
    assert change(entry, 1, "Gesetz").revision == 2
    with pytest.raises(Conflict) as refused:
        change(entry, 1, "Jura")
    assert refused.value.code == "conflict"
    assert refused.value.payload["entry"]["translations"] == ["Gesetz"]
    assert refused.value.payload["entry"]["revision"] == 2
    with pytest.raises(Conflict):
        glossary_entry_delete(entry=entry, base=1)
    again = change(entry, 1, "Gesetz")
    assert (again.revision, again.translations, GlossaryEntry.history.count()) == (2, ["Gesetz"], 2)
    assert change(entry, 2, "Jura").revision == 3
    glossary_entry_delete(entry=entry, base=3)
    assert not GlossaryEntry.objects.exists()


def test_a_pair_has_what_the_glossary_says_of_its_words() -> None:
    pair = PairFactory()
    assert glossary_in_pair(pair) is None
    add(pair.project, "library", "Bibliothek", note="the house")
    add(pair.project, "fish", "Fisch")
    add(pair.project, "library", "bibliothèque", translation_language="fr")
    assert glossary_in_pair(pair) == {
        "entries": [
            {
                "term": "library",
                "term_language": "en",
                "translations": ["Bibliothek"],
                "translation_language": "de",
                "note": "the house",
            }
        ],
        "matches": {"a": [[1, 2, 0]], "b": [[1, 2, 0]]},
    }
    assert pair_json(pair, metadata=False)["glossary"]["matches"]["a"] == [[1, 2, 0]]


def test_a_change_of_the_glossary_shows_at_once() -> None:
    pair = PairFactory()
    entry = add(pair.project, "library", "Bibliothek")
    add(pair.project, "fish", "Fisch")
    assert len((glossary_in_pair(pair) or {})["entries"]) == 1
    glossary_entry_delete(entry=entry)
    assert glossary_in_pair(pair) == {"entries": [], "matches": {"a": [], "b": []}}


def test_a_glossary_read_from_the_other_language_is_the_same_and_one_of_other_languages_is_none() -> None:
    pair = PairFactory()
    add(pair.project, "Bibliothek", "library", term_language="de-CH", translation_language="en-GB")
    assert (glossary_in_pair(pair) or {})["matches"] == {"a": [[1, 2, 0]], "b": [[1, 2, 0]]}
    other = PairFactory()
    add(other.project, "library", "bibliothèque", translation_language="fr")
    assert glossary_in_pair(other) is None and "glossary" not in pair_json(other, metadata=False)


def test_an_entry_that_was_deleted_meanwhile_is_neither_saved_nor_deleted_again() -> None:
    project = ProjectFactory()
    entry = add(project)
    same = GlossaryEntry.objects.get()
    glossary_entry_delete(entry=entry)
    with pytest.raises(NotFound):
        add(project, "law", "Gesetz", entry=same)
    with pytest.raises(NotFound):
        glossary_entry_delete(entry=same)
    assert not GlossaryEntry.objects.exists()
