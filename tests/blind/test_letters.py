"""Letters are the same on every page, depend on a secret, and can't be circumvented by asking for a name."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from agreement.blind import Redactor, letters
from agreement.gold.status import pair_status
from annotation.models import Annotation, Assignment, Pair, Source
from tests.blind.site import ALIASES, site, site_draft
from tests.factories import AnnotatorFactory, PairFactory, ProjectFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_requesting_a_person_by_name_shows_no_less_and_no_more() -> None:
    at = site()
    page = reverse("agreement-pair", args=(at.project.slug, at.pairs[0].pk))
    queries: tuple[dict[str, str], ...] = ({}, {"again": ALIASES[0]}, {"annotators": ALIASES[0]})
    shown = [at.adjudicator.get(page, query).context["side_by_side"].people for query in queries]
    assert [[person.name for person in people] for people in shown] == [["A", "B", "C"]] * 3


def test_picking_a_person_by_name_decides_nothing() -> None:
    at = site()
    body = {"rule": "pick", "phase": "main", "annotator": ALIASES[0]}
    response = at.adjudicator.post(reverse("adjudication-try", args=(at.project.slug,)), body)
    assert set(response.context["body"]["reasons"]) >= {"text-0", "text-2"}
    draft = site_draft(at)
    before = draft.parameters
    draft.rule, draft.parameters = "pick", {**before, "annotator": ALIASES[1], "choices": {}}
    draft.save()
    at.adjudicator.post(reverse("manual-adjudication-open", args=(at.project.slug,)), body)
    assert site_draft(at).parameters["annotator"] == ALIASES[1], "what the lead set stays"


def test_a_person_has_the_same_letter_on_every_page() -> None:
    at = site()
    for pair in (at.pairs[0], at.pairs[2]):
        drawn = letters([pair.pk])[pair.pk]
        expected = {spans: drawn[annotator] for spans, annotator in _marked(pair)}
        page = at.adjudicator.get(reverse("agreement-pair", args=(at.project.slug, pair.pk)))
        for person in page.context["side_by_side"].people:
            assert expected[_label(person.annotation)] == person.name
        work = at.adjudicator.get(reverse("api-manual-adjudication", args=(at.project.slug, pair.pk))).json()[
            "adjudication"
        ]
        disputed = next(region for region in work["regions"] if region["state"] == "disputed")
        for version in disputed["versions"]:
            assert version["people"] == [expected[version["spans"][0]["label"]]]


def _marked(pair: Pair) -> list[tuple[str, int]]:
    rows = Annotation.objects.filter(pair=pair, source=Source.HUMAN, assignment__round=0).select_related("assignment")
    return [(_label(row), row.assignment.annotator_id) for row in rows if row.assignment]


def _label(annotation: Annotation) -> str:
    return str(annotation.spans["spans"][0]["label"])


def test_letters_depend_on_a_secret_and_change_from_pair_to_pair(settings: Any) -> None:
    at = site()
    for n in range(20):
        pair = PairFactory(project=at.project, position=100 + n)
        for person in at.people:
            Assignment.objects.create(pair=pair, annotator=person, order=100 + n)
    keys = list(Pair.objects.filter(project=at.project).values_list("pk", flat=True))
    before = letters(keys)
    orders = {tuple(drawn[person.pk] for person in at.people) for drawn in before.values()}
    assert len(orders) > 1
    settings.SECRET_KEY = "another"
    assert letters(keys) != before


def test_nothing_that_is_sent_can_be_computed_from_ids(settings: Any) -> None:
    """Keys of regions and the fingerprint of a pair's work would otherwise tell whose annotation came first."""
    at = site()
    draft, pair = site_draft(at), at.pairs[0]

    def sent() -> tuple[str, ...]:
        status = pair_status(draft, Pair.objects.get(pk=pair.pk))
        assert status is not None
        return status.fingerprint, *(region.key for region in status.regions)

    before = sent()
    settings.SECRET_KEY = "another"
    assert sent()[0] != before[0]
    settings.SECRET_KEY = "a third"
    keys = {sent()[1:] for settings.SECRET_KEY in map(str, range(6))}
    assert len(keys) > 1, "the order of the people, drawn with the secret, goes into the keys"


@pytest.mark.parametrize(
    ("alias", "text", "shown"),
    [
        ("安娜", "由安娜标注", "由…标注"),
        ("สมชาย", "โดยสมชายเขียน", "โดย…เขียน"),
        ("José", "Jose\u0301 and JOSE said", "… and … said"),
        ("Straße", "STRASSE said", "… said"),
        ("anna", "ａｎｎａ, a\u200bnna, anna_2, Annas, Anna's", "…, …, …_2, …, …'s"),
        ("Anna Maria Kurz", "Anna\u00a0 Maria\nKurz; Frau Kurz, maria", "…; Frau …, …"),
        ("Kurz, Anna", "Kurz, Anna; by Anna Kurz", "…; by … …"),
        ("anna.kurz", "as Anna says", "as … says"),
        ("anna", "Savannah, hannah, annal", "Savannah, hannah, annal"),
        ("Jan de Vries", "de facto, Januar", "de facto, Januar"),
        ("7", "7 words", "7 words"),
    ],
)
def test_a_name_is_removed_in_any_spelling_and_nothing_else(alias: str, text: str, shown: str) -> None:
    project = ProjectFactory()
    user = UserFactory(username="zq", first_name="", last_name="", email="")
    AnnotatorFactory(project=project, alias=alias, user=user)
    assert Redactor(project, hidden=True)(text) == shown


def test_a_save_keeps_the_names_that_the_adjudicator_was_not_shown() -> None:
    at = site()
    pair = at.pairs[0]
    address = reverse("api-manual-adjudication-annotation", args=(at.project.slug, pair.pk))
    span: dict[str, Any] = {"id": "s1", "label": "1", "origin": "manual", "comment": "as Zobrist says"}
    span["fragments"] = [{"side": "a", "start": pair.a.tokens[0][0], "end": pair.a.tokens[0][1]}]
    spans: dict[str, Any] = {"v": 1, "spans": [span]}
    body = {"revision": 0, "spans": spans, "comment": "Okonkwo first"}
    assert at.adjudicator.put(address, body, content_type="application/json").status_code == 200
    shown = at.adjudicator.get(reverse("api-manual-adjudication", args=(at.project.slug, pair.pk))).json()["annotation"]
    assert (shown["comment"], shown["spans"]["spans"][0]["comment"]) == ("… first", "as … says")
    again = {"revision": shown["revision"], "spans": shown["spans"], "comment": shown["comment"]}
    again["spans"]["spans"][0]["label"] = "2"
    assert at.adjudicator.put(address, again, content_type="application/json").status_code == 200
    kept = Annotation.objects.get(pair=pair, source=Source.GOLD, gold_version=site_draft(at).number)
    assert (kept.comment, kept.spans["spans"][0]["comment"]) == ("Okonkwo first", "as Zobrist says")
    assert kept.spans["spans"][0]["label"] == "2"
