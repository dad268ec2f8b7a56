"""A run's word lists: written down when it is requested, the same for every worker, unchanged by later edits."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import JobStatus, Project
from annotation.models.glossary import GlossaryEntry
from annotation.services.glossary import glossary_entry_save
from annotation.services.jobs import jobs_run
from assist.methods.base import MethodError
from assist.methods.lexicon.entries import TermEntry
from assist.models import WordListCoverage
from assist.runs import services
from assist.runs.method_inputs import word_list_snapshot, word_lists
from assist.runs.word_lists import CURRENT_FOR, WORD_LISTS, word_list_report, word_list_request
from tests.assist.finished_work import work_through
from tests.assist.methods.lexicon import dictionaries
from tests.factories import PairFactory, ProjectFactory, TextFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("notified")]
EN_DE = [("en", "de-CH")]


def add(project: Project, term: str = "library", translation: str = "Bibliothek") -> GlossaryEntry:
    return glossary_entry_save(
        project=project, term_language="en", translation_language="de-CH", term=term, translations=[translation]
    )


def test_a_run_keeps_the_glossary_it_was_requested_with(project: Project) -> None:
    entry = add(project)
    run = work_through(services.run_request(project=project, method="default"))
    assert run.status == JobStatus.DONE, run.error
    held = run.training["glossary"]
    assert held["entries"] == [["en", "de-CH", "library", ["Bibliothek"]]]
    assert run.report["glossary"] == f"1 entries (revision {held['revision']})"
    languages = {"term_language": "en", "translation_language": "de"}
    glossary_entry_save(project=project, entry=entry, base=1, term="book", translations=["Buch"], **languages)
    again = services.run_request(project=project, method="default")
    assert (again.digest, again.training, again.status) == (run.digest, run.training, JobStatus.DONE)
    anew = work_through(services.run_retrain(run=again))
    assert anew.digest != run.digest and anew.training["glossary"]["entries"] == [["en", "de", "book", ["Buch"]]]


@pytest.mark.parametrize(("method", "given"), [("default", {"lexicon": "false"}), ("fake", {})])
@pytest.mark.usefixtures("fakes")
def test_a_run_that_looks_nothing_up_keeps_none(project: Project, method: str, given: dict[str, str]) -> None:
    add(project)
    run = services.run_request(project=project, method=method, settings=given)
    assert not {"glossary", "dictionaries"} & set(run.training)


def test_lists_are_read_back_by_base_language(project: Project) -> None:
    add(project)
    lists = word_lists(word_list_snapshot(project, EN_DE))
    assert lists.glossary == {("en", "de"): [TermEntry("library", ("Bibliothek",))]} and lists.revision
    assert lists.between("de", "en") == [TermEntry("Bibliothek", ("library",))]
    assert word_lists({}).glossary == {} and word_lists({}).dictionaries == ()


def test_installed_dictionaries_of_the_projects_languages_are_named_with_their_digest(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "dictd"
    folder.mkdir()
    monkeypatch.setenv("DIPTYCH_DICTIONARIES", str(folder))
    for name in ("freedict-eng-deu", "freedict-deu-eng", "freedict-eng-fra"):
        dictionaries.write(folder, name)
    named = word_list_snapshot(project, EN_DE)["dictionaries"]
    assert list(named) == ["freedict-deu-eng", "freedict-eng-deu"]
    assert word_lists({"dictionaries": named}).dictionaries == tuple(named)
    run = work_through(services.run_request(project=project, method="default"))
    assert run.status == JobStatus.DONE and run.report["dictionaries"] == "freedict-deu-eng, freedict-eng-deu"


def test_a_worker_with_another_dictionary_fails_the_run_and_says_what_to_do(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "dictd"
    folder.mkdir()
    monkeypatch.setenv("DIPTYCH_DICTIONARIES", str(folder))
    dictionaries.write(folder)
    run = services.run_request(project=project, method="default")
    dictionaries.write(folder, articles={"house": "house\nHeim\n"})
    with pytest.raises(MethodError, match="freedict-eng-deu"):
        word_lists(run.training)
    failed = work_through(run)
    assert failed.status == JobStatus.FAILED and "DIPTYCH_DICTIONARIES" in failed.error
    monkeypatch.setenv("DIPTYCH_DICTIONARIES", "")
    done = work_through(services.run_retrain(run=failed))
    assert done.status == JobStatus.DONE and "dictionaries" not in done.training


@pytest.fixture
def words() -> Project:
    """A pair of which 'zorp' and 'Zorpel' are in no list."""
    pair = PairFactory(
        a=TextFactory(content="The school has 3 zorp zorp.", language="en"),
        b=TextFactory(content="Die Schule hat 3 Zorpel.", language="de"),
    )
    project: Project = pair.project
    return project


def test_coverage_counts_running_content_words_list_by_list(words: Project) -> None:
    before = word_list_report(words)
    german, english = before.coverage
    assert (english.language, english.other, english.words, english.shares) == ("en", "de", 3, {"core": 1 / 3})
    assert (german.language, german.words, german.shares["core"], before.percent) == ("de", 2, 0.5, 40)
    add(words, "zorp", "Zorpel")
    after = word_list_report(words)
    assert [each.shares["glossary"] for each in after.coverage] == [0.5, 2 / 3]
    assert [each.all for each in after.coverage] == [1, 1] and after.percent == 100


def test_the_page_shows_coverage_and_licences(
    words: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, admin_client: Client
) -> None:
    folder = tmp_path / "dictd"
    folder.mkdir()
    monkeypatch.setenv("DIPTYCH_DICTIONARIES", str(folder))
    index = dictionaries.write(folder, articles={**dictionaries.ARTICLES, "zorp": "zorp\nZorpel\n"})
    address = f"/projects/{words.slug}/prelabels/word-lists/"
    waiting = admin_client.get(address).content.decode()
    assert (
        "A worker is counting" in waiting and "No worker is running" in waiting and 'hx-trigger="every 2s"' in waiting
    )
    assert jobs_run(WORD_LISTS) == 1
    page = " ".join(admin_client.get(address).content.decode().split())
    assert "cover <b>80%</b> of the words" in page and "GPL, version 2 or later" in page and "100%" in page
    assert "hx-trigger" not in page and "in 1 pair;" in page
    index.write_text("broken\n")
    WordListCoverage.objects.update(computed=timezone.now() - CURRENT_FOR)
    again = admin_client.get(address).content.decode()
    assert "a worker is counting again" in again and "<b>80%</b>" in again, "the older counts are shown meanwhile"
    assert jobs_run(WORD_LISTS) == 1
    assert "freedict-eng-deu.index:1" in admin_client.get(address).content.decode()
    assert word_list_report(ProjectFactory()).coverage == []


def test_it_is_counted_again_when_texts_or_glossary_change_and_not_otherwise(words: Project) -> None:
    for change in (None, lambda: add(words, "zorp", "Zorpel"), lambda: PairFactory(project=words, position=9)):
        if change:
            change()
        assert word_list_request(words)[1] is False and jobs_run(WORD_LISTS) == 1
        assert word_list_request(words)[1] is True and jobs_run(WORD_LISTS) == 0


def test_counting_that_fails_is_not_repeated_at_once(words: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assist.runs.word_lists.word_list_report", lambda _: 1 / 0)
    word_list_request(words)
    assert jobs_run(WORD_LISTS) == 1
    row, current = word_list_request(words)
    assert row.problem and not current and not row.requested_fingerprint and jobs_run(WORD_LISTS) == 0


def test_the_page_reads_no_list(words: Project, admin_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    word_list_request(words)
    jobs_run(WORD_LISTS)
    monkeypatch.setattr("assist.runs.word_lists.coverage", pytest.fail)
    page = admin_client.get(f"/projects/{words.slug}/prelabels/word-lists/").content.decode()
    assert "<b>40%</b>" in page
