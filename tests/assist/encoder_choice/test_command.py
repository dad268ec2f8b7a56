"""`evaluate_encoder` on the project's own rows and samples."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from assist.encoder_choice.clsd import differs_in_one_word
from assist.encoder_choice.tables import OPERATORS, read_clsd, read_samples
from assist.methods.encoder.pretrained import PACKAGED
from tests.paths import ROOT

FILES = ROOT / "fixtures" / "encoder_choice"


def evaluated(path: Path, task: str, *models: str) -> dict[str, Any]:
    out = io.StringIO()
    named = [part for model in models for part in ("--model", model)]
    call_command("evaluate_encoder", str(path), "--task", task, *named, "--format", "json", stdout=out, stderr=out)
    found: dict[str, Any] = json.loads(out.getvalue().splitlines()[-1])
    return found


def test_the_fixtures_are_what_they_claim_to_be() -> None:
    rows, samples = read_clsd(FILES / "clsd.csv"), read_samples(FILES / "compositionality.csv")
    assert len(rows) >= 200 and len(samples) >= 200 and {each.operator for each in samples} == set(OPERATORS)
    for row in rows:
        texts = [row.direct.source, row.direct.target, *row.direct.distractors]
        assert len(set(texts)) == 6, row.line
        for distractor, part in zip(row.direct.distractors, row.parts_of_speech, strict=True):
            assert differs_in_one_word(row.direct.target, distractor) is bool(part), (row.line, distractor)


@pytest.mark.long
@pytest.mark.takes(15)
def test_a_trained_encoder_is_ahead_of_a_random_one_in_telling_meaning_from_form(
    tmp_path: Path, random_encoder: str
) -> None:
    head, *lines = (FILES / "clsd.csv").read_text("utf-8").splitlines(keepends=True)
    path = tmp_path / "every-third.csv"
    path.write_text(head + "".join(lines[::3]), "utf-8")
    trained, random = evaluated(path, "clsd", PACKAGED, random_encoder)["models"]
    assert (trained["model"], random["model"]) == (PACKAGED, random_encoder)
    assert trained["direct"]["rows"] == len(lines[::3]) >= 67 and trained["pivot"] is None
    assert trained["direct"]["p_at_1"] >= random["direct"]["p_at_1"] + 10
    assert trained["changes"]["ANY"]["rows"] >= 134 and {"NOUN", "VERB", "ADJ", "ADV", "NUM", "ADP"} < set(
        trained["changes"]
    )
    assert 0 < trained["gap"] < 1 and 0.3 < trained["correlation"] == trained["changes"]["ANY"]["correlation"] < 1


@pytest.mark.long
@pytest.mark.takes(9)
def test_a_trained_encoder_is_ahead_of_a_random_one_in_set_operations(random_encoder: str) -> None:
    found = evaluated(FILES / "compositionality.csv", "compositionality", PACKAGED, random_encoder)
    assert sum(found["samples"].values()) >= 200
    trained, random = found["models"]
    cosine = trained["measures"]["cosine"]
    assert cosine["c4"] >= random["measures"]["cosine"]["c4"] + 10
    assert cosine["c4"] > cosine["c3"][0]
    for each in (trained, random):
        for measure in each["measures"].values():
            assert sum(measure["c1"]) == pytest.approx(100) and sum(measure["c3"]) == pytest.approx(100)
        assert 0 <= each["c5_near_a"] <= 100 and each["c2_inside"] > 50 and each["c6_inside"] > 50
    assert trained["norm_ratio"] == pytest.approx(1)


def test_text_names_the_rows_that_only_one_way_gets_right(tmp_path: Path, random_encoder: str) -> None:
    head = "Source,Target,TargetAdv1,SourcePivot,TargetPivot,TargetAdv1Pivot"
    hot, tea, cold = "We drink hot tea.", "Hot tea is what we drink.", "Trains are late again today."
    path = tmp_path / "rows.csv"
    lines = [head, f"{hot},{tea},{cold},{hot},{cold},{tea}", f"{hot},{cold},{tea},{hot},{tea},{cold}"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    out = io.StringIO()
    call_command("evaluate_encoder", str(path), "--task", "clsd", "--model", PACKAGED, stdout=out, stderr=out)
    said = out.getvalue()
    assert "right directly, wrong through the pivot, by line: 2\n" in said
    assert "wrong directly, right through the pivot, by line: 3\n" in said
    found = evaluated(path, "clsd", PACKAGED)["models"][0]
    assert found["direct"] == {"p_at_1": 50.0, "rows": 2}
    assert found["pivot"] == {"p_at_1": 50.0, "rows": 2, "only_direct": [2], "only_pivot": [3]}


def test_text_shows_every_measure_and_the_speed() -> None:
    out = io.StringIO()
    path = str(FILES / "compositionality.csv")
    call_command("evaluate_encoder", path, "--task", "compositionality", "--model", PACKAGED, stdout=out, stderr=out)
    for part in ("cosine", "dot", "l1", "l2", "ned", "C2, projection", "22.7 M parameters", "sentences a second"):
        assert part in out.getvalue()


@pytest.mark.parametrize(
    ("models", "said"),
    [
        ([PACKAGED, PACKAGED], "an encoder is named twice"),
        (["/models/nowhere"], "encoder 'nowhere' is not on this machine"),
    ],
)
def test_what_cannot_be_compared_is_refused(models: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        evaluated(FILES / "clsd.csv", "clsd", *models)


def test_an_invalid_file_is_refused_before_an_encoder_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("Source,Target\n", encoding="utf-8")
    with pytest.raises(CommandError, match=r"rows\.csv has no column 'TargetAdv1'"):
        evaluated(tmp_path / "rows.csv", "clsd", "/models/nowhere")


def translated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of models that are loaded; they write a word before each sentence."""
    loaded: list[str] = []

    class Translator:
        def translate(self, sentences: Sequence[str], source: str, target: str, **_: Any) -> list[str]:
            return [f"{target} {text}" for text in sentences]

    def load(name: str, *_: Any) -> Translator:
        loaded.append(name)
        return Translator()

    monkeypatch.setattr("assist.methods.translation.seq2seq.load", load)
    return loaded


ROWS = """Source,Target,TargetAdv1
We drink hot tea.,Hot tea is drunk.,Hot tea is sold.
Trains.,Late trains.,New trains.
"""


def test_the_pivot_can_be_translated_and_parts_of_speech_tagged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(ROWS, encoding="utf-8")
    loaded = translated(monkeypatch)
    command = "assist.management.commands.evaluate_encoder"
    monkeypatch.setattr(f"{command}.tagger", lambda name: lambda texts: [[(0, 99, name[-4:])] for _ in texts])
    out = io.StringIO()
    options = ["--pivot", "translate", "--source-language", "de", "--target-language", "fr", "--tagger", "spacy:noun"]
    call_command(
        "evaluate_encoder", str(path), "--task", "clsd", "--model", PACKAGED, *options, "--format", "json",
        stdout=out, stderr=io.StringIO(),
    )  # fmt: skip
    (found,) = json.loads(out.getvalue())["models"]
    assert loaded == ["Helsinki-NLP/opus-mt-de-en", "Helsinki-NLP/opus-mt-fr-en"]
    assert found["pivot"]["rows"] == 2 and set(found["changes"]) == {"ANY", "NOUN"}
    # Six sentences, and six translations.
    assert found["effort"]["sentences"] == 12 and found["effort"]["sentences_per_second"] > 0
    assert found["effort"]["memory_mb"] is None or found["effort"]["memory_mb"] >= 0


def test_a_translation_needs_both_languages(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(ROWS, encoding="utf-8")
    with pytest.raises(CommandError, match="needs --source-language and --target-language"):
        call_command("evaluate_encoder", str(path), "--task", "clsd", "--model", PACKAGED, "--pivot", "translate")
