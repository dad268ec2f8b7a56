"""The pairs behind each figure of the analyses: every link opens, and what the pairs contribute makes the figure."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.apps import apps
from django.urls import reverse
from scipy import stats

from agreement.models import CachedReport
from agreement.prelabel_eval import analyses_jobs
from agreement.prelabel_eval.analyses import analyses
from agreement.prelabel_eval.analyses_lists import FigurePart, PairList, pair_list_of
from agreement.prelabel_eval.analyses_panel import analyses_tables
from annotation.figure_tables import Cell
from annotation.models import Project, Verdict
from annotation.services.jobs import jobs_run
from tests.agreement.access import member, statuses
from tests.agreement.prelabel_eval.test_analyses import LEADS, long_row, project, scores, submit  # noqa: F401
from tests.agreement.prelabel_eval.test_scores import highlight, spanned

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def worked(project: Project) -> Project:  # noqa: F811
    """Five pairs with gold, pre-labels and answers of a run, of which two people submitted some."""
    submit(project, "p1", "A", 60, spanned("3", [("a", 0, 2)]))
    submit(project, "p2", "A", 120)
    submit(project, "p5", "A", 600)
    submit(project, "p1", "B", 180, spanned("1", [("b", 0, 4)]))
    submit(project, "p3", "B", 0, verdict=Verdict.FLAGGED)
    runs, lots, outcomes = (apps.get_model("assist", name)._default_manager for name in ("Run", "Lot", "LlmOutcome"))
    pairs = list(project.pairs.order_by("position"))
    run = runs.create(project=project, slug="asked", method="llm.v1", total=5, done=4, failed=1)
    keys = [pair.pk for pair in pairs]
    why = {str(keys[4]): "Too long."}
    lots.create(run=run, ordinal=0, pairs=keys, status="done", finished=project.created, failures=why)
    outcomes.create(run=run, pair=pairs[0], answers=2, repaired=1, tokens=40, padded=4)
    outcomes.create(run=run, pair=pairs[1], answers=2, repaired=2, unusable=1, tokens=60, padded=0)
    return project


def opened(project: Project, part: FigurePart) -> PairList:  # noqa: F811
    found = pair_list_of(project, part, lambda _: None)
    assert found is not None
    return found


def page(project: Project, part: FigurePart) -> str:  # noqa: F811
    address = f"{reverse('analyses-pairs', args=[project.slug])}?{part}"
    response = member(project, "lead").get(address)
    assert response.status_code == 200, address
    text: str = response.content.decode()
    return text


def test_every_figure_that_is_the_projects_own_opens_to_its_pairs(worked: Project) -> None:
    tables = analyses_tables(worked, analyses(worked, resamples=10))
    assert {table.title for table in tables} >= {"Verdicts", "Active time per submission"}
    links = set()
    for table in tables:
        for head, *cells in table.rows:
            for cell in cells:
                assert isinstance(cell, Cell) or cell == "–", (table.title, head, cell)
                links |= {cell.drilldown} if isinstance(cell, Cell) else set()
    client = member(worked, "lead")
    for link in links:
        response = client.get(f"{reverse('analyses-pairs', args=[worked.slug])}?{link.partition('?')[2]}")
        assert response.status_code == 200, link
    assert len(links) > 30


def test_links_of_the_page_are_those_of_the_lists(worked: Project) -> None:
    text = member(worked, "lead").get(reverse("analyses", args=[worked.slug])).content.decode()
    address = reverse("analyses-pairs", args=[worked.slug])
    inside = {unescape(found) for found in re.findall(rf'<a href="({address}[^"]+)"', text)}
    drawn = {unescape(found) for found in re.findall(rf'xlink:href="({address}[^"]+)"', text)}
    assert f"{address}?kind=position&of=3&run=default-v1" in inside
    assert f"{address}?kind=position&of=3&run=default-v1" in drawn and drawn <= inside


def test_pairs_contribute_their_tokens_of_a_tenth(worked: Project) -> None:
    found = opened(worked, FigurePart("position", "3", "default-v1"))
    assert found.gold and sum(int(row.values[0] or 0) for row in found.rows) == found.totals[0]
    (row,) = [row for row in found.rows if row.annotated.name == "p5"]
    # 60 words: those from 12 to 17; side B has two words, which are in the first and the sixth tenth.
    given, labels = scores(60, 5)[0][12:18], long_row(5, 60)["labels_a"][12:18]
    marked = [score for score, label in zip(given, labels, strict=True) if label]
    assert row.values[:2] == (6, 3) and row.values[2] == pytest.approx(sum(marked) / 3)
    assert row.values[4] == pytest.approx(stats.spearmanr(given, labels).statistic)
    inside = [row.values[4] for row in found.rows if row.values[4] is not None]
    assert inside == sorted(inside)


@pytest.mark.parametrize(
    "part",
    [
        FigurePart("length", "1", "default-v1"),
        FigurePart("languages", "EN-DE", "default-v1"),
        FigurePart("annotators", "A", "default-v1"),
    ],
    ids=str,
)
def test_the_correlation_of_a_list_is_that_of_its_figure(worked: Project, part: FigurePart) -> None:
    run = next(each for each in analyses(worked, resamples=10).runs if each.run == "default-v1")
    figure = getattr(run, part.kind)[0]
    found = opened(worked, part)
    assert (len(found.rows), found.totals[0]) == (figure.documents, figure.tokens)
    assert found.totals[1] == pytest.approx(figure.spearman.value)
    assert found.gold == (part.kind != "annotators")


def test_labels_open_where_the_first_word_with_one_is(worked: Project) -> None:
    found = opened(worked, FigurePart("labels", "5", languages="EN-DE", side="a", language="EN"))
    assert [row.annotated.name for row in found.rows] == ["p1", "p2", "p3", "p4", "p5"]
    assert (found.rows[0].values, found.rows[0].anchor) == ((20, 1), "a19")
    assert found.totals == (200, 5)
    text = page(worked, FigurePart("labels", "5", languages="EN-DE", side="a", language="EN"))
    assert "5 pairs: 5 of 200 tokens have this label, 2.50%." in text
    (address,) = re.findall(r'href="([^"]+)">p1<', text)
    pair = member(worked, "lead").get(unescape(address)).content.decode()
    # The gold beside the work of the two people, where the link says.
    assert 'id="a19"' in pair and "A: unmarked; B: unmarked; gold: " in pair


def test_times_are_those_of_the_submissions(worked: Project) -> None:
    # Pairs of 22, 32 and 62 tokens were submitted with active time.
    short = opened(worked, FigurePart("times", "short", languages="EN-DE"))
    assert [(row.annotated.name, row.annotated.annotator, row.values) for row in short.rows] == [
        ("p1", "B", (22, 180)),
        ("p2", "A", (32, 120)),
        ("p1", "A", (22, 60)),
    ]
    assert [row.annotated.name for row in opened(worked, FigurePart("times", "long", languages="EN-DE")).rows] == ["p5"]
    assert "3 submissions, 2.0 minutes on average" in page(worked, FigurePart("times", "short", languages="EN-DE"))


def test_failures_open_to_pairs_with_reasons_and_counts(worked: Project) -> None:
    failed = page(worked, FigurePart("failures", "failed", "asked"))
    assert "1 of 5 pairs, 20.00%." in failed and "Too long." in failed
    processed = opened(worked, FigurePart("failures", "processed", "asked"))
    assert [row.values[0] for row in processed.rows] == ["processed"] * 4 + ["failed"]
    repaired = opened(worked, FigurePart("failures", "repaired", "asked"))
    assert [(row.annotated.name, row.values) for row in repaired.rows] == [("p2", (2, 2)), ("p1", (1, 2))]
    assert repaired.totals == (3, 4)
    assert [row.annotated.name for row in opened(worked, FigurePart("failures", "padded", "asked")).rows] == ["p1"]


def test_verdicts_open_to_who_gave_them(worked: Project) -> None:
    found = opened(worked, FigurePart("verdicts", "flagged"))
    assert [(row.annotated.name, row.annotated.annotator) for row in found.rows] == [("p3", "B")]
    assert reverse("pair", args=[worked.slug, found.rows[0].annotated.pair]) in page(
        worked, FigurePart("verdicts", "flagged")
    )


@pytest.mark.parametrize(
    "part",
    [
        FigurePart(""),
        FigurePart("gold"),
        FigurePart("position", "11", "default-v1"),
        FigurePart("position", "0", "default-v1"),
        FigurePart("length", "9", "default-v1"),
        FigurePart("position", "3", "nobody"),
        FigurePart("languages", "EN-FR", "default-v1"),
        FigurePart("annotators", "C", "default-v1"),
        FigurePart("labels", "9", languages="EN-DE", side="a", language="EN"),
        FigurePart("labels", "5", languages="EN-DE", side="a", language="FR"),
        FigurePart("times", "short", languages="EN-FR"),
        FigurePart("failures", "late", "asked"),
        FigurePart("failures", "failed", "nobody"),
        FigurePart("verdicts", "liked"),
        FigurePart("verdicts", "none"),
        FigurePart("verdicts", "x" * 700),
    ],
    ids=lambda part: str(part)[:60],
)
def test_figures_that_there_are_not_are_not_found(worked: Project, part: FigurePart) -> None:
    address = f"{reverse('analyses-pairs', args=[worked.slug])}?{part}"
    assert member(worked, "lead").get(address).status_code == 404


def test_access(worked: Project) -> None:
    assert (
        statuses(worked, f"{reverse('analyses-pairs', args=[worked.slug])}?{FigurePart('verdicts', 'flagged')}")
        == LEADS
    )


def test_only_leads_see_the_gold_beside_the_work(worked: Project) -> None:
    pair = worked.pairs.get(external_id="p1")
    address = f"{reverse('agreement-pair', args=[worked.slug, pair.pk])}?phase=main&gold=1"
    text = member(worked, "lead").get(address).content.decode()
    assert "gold: " in text and "Annotators and the gold differ in" in text
    assert "gold: " not in member(worked, "adjudicator").get(address).content.decode()


def test_a_list_of_much_data_is_left_to_a_worker(worked: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses_jobs, "MAX_SYNC_ROWS", 0)
    lead = member(worked, "lead")
    address = f"{reverse('analyses-pairs', args=[worked.slug])}?{FigurePart('position', '3', 'default-v1')}"
    waiting = lead.get(address)
    assert waiting.status_code == 202 and 'http-equiv="refresh"' in waiting.content.decode()
    assert jobs_run(analyses_jobs.ANALYSES_JOBS) == 1
    assert "p5" in lead.get(address).content.decode()
    highlight(worked, {"p5": scores(60, 99)})
    old = lead.get(address)
    assert old.status_code == 200 and "This list is out of date" in old.content.decode()
    assert jobs_run(analyses_jobs.ANALYSES_JOBS) == 1
    assert "This list is out of date" not in lead.get(address).content.decode()


def test_a_list_that_fails_says_so(worked: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses_jobs, "MAX_SYNC_ROWS", 0)
    lead = member(worked, "lead")
    address = f"{reverse('analyses-pairs', args=[worked.slug])}?{FigurePart('position', '3', 'default-v1')}"
    lead.get(address)
    monkeypatch.setattr(analyses_jobs, "pair_list_of", lambda *_: 1 / 0)
    assert jobs_run(analyses_jobs.ANALYSES_JOBS) == 1
    failed: Any = lead.get(address)
    assert failed.status_code == 409 and "This list could not be computed" in failed.content.decode()


def test_lists_of_earlier_states_are_forgotten_with_the_next_analyses(worked: Project) -> None:
    lead, lists = member(worked, "lead"), CachedReport.objects.filter(view__startswith="analyses?")
    lead.get(f"{reverse('analyses-pairs', args=[worked.slug])}?{FigurePart('position', '3', 'default-v1')}")
    lead.get(reverse("analyses", args=[worked.slug]))
    assert lists.count() == 1
    highlight(worked, {"p5": scores(60, 99)})
    lead.get(reverse("analyses", args=[worked.slug]))
    assert lists.count() == 0
