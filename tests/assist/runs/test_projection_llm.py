"""Labels carried by a language model: what is asked, what becomes of answers, and what the run's books say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from annotation.errors import Invalid
from annotation.models import Annotation, Highlight, JobStatus, Project, Source
from annotation.text.schemes import PRESETS
from assist.methods.language_models.answers import read_labels
from assist.methods.language_models.carrying import carry_requests
from assist.methods.language_models.prompt import PromptPart
from assist.models import Run
from assist.runs import services
from assist.runs.automatic import project_prelabel
from assist.runs.forms import automatic_choices
from assist.runs.llm_costs import run_answers
from assist.runs.prelabel_options import PrelabelOptions
from tests import llm_server as server
from tests.assist.finished_work import work_through
from tests.assist.methods.texts import side
from tests.assist.prompted import served, text
from tests.factories import PairFactory, ProjectFactory
from tests.llm_server import LlmServer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("notified")]
ENGLISH, GERMAN, FRENCH = "A dog sleeps here.", "Ein Hund schläft hier.", "Un chien dort ici."
CARRIED = {"Un": 5, "chien": 5, "dort": 2}


def carries(handler: server.Handler, asked: dict[str, Any]) -> None:
    """A model that knows what the French words mean."""
    entries = [{"word": word, "label": CARRIED.get(word, 0)} for word in asked["B"]["words"]]
    handler.say(200, server.completion(json.dumps({"B": entries})))


@pytest.fixture
def model(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[LlmServer]:
    monkeypatch.setattr("assist.methods.language_models.asking.FIRST_WAIT", 0.01)
    with served(settings, carries) as made:
        yield made


@pytest.fixture
def pages() -> Project:
    """EN-DE with gold ('a dog': 5), EN-FR without, and a pair that shares nothing."""
    project: Project = ProjectFactory(slug="pages", scheme=PRESETS["graded"].to_json())
    german = PairFactory(project=project, position=0, external_id="de", a=text(ENGLISH), b=text(GERMAN, "de"))
    PairFactory(project=project, position=1, external_id="fr", a=text(ENGLISH), b=text(FRENCH, "fr"))
    PairFactory(project=project, position=2, external_id="sea", a=text("The sea."), b=text("La mer.", "fr"))
    fragments = [{"side": "a", "start": 0, "end": 5}, {"side": "b", "start": 0, "end": 8}]
    spans = {"v": 1, "spans": [{"id": "s", "label": "5", "fragments": fragments}]}
    Annotation.objects.create(source=Source.GOLD, verdict="submitted", pair=german, gold_version=0, spans=spans)
    return project


def run_of(project: Project, **given: Any) -> Run:
    settings = {"per_minute": 10_000, **given}
    return work_through(services.run_request(project=project, method="projection-llm", settings=settings))


def test_the_model_is_told_the_labels_of_one_text_and_labels_the_other(pages: Project, model: LlmServer) -> None:
    run = run_of(pages)
    assert (run.status, run.done, run.failed) == (JobStatus.DONE, 3, 0), run.error
    (body,) = model.bodies
    asked = json.loads(body["messages"][-1]["content"])
    assert asked == {
        "A": {"language": "de", "words": [["Ein", 5], ["Hund", 5], ["schläft", 0], ["hier", 0], [".", 0]]},
        "B": {"language": "fr", "words": ["Un", "chien", "dort", "ici", "."]},
    }
    (row,) = Highlight.objects.all()
    assert (row.pair.external_id, row.method) == ("fr", "projection-llm.v1")
    # The English labels are taken over, the French ones are the model's.
    assert row.labels == {"a": ["5", "5", "0", "0", "0"], "b": ["5", "5", "2", "0", "0"]}
    assert row.scores_b == [1.0, 1.0, 0.4, 0.0, 0.0]
    words = {"a": ENGLISH, "b": FRENCH}
    assert [
        (each["label"], [words[part["side"]][part["start"] : part["end"]] for part in each["fragments"]])
        for each in row.proposals
    ] == [("5", ["A dog", "Un chien"]), ("2", ["dort"])]
    found = run_answers(run)
    assert found is not None and (found.counts["answers"], found.counts["repaired"], found.counts["padded"]) == (
        1,
        0,
        0,
    )
    assert run.settings["model"] == "small" and run.report["carried"] == ["de to fr: 1 pairs"]


def test_words_without_a_usable_label_get_that_of_their_counterpart(pages: Project, model: LlmServer) -> None:
    model.manners = [server.says(json.dumps({"B": [{"word": "Un", "label": 9}, {"word": "dort", "label": 1}]}))]
    run = run_of(pages)
    (row,) = Highlight.objects.all()
    assert row.labels["b"] == ["5", "5", "1", "0", "0"]
    found = run_answers(run)
    assert found is not None and (found.counts["padded"], found.counts["outside"], found.counts["tokens"]) == (4, 1, 5)


def test_an_answer_that_cannot_be_read_leaves_what_alignment_gives(pages: Project, model: LlmServer) -> None:
    model.manners = [server.says("I'd rather not.")]
    run = run_of(pages)
    (row,) = Highlight.objects.all()
    assert row.labels["b"] == ["5", "5", "0", "0", "0"]
    found = run_answers(run)
    assert found is not None and found.counts["unusable"] == 1


def test_the_limit_ends_the_run_before_anything_is_spent(pages: Project, model: LlmServer) -> None:
    run = run_of(pages, limit=0.000001)
    assert run.status == JobStatus.FAILED and not model.received


def test_it_is_never_requested_automatically_and_has_no_estimate(pages: Project, model: LlmServer) -> None:
    assert "projection-llm" not in [name for name, _ in automatic_choices()]
    with pytest.raises(Invalid, match="sends the texts to another server"):
        project_prelabel(project=pages, options=PrelabelOptions(automatic=True, method="projection-llm"))
    with pytest.raises(CommandError, match="depends on the labelled pairs"):
        call_command("prelabel", "--project", "pages", "--method", "projection-llm", "--estimate", stdout=StringIO())
    assert not model.received


def test_a_long_text_is_asked_about_in_parts_beside_the_whole_other() -> None:
    source, long = side("Ein Hund.", "de"), side("Un chien. " * 20, "fr")
    found = carry_requests("p", source, [1, 1, 0], long, highest=5, words=30, reasoning=0, temperature=0.0)
    assert [part.tokens for each in found for part in each.parts] == [(0, 30), (30, 60)]
    for each in found:
        asked = json.loads(each.messages[-1][1])
        assert asked["A"]["words"] == [["Ein", 1], ["Hund", 1], [".", 0]] and len(asked["B"]["words"]) == 30
    assert carry_requests("p", side("", "de"), [], long, highest=5, words=30, reasoning=0, temperature=0.0) == []


def test_numbers_that_are_no_label_are_counted() -> None:
    given = side("Un chien dort.", "fr")
    entries = [["Un", 2], ["chien", 2.5], ["dort", -1], [".", 0]]
    labels, counts = read_labels(json.dumps({"B": entries}), given, PromptPart("b", (0, 4)), 5)
    assert labels == [2, None, None, 0]
    assert (counts.padded, counts.outside, counts.repaired, counts.unusable) == (2, 2, 0, 0)
    labels, counts = read_labels("nothing", given, PromptPart("b", (0, 4)), 5)
    assert labels == [None] * 4 and (counts.unusable, counts.padded, counts.outside) == (1, 4, 0)
