"""The scheme editor: rows that are added, moved and removed without saving, what is refused, and the preview."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.forms.scheme import EditedScheme
from annotation.models import Project
from annotation.selectors.schemes import scheme_revision
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save
from annotation.text.scheme_parsing import parse_scheme
from annotation.text.schemes import PRESETS, Scheme
from tests.annotation.work import LIBRARY, House, client_of, doc, span
from tests.annotation.work import house as make_house
from tests.factories import PairFactory, ProjectFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def fields(html: str) -> dict[str, str]:
    """What a browser would send of the form, without its buttons."""
    found: dict[str, str] = {}
    for tag in re.findall(r"<input[^>]*>", html):
        given = dict(re.findall(r'([a-z-]+)="([^"]*)"', tag))
        if given.get("type") in ("radio", "checkbox") and not re.search(r"\schecked[\s>]", tag):
            continue
        if "name" in given and given.get("type") != "file":
            found[given["name"]] = given.get("value", "on")
    for name, inside in re.findall(r'<select[^>]*name="([^"]*)"[^>]*>(.*?)</select>', html, re.DOTALL):
        chosen = re.search(r'value="([^"]*)"\s+selected', inside)
        found[name] = chosen.group(1) if chosen else ""
    found.pop("csrfmiddlewaretoken", None)
    return {name: value.replace("&#x27;", "'").replace("&quot;", '"') for name, value in found.items()}


def editor(response: Any) -> dict[str, str]:
    html = response.content.decode()
    return fields(html[html.index('id="scheme-editor"') : html.index('id="preview-title"')])


@pytest.fixture
def house() -> House:
    return make_house()


@pytest.fixture
def at(house: House) -> str:
    return reverse("project-scheme", args=[house.project.slug])


def saved(house: House) -> Scheme:
    return Project.objects.get(pk=house.project.pk).labels


@pytest.mark.parametrize("name", PRESETS)
def test_what_the_form_shows_is_what_it_saves(name: str) -> None:
    project = ProjectFactory(scheme=PRESETS[name].to_json())
    client, to = client_of(UserFactory(is_superuser=True)), reverse("project-scheme", args=[project.slug])
    sent = editor(client.get(to))
    assert EditedScheme.from_form(sent).to_json() == EditedScheme.from_scheme(PRESETS[name]).to_json()
    response = client.post(to, sent | {"action": "save"})
    assert response.status_code == 302
    now = Project.objects.get(pk=project.pk).labels
    assert now == PRESETS[name]


def listed(kind: str, *choices: tuple[str, str, float], **more: Any) -> dict[str, Any]:
    """A scheme with one question of this type that lists its choices."""
    made = [{"key": key, "name": name, "value": value} | more for key, name, value in choices]
    return {"name": "odd", "links": False, "questions": [{"key": "q", "text": "Q?", "type": kind, "choices": made}]}


YES, NO = ("yes", "Yes", 1), ("no", "No", 0)
LABELS = [{"key": "x", "name": "X"}]
UNLIKE_THEIR_TYPE = {
    "a third answer": listed("yes-no", YES, NO, ("m", "Maybe", 2)),
    "other keys": listed("yes-no", ("y", "Yes", 1), ("n", "No", 0)),
    "no is first": listed("yes-no", NO, YES),
    "other values": listed("yes-no", ("yes", "Yes", 0), ("no", "No", 1)),
    "other hotkeys": listed("yes-no", YES, NO, hotkey=""),
    "hotkeys beside labels": listed("yes-no", YES, NO) | {"labels": LABELS},
    "named steps": listed("scale", ("1", "1: low", 1), ("2", "2: middling", 2), ("3", "3: high", 3)),
    "named steps without hotkeys": listed("scale", ("1", "a", 1), ("2", "b", 2), hotkey="") | {"labels": LABELS},
    "uneven values": listed("scale", ("1", "1", 1), ("2", "2", 5), ("3", "3", 10)),
    "a step is missing": listed("scale", ("1", "1", 1), ("5", "5", 5), ("10", "10", 10)),
    "no numbers": listed("scale", ("a", "A", 1), ("b", "B", 2)),
    "a wide name": listed("scale", ("1", "1:  wide", 1), ("2", "2", 2)),
}
LIKE_THEIR_TYPE: dict[str, dict[str, Any]] = {
    "yes-no": listed("yes-no", ("yes", "Ja", 1), ("no", "Nein", 0)),
    "scale": {**listed("scale"), "questions": [
        {"key": "q", "text": "Q?", "type": "scale", "low": -1, "high": 3, "low_name": "none", "high_name": "all: it"}
    ]},
    "choices": listed("choices", *((str(n), str(n), value) for n, value in enumerate(
        [12345.678, 1e-7, -1e-7, 1 / 3, 5e-324, 0.1 + 0.2, 999_999.999_999_9, -1_000_000, 0, 2.0]
    ))),
    "no hotkeys": listed("choices", YES, NO, hotkey=""),
    "text": {**listed("text"), "labels": LABELS},
}  # fmt: skip
LIKE_THEIR_TYPE |= {f"{name} with labels": LIKE_THEIR_TYPE[name] | {"labels": LABELS} for name in ("scale", "choices")}
LIKE_THEIR_TYPE["yes-no with labels"] = listed("yes-no", YES, NO, hotkey="") | {"labels": LABELS}


def reopened(given: dict[str, Any]) -> tuple[Scheme, dict[str, str], Scheme]:
    """A scheme, the fields that its editor shows, and the scheme after these were sent unchanged."""
    before = parse_scheme(given)
    project = ProjectFactory(scheme=before.to_json())
    client, to = client_of(UserFactory(is_superuser=True)), reverse("project-scheme", args=[project.slug])
    sent = editor(client.get(to))
    response = client.post(to, sent | {"action": "save"})
    assert response.status_code == 302, response.content.decode()
    return before, sent, Project.objects.get(pk=project.pk).labels


@pytest.mark.parametrize("name", LIKE_THEIR_TYPE)
def test_saving_an_unchanged_scheme_keeps_it_and_its_kinds_of_questions(name: str) -> None:
    before, sent, after = reopened(LIKE_THEIR_TYPE[name])
    assert after == before
    assert sent["questions-0-kind"] == before.questions[0].type


@pytest.mark.parametrize("name", UNLIKE_THEIR_TYPE)
def test_choices_that_their_type_does_not_make_are_shown_and_kept(name: str) -> None:
    before, sent, after = reopened(UNLIKE_THEIR_TYPE[name])
    assert sent["questions-0-kind"] == "choices"
    assert after == replace(before, questions=(replace(before.questions[0], type="choices"),))


def test_answers_are_kept_while_another_kind_is_tried(house: House, at: str) -> None:
    text = json.dumps(listed("choices", YES, NO, hotkey=""))
    sent = editor(house.lead.post(at, {"action": "json", "json": text})) | {"questions-0-options-1-hotkey": "7"}
    other = editor(house.lead.post(at, sent | {"questions-0-kind": "scale", "action": "refresh"}))
    assert editor(house.lead.post(at, other | {"questions-0-kind": "choices", "action": "refresh"})) == sent


def test_a_lead_makes_every_kind_of_question_by_posts_alone(house: House, at: str) -> None:
    sent = editor(house.lead.get(at))
    for kind in ("choices", "scale", "yes-no", "several", "text"):
        sent = editor(house.lead.post(at, sent | {"action": "add-question"}))
        n = max(int(name.split("-")[1]) for name in sent if name.startswith("questions-"))
        sent = editor(house.lead.post(at, sent | {f"questions-{n}-kind": kind, "action": "refresh"}))
        sent |= {f"questions-{n}-name": f"The {kind} one?"}
        if kind in ("choices", "several"):
            sent = editor(house.lead.post(at, sent | {"action": f"add-option:{n}"}))
            sent |= {f"questions-{n}-options-{i}-name": f"Answer {i}" for i in range(3)}
    assert saved(house) == PRESETS["graded"], "nothing is saved before"
    sent |= {"questions-1-low": "0", "questions-1-high": "3", "questions-1-high_name": "all"}
    response = house.lead.post(at, sent | {"action": "save"})
    assert response.status_code == 302, response.content.decode()
    found = saved(house)
    assert [(question.type, question.title, len(question.choices)) for question in found.questions] == [
        ("choices", "The choices one?", 3), ("scale", "The scale one?", 4), ("yes-no", "The yes-no one?", 2),
        ("several", "The several one? – Answer 0", 2), ("several", "The several one? – Answer 1", 2),
        ("several", "The several one? – Answer 2", 2), ("text", "The text one?", 0),
    ]  # fmt: skip
    assert [question.key for question in found.questions[3:6]] == [f"the-several-one.answer-{n}" for n in range(3)]
    assert editor(house.lead.get(at)).keys() >= {"questions-3-options-2-key"}
    again = house.lead.post(at, editor(house.lead.get(at)) | {"action": "save"})
    assert again.status_code == 302 and saved(house) == found


def test_rows_are_moved_and_removed_and_the_focus_goes_along(house: House, at: str) -> None:
    sent = editor(house.lead.get(at))
    response = house.lead.post(at, sent | {"action": "down-label:0"})
    assert 'data-focus="down-labels-1"' in response.content.decode()
    moved = editor(response)
    assert [moved[f"labels-{n}-key"] for n in range(3)] == ["2", "1", "3"]
    response = house.lead.post(at, moved | {"action": "remove-label:4"})
    assert 'data-focus="labels-3-name"' in response.content.decode()
    assert "labels-4-key" not in editor(response)
    for hostile in (
        "remove-label:99",
        "remove-label:-1",
        "remove-label",
        "up-option:7:1",
        "add-",
        "add-row:1",
        ":",
        "x",
    ):
        assert editor(house.lead.post(at, sent | {"action": hostile})) == sent


def test_what_is_wrong_is_said_beside_its_field(house: House, at: str) -> None:
    sent = editor(house.lead.get(at))

    def refused(**changes: str) -> str:
        response = house.lead.post(
            at, sent | {name.replace("__", "-"): value for name, value in changes.items()} | {"action": "save"}
        )
        assert response.status_code == 422
        return response.content.decode()

    for name, value, says in (
        ("labels-1-hotkey", "a", "is a shortcut of the workspace"),
        ("labels-0-value", "much", "a number is expected"),
        ("labels-2-name", "", "empty"),
        ("labels-3-key", "1", "appears twice"),
        ("labels-4-colour", "g1", "missing; give every grade a colour"),
    ):
        html = refused(**{name.replace("-", "__"): value})
        field = re.search(rf'id="{name}-error"[^>]*>([^<]*)<', html) or re.search(
            r'id="labels-0-colour-error"[^>]*>([^<]*)<', html
        )
        assert field and says in field.group(1).replace("&#x27;", "'"), name
        assert 'aria-invalid="true"' in html
    assert saved(house) == PRESETS["graded"]


def test_all_that_is_wrong_is_said_at_once_each_beside_its_field(house: House, at: str) -> None:
    sent = editor(house.lead.get(at))
    new = {f"labels-5-{field}": "" for field in ("was", "key", "name", "hotkey", "value", "colour", "description")}
    question = {"questions-0-was": "", "questions-0-kind": "odd", "questions-0-name": "How?"}
    response = house.lead.post(
        at,
        sent
        | new
        | question
        | {"scheme-name": "", "labels-0-hotkey": "a", "labels-1-name": "", "labels-5-value": "6", "action": "save"},
    )
    html = response.content.decode()
    said = dict(re.findall(r'id="([a-z0-9-]+)-error"[^>]*>([^<]*)<', html))
    assert response.status_code == 422
    assert set(said) == {"scheme-name", "labels-0-hotkey", "labels-1-name", "labels-5-name", "questions-0-kind"}
    assert said["labels-5-name"] == "empty", "not that of the key, which is made of it"
    for field in said:
        assert re.search(rf'id="{field}"[^>]*aria-invalid="true"', html), field
    assert saved(house) == PRESETS["graded"]


def test_a_preset_a_file_and_json_fill_the_form_and_save_nothing(house: House, at: str) -> None:
    sent = editor(house.lead.get(at))
    preset = editor(house.lead.post(at, sent | {"action": "preset:xparade"}))
    assert (preset["labels-0-key"], preset["scheme-marks"]) == ("new", "b")
    own = house.lead.get(reverse("project-scheme-export", args=[house.project.slug]))
    assert json.loads(own.content) == PRESETS["graded"].to_json()
    assert own["Content-Disposition"].endswith(f'{house.project.slug}-scheme.json"')
    file = SimpleUploadedFile("s.json", own.content)
    assert editor(house.lead.post(at, preset | {"action": "file", "file": file})) == sent
    text = json.dumps(PRESETS["likert"].to_json())
    filled = editor(house.lead.post(at, sent | {"action": "json", "json": text}))
    assert filled["questions-0-name"] == PRESETS["likert"].questions[0].text
    assert saved(house) == PRESETS["graded"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "not valid JSON"),
        (b"\xff\xfe", "not UTF-8 text"),
        (b"[1, 2]", "an object is expected"),
        (b'{"name": "x", "labels": [{"key": "a", "name": "A", "evil": 1}]}', "scheme.labels[0].evil: unknown"),
        (b'{"name": "x", "name": "y"}', "name"),
        (b"[" * 100_000, "levels"),
        (b" " * 1_000_001, "at most 1 MB"),
    ],
)
def test_a_hostile_file_is_refused_beside_its_field(house: House, at: str, content: bytes, says: str) -> None:
    sent = editor(house.lead.get(at))
    response = house.lead.post(at, sent | {"action": "file", "file": SimpleUploadedFile("s.json", content)})
    page = response.content.decode()
    assert response.status_code == 422 and says in page and page.count("scheme.labels[0].evil") <= 1
    assert editor(response) == sent


def test_used_labels_stay_consequences_are_asked_about_and_a_changed_scheme_is_not_overwritten(
    house: House, at: str
) -> None:
    annotation_save(
        assignment=house.assignment, by=None, base=0, sent=AnnotationInput(spans=doc(span(LIBRARY, label="3")))
    )
    sent = editor(house.lead.get(at))
    html = house.lead.get(at).content.decode()
    assert "used 1×" in html and re.search(r'id="labels-2-key"[^>]*readonly', html)
    without = {name: value for name, value in sent.items() if not name.startswith("labels-2-")}
    for n in (3, 4):
        without |= {f"labels-{n - 1}-{k.split('-')[2]}": v for k, v in sent.items() if k.startswith(f"labels-{n}-")}
    without = {name: value for name, value in without.items() if not name.startswith("labels-4-")}
    response = house.lead.post(at, without | {"action": "save"})
    assert response.status_code == 422
    assert "the label &#x27;3&#x27; is in use (spans: 1); keep it" in response.content.decode()
    renamed = sent | {"labels-2-name": "Middling", "labels-2-value": "2.5"}
    response = house.lead.post(at, renamed | {"action": "save"})
    assert response.status_code == 409 and "Values change" in response.content.decode()
    assert saved(house) == PRESETS["graded"]
    assert house.lead.post(at, editor(response) | {"action": "confirm"}).status_code == 302
    assert (saved(house).labels[2].name, saved(house).labels[2].value) == ("Middling", 2.5)
    response = house.lead.post(at, sent | {"action": "save"})
    assert response.status_code == 409 and "Someone else has changed the scheme" in response.content.decode()
    assert "The errors are shown beside the fields" not in response.content.decode()
    assert saved(house).labels[2].name == "Middling"
    mine = house.lead.post(reverse("project-scheme-export", args=[house.project.slug]), editor(response))
    assert json.loads(mine.content)["labels"][2]["name"] == PRESETS["graded"].labels[2].name, "as in the form"


def test_chips_have_the_automatic_colours_of_grades(house: House, at: str) -> None:
    page = house.lead.get(at).content.decode()
    chips = re.findall(r'class="chip c-(\w+)"\s+data-automatic="(\w+)"', page)
    assert chips == [(f"g{n}", f"g{n}") for n in range(1, 6)]


def test_the_preview_is_the_workspace_under_the_unsaved_scheme(house: House, at: str) -> None:
    to = reverse("project-scheme-preview", args=[house.project.slug])
    sent = editor(house.lead.get(at)) | {"labels-0-name": "Tiny"}
    response = house.lead.post(to, sent)
    html = response.content.decode()
    assert response.status_code == 200 and '"Tiny"' in html and "data-preview" in html
    assert '"annotation": "#"' in html and "js/workspace/main.js" in html
    assert response["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in response["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in house.lead.get(at)["Content-Security-Policy"]
    bad = house.lead.post(to, sent | {"labels-0-name": ""})
    assert bad.status_code == 422 and "label 1, “Name”: empty" in bad.content.decode()
    assert saved(house) == PRESETS["graded"]


def test_the_preview_of_a_project_without_pairs_shows_a_sample_and_stores_none() -> None:
    project = ProjectFactory(scheme=PRESETS["likert"].to_json())
    client = client_of(UserFactory(is_superuser=True))
    html = client.get(reverse("project-scheme-preview", args=[project.slug])).content.decode()
    assert "borrow ten books" in html
    assert not project.pairs.exists()


def test_queries_do_not_grow_with_the_work(house: House, at: str, django_assert_num_queries: Any) -> None:

    with CaptureQueriesContext(
        connection,
    ) as before:
        house.lead.get(at)
    for _ in range(5):
        PairFactory(project=house.project)
    with django_assert_num_queries(len(before)):
        house.lead.get(at)


def test_the_api_reads_and_replaces_a_scheme_under_its_revision(house: House) -> None:
    to = reverse("api-scheme", args=[house.project.slug])
    found = house.lead.get(to).json()
    assert found == {"revision": scheme_revision(house.project.scheme), "scheme": PRESETS["graded"].to_json()}
    found["scheme"]["labels"][0]["name"] = "Tiny"
    response = house.lead.put(to, found, content_type="application/json")
    assert response.status_code == 200 and response.json()["scheme"]["labels"][0]["name"] == "Tiny"
    stale = house.lead.put(to, found | {"scheme": PRESETS["xparade"].to_json()}, content_type="application/json")
    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "scheme-changed")
    annotation_save(
        assignment=house.assignment, by=None, base=0, sent=AnnotationInput(spans=doc(span(LIBRARY, label="3")))
    )
    now = response.json()
    values = json.loads(json.dumps(now["scheme"]))
    values["labels"][4]["value"] = 9
    body = {"revision": now["revision"], "scheme": values}
    asked = house.lead.put(to, body, content_type="application/json")
    assert (asked.status_code, asked.json()["error"]["code"]) == (409, "confirm")
    assert house.lead.put(to, body | {"confirmed": True}, content_type="application/json").status_code == 200
    wrong = {"revision": house.lead.get(to).json()["revision"], "scheme": {"name": "x"}}
    refused = house.lead.put(to, wrong, content_type="application/json")
    assert (refused.status_code, refused.json()["error"]["where"]) == (422, "scheme")


def test_answers_in_use_cannot_be_removed(house: House, at: str) -> None:
    options = [{"key": "dates", "name": "Dates"}, {"key": "names", "name": "Names"}]
    questions = [
        {"key": "what", "text": "What differs?", "type": "several", "options": options},
        {"key": "kind", "text": "Which?", "choices": [{"key": "x", "name": "X"}, {"key": "y", "name": "Y"}]},
    ]
    scheme = parse_scheme({"name": "kinds", "links": False, "questions": questions})
    Project.objects.filter(pk=house.project.pk).update(scheme=scheme.to_json())
    house.assignment.refresh_from_db()
    house.assignment.pair.project.refresh_from_db()
    work = AnnotationInput(spans=doc(), answers={"what.dates": "yes", "what.names": "no", "kind": "x"})
    annotation_save(assignment=house.assignment, by=None, base=0, sent=work)
    html = house.lead.get(at).content.decode()
    removable = [each for each in ("0:0", "0:1", "1:0", "1:1") if f'value="remove-option:{each}"' in html]
    assert removable == ["1:1"]


def test_keys_are_made_of_whole_words() -> None:
    edited = EditedScheme.from_form(
        {
            "questions-0-was": "",
            "questions-0-kind": "scale",
            "questions-0-name": "How close are the two texts?",
            "questions-0-low": "0",
            "questions-0-high": "100",
        }
    )
    assert edited.to_json()["questions"][0]["key"] == "how-close-are-the"
