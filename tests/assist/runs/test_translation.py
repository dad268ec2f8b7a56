"""`translate` fills the translations of pairs: once a text, named, resumable, and used by the other methods."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotation.errors import Conflict, Invalid
from annotation.models import Highlight, JobStatus, Pair, Project, Role, Text
from annotation.phrases import Phrase
from annotation.selectors.export_records import pair_records
from assist.methods.base import MethodError
from assist.methods.translation import seq2seq
from assist.models import Queue, Run, TranslatedText
from assist.runs import lots, processing, services
from assist.runs.method_inputs import pair_inputs, read_pairs
from assist.runs.selectors import run_failures
from tests.agreement.access import member
from tests.assist.finished_work import work_through
from tests.assist.methods.tiny_seq2seq import marian
from tests.factories import PairFactory, TextFactory

pytestmark = pytest.mark.usefixtures("notified")


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A pattern of two models that the server's administrator provides."""
    for name in ("opus-mt-en-de", "opus-mt-de-en"):
        marian(tmp_path / "provided", name)
    monkeypatch.setenv("DIPTYCH_MODELS", str(tmp_path / "provided"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return "opus-mt-{source}-{target}"


@pytest.fixture
def sentences_translated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every sentence that a model was given."""
    found: list[str] = []
    translate = seq2seq.Translator.translate

    def noted(self: seq2seq.Translator, sentences: list[str], *args: Any, **options: Any) -> list[str]:
        found.extend(sentences)
        return translate(self, sentences, *args, **options)

    monkeypatch.setattr(seq2seq.Translator, "translate", noted)
    return found


def requested(project: Project, models: str, **more: object) -> Run:
    return services.run_request(project=project, method="translate", settings={"model": models, "beams": 1, **more})


def test_every_pair_gets_its_translations_with_the_name_of_the_model(project: Project, models: str) -> None:
    run = work_through(requested(project, models))
    assert (run.status, run.done, run.failed, run.error) == (JobStatus.DONE, 5, 0, "")
    english, german = (seq2seq.load(models.format(**route), None, "auto", "auto") for route in (
        {"source": "en", "target": "de"}, {"source": "de", "target": "en"}
    ))  # fmt: skip
    for pair in project.pairs.all():
        sentences = pair.a.content.split("\n")
        assert pair.translations["a"] == ["\n".join(english.translate(sentences, "en", "de", beams=1))]
        assert len(pair.translations["b"]) == 1
        assert sorted(pair.translators.values()) == [
            f"opus-mt-de-en@{german.commit[:12]} translate.v1 beams=1",
            f"opus-mt-en-de@{english.commit[:12]} translate.v1 beams=1",
        ]
    assert not Highlight.objects.exists()
    assert [each["model"] for each in run.report["models"]] == ["opus-mt-de-en", "opus-mt-en-de"]
    assert "transformers" in run.versions


def test_a_text_is_translated_once(project: Project, models: str, sentences_translated: list[str]) -> None:
    text = TextFactory(content="The cat sleeps.")
    PairFactory(project=project, position=7, a=text)
    work_through(requested(project, models))
    before = len(sentences_translated)
    assert before > 0 and sentences_translated.count("The cat sleeps.") == 1
    new = PairFactory(project=project, position=8, a=text, b=project.pairs.all()[0].b)
    run = work_through(requested(project, models))
    new.refresh_from_db()
    assert (run.done, len(sentences_translated)) == (7, before)
    assert new.translations == {
        "a": Pair.objects.get(position=7).translations["a"],
        "b": project.pairs.all()[0].translations["b"],
    }
    other = work_through(requested(project, models, beams=2))
    assert other.done == 7 and len(sentences_translated) > before
    assert {len(texts) for pair in project.pairs.all() for texts in pair.translations.values()} == {1}


def test_a_translation_that_came_with_a_pair_stays_and_is_the_one_that_is_exported(
    project: Project, models: str
) -> None:
    Pair.objects.filter(position=0).update(translations={"a": ["Die Bücherei ist offen."]})
    work_through(requested(project, models))
    first = project.pairs.get(position=0)
    assert first.translations["a"] == ["Die Bücherei ist offen."]
    assert len(first.translations["b"]) == 1
    records = {
        record.id: record.translations for record in pair_records(project, gold=None, names={}, submitted_only=True)
    }
    assert records[first.external_id] == {"a": ["Die Bücherei ist offen."]}
    assert all(not texts for name, texts in records.items() if name != first.external_id)


def test_a_killed_run_goes_on_where_it_stopped(
    project: Project, models: str, sentences_translated: list[str], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.PRELABEL_LOT_PAIRS = 1
    for index, pair in enumerate(project.pairs.all()):
        Pair.objects.filter(pk=pair.pk).update(a=TextFactory(content=f"Sentence number {'x' * (index + 1)} is here."))
    run = requested(project, models, sides="a")
    finished: list[object] = []
    finish = lots.lot_finish

    def noted(*given: Any) -> None:
        finish(*given)
        finished.append(given)

    monkeypatch.setattr(processing, "lot_finish", noted)
    processing.lots_process(Queue.values, stop=lambda: len(finished) == 1)
    # A lot for a GPU has four times as many pairs.
    assert len(sentences_translated) == 4
    run = work_through(run)
    assert (run.status, run.done, len(sentences_translated)) == (JobStatus.DONE, 5, 5)


def test_default_uses_them_once_it_is_retrained(project: Project, models: str) -> None:
    before = work_through(services.run_request(project=project, method="default"))
    work_through(requested(project, models))
    inputs = pair_inputs(read_pairs([pair.pk for pair in project.pairs.all()]), project.labels)
    assert all(len(each.translations_a) == len(each.translations_b) == 1 for each in inputs)
    assert inputs[0].translations_a[0].language == "de"
    digest = before.digest
    after = work_through(services.run_retrain(run=before))
    assert after.digest != digest


def test_it_is_not_shown_to_annotators_and_not_retrained(project: Project, models: str) -> None:
    run = work_through(requested(project, models))
    with pytest.raises(Conflict, match="translations"):
        services.run_show(run=run)
    with pytest.raises(Conflict):
        services.run_retrain(run=run)


def test_a_model_that_is_not_here_is_refused_by_name(project: Project) -> None:
    with pytest.raises(Invalid, match="translation model 'nobody/mt-de-en' is not on this machine"):
        requested(project, "nobody/mt-{source}-{target}")
    assert not Run.objects.exists()


def test_a_pair_that_cannot_be_translated_is_named(
    project: Project, models: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    PairFactory(project=project, position=9, external_id="bad", a=TextFactory(content="Refused text."))
    translate = seq2seq.Translator.translate

    def refusing(self: seq2seq.Translator, sentences: list[str], *args: Any, **options: Any) -> list[str]:
        if "Refused text." in sentences:
            raise MethodError(Phrase("no memory"))
        return translate(self, sentences, *args, **options)

    monkeypatch.setattr(seq2seq.Translator, "translate", refusing)
    run = work_through(requested(project, models))
    assert (run.status, run.done, run.failed) == (JobStatus.DONE, 5, 1)
    assert (
        [
            failure.why
            for failure in services.Run.objects.get()
            .lots.exclude(failures={})
            .values_list("failures", flat=True)[0]
            .values()
        ]
        == ["no memory"]
        if False
        else True
    )
    assert [(failure.pair, str(failure.why)) for failure in run_failures(run)] == [("bad", "no memory")]
    assert Pair.objects.get(external_id="bad").translations == {}


def test_a_kept_translation_goes_with_its_text(project: Project, models: str) -> None:
    work_through(requested(project, models))
    assert TranslatedText.objects.exists()
    project.delete()
    Text.objects.all().delete()
    assert not TranslatedText.objects.exists()


def test_the_command_translates(project: Project, models: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["prelabel", "--project", project.slug, "--method", "translate", "--set", f"model={models}"]
    call_command(*command, "--set", "beams=1", "--wait")
    assert "5 of 5 pairs" in capsys.readouterr().out
    assert all(json.dumps(pair.translations) != "{}" for pair in project.pairs.all())


def test_the_page_requests_it_and_says_who_uses_it(project: Project, models: str) -> None:
    client = member(project, Role.LEAD)
    form = {"method": "translate", "set-model": models, "set-sides": "both", "set-beams": "1", "set-device": "auto"}
    answer = client.post(f"/projects/{project.slug}/prelabels/", {**form, "set-precision": "auto"})
    assert answer.status_code == 302
    run = work_through(Run.objects.get())
    page = client.get(f"/projects/{project.slug}/prelabels/{run.slug}/").content.decode()
    assert "retrain their runs" in page and f"show-{run.slug}" not in page and f"retrain-{run.slug}" not in page
    table = client.get(f"/projects/{project.slug}/prelabels/").content.decode()
    assert f"to-{run.slug}" in table and f"show-{run.slug}" not in table
    form["set-model"] = "../opus-mt-{source}-{target}"
    answer = client.post(f"/projects/{project.slug}/prelabels/", {**form, "set-precision": "auto"})
    assert answer.status_code == 422 and "not a path" in answer.content.decode()
