"""Labels carried from EN-DE to EN-FR in a made project: beside EN-FR's gold, and beside what people submitted."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.urls import reverse
from pytest_django.fixtures import Settings
from scipy import stats

from agreement.prelabel_eval.projection import projection_score
from agreement.prelabel_eval.scores import prelabel_scores
from annotation.models import Annotation, Assignment, Highlight, Pair, Project, Source, Verdict
from annotation.selectors.highlights import highlight_runs
from annotation.services.imports import import_files
from annotation.text.schemes import PRESETS
from tests.agreement.access import member
from tests.annotation.formats.samples import lines, span
from tests.assist.model_memory import forget_models
from tests.factories import AnnotatorFactory, AssignmentFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

PAGES = {
    "dogs": {"en": "A dog sleeps in a garden.", "de": "Ein Hund schläft in Bern.", "fr": "Un chien dort à Berne ici."},
    "cats": {"en": "The cat sees the house.", "de": "Die Katze sieht das Haus.", "fr": "Le chat voit la maison."},
}  # fmt: skip
"""Two pages in three languages."""


def page(name: str, language: str, *spans: dict[str, Any], gold: bool = True) -> dict[str, Any]:
    texts = PAGES[name]
    row: dict[str, Any] = {
        "id": f"{name}-{language}",
        "a": {"language": "en", "text": texts["en"]},
        "b": {"language": language, "text": texts[language]},
    }
    return row | ({"gold": {"spans": [{**each, "id": str(index)} for index, each in enumerate(spans)]}} if gold else {})


def at(text: str, word: str, side: str) -> tuple[str, int, int]:
    return side, text.index(word), text.index(word) + len(word)


def on(name: str, label: str, english: str, language: str, word: str) -> dict[str, Any]:
    """A span of an English word and one in the other language."""
    return span(label, at(PAGES[name]["en"], english, "a"), at(PAGES[name][language], word, "b"))


GERMAN = [
    page("dogs", "de", on("dogs", "5", "dog", "de", "Hund")),
    page("cats", "de", on("cats", "2", "house", "de", "Haus")),
]


@pytest.fixture
def made(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Project]:
    settings.DATA_DIR = tmp_path
    forget_models()
    cache.clear()
    monkeypatch.setattr("assist.runs.services.notify", lambda *_: None)

    def project(*rows: dict[str, Any]) -> Project:
        import_files(slug="pages", paths=[lines(tmp_path / "pages.jsonl", *rows)], scheme=PRESETS["graded"].to_json())
        return Project.objects.get(slug="pages")

    return project


def projected(*arguments: str) -> str:
    out = StringIO()
    call_command("prelabel", "--project", "pages", "--method", "projection", "--wait", *arguments, stdout=out)
    return out.getvalue()


def test_pairs_over_the_same_page_get_labels_and_the_others_none(made: Callable[..., Project]) -> None:
    project = made(*GERMAN, *(page(name, "fr", gold=False) for name in PAGES))
    said = projected()
    assert "is done: 4 of 4 pairs, 0 failed" in said
    assert "2 pairs get no pre-labels, as they share no text with a labelled pair of another language" in said
    assert "dogs-de, cats-de" in said
    held = {each.pair.external_id: each for each in Highlight.objects.select_related("pair__a", "pair__b")}
    assert set(held) == {"dogs-fr", "cats-fr"}
    assert held["dogs-fr"].method == "projection.v1"
    (proposal,) = held["dogs-fr"].proposals
    texts = {"a": PAGES["dogs"]["en"], "b": PAGES["dogs"]["fr"]}
    words = {texts[part["side"]][part["start"] : part["end"]] for part in proposal["fragments"]}
    assert (proposal["label"], proposal["predicted"], words) == ("5", "5", {"dog", "chien"})
    page_of_run = member(project, "lead").get(reverse("prelabels-run", args=["pages", "projection-v1"]))
    text = page_of_run.content.decode()
    assert "Pairs without pre-labels" in text and "<li>cats-de</li>" in text
    assert "de to fr: 2 pairs" in text and "labelled documents" in text


def test_gold_of_the_other_language_is_set_beside_the_labels(made: Callable[..., Project]) -> None:
    """EN-FR's own gold: the dog as '3' and the house not at all; 'sees' (voit) instead, as '2'."""
    project = made(
        *GERMAN,
        page("dogs", "fr", on("dogs", "3", "dog", "fr", "chien")),
        page("cats", "fr", on("cats", "2", "sees", "fr", "voit")),
    )
    projected()
    (run,) = highlight_runs(project)
    found = projection_score(project, run, 0)
    assert found is not None and found.seen == 0 and not found.changed
    german, french = found.carried
    assert (german.name, french.name) == ("EN-DE", "EN-FR")
    # French, without the full stops: Un chien dort à Berne ici | Le chat voit la maison
    carried, own = [0, 5, *[0] * 8, 2], [0, 3, *[0] * 6, 2, 0, 0]
    assert (french.documents, french.tokens) == (2, 11)
    assert french.spearman.value == pytest.approx(stats.spearmanr(carried, own).statistic)
    assert french.kendall.value == pytest.approx(stats.kendalltau(carried, own).statistic)
    assert french.same == pytest.approx(float(np.mean(np.array(carried) == own)))
    assert french.iou == pytest.approx(1 / 3)
    # English: A dog sleeps in a garden | The cat sees the house, as the German and as the French gold has it.
    (english,) = found.shared
    one, other = [0, 5, *[0] * 8, 2], [0, 3, *[0] * 6, 2, 0, 0]
    assert (english.name, english.others, english.documents, english.tokens) == ("EN", ("DE", "FR"), 2, 11)
    assert english.spearman.value == pytest.approx(stats.spearmanr(one, other).statistic)
    assert english.same == pytest.approx(8 / 11) and english.iou == pytest.approx(1 / 3)
    out = StringIO()
    call_command("evaluate_prelabels", "--project", "pages", "--format", "json", stdout=out)
    (printed,) = json.loads(out.getvalue())["runs"]
    assert printed["projection"]["carried"][1]["languages"] == "EN-FR"
    assert printed["projection"]["carried"][1]["spearman"] == french.spearman.value
    assert printed["projection"]["shared"][0]["others"] == ["DE", "FR"]
    out = StringIO()
    call_command("evaluate_prelabels", "--project", "pages", stdout=out)
    assert "Gold of two language pairs on the text they share" in out.getvalue()


def submit(pair: Pair, alias: str, *spans: dict[str, Any], shown: bool = True) -> Annotation:
    person = AnnotatorFactory(project=pair.project, alias=alias)
    assignment: Assignment = AssignmentFactory(pair=pair, annotator=person, highlights_shown=shown)
    stored = {"v": 1, "spans": [{**each, "id": str(index)} for index, each in enumerate(spans)]}
    return Annotation.objects.create(
        source=Source.HUMAN, pair=pair, assignment=assignment, spans=stored, verdict=Verdict.SUBMITTED
    )


def test_what_people_changed_is_counted_by_language_and_leads_to_the_pairs(made: Callable[..., Project]) -> None:
    project = made(*GERMAN, *(page(name, "fr", gold=False) for name in PAGES))
    before = submit(project.pairs.get(external_id="dogs-fr"), "earlier")
    projected()
    dogs, cats = (project.pairs.get(external_id=f"{name}-fr") for name in PAGES)
    # As it was carried; one label changed on both sides; one token more on one side, and one without highlights.
    submit(dogs, "A", on("dogs", "5", "dog", "fr", "chien"))
    submit(dogs, "B", on("dogs", "4", "dog", "fr", "chien"))
    submit(cats, "A2", on("cats", "2", "house", "fr", "maison"), span("1", at(PAGES["cats"]["fr"], "voit", "b")))
    submit(cats, "C", shown=False)
    (run,) = highlight_runs(project)
    found = projection_score(project, run, 0)
    assert found is not None
    (changed,) = found.changed
    assert (changed.languages, changed.pairs, changed.submissions) == ("EN-FR", 2, 3)
    # Without the full stops 12 tokens of the dogs' pair, twice, and 10 of the cats'.
    assert changed.tokens == 34
    assert changed.share.value == pytest.approx((0 + 2 + 1) / 34)
    lead = member(project, "lead")
    address = reverse("prelabels-quality", args=["pages"])
    first = lead.get(address).content.decode()
    assert "?projection=projection-v1" in first
    panel = lead.get(f"{address}?projection=projection-v1").content.decode()
    assert "8.82" in panel and "1.7 to 3.5" in panel
    assert "?changed=projection-v1&amp;languages=EN-FR" in panel
    listed = lead.get(f"{address}?changed=projection-v1&languages=EN-FR")
    assert "3 submissions; 8.82% of their tokens" in listed.content.decode()
    assert [(name, cells[:3]) for _, name, cells in listed.context["rows"]] == [
        ("dogs-fr", ("B", "12", "2")), ("cats-fr", ("A2", "10", "1")), ("dogs-fr", ("A", "12", "0")),
    ]  # fmt: skip
    assert before.pk not in {row for row, _, _ in listed.context["rows"]}
    assert lead.get(f"{address}?changed=projection-v1&languages=EN-XX").status_code == 200
    assert lead.get(f"{address}?projection=default-v1").status_code == 404


def test_gold_of_people_who_saw_the_labels_is_not_set_beside_them(made: Callable[..., Project]) -> None:
    project = made(
        *GERMAN,
        page("dogs", "fr", on("dogs", "3", "dog", "fr", "chien")),
        page("cats", "fr", on("cats", "2", "sees", "fr", "voit")),
    )
    projected()
    submit(project.pairs.get(external_id="dogs-fr"), "A", on("dogs", "5", "dog", "fr", "chien"))
    (run,) = highlight_runs(project)
    found = projection_score(project, run, 0)
    assert found is not None and found.seen == 1
    assert [(each.name, each.documents) for each in found.carried] == [("EN-DE", 2), ("EN-FR", 1)]


def test_gold_of_people_who_saw_an_earlier_run_is_not_set_beside_a_later_one(made: Callable[..., Project]) -> None:
    project = made(
        *GERMAN,
        page("dogs", "fr", on("dogs", "3", "dog", "fr", "chien")),
        page("cats", "fr", on("cats", "2", "sees", "fr", "voit")),
    )
    projected()
    submit(project.pairs.get(external_id="dogs-fr"), "A", on("dogs", "5", "dog", "fr", "chien"))
    projected("--set", "path=shared")
    later = next(each for each in highlight_runs(project) if each.run != "projection-v1")
    found = projection_score(project, later, 0)
    assert found is not None and found.seen == 1


def test_without_gold_of_the_other_language_a_run_still_has_its_row(made: Callable[..., Project]) -> None:
    made(*GERMAN, page("dogs", "fr", gold=False))
    projected()
    (score,) = prelabel_scores(Project.objects.get())
    assert (score.documents, score.spearman.value) == (0, None)
    assert score.projection is not None and score.projection.carried == ()
    lead = member(Project.objects.get(), "lead")
    address = reverse("prelabels-quality", args=["pages"])
    panel = lead.get(f"{address}?run=projection-v1").content.decode()
    assert "None of the pairs that this run pre-labelled has gold." in panel and "<svg" not in panel
    panel = lead.get(f"{address}?projection=projection-v1").content.decode()
    assert "Nobody has yet submitted a pair on which these labels were shown." in panel


def test_labels_that_lose_their_source_are_deleted_when_the_run_is_retrained(made: Callable[..., Project]) -> None:
    from assist.runs.selectors import run_get
    from assist.runs.services import run_retrain
    from tests.assist.finished_work import work_through

    project = made(*GERMAN, *(page(name, "fr", gold=False) for name in PAGES))
    projected()
    Annotation.objects.filter(pair__external_id="dogs-de").delete()
    run = work_through(run_retrain(run=run_get(project, "projection-v1"), notify_workers=False))
    assert run.status == "done" and (run.done, run.failed) == (4, 0)
    assert [each.pair.external_id for each in Highlight.objects.select_related("pair")] == ["cats-fr"]


def test_other_runs_have_no_such_figures(made: Callable[..., Project]) -> None:
    project = made(*GERMAN)
    call_command("prelabel", "--project", "pages", "--wait", stdout=StringIO())
    (run,) = highlight_runs(project)
    assert projection_score(project, run, 0) is None
    assert "projection" not in prelabel_scores(project)[0].to_json()
