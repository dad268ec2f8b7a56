"""The analyses, on pairs small enough to count by hand, and on the published files by a second implementation."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.apps import apps
from django.core.management import call_command
from django.urls import reverse
from scipy import stats

from agreement.data.analysis_inputs import PairAnnotation, TimedAnnotation
from agreement.data.highlight_arrays import scored_run
from agreement.models import CachedReport
from agreement.prelabel_eval import analyses_jobs
from agreement.prelabel_eval.analyses import analyses, by_length, by_position, times_of
from agreement.prelabel_eval.analyses_panel import analyses_body, analyses_tables
from annotation.models import Annotation, Project, Source, Verdict
from annotation.services.jobs import jobs_run
from tests.agreement.access import member, statuses
from tests.agreement.prelabel_eval.test_scores import graded, highlight, parade, row, spanned
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory
from tests.paths import published

pytestmark = [pytest.mark.any_database, pytest.mark.django_db]
LEADS = {"stranger": 404, "annotator": 403, "adjudicator": 403, "lead": 200, "nobody": 302}


def long_row(number: int, words: int) -> dict[str, Any]:
    """A pair whose side A has so many words, every second one labelled 2 and the last 5; side B has two."""
    labels = [0.4 * (index % 2) for index in range(words)]
    labels[-1] = 1.0
    return row(number) | {"text_a": " ".join(f"w{index}" for index in range(words)), "labels_a": labels}


def scores(words: int, seed: int) -> tuple[list[float], list[float]]:
    given = np.random.default_rng(seed).random(words + 2).round(3).tolist()
    return given[:words], given[words:]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Five pairs with 20 to 60 words."""
    made = graded(tmp_path, *(long_row(number, 10 * number + 10) for number in range(1, 6)))
    highlight(made, {f"p{number}": scores(10 * number + 10, number) for number in range(1, 6)})
    return made


def texts(table: Mapping[str, Any]) -> list[list[str]]:
    """What the cells of a stored table say."""
    return [[cell["text"] for cell in row] for row in table["rows"]]


def submit(project: Project, name: str, alias: str, seconds: int, *spans: dict[str, Any], **more: Any) -> Annotation:
    pair = project.pairs.get(external_id=name)
    person = project.annotators.filter(alias=alias).first() or AnnotatorFactory(project=project, alias=alias)
    stored = {"v": 1, "spans": [{**span, "id": str(index)} for index, span in enumerate(spans)]}
    given = {"verdict": Verdict.SUBMITTED, "active_seconds": seconds, **more}
    return Annotation.objects.create(
        source=Source.HUMAN, pair=pair, assignment=AssignmentFactory(pair=pair, annotator=person), spans=stored, **given
    )


def test_tenths_of_the_texts_pool_the_tokens_of_all_documents(project: Project) -> None:
    found = list(by_position(scored_run(project, "default-v1", 0), 10))
    assert [each.name for each in found] == [str(n) for n in range(1, 11)]
    tenths: dict[int, tuple[list[float], list[float]]] = {n: ([], []) for n in range(10)}
    for number in range(1, 6):
        words = 10 * number + 10
        (a, b), gold = scores(words, number), long_row(number, words)
        for given, labels in ((a, gold["labels_a"]), (b, gold["labels_b"])):
            for index, (score, label) in enumerate(zip(given, labels, strict=True)):
                tenths[10 * index // len(given)][0].append(score)
                tenths[10 * index // len(given)][1].append(label)
    for each, (given, labels) in zip(found, tenths.values(), strict=True):
        assert each.tokens == len(given) and each.documents == 5
        assert each.spearman.value == pytest.approx(stats.spearmanr(given, labels).statistic)
        assert each.kendall.value == pytest.approx(stats.kendalltau(given, labels).statistic)


def test_quarters_go_from_the_shortest_documents_to_the_longest(project: Project) -> None:
    found = list(by_length(scored_run(project, "default-v1", 0), 10))
    # 22, 32, 42, 52 and 62 tokens in both texts: two in the first quarter, one in each of the others.
    assert [(each.name, each.documents) for each in found] == [("22-32", 2), ("42-42", 1), ("52-52", 1), ("62-62", 1)]
    (a, b), gold = scores(60, 5), long_row(5, 60)
    wanted = stats.spearmanr([*a, *b], [*gold["labels_a"], *gold["labels_b"]]).statistic
    assert found[-1].spearman.value == pytest.approx(wanted)


def test_each_annotators_labels_stand_in_for_the_gold(project: Project) -> None:
    submit(project, "p1", "A10", 0, spanned("3", [("a", 0, 2)]))
    submit(project, "p1", "A2", 0, spanned("1", [("b", 0, 4)]))
    submit(project, "p2", "A2", 0)
    submit(project, "p3", "A2", 0, verdict=Verdict.REJECTED)
    (run,) = analyses(project, resamples=10).runs
    assert [(each.name, each.documents, each.tokens) for each in run.annotators] == [("A2", 2, 22 + 32), ("A10", 1, 22)]
    a, b = scores(20, 1)
    marked = [3, *[0] * 19, 0, 0]
    assert run.annotators[1].spearman.value == pytest.approx(stats.spearmanr([*a, *b], marked).statistic)
    assert [each.name for each in run.languages] == ["EN-DE"]


def test_labels_are_counted_by_the_language_of_the_text(tmp_path: Path) -> None:
    found = analyses(graded(tmp_path, row(1), row(2)), resamples=10)
    assert found.gold
    assert [(each.pair, each.language, dict(each.tokens)) for each in found.labels] == [
        ("EN-DE", "EN", {"0": 2, "1": 0, "2": 2, "3": 0, "4": 0, "5": 2}),
        ("EN-DE", "DE", {"0": 2, "1": 2, "2": 0, "3": 0, "4": 0, "5": 0}),
    ]


def test_without_gold_labels_are_those_of_submissions_and_correlations_those_of_annotators(tmp_path: Path) -> None:
    project = parade(tmp_path, [""])
    Annotation.objects.all().delete()
    highlight(project, {"x0": ([0, 0], [0.1, 0.5, 0.8, 0.2])})
    submit(project, "x0", "A", 0, spanned("new", [("b", 4, 5)]))
    found = analyses(project, resamples=10)
    assert not found.gold and dict(found.labels[0].tokens) == {"same": 3, "inferable": 0, "new": 1}
    (run,) = found.runs
    assert (run.position, run.length, run.languages) == ((), (), ()) and run.annotators[0].tokens == 3


def test_short_and_long_pairs_are_cut_at_the_median_length() -> None:
    work = [
        TimedAnnotation(PairAnnotation(1, "p1"), "EN-DE", 100, 60),
        TimedAnnotation(PairAnnotation(1, "p1"), "EN-DE", 100, 120),
        TimedAnnotation(PairAnnotation(2, "p2"), "EN-DE", 200, 300),
        TimedAnnotation(PairAnnotation(3, "p3"), "EN-DE", 300, 600),
        TimedAnnotation(PairAnnotation(4, "p4"), "EN-FR", 50, 30),
    ]
    short, long, french = times_of(work, 10)
    # The lengths of the three pairs: 100, 200, 300.
    assert (short.bound, short.submissions, long.submissions) == (200, 3, 1)
    assert (short.seconds.value, short.median) == (160, 120)
    assert short.tokens == pytest.approx(400 / 3)
    assert short.pace == pytest.approx(100 * 480 / 400)
    assert (long.seconds.value, long.pace) == (600, 200)
    assert (french.long, french.seconds.value) == (False, 30)


def test_failures_of_runs_and_of_answers(project: Project) -> None:
    runs, outcomes = (apps.get_model("assist", name)._default_manager for name in ("Run", "LlmOutcome"))
    runs.create(project=project, slug="one", method="simalign-argmax.v1", total=6, done=3, failed=1)
    sources = {"1": [], "2": [[1, "a"]]}
    runs.create(project=project, slug="two", method="projection.v1", total=4, done=4, report={"sources": sources})
    three = runs.create(project=project, slug="three", method="llm.v1", total=5, done=5)
    runs.create(project=project, slug="four", method="finetuned.v1", total=4)
    pairs = list(project.pairs.all())
    outcomes.create(run=three, pair=pairs[0], answers=2, repaired=1, tokens=40, padded=4)
    outcomes.create(run=three, pair=pairs[1], answers=2, repaired=0, unusable=1, tokens=60, padded=1)
    submit(project, "p1", "A", 0)
    submit(project, "p2", "A", 0, verdict=Verdict.FLAGGED)
    said = analyses(project, resamples=10).to_json()
    assert said["failures"] == [
        {"run": "one", "method": "simalign-argmax.v1", "pairs": 4, "failed": 1, "without": 0},
        {"run": "two", "method": "projection.v1", "pairs": 4, "failed": 0, "without": 1},
        {
            **{"run": "three", "method": "llm.v1", "pairs": 5, "failed": 0, "without": 0},
            **{"repaired_share": 0.25, "unusable_share": 0.25, "padded_share": 0.05},
        },
        {"run": "four", "method": "finetuned.v1", "pairs": 0, "failed": 0, "without": 0},
    ]
    (table,) = [each for each in analyses_tables(project, analyses(project, resamples=10)) if "answers" in each.title]
    assert table.columns[1] == "pairs processed"
    assert table.rows[0][:3] == ("one", "4", "25.00") and table.rows[3][:4] == ("four", "0", "–", "–")
    assert said["verdicts"] == {"submitted": 1, "flagged": 1}


def test_the_command_prints_tables_and_json(project: Project) -> None:
    def printed(*arguments: str) -> str:
        out = StringIO()
        call_command("analyses", "--project", "towns", *arguments, stdout=out)
        return out.getvalue()

    said = json.loads(printed("--format", "json"))
    assert set(said) == {"runs", "labels_of", "labels", "times", "failures", "verdicts"}
    assert len(said["runs"][0]["position"]) == 10 and said["labels_of"] == "gold"
    text = printed()
    assert "Spearman's ρ with the gold, by tenth of the text (× 100)" in text
    assert "published" not in text


def test_an_empty_project_has_nothing_to_analyse() -> None:
    bare = PairFactory().project
    out = StringIO()
    call_command("analyses", "--project", bare.slug, stdout=out)
    assert out.getvalue().strip() == "There is nothing to analyse yet."
    page = member(bare, "lead").get(reverse("analyses", args=[bare.slug])).content.decode()
    assert "There is nothing to analyse yet." in page


def test_access(project: Project) -> None:
    assert statuses(project, reverse("analyses", args=[project.slug])) == LEADS


def test_the_page_has_plots_with_text_and_tables(project: Project) -> None:
    submit(project, "p1", "A", 90)
    page = member(project, "lead").get(reverse("analyses", args=[project.slug])).content.decode()
    assert page.count("<svg") == 4 and 'aria-label="default-v1, 1: ' in page
    assert "quarter of the pairs, from short to long" in page and "Verdicts" in page
    stored = CachedReport.objects.get(view="analyses")
    assert stored.body and stored.body["json"]["times"][0]["seconds"] == 90


def test_much_work_is_left_to_a_worker_and_computed_once(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses_jobs, "MAX_SYNC_ROWS", 0)
    lead, address = member(project, "lead"), reverse("analyses", args=[project.slug])
    first = lead.get(address).content.decode()
    assert "A worker is computing this" in first and "<svg" not in first
    assert jobs_run(analyses_jobs.ANALYSES_JOBS) == 1
    done = lead.get(address).content.decode()
    assert "<svg" in done and "A worker is computing" not in done
    assert jobs_run(analyses_jobs.ANALYSES_JOBS) == 0
    highlight(project, {"p1": scores(20, 99)})
    old = lead.get(address).content.decode()
    assert "These figures are out of date" in old and "<svg" in old


def test_analyses_are_computed_again_when_a_run_has_processed_more(project: Project) -> None:
    lead, address = member(project, "lead"), reverse("analyses", args=[project.slug])
    runs = apps.get_model("assist", "Run")._default_manager
    run = runs.create(project=project, slug="two", method="projection.v1", total=4)

    def failures() -> list[dict[str, Any]]:
        lead.get(address)
        stored = CachedReport.objects.get(view="analyses")
        return stored.body["json"]["failures"] if stored.body else []

    assert [each["pairs"] for each in failures()] == [0]
    runs.filter(pk=run.pk).update(done=4)
    assert [each["pairs"] for each in failures()] == [4]


def test_analyses_that_fail_are_tried_again_on_request(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses_jobs, "MAX_SYNC_ROWS", 0)
    lead, address = member(project, "lead"), reverse("analyses", args=[project.slug])
    lead.get(address)
    with monkeypatch.context() as broken:
        broken.setattr(analyses_jobs, "analyses", lambda *_, **__: 1 / 0)
        assert jobs_run(analyses_jobs.ANALYSES_JOBS) == 1
    assert "The analyses could not be computed" in lead.get(address).content.decode()
    assert jobs_run(analyses_jobs.ANALYSES_JOBS) == 0
    assert lead.post(address).status_code == 302
    assert jobs_run(analyses_jobs.ANALYSES_JOBS) == 1
    assert "<svg" in lead.get(address).content.decode()


@pytest.mark.data
def test_the_released_gold_of_swissgov_has_the_published_labels() -> None:
    path = published("swissgov", "gold_labels", "gold_admin_de.jsonl")
    call_command(
        *("import_pairs", str(path), "--project", "admin", "--format", "rsd"),
        *("--set", "language_a=en", "--set", "language_b=de"),
        stdout=StringIO(),
    )
    project = Project.objects.get(slug="admin")
    pairs = {pair.external_id: pair for pair in project.pairs.select_related("a", "b")}
    random = np.random.default_rng(7)
    given = {
        name: (random.random(len(pair.a.tokens)).round(3).tolist(), random.random(len(pair.b.tokens)).round(3).tolist())
        for name, pair in list(pairs.items())[:40]
    }
    highlight(project, given)
    found = analyses(project, resamples=5)
    total: Counter[str] = Counter()
    for each in found.labels:
        total.update(each.tokens)
    assert total == {"0": 132773, "1": 988, "2": 4099, "3": 4416, "4": 1766, "5": 5592}
    # A second implementation of the tenths, from the file itself.
    tenths: dict[int, list[tuple[float, float]]] = {n: [] for n in range(10)}
    for line in path.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        for side, scored in zip("ab", given.get(data["id"], ()), strict=False):
            labels = data[f"labels_{side}"]
            for index, (score, label) in enumerate(zip(scored, labels, strict=True)):
                if label != -1:
                    tenths[10 * index // len(labels)].append((score, label))
    for part, wanted in zip(found.runs[0].position, tenths.values(), strict=True):
        assert part.tokens == len(wanted)
        assert part.spearman.value == pytest.approx(stats.spearmanr(wanted).statistic)
    tables = {table["title"]: table for each in analyses_body(project, found)["sections"] for table in each["tables"]}
    labels = texts(tables["Share of the tokens of the gold (× 100)"])
    assert labels[-1][0] == "published: SwissGov-RSD, EN-DE" and labels[-1][1] == "149,634"
    ranks = texts(tables["Correlation with the gold by language pair (× 100)"])
    assert ("published: GPT-4o, EN-DE", "6.3") in {(row[0], row[3]) for row in ranks}


@pytest.mark.data
def test_the_released_labels_of_xparade_are_those_published() -> None:
    files = sorted(str(path) for path in published("xparade", "complete_data_es").glob("en-es-adj-*.json"))
    call_command("import_pairs", *files, "--project", "parade", "--format", "xparade", stdout=StringIO())
    project = Project.objects.get(slug="parade")
    body = analyses_body(project, analyses(project, resamples=5))
    (table,) = next(each for each in body["sections"] if each["key"] == "labels")["tables"]
    own, theirs = texts(table)
    assert theirs[0] == "published: X-PARADE, EN-ES" and own[1:] == theirs[1:]
