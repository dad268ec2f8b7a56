"""Encoders compared from the browser: request, worker, cancel, retry."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from annotation.errors import Conflict, Invalid
from annotation.models import Annotator, Highlight, JobStatus, Role, User
from annotation.services.jobs import jobs_run
from assist.encoder_choice import evaluation
from assist.encoder_comparisons import comparing
from assist.encoder_comparisons.figures import problems_of
from assist.encoder_comparisons.jobs import (
    COMPARISONS,
    MAX_ENCODERS,
    ROWS_KEPT,
    comparison_cancel,
    comparison_request,
    comparison_retry,
    comparisons_run,
)
from assist.methods.encoder.pretrained import PACKAGED
from assist.models import EncoderComparison
from assist.phrases.model_phrases import ENCODER
from tests.agreement.prelabel_eval.test_scores import graded, row
from tests.assist.methods.tiny import folder
from tests.factories import AnnotatorFactory, ProjectFactory

pytestmark = pytest.mark.django_db
ROWS = """Source,Target,TargetAdv1,SourcePivot,TargetPivot,TargetAdv1Pivot,POS1
We drink hot tea.,Hot tea is what we drink.,Cold tea is what we drink.,We drink tea.,Trains are late.,We drink tea.,ADJ
Trains are late again.,The trains have a delay again.,The trains have a break again.,Late.,Late.,Tea.,NOUN
"""
SAMPLES = """A\tB\ttarget\toperator
Tea is hot. Trains are late.\tTrains are late. Buses are full.\tTrains are late.\toverlap
Tea is hot. Trains are late.\tTrains are late.\tTea is hot.\tdifference
Tea is hot.\tTrains are late.\tTea is hot. Trains are late.\tunion
Trains are late.\tBuses are full.\tTrains are late, buses full.\tunion
"""
ALONE: Mapping[str, object] = {"compositionality": False, "gold": False}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder of models with a tiny encoder; the rows that come with the project are cut to a few; no network."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("DIPTYCH_MODELS", str(tmp_path / "models"))
    folder("bert", tmp_path / "models")
    files = {task: tmp_path / f"{task}.csv" for task in comparing.FILES}
    for task, path in files.items():
        lines = comparing.FILES[task].read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(lines[:16]), encoding="utf-8")
    monkeypatch.setattr(comparing, "FILES", files)
    cache.clear()


@pytest.fixture
def lead() -> Annotator:
    return AnnotatorFactory(project=ProjectFactory(slug="town"), role=Role.LEAD)


def user_of(lead: Annotator) -> User:
    assert lead.user is not None
    return lead.user


def sent(text: str = ROWS, name: str = "rows.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode())


def zipped() -> SimpleUploadedFile:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.csv", ROWS)
    return SimpleUploadedFile("rows.zip", packed.getvalue())


def requested(lead: Annotator, *encoders: str, files: Any = None, **settings: object) -> EncoderComparison:
    return comparison_request(
        project=lead.project,
        encoders=encoders or (PACKAGED,),
        files=files or {},
        settings=settings,
        by=user_of(lead),
    )


def done(row: EncoderComparison) -> EncoderComparison:
    comparisons_run()
    row.refresh_from_db()
    return row


def test_candidates_are_compared_on_both_tasks(lead: Annotator) -> None:
    row = done(requested(lead, PACKAGED, "bert", files={"clsd": sent(), "compositionality": sent(SAMPLES, "s.tsv")}))
    assert (row.status, row.problem, row.tables) == (JobStatus.DONE, "", {}) and row.done == row.total > 0
    assert row.file_names == ["rows.csv", "s.tsv"] and row.settings["gold"] is False
    assert row.result is not None and row.result["gold"] is None and row.result["problems"] == {}
    first, second = row.result["clsd"]["models"]
    assert (first["model"], second["model"]) == (PACKAGED, "bert") and first["direct"]["rows"] == 2
    assert row.result["compositionality"]["samples"] == {"overlap": 1, "difference": 1, "union": 2}
    assert all(each["effort"]["sentences"] > 10 for each in (first, second))
    assert {line["line"] for line in row.rows or ()} == {
        line for each in (first, second) for way in ("only_direct", "only_pivot") for line in each["pivot"][way]
    }


def test_an_encoder_that_a_worker_cannot_load_leaves_the_others(lead: Annotator, tmp_path: Path) -> None:
    row = requested(lead, "bert", PACKAGED, files={"clsd": sent()}, **ALONE)
    (tmp_path / "models" / "bert" / "config.json").unlink()
    found = done(row).result
    assert found is not None and [each["model"] for each in found["clsd"]["models"]] == [PACKAGED]
    assert list(found["problems"]) == ["bert"] and str(tmp_path) not in str(found["problems"]["bert"])
    problem = problems_of(found)["bert"]
    assert problem.text().startswith("encoder 'bert' is not on this machine") and problem.params["kind"] == ENCODER


def test_without_files_the_rows_that_come_with_the_project_are_taken(lead: Annotator) -> None:
    found = done(requested(lead, "bert", gold=False)).result
    assert found is not None and found["clsd"]["models"][0]["direct"]["rows"] == 15
    assert sum(found["compositionality"]["samples"].values()) == 15


def test_highlights_of_each_candidate_are_scored_and_not_stored(tmp_path: Path) -> None:
    project = graded(tmp_path, row(1), row(2, split="test"), row(3), row(4))
    lead = AnnotatorFactory(project=project, role=Role.LEAD)
    found = done(requested(lead, "bert", clsd=False, compositionality=False, gold_pairs=2)).result
    assert found is not None and found["clsd"] is found["compositionality"] is None
    assert found["gold"]["pairs"] == 2 and not Highlight.objects.exists()
    (model,) = found["gold"]["models"]
    assert model["model"] == "bert" and model["documents"] == 2 and -1 <= model["spearman"] <= 1
    assert set(model["new"]) == {"precision", "recall", "f1", "f1_ci", "threshold"} and model["seconds_per_pair"] >= 0
    every = done(requested(lead, "bert", clsd=False, compositionality=False)).result
    assert every is not None and every["gold"]["pairs"] == 3, "an encoder is not chosen on the test split"


def test_what_cannot_be_compared_is_refused_and_nothing_is_stored(lead: Annotator) -> None:
    minus = "A,B,target,operator\na,b,c,minus\n"
    cases: list[tuple[tuple[str, ...], dict[str, Any], dict[str, object], str]] = [
        ((" ",), {}, {}, "at least one encoder"),
        (("/etc",), {}, {}, "not a path"),
        (("../x",), {}, {}, "not a path"),
        ((PACKAGED, PACKAGED), {}, {}, "named twice"),
        (tuple(f"m{n}" for n in range(MAX_ENCODERS + 1)), {}, {}, "At most 8"),
        (("nobody/nothing",), {}, {}, "downloads are switched off"),
        ((PACKAGED,), {"clsd": sent("Source\n")}, {}, "rows.csv has no column 'Target'"),
        ((PACKAGED,), {"clsd": SimpleUploadedFile("x.csv", b"\xff")}, {}, "x.csv is not UTF-8"),
        ((PACKAGED,), {"clsd": sent("Source,Target,TargetAdv1\na,b,c\na,b,d\0\n")}, {}, "rows.csv, line 3: .*NUL"),
        ((PACKAGED,), {"clsd": zipped()}, {}, "rows.zip is an archive; one table is expected"),
        ((PACKAGED,), {"clsd": SimpleUploadedFile("x.zip", b"PK")}, {}, "x.zip is an archive"),
        ((PACKAGED,), {"compositionality": sent(minus)}, {}, "line 2: operator 'minus'"),
        ((PACKAGED,), {}, {"clsd": False, "compositionality": False}, "no gold"),
        ((PACKAGED,), {}, {"clsd": False, **ALONE}, "what the encoders are compared on"),
        ((PACKAGED,), {}, {"translation_model": "owner/name"}, "Specify the languages"),
        ((PACKAGED,), {}, {"translation_model": "/etc"}, "not a path"),
        ((PACKAGED,), {}, {"gold_pairs": 0}, "gold_pairs"),
    ]
    for encoders, files, settings, said in cases:
        with pytest.raises(Invalid, match=said):
            requested(lead, *encoders, files=files, **settings)
    assert not EncoderComparison.objects.exists()


def test_a_table_with_too_many_rows_is_for_the_command(lead: Annotator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assist.encoder_comparisons.jobs.MAX_ROWS", 1)
    with pytest.raises(Invalid, match="has 2 rows; at most 1"):
        requested(lead, files={"clsd": sent()})


def test_the_rows_are_translated_into_the_pivot(lead: Annotator, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str, str]] = []

    class Translator:
        def __init__(self, name: str) -> None:
            self.name = name

        def translate(self, sentences: list[str], source: str, target: str, **more: Any) -> list[str]:
            asked.append((self.name, source, target))
            more["on_progress"](len(sentences), len(sentences))
            return [text.upper() for text in sentences]

    monkeypatch.setattr("assist.methods.translation.seq2seq.load", lambda name, *_: Translator(name))
    plain = "Source,Target,TargetAdv1\nTee.,Thé.,Lait.\nBus.,Train.,Gare.\n"
    chosen = {"translation_model": "own/{source}-{target}", "source_language": "de", "target_language": "fr", **ALONE}
    found = done(requested(lead, "bert", files={"clsd": sent(plain)}, **chosen)).result
    assert found is not None and found["clsd"]["models"][0]["pivot"]["rows"] == 2
    assert asked == [("own/de-en", "de", "en"), ("own/fr-en", "fr", "en")]


def test_a_cancelled_one_can_be_tried_again_as_long_as_its_files_are_kept(lead: Annotator) -> None:
    row = requested(lead, "bert", files={"clsd": sent()}, **ALONE)
    with pytest.raises(Conflict, match="failed or was cancelled"):
        comparison_retry(row=row)
    comparison_cancel(row=row)
    assert jobs_run(COMPARISONS) == 0
    with pytest.raises(Conflict, match="already ended"):
        comparison_cancel(row=row)
    comparison_retry(row=row)
    assert done(row).status == JobStatus.DONE
    with pytest.raises(Conflict):
        comparison_retry(row=row)
    gone = requested(lead, "bert", files={"clsd": sent()}, **ALONE)
    comparison_cancel(row=gone)
    EncoderComparison.objects.filter(pk=gone.pk).update(finished=timezone.now() - ROWS_KEPT - timedelta(hours=1))
    comparisons_run()
    with pytest.raises(Conflict, match="no longer available"):
        comparison_retry(row=gone)


def test_a_comparison_that_is_cancelled_while_it_runs_writes_nothing(
    lead: Annotator, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = requested(lead, "bert", files={"clsd": sent()}, **ALONE)
    compare = evaluation.compare

    def cancelled(*args: Any, **more: Any) -> Any:
        comparison_cancel(row=row)
        return compare(*args, **more)

    monkeypatch.setattr(comparing, "compare", cancelled)
    assert jobs_run(COMPARISONS) == 0
    row.refresh_from_db()
    assert (row.status, row.result, row.claimed_by) == (JobStatus.CANCELLED, None, "")


def test_a_failure_is_told_and_can_be_tried_again(lead: Annotator, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("secret detail")

    with monkeypatch.context() as patch:
        patch.setattr(comparing, "compare", broken)
        row = done(requested(lead, "bert", files={"clsd": sent()}, **ALONE))
    assert row.status == JobStatus.FAILED and "internal error" in row.problem and "secret" not in row.problem
    comparison_retry(row=row)
    assert done(row).status == JobStatus.DONE and row.problem == ""


def test_sentences_go_after_a_while_and_figures_stay(lead: Annotator) -> None:
    row = done(requested(lead, "bert", files={"clsd": sent()}, **ALONE))
    assert row.rows is not None
    EncoderComparison.objects.update(finished=timezone.now() - ROWS_KEPT - timedelta(hours=1))
    comparisons_run()
    row.refresh_from_db()
    assert row.rows is None and row.result is not None


def test_the_same_comparison_is_queued_once(lead: Annotator) -> None:
    first = requested(lead, PACKAGED, "bert", files={"clsd": sent()}, **ALONE)
    assert requested(lead, PACKAGED, "bert", files={"clsd": sent()}, **ALONE) == first
    others = (
        requested(lead, "bert", PACKAGED, files={"clsd": sent()}, **ALONE),
        requested(lead, PACKAGED, "bert", files={"clsd": sent(ROWS.replace("hot", "iced"))}, **ALONE),
        requested(lead, PACKAGED, "bert", files={"clsd": sent()}, **ALONE, device="cpu"),
    )
    assert len({first, *others}) == 4
    comparison_cancel(row=first)
    assert requested(lead, PACKAGED, "bert", files={"clsd": sent()}, **ALONE) not in (first, *others)


def test_what_is_no_device_is_refused_where_it_is_requested(lead: Annotator) -> None:
    with pytest.raises(Invalid, match="must be one of auto, cpu, cuda, cuda:1, not “tpu”"):
        requested(lead, device="tpu", **ALONE)
