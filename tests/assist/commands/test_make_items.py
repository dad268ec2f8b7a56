"""`make_items`: a model asked within limits, its sentences imported to be rated, nothing asked twice."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from annotation.models import Pair, Project
from annotation.services.archiving import project_archive
from annotation.text.schemes import PRESETS
from assist.encoder_choice.embedding import EmbeddingResult
from assist.item_requests import generation
from assist.models import LlmAccount, LlmAnswer
from tests import llm_server as server
from tests.assist.prompted import KEY, served
from tests.factories import ProjectFactory
from tests.llm_server import Handler, LlmServer, completion

pytestmark = pytest.mark.django_db
ROWS = "Source,Target\nDie Mühle.,The old mill closed.\nEin Bus.,A bus was late.\n"
TEXT = "Birds sing early. The mill closed in May. Buses are late. Rain fell. Snow melted. Ice broke.\n"


def writes(handler: Handler, asked: dict[str, Any]) -> None:
    """A model that changes the last word, or joins two sentences."""
    if "sentence" in asked:
        stem = asked["sentence"].rsplit(" ", 1)[0]
        answer: dict[str, Any] = {"sentences": [f"{stem} {word}." for word in ("opened", "burned", "fell", "moved")]}
    else:
        answer = {"sentence": f"{asked['first'].rstrip('.')} while {asked['second']}"}
    handler.say(200, completion(json.dumps(answer)))


@pytest.fixture
def model(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[LlmServer]:
    monkeypatch.setattr("assist.methods.language_models.asking.FIRST_WAIT", 0.01)
    with served(settings, writes) as made:
        yield made


@pytest.fixture(autouse=True)
def cosines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An encoder for which sentences with 'mill' or 'Ice' are like nothing else; which names were asked for."""
    names: list[str] = []

    def embed(name: str, sentences: list[str]) -> EmbeddingResult:
        import numpy as np

        names.append(name)
        known = {"Birds": (1, 0, 0), "The": (0, 1, 0), "Buses": (0, 0, 1), "Rain": (1, 0, 0), "Snow": (1, 0.1, 0)}
        vectors = {text: np.array(known.get(text.split()[0], (0.0, 0.0, 1.0))) for text in sentences}
        return EmbeddingResult(vectors, 1.0, 1, 0)

    monkeypatch.setattr(generation, "embed", embed)
    return names


def output_of(tmp_path: Path, task: str, *settings: str, text: str = "", more: tuple[str, ...] = ()) -> str:
    path = tmp_path / ("rows.csv" if task == "clsd" else "text.txt")
    path.write_text(text or (ROWS if task == "clsd" else TEXT), encoding="utf-8")
    out = io.StringIO()
    given = [part for each in ("per_minute=10000", *settings) for part in ("--set", each)]
    call_command(
        "make_items", str(path), "--task", task, "--project", "items", *given, *more, stdout=out, stderr=io.StringIO()
    )
    return out.getvalue()


def test_distractors_become_pairs_to_rate(tmp_path: Path, model: LlmServer) -> None:
    said = output_of(tmp_path, "clsd")
    assert (
        "2 rows, 0 without a usable answer: 8 items" in said and "Jaccard): mean 0.60, standard deviation 0.00" in said
    )
    project = Project.objects.get(slug="items")
    assert [question.key for question in project.labels.questions] == ["close", "different"]
    pair = Pair.objects.get(external_id="rows:2:1")
    assert (pair.a.content, pair.b.content, pair.a.language) == ("The old mill closed.", "The old mill opened.", "en")
    assert pair.metadata["item"]["source"] == "Die Mühle." and pair.metadata["item"]["model"] == "small"
    assert project.guidelines.count() == 1 and Pair.objects.count() == 8
    assert {body["temperature"] for body in model.bodies} == {1.0} and len(model.bodies) == 2


def test_the_same_is_not_asked_again_and_makes_no_duplicates(tmp_path: Path, model: LlmServer) -> None:
    output_of(tmp_path, "clsd")
    output_of(tmp_path, "clsd")
    assert len(model.bodies) == 2 == LlmAnswer.objects.count() and Pair.objects.count() == 8
    account = LlmAccount.objects.get(name__startswith="items ")
    assert account.requests == 2 and account.spent == pytest.approx(0.004) and account.run is None
    assert LlmAccount.objects.get(name__startswith="site ").spent == pytest.approx(0.004)


def test_samples_of_triples_become_statements(tmp_path: Path, model: LlmServer, cosines: list[str]) -> None:
    said = output_of(tmp_path, "compositionality", "encoders=one, two")
    assert cosines == ["one", "two"]
    assert "2 rows, 0 without a usable answer: 12 items" in said
    assert "  2 overlap, 6 difference, 4 union\n" in said
    assert "1 rows have neighbouring sentences too similar for differences" in said
    pair = Pair.objects.get(external_id="text:1-1:1")
    assert pair.statement is not None
    assert pair.statement.content == "This is what texts A and B have in common: The mill closed in May."
    assert pair.a.content == "Birds sing early while The mill closed in May."
    assert pair.metadata["item"]["cosines"]["two"] == [0.0, 0.0]
    assert Project.objects.get(slug="items").labels.statement
    assert {body["temperature"] for body in model.bodies} == {0.5}


def test_an_answer_without_enough_sentences_is_counted(tmp_path: Path, model: LlmServer) -> None:
    model.manners = [server.says('{"sentences": ["One."]}'), writes]
    said = output_of(tmp_path, "clsd", "parallel=1")
    assert "2 rows, 1 without a usable answer: 4 items" in said and Pair.objects.count() == 4


def test_a_sample_is_drawn(tmp_path: Path, model: LlmServer) -> None:
    assert "3 items" in output_of(tmp_path, "clsd", "sample=3") and Pair.objects.count() == 3


def test_a_dry_run_asks_nothing_and_says_what_it_would_cost(tmp_path: Path, model: LlmServer) -> None:
    said = output_of(tmp_path, "compositionality", more=("--dry-run",))
    assert said.startswith("4 requests, about ") and "at most 0." in said and "Dry run: no changes made" in said
    assert not model.bodies and not Project.objects.exists()


def test_the_limit_ends_it_and_what_was_answered_is_kept(tmp_path: Path, model: LlmServer) -> None:
    dry = output_of(tmp_path, "clsd", more=("--dry-run",))
    each = float(dry.split("at most ")[1].split()[0]) / 2
    with pytest.raises(CommandError, match=r"spending limit of 0\.0\d has been reached"):
        output_of(tmp_path, "clsd", f"limit={each + 0.001}", "parallel=1")
    assert LlmAnswer.objects.count() == len(model.bodies) < 2 and not Pair.objects.exists()
    output_of(tmp_path, "clsd", "limit=1", "parallel=1")
    assert len(model.bodies) == 2 and Pair.objects.count() == 8


def test_the_key_goes_to_the_sites_server_alone(tmp_path: Path, settings: Settings, model: LlmServer) -> None:
    settings.PRIVATE_ADDRESSES = True
    with server.llm_server(writes) as other:
        output_of(tmp_path, "clsd", f"address={other.url}", "model=own")
        assert not model.received and all(KEY not in str(headers) for _, headers, _ in other.received)
    settings.PRIVATE_ADDRESSES = False
    with pytest.raises(CommandError, match="private network"):
        output_of(tmp_path, "clsd", "address=http://127.0.0.1:9/v1", "model=own")


@pytest.mark.parametrize(
    ("text", "given", "said"),
    [
        ("Source\nx\n", (), "has no column 'Target'"),
        ("Source,Target\n", (), "has a header but no rows"),
        (ROWS, ("distractors=0",), "distractors"),
        (ROWS, ("nothing=1",), "There is no setting"),
        (ROWS, ("model=large",), "small"),
        (ROWS, ("language=<b>",), "Setting “language”: '<b>' is not a language tag"),
        (ROWS, ("source_language=xx yy",), "Setting “source_language”: 'xx yy' is not a language tag"),
        (ROWS, ("language=de-" + "-".join(["abcdefgh"] * 40),), "language: .* at most"),
    ],
)
def test_what_cannot_be_made_is_refused_before_anything_is_asked(
    tmp_path: Path, model: LlmServer, text: str, given: tuple[str, ...], said: str
) -> None:
    with pytest.raises(CommandError, match=said):
        output_of(tmp_path, "clsd", *given, text=text)
    assert not model.bodies and not Project.objects.exists()


def test_what_an_import_would_refuse_is_refused_before_anything_is_asked(tmp_path: Path, model: LlmServer) -> None:
    output_of(tmp_path, "clsd")
    asked = len(model.bodies)
    said = r"rows\.csv: 'rows:2:1' is in the project with a different text on side A"
    for more in ((), ("--dry-run",)):
        with pytest.raises(CommandError, match=said):
            output_of(tmp_path, "clsd", "language=de", more=more)
    with pytest.raises(CommandError, match="asks about a statement"):
        ProjectFactory(slug="statements", scheme=PRESETS["likert"].to_json())
        output_of(tmp_path, "clsd", more=("--project", "statements"))
    assert len(model.bodies) == asked
    # Another sentence on the same line is a new row.
    assert "4 items" in output_of(tmp_path, "clsd", text="Source,Target\nNeu.,The new mill closed.\n")


def test_triples_in_the_project_in_another_language_are_refused_as_well(tmp_path: Path, model: LlmServer) -> None:
    output_of(tmp_path, "compositionality")
    asked = len(model.bodies)
    with pytest.raises(CommandError, match="is in the project with a different text on side A"):
        output_of(tmp_path, "compositionality", "language=en-GB")
    assert len(model.bodies) == asked
    output_of(tmp_path, "compositionality")


def test_rows_that_are_the_same_are_made_once(tmp_path: Path, model: LlmServer) -> None:
    row, other = "Die Mühle.,The old mill closed.\n", "Ein Bus.,A bus was late.\n"
    text = f"Source,Target\n{row}{other}{row}{row}"
    dry = output_of(tmp_path, "clsd", text=text, more=("--dry-run",))
    assert dry.startswith("2 requests") and " 2 rows are duplicates and were excluded. Dry run" in dry
    said = output_of(tmp_path, "clsd", text=text)
    assert "4 rows, 0 without a usable answer: 8 items\n  2 rows are duplicates and were excluded" in said
    assert len(model.bodies) == 2
    assert [pair.external_id for pair in Pair.objects.order_by("position")][::4] == ["rows:2:1", "rows:3:1"]
    said = output_of(
        tmp_path, "compositionality", "encoders=none", text=TEXT + "\n" + TEXT, more=("--project", "triples")
    )
    assert "4 rows, 0 without a usable answer: 18 items\n  2 rows are duplicates" in said


def test_a_failure_leaves_no_empty_project(tmp_path: Path, model: LlmServer) -> None:
    model.manners = [server.error(401)]
    with pytest.raises(CommandError):
        output_of(tmp_path, "clsd")
    assert not Project.objects.exists() and not LlmAccount.objects.filter(name__startswith="items ").exists()
    ProjectFactory(slug="items", scheme=PRESETS["distractor"].to_json())
    model.manners = [server.error(401)]
    with pytest.raises(CommandError):
        output_of(tmp_path, "clsd")
    assert Project.objects.filter(slug="items").exists(), "it was there before"


def test_a_failure_after_answers_that_were_paid_for_keeps_them(tmp_path: Path, model: LlmServer) -> None:
    model.manners = [writes, server.error(401)]
    with pytest.raises(CommandError):
        output_of(tmp_path, "clsd", "parallel=1")
    assert LlmAnswer.objects.count() == 1 and Project.objects.filter(slug="items").exists()


def test_a_text_without_three_sentences_has_no_triples(tmp_path: Path, model: LlmServer) -> None:
    with pytest.raises(CommandError, match="does not contain three consecutive sentences"):
        output_of(tmp_path, "compositionality", text="One. Two.\n")


def test_an_archived_project_is_asked_nothing_for(tmp_path: Path, model: LlmServer) -> None:
    output_of(tmp_path, "clsd")
    project_archive(project=Project.objects.get(), by=None)
    with pytest.raises(CommandError, match="archived"):
        output_of(tmp_path, "clsd", text="Source,Target\na,Another sentence here.\n")
    assert len(model.bodies) == 2
