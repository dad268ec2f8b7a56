"""Writes of a glossary: entries, files, what is refused, and the history that is kept."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.errors import Conflict, Invalid, NotFound
from annotation.glossaries import entries as limits
from annotation.glossaries.entries import Entry
from annotation.models import GlossaryEntry, Project
from annotation.payload import pair_json
from annotation.selectors.glossary import (
    glossary_entries,
    glossary_in_pair,
    glossary_languages,
    glossary_last_change,
    glossary_list,
    glossary_revision,
)
from annotation.services import glossary as services
from annotation.services.glossary import UploadReport, glossary_entry_delete, glossary_entry_save, glossary_upload
from tests.annotation.glossaries.samples import TBX_3, TSV
from tests.factories import PairFactory, ProjectFactory

pytestmark = pytest.mark.django_db


def add(project: Project, term: str = "law", *translations: str, **more: Any) -> GlossaryEntry:
    given = {"term_language": "en", "translation_language": "de", **more}
    return glossary_entry_save(project=project, term=term, translations=translations or ("Recht",), **given)


def sent(project: Project, text: str = TSV, name: str = "a.tsv", **more: Any) -> UploadReport:
    given = {"term_language": "en", "translation_language": "de", **more}
    return glossary_upload(project=project, name=name, data=text.encode(), **given)


def test_an_entry_is_tidied_and_its_history_kept() -> None:
    project = ProjectFactory()
    entry = add(project, "  power of\nattorney ", "Vollmacht", " Vollmacht", "Prokura", note=" for signing ")
    assert (entry.term, entry.translations, entry.note) == (
        "power of attorney", ["Vollmacht", "Prokura"], "for signing",
    )  # fmt: skip
    glossary_entry_save(
        project=project, entry=entry, term="mandate", translations=["Mandat"], term_language="en",
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
            project=project, entry=other, term="law", translations=["x"], term_language="en", translation_language="de"
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


def test_a_file_adds_changes_and_leaves_alone() -> None:
    project = ProjectFactory()
    add(project, "library", "Bibliothek")
    add(project, "law")
    add(project, "library", "bibliothèque", translation_language="fr")
    tried = sent(project, dry_run=True)
    assert (tried.new, tried.changed, tried.same, tried.removed) == (1, 1, 0, 0)
    assert GlossaryEntry.objects.count() == 3 and GlossaryEntry.history.count() == 3
    done = sent(project)
    assert done == tried and GlossaryEntry.history.count() == 5
    assert glossary_entries(project)[("en", "de")] == [
        Entry("law", ("Recht",)),
        Entry("library", ("Bibliothek", "Bücherei"), "the house"),
        Entry("power of attorney", ("Vollmacht",)),
    ]
    again = sent(project, TBX_3, "b.tbx")
    assert (again.new, again.changed, again.same) == (0, 0, 2) and GlossaryEntry.history.count() == 5


def test_a_file_that_replaces_deletes_what_it_lacks_in_its_languages() -> None:
    project = ProjectFactory()
    add(project, "law")
    add(project, "law", "droit", translation_language="fr")
    assert sent(project, replace=True).removed == 1
    found = glossary_entries(project)
    assert [each.word for each in found[("en", "de")]] == ["library", "power of attorney"] and ("en", "fr") in found
    assert GlossaryEntry.history.filter(history_type="-").count() == 1


def test_rejected_rows_are_left_out_and_a_file_of_nothing_else_is_refused() -> None:
    project = ProjectFactory()
    report = sent(project, "law\tRecht\nno tab\n")
    assert report.new == 1 and [each.line for each in report.rejected] == [2]
    tried = sent(project, "no tab\n", dry_run=True)
    assert (tried.entries, tried.rejections) == ([], 1)
    for text, name in (("no tab\n", "a.tsv"), ("x", "a.pdf"), ("<html/>", "a.tbx")):
        with pytest.raises(Invalid) as refused:
            sent(project, text, name)
        assert (refused.value.code, refused.value.where) == ("glossary-file", "file")


def test_a_glossary_grows_no_larger_than_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_ENTRIES", 2)
    project = ProjectFactory()
    sent(project)
    with pytest.raises(Invalid, match="at most 2"):
        add(project)
    with pytest.raises(Invalid, match="at most 2"):
        sent(project, "law\tRecht\n")
    assert GlossaryEntry.objects.count() == 2
    assert sent(project, "law\tRecht\nright\tRecht\n", replace=True).removed == 2
    assert limits.MOST_ENTRIES >= 5_000


def test_entries_are_found_by_term_translation_and_note_whatever_their_case() -> None:
    project = ProjectFactory()
    sent(project)
    for wanted, count in (("ATTORNEY", 1), ("bücherEI", 1), ("house", 1), ("nothing", 0), ("", 2)):
        assert len(glossary_list(project, wanted)) == count, wanted


def test_the_revision_names_the_content_and_the_last_change_grows() -> None:
    project = ProjectFactory()
    assert (glossary_revision({}), glossary_last_change(project.pk)) == ("", None)
    sent(project)
    first, change = glossary_revision(glossary_entries(project)), glossary_last_change(project.pk)
    entry = add(project)
    added = glossary_last_change(project.pk)
    assert glossary_revision(glossary_entries(project)) != first and change and added and added > change
    glossary_entry_delete(entry=entry)
    deleted = glossary_last_change(project.pk)
    assert glossary_revision(glossary_entries(project)) == first and deleted and deleted > added


def test_new_entries_have_the_languages_of_the_newest_or_of_the_first_pair() -> None:
    project = ProjectFactory()
    assert glossary_languages(project) == ("", "")
    pair = PairFactory(project=project)
    assert glossary_languages(project) == (pair.a.language, pair.b.language)
    add(project, term_language="fr", translation_language="it")
    assert glossary_languages(project) == ("fr", "it")


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
