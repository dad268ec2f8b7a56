"""Uploads of glossary files: what they change, what is refused or asked first, and the history that is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.errors import Invalid
from annotation.glossaries import entries as limits
from annotation.glossaries.entries import TermEntry
from annotation.models import Project
from annotation.models.glossary import GlossaryEntry
from annotation.selectors.glossary import glossary_entries
from annotation.services import glossary as services
from annotation.services import glossary_uploads
from annotation.services.glossary_uploads import UploadReport, glossary_upload
from tests.annotation.glossaries.samples import TBX_3, TSV
from tests.annotation.services.test_glossary import add
from tests.factories import ProjectFactory, UserFactory

pytestmark = pytest.mark.django_db


def sent(project: Project, text: str = TSV, name: str = "a.tsv", **more: Any) -> UploadReport:
    given = {"term_language": "en", "translation_language": "de", **more}
    return glossary_upload(project=project, name=name, data=text.encode(), **given)


def test_a_file_adds_changes_and_leaves_alone() -> None:
    project = ProjectFactory()
    add(project, "library", "Bibliothek")
    add(project, "law")
    add(project, "library", "bibliothèque", translation_language="fr")
    tried = sent(project, dry_run=True)
    assert (tried.new, tried.changed, tried.same, tried.removed) == (1, 1, 0, [])
    assert GlossaryEntry.objects.count() == 3 and GlossaryEntry.history.count() == 3
    done = sent(project)
    assert done == replace(tried, written=True) and not tried.written and GlossaryEntry.history.count() == 5
    assert glossary_entries(project)[("en", "de")] == [
        TermEntry("law", ("Recht",)),
        TermEntry("library", ("Bibliothek", "Bücherei"), "the house"),
        TermEntry("power of attorney", ("Vollmacht",)),
    ]
    again = sent(project, TBX_3, "b.tbx")
    assert (again.new, again.changed, again.same) == (0, 0, 2) and GlossaryEntry.history.count() == 5


def test_a_file_that_replaces_deletes_what_it_lacks_in_its_languages() -> None:
    project = ProjectFactory()
    add(project, "law")
    add(project, "law", "droit", translation_language="fr")
    assert sent(project, replace=True, deletes=1).removed == ["law"]
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
    monkeypatch.setattr(services, "MAX_ENTRIES", 2)
    project = ProjectFactory()
    sent(project)
    with pytest.raises(Invalid, match="at most 2"):
        add(project)
    with pytest.raises(Invalid, match="at most 2"):
        sent(project, "law\tRecht\n")
    assert GlossaryEntry.objects.count() == 2
    assert len(sent(project, "law\tRecht\nright\tRecht\n", replace=True, deletes=2).removed) == 2
    assert limits.MAX_ENTRIES >= 5_000


def rows(count: int, word: str = "Wort") -> str:
    return "".join(f"term {n}\t{word} {n}\n" for n in range(count))


def test_history_is_written_with_entries_whoever_sends_them() -> None:
    project, user = ProjectFactory(), UserFactory()
    add(project, "law", note="as a whole")
    sent(project, rows(3), by=user)
    sent(project, rows(2, "Begriff"), replace=True, deletes=2, by=user)
    found = [
        (row.history_type, row.term, row.translations, row.note, row.revision, row.history_user)
        for row in GlossaryEntry.history.filter(project=project).order_by("history_id")
    ]
    assert found[0][:5] == ("+", "law", ["Recht"], "as a whole", 1)
    assert found[1:4] == [("+", f"term {n}", [f"Wort {n}"], "", 1, user) for n in range(3)]
    assert sorted(found[4:6]) == [
        ("-", "law", ["Recht"], "as a whole", 1, user),
        ("-", "term 2", ["Wort 2"], "", 1, user),
    ]
    assert found[6:] == [("~", f"term {n}", [f"Begriff {n}"], "", 2, user) for n in range(2)]
    assert all(
        row.instance == GlossaryEntry.objects.get(pk=row.id) for row in GlossaryEntry.history.filter(history_type="~")
    )
    assert GlossaryEntry.history.filter(history_date=None).count() == 0


def test_an_upload_takes_few_statements_and_no_lock_before_it_writes() -> None:
    project = ProjectFactory()
    sent(project, rows(300))
    with CaptureQueriesContext(
        connection,
    ) as tried:
        sent(project, rows(400, "Begriff"), replace=True, dry_run=True)
    assert len(tried) <= 4 and not any("SAVEPOINT" in each["sql"] or "FOR UPDATE" in each["sql"] for each in tried)
    with CaptureQueriesContext(connection) as done:
        report = sent(project, rows(400, "Begriff").replace("term 1", "word 1"), replace=True, deletes=111)
    assert (report.written, report.new, report.changed, len(report.removed)) == (True, 211, 189, 111)
    assert len(done) < 40


def test_what_changed_after_the_comparison_is_compared_again(monkeypatch: pytest.MonkeyPatch) -> None:
    project = ProjectFactory()
    lock = services.glossary_lock

    def late(locked: Project) -> None:
        add(project, "term 0", "Zuvor")
        monkeypatch.setattr(glossary_uploads, "glossary_lock", lock)
        lock(locked)

    monkeypatch.setattr(glossary_uploads, "glossary_lock", late)
    report = sent(project, rows(2))
    assert (report.new, report.changed) == (1, 1)
    assert {row.term: (row.translations, row.revision) for row in GlossaryEntry.objects.all()} == {
        "term 0": (["Wort 0"], 2), "term 1": (["Wort 1"], 1),
    }  # fmt: skip


def test_deletions_are_asked_for_by_their_number() -> None:
    project = ProjectFactory()
    for term in ("law", "right", "Order"):
        add(project, term)
    for deletes in (0, 2, 4):
        answer = sent(project, replace=True, deletes=deletes)
        assert (answer.removed, answer.written) == (["law", "Order", "right"], False)
    assert GlossaryEntry.objects.count() == 3
    assert sent(project, replace=True, deletes=3).written and GlossaryEntry.objects.count() == 2
    assert sent(project, replace=True, deletes=3).written, "nothing is left to be asked"
