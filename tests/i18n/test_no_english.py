"""Pages in German: nothing on them that has a translation is in English, whatever a worker stored in English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation import strict_json
from annotation.formats.source_warnings import ALL_WARNINGS, warning_phrase
from annotation.models import JobStatus, Pair
from annotation.models.imports import Import
from annotation.phrases import Phrase
from annotation.services.import_jobs import imports_run
from annotation.services.import_report import ImportReport
from annotation.strict_json import JSONError
from assist.methods.base import MethodError
from assist.models import Lot, Queue, Run
from assist.phrases import model_phrases
from assist.phrases.run_phrases import (
    DIED,
    FAILED,
    FEW_LABELLED,
    NO_DICTIONARY,
    NO_PERSON,
    REQUESTED,
    SENTENCES,
    UNINFORMED,
)
from assist.runs import processing
from assist.runs.services import run_request
from script import messages
from tests.annotation.work import House, house
from tests.assist.fake import Fake, fakes_registered

pytestmark = [pytest.mark.any_database, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def fakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)
    monkeypatch.setattr("assist.runs.services.notify", lambda *_: None)
    with fakes_registered():
        yield


@pytest.fixture
def home() -> House:
    at = house(slug="library")
    at.lead.cookies["django_language"] = "de"
    return at


def words(html: str) -> str:
    """What a page says, without scripts, tags and attributes."""
    html = re.sub(r"<(script|style)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def english_on(html: str) -> list[str]:
    """The sentences and phrases of three words or more that a page has in English although they are translated.

    What nobody has translated yet is in English on purpose (docs/translation.md).
    """
    said, found = words(html), []
    for message in messages.read("de", "django"):
        for english, german in messages.forms(message) if message.id else ():
            if not german:
                continue
            parts = [part.strip() for part in re.split(r"%\(\w+\)s|</?\w+[^>]*>", english)]
            solid = [part for part in parts if len(part.split()) >= 3 and part not in german]
            found += [part for part in solid if re.search(rf"(?<!\w){re.escape(part)}(?!\w)", said)]
    return found


@cache
def catalogue() -> dict[str, str]:
    """The German of every English sentence that is translated."""
    every = (form for message in messages.read("de", "django") if message.id for form in messages.forms(message))
    return {english: german for english, german in every if german}


def in_german(phrase: Phrase) -> str:
    """A phrase as a German page shows it. A sentence that is not translated is a KeyError."""
    return words(phrase.text(catalogue().__getitem__))


def page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_the_check_finds_english() -> None:
    assert english_on("<p>Nothing was imported: <b>3</b> problems found.</p>")
    assert not english_on("<p>Nichts wurde importiert.</p>")


def test_a_run_its_details_and_its_log(home: House) -> None:
    run = run_request(project=home.project, method="fake", by=None)
    processing.lots_process(Queue.values)
    report = {
        "documents": 3,
        "labels": FEW_LABELLED.with_params(n="3", needed="20").text(),
        "no suggestions": UNINFORMED.with_params(languages="de-en").text(),
        "glossary": "4 entries (revision abc)",
        "models": [{"from": "de", "into": "en", "model": "m", "revision": None}],
        "tuned": True,
    }
    log = "".join(
        f"2026-11-22 12:00:00 {each.text()}\n" for each in SENTENCES if not each.params and "%" not in each.message
    )
    made = Run.objects.get(pk=run.pk)
    Run.objects.update(report=report, log=made.log + log, error=NO_DICTIONARY.with_params(name="ding").text())
    died = DIED.with_params(n="2")
    address = f"/projects/library/prelabels/{run.slug}/"
    for stored in (died.text(), died.to_json()):  # as earlier versions stored it, and as it is stored now
        Lot.objects.update(failures={str(Pair.objects.get().pk): stored})
        assert in_german(died) in words(page(home.lead, address))
    said = page(home.lead, address)
    assert english_on(said) == []
    for phrase in (
        REQUESTED.with_params(who=NO_PERSON),
        died,
        FEW_LABELLED.with_params(n="3", needed="20"),
        UNINFORMED.with_params(languages="de-en"),
    ):
        assert in_german(phrase) in words(said)
    assert "Labels" in said and "yes" not in words(said).split()
    assert english_on(page(home.lead, "/projects/library/prelabels/")) == []


def test_a_run_that_failed(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def fit(*_: Any) -> None:
        raise MethodError(NO_DICTIONARY.with_params(name="ding"))

    monkeypatch.setattr(Fake, "fit", fit)
    run = run_request(project=home.project, method="fake")
    processing.lots_process(Queue.values)
    for address in (f"/projects/library/prelabels/{run.slug}/", "/projects/library/prelabels/"):
        said = page(home.lead, address)
        assert english_on(said) == []
        # The list shows the beginning of a long reason.
        assert in_german(NO_DICTIONARY.with_params(name="ding"))[:150] in words(said)


def test_the_warnings_and_the_report_of_an_import(home: House) -> None:
    report = ImportReport("library", pairs_new=2, broken=1, overlaps=2, annotators_new=["A1"])
    report.source_warnings.update(each.with_params(label="6", other="5").text() for each in ALL_WARNINGS)
    row = Import.objects.create(
        slug="library", project=home.project, status=JobStatus.DONE, foreground=False, **report.stored_fields()
    )
    for address in (f"/projects/library/import/{row.pk}/", "/projects/library/import/"):
        said = page(home.lead, address)
        assert english_on(said) == []
        assert all(in_german(each.with_params(label="6", other="5")) in words(said) for each in ALL_WARNINGS)
    assert warning_phrase("a warning of a format of one's own").text() == "a warning of a format of one's own"


BROKEN = [
    '{"id": "p1",',
    "{",
    '{"id" "p1"}',
    '["a" "b"]',
    '{"a": "b',
    '{"a": "\\x"}',
    '{"a": "\\u12"}',
    "1 2",
    '{"a": "\t"}',
]


@pytest.mark.parametrize("line", BROKEN)
def test_faults_of_json(line: str) -> None:
    with pytest.raises(JSONError) as caught:
        strict_json.loads(line)
    known = {message.id for message in messages.read("de", "django") if message.id and message.string}
    assert caught.value.reason.params["reason"].message in known  # type: ignore[union-attr]
    assert "a mistake in its syntax" not in caught.value.phrase.text(), "what Python says is known"


def test_a_file_of_broken_lines(home: House) -> None:
    sent = SimpleUploadedFile("pairs.jsonl", b'{"id": "p1",\n{"id" "p2"}\n[1]\n')
    assert home.lead.post("/projects/library/import/", {"upload": [sent], "step": "check"}).status_code == 302
    imports_run()
    row = Import.objects.get()
    said = page(home.lead, f"/projects/library/import/{row.pk}/")
    assert row.rejections and english_on(said) == []
    reasons = [Phrase.from_json(each["phrase"]) for each in row.rejections]
    colon = next(each for each in reasons if "a colon is expected" in each.text())
    assert in_german(colon) in words(said)


@pytest.mark.parametrize(
    "scheme",
    [
        "{",
        "{}",
        '{"name": "x", "labels": [{"key": "a", "name": "A", "colour": "red"}]}',
        '{"name": "x", "labels": [{"key": "a", "name": "A", "hotkey": "n"}]}',
        '{"name": "x", "labels": [{"key": "a", "name": "A"}, {"key": "a", "name": "B"}]}',
        '{"name": "x", "labels": [{"key": "a", "name": "A", "value": 0}]}',
        '{"name": "x", "sides": ["b"], "links": true, "labels": [{"key": "a", "name": "A"}]}',
        '{"name": "x", "labels": [], "default": "same"}',
        '{"name": "x", "labels": [{"key": "same", "name": "A"}]}',
        '{"name": "x", "questions": [{"key": "q", "text": "Q", "type": "scale", "low": 1, "high": 0}]}',
    ],
)
@pytest.mark.long
def test_faults_of_custom_schemes(home: House, scheme: str) -> None:
    form = {"name": "Own", "scheme": "own", "own_scheme": scheme}
    answer = home.lead.post("/projects/new/", form)
    assert answer.status_code == 422
    assert english_on(answer.content.decode()) == []


@pytest.mark.long
@pytest.mark.takes(24)
def test_why_a_model_cannot_be_had_or_used(home: House) -> None:
    """Workers store these sentences in English; several models' are one text."""
    run = run_request(project=home.project, method="fake")
    texts = []
    for each in model_phrases.SENTENCES:
        params = {name: "encoder" if name == "kind" else "7" for name in re.findall(r"%\((\w+)\)s", each.message)}
        texts.append(each.with_params(**params).text())
    log = "".join(f"2026-11-22 12:00:00 {FAILED.with_params(why=text).text()}\n" for text in texts)
    together = "; ".join(text for text in texts if "; " not in text)
    alone = [text for text in texts if "; " in text]
    for error, lines in (("", log), (together, ""), *((text, "") for text in alone)):
        Run.objects.filter(pk=run.pk).update(error=error, log=lines)
        assert english_on(page(home.lead, f"/projects/library/prelabels/{run.slug}/")) == []
    off = [model_phrases.DOWNLOADS_OFF.with_params(kind="encoder", name=name).text() for name in "ab"]
    Run.objects.filter(pk=run.pk).update(error="; ".join(off))
    said = words(page(home.lead, f"/projects/library/prelabels/{run.slug}/"))
    for name in "ab":
        assert in_german(model_phrases.DOWNLOADS_OFF.with_params(kind=Phrase("encoder"), name=name)) in said
