"""The pages of manual adjudication."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from agreement.blind import Redactor
from agreement.gold.adjudication_payload import suggested_reason
from agreement.gold.services.drafts import draft_close, draft_decide, draft_open, draft_reopen, draft_save
from agreement.gold.services.exclusions import pair_exclude
from agreement.gold.services.versions import gold_create
from agreement.gold.status import pair_status
from agreement.models import GoldVersion
from annotation.models import Role
from annotation.selectors.schemes import scheme_revision
from annotation.services.schemes import scheme_change
from tests.agreement.access import logged_in, member, statuses
from tests.agreement.gold.home import Home, home
from tests.agreement.work import pair, project, submit
from tests.factories import UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def to(at: Home, name: str, *more: int) -> str:
    return reverse(name, args=[at.project.slug, *more])


def test_a_pair_has_a_link_to_the_adjudication_page_for_when_its_draft_is_closed() -> None:
    at = home()
    at.open()
    page = member(at.project, Role.ADJUDICATOR).get(to(at, "manual-adjudication-pair", at.pair.pk)).content.decode()
    assert re.search(
        rf'<a class="button"\s+data-when="gold"\s+href="{to(at, "manual-adjudication")}"\s+hidden>Adjudication</a>',
        page,
    )


@pytest.mark.parametrize(
    "name",
    ["manual-adjudication", "manual-adjudication-next", "manual-adjudication-pair", "gold-compare", "gold-history"],
)
def test_who_may_read(name: str) -> None:
    at = home()
    at.open()
    found = statuses(
        at.project, to(at, name, *([at.pair.pk] if name in ("manual-adjudication-pair", "gold-history") else []))
    )
    assert (found["stranger"], found["annotator"], found["nobody"]) == (404, 403, 302)
    assert {found["lead"], found["adjudicator"]} <= {200, 302}


def test_who_may_open_and_close() -> None:
    at = home()
    found = statuses(at.project, to(at, "manual-adjudication-open"), "post")
    assert found == {"stranger": 404, "annotator": 403, "nobody": 401, "lead": 302, "adjudicator": 302}
    found = statuses(at.project, to(at, "manual-adjudication-close"), "post")
    assert found == {"stranger": 404, "annotator": 403, "nobody": 401, "lead": 302, "adjudicator": 403}


def test_the_queue_says_in_which_languages_a_document_was_flagged() -> None:
    at = home()
    at.pair.metadata = {"document": "hours"}
    at.pair.save()
    other = pair(at.project, metadata={"document": "hours"}, external_id="other")
    submit(other, at.people[0], verdict="flagged", reason="cut off")
    at.open()
    page = member(at.project, Role.ADJUDICATOR).get(to(at, "manual-adjudication")).content.decode()
    elsewhere = f"flagged in {other.a.language}–{other.b.language}"
    assert page.count(elsewhere) == 1 and "cut off" in page


def test_opened_and_gone_through() -> None:
    at = home()
    client = member(at.project, Role.LEAD)
    assert "No draft is open" in client.get(to(at, "manual-adjudication")).content.decode()
    page = client.post(to(at, "manual-adjudication-open"), {"rule": "agreed", "phase": "main"}, follow=True)
    assert "<b>0 of 1</b> pair decided manually" in page.content.decode()
    assert "needs a decision" in page.content.decode()
    assert "1 pair is neither decided nor excluded" in page.content.decode()
    page = client.get(to(at, "manual-adjudication-next"), follow=True)
    assert page.context["assignment"]["pair"]["id"] == at.pair.pk
    assert 'id="dock"' in page.content.decode()
    page = client.get(f"{to(at, 'manual-adjudication-next')}?after={at.pair.pk}", follow=True)
    assert "No other pairs need a decision." in page.content.decode()


def test_a_queue_without_pairs_to_decide_says_what_remains_in_it() -> None:
    study, people = project("graded", "A1", "A2")
    sure = pair(study)
    for person in people:
        submit(sure, person)
    client = member(study, Role.LEAD)
    draft_open(project=study, rule="agreed", phase="main", by=None)
    following = reverse("manual-adjudication-next", args=[study.slug])
    said = "No pairs need a decision: the rule is sure of the 1 pair that remains."
    assert said in client.get(following, follow=True).content.decode()
    pair_exclude(pair=sure, reason="not needed", by=None)
    page = client.get(following, follow=True).content.decode()
    assert "No pairs need a decision." in page and "the rule is sure of" not in page


def test_what_cannot_be_opened_or_closed_says_why() -> None:
    at = home()
    client = member(at.project, Role.LEAD)
    page = client.post(to(at, "manual-adjudication-open"), {"rule": "agreed", "phase": "trial"}, follow=True)
    assert "Nothing has been submitted in the trial phase" in page.content.decode()
    page = client.post(to(at, "manual-adjudication-close"), follow=True)
    assert "No draft is open." in page.content.decode()
    draft_save(draft=at.open(), pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0], [])]))
    page = client.post(to(at, "manual-adjudication-close"), follow=True)
    assert "1 pair is in progress and not decided yet" in page.content.decode()
    assert page.redirect_chain[-1][0] == reverse("manual-adjudication", args=[at.project.slug]), (
        "where the reason is in view"
    )


def test_old_addresses_lead_to_the_pages() -> None:
    at = home()
    client = member(at.project, Role.ADJUDICATOR)
    old = f"/projects/{at.project.slug}/adjudication/hand/"
    for rest in ("", "next/", f"{at.pair.pk}/", f"{at.pair.pk}/gold/", "?region=2"):
        response = client.get(old + rest)
        assert (response.status_code, response["Location"]) == (301, old.replace("/hand/", "/manual/") + rest)
    assert client.get(f"{old}{at.pair.pk}/gold/", follow=True).status_code == 200


def test_reasons_to_exclude_a_pair_are_joined_into_one_sentence() -> None:
    at = home()
    on = pair(at.project)
    for person, reason in zip(at.people, ("Two subjects.", "Boilerplate"), strict=False):
        submit(on, person, verdict="rejected", reason=reason)
    status = pair_status(at.open(), on)
    assert status is not None
    reason = suggested_reason(status, Redactor(at.project, hidden=False, viewer=at.by))
    first, *others = reason.split("; ")
    assert first == "found not comparable by 2 annotators"
    assert sorted(others) == ["not comparable: Boilerplate", "not comparable: Two subjects"]


def test_a_flag_is_called_so_in_adjudication_as_on_other_pages() -> None:
    at = home()
    on = pair(at.project)
    submit(on, at.people[0], verdict="flagged", reason="cut off")
    submit(on, at.people[1], verdict="submitted")
    status = pair_status(at.open(), on)
    assert status is not None
    redact = Redactor(at.project, hidden=False, viewer=at.by)
    assert suggested_reason(status, redact) == "flagged: cut off"
    page = member(at.project, Role.ADJUDICATOR).get(to(at, "manual-adjudication-pair", on.pk)).content.decode()
    assert re.search(r'"verdict": "flagged", "words": "cut off"', page)


def test_pairs_in_progress_are_linked_and_reset() -> None:
    at = home()
    draft = at.open()
    client = member(at.project, Role.ADJUDICATOR)
    assert 'id="in-progress"' not in client.get(to(at, "manual-adjudication")).content.decode()
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0], [])]))
    said = client.get(to(at, "manual-adjudication")).content.decode().partition('id="in-progress"')[2]
    assert f'href="{to(at, "manual-adjudication-pair", at.pair.pk)}"' in said
    address = to(at, "manual-adjudication-reset", at.pair.pk)
    assert address in said
    page = client.post(address, follow=True)
    assert page.redirect_chain[0][0] == f"{to(at, 'manual-adjudication')}#in-progress"
    assert f"{at.pair.external_id} is decided by the rule again." in page.content.decode()
    assert at.status(draft).state == "open"
    assert "This pair is not in progress." in client.post(address, follow=True).content.decode()


def test_without_the_plugin_of_its_rule_a_draft_is_given_another_rule() -> None:
    at = home()
    gold_create(project=at.project, rule="agreed", phase="main", by=at.by)
    draft = at.open()
    GoldVersion.objects.filter(pk=draft.pk).update(rule="of-a-plugin")
    client = member(at.project, Role.LEAD)
    page = client.get(to(at, "manual-adjudication")).content.decode()
    assert "The automatic rule “of-a-plugin” of this draft is not installed." in page
    assert to(at, "manual-adjudication-close") not in page and to(at, "manual-adjudication-next") not in page
    for name in ("manual-adjudication-pair", "api-manual-adjudication"):
        refused = client.get(to(at, name, at.pair.pk))
        assert refused.status_code == 409 and "is not installed" in refused.content.decode(), name
    for name in ("manual-adjudication-next", "gold-compare"):
        assert client.get(to(at, name)).status_code in (409, 422), name
    page = client.post(to(at, "manual-adjudication-close"), follow=True).content.decode()
    assert "of-a-plugin" in page and GoldVersion.objects.get(pk=draft.pk).open
    client.post(to(at, "manual-adjudication-open"), {"rule": "agreed", "phase": "main"})
    assert to(at, "manual-adjudication-pair", at.pair.pk) in client.get(to(at, "manual-adjudication")).content.decode()
    assert GoldVersion.objects.get(pk=draft.pk).rule == "agreed"


def test_a_draft_whose_rule_no_longer_suits_the_scheme_is_given_another_rule() -> None:
    at = home("xparade")
    draft = at.open("xparade")
    question = {"key": "q", "text": "Clear?", "choices": [{"key": "y", "name": "Yes"}, {"key": "n", "name": "No"}]}
    scheme = {**at.project.scheme, "questions": [question]}
    revision = scheme_revision(at.project.scheme)
    scheme_change(project=at.project, scheme=scheme, base=revision, confirmed=True)
    client = member(at.project, Role.LEAD)
    page = client.get(to(at, "manual-adjudication")).content.decode()
    assert "suit the scheme, which was changed" in page and to(at, "manual-adjudication-next") not in page
    for name in ("manual-adjudication-pair", "api-manual-adjudication"):
        refused = client.get(to(at, name, at.pair.pk))
        assert refused.status_code == 409 and "suit the scheme" in refused.content.decode(), name
    assert client.get(to(at, "manual-adjudication-next")).status_code == 409
    client.post(to(at, "manual-adjudication-close"))
    assert GoldVersion.objects.get(pk=draft.pk).open
    client.post(to(at, "manual-adjudication-open"), {"rule": "agreed", "phase": "main"})
    assert to(at, "manual-adjudication-pair", at.pair.pk) in client.get(to(at, "manual-adjudication")).content.decode()


def test_closing_warns_of_pairs_that_nobody_worked_on() -> None:
    at = home()
    draft = at.open()
    pages = []
    for _step in range(2):
        pages.append(member(at.project, Role.LEAD).get(to(at, "manual-adjudication")).content.decode())
        if not pages[1:]:
            draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0], [])]))
    warned = ["is neither decided nor excluded" in page for page in pages]
    assert warned == [True, False], "a pair in progress is not decided by the rule"


def test_who_may_reset() -> None:
    at = home()
    at.open()
    found = statuses(at.project, to(at, "manual-adjudication-reset", at.pair.pk), "post")
    assert found == {"stranger": 404, "annotator": 403, "nobody": 401, "lead": 302, "adjudicator": 302}


def test_closed_and_compared_with_the_last() -> None:
    at = home()
    extra = pair(at.project)
    gold_create(project=at.project, rule="union", phase="main")
    submit(extra, at.people[0], [("2", [1], [])])
    draft = at.open()
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0, 1], [0]), ("1", [3], [])]))
    draft_decide(draft=draft, pair=at.pair, by=at.by, base=1, seen=at.status(draft).fingerprint)
    client = member(at.project, Role.LEAD)
    before = client.get(to(at, "gold-compare"))
    assert "2 (open draft)" in before.content.decode() and "as if it were closed now" in before.content.decode()
    again = draft_reopen(draft=draft, pair=at.pair, by=at.by)
    assert again is not None
    base = again.revision
    draft_save(draft=draft, pair=at.pair, by=at.by, base=base, sent=at.work([("5", [0, 1], [0]), ("1", [3], [])]))
    (unfinished, _) = client.get(to(at, "gold-compare")).context["page"]
    assert unfinished.rows[0].after.key == "5", "unfinished work is shown as it was saved"
    draft_save(draft=draft, pair=at.pair, by=at.by, base=base + 1, sent=at.work([("3", [0, 1], [0]), ("1", [3], [])]))
    draft_decide(draft=draft, pair=at.pair, by=at.by, base=base + 2, seen=at.status(draft).fingerprint)
    page = client.post(to(at, "manual-adjudication-close"), follow=True)
    assert "Gold version 2 was created." in page.content.decode()
    page = client.get(to(at, "gold-compare"))
    body = page.content.decode()
    assert "<b>1 pair</b> changed (differences in spans and answers: 1); 1 added." in body
    (changed, added) = page.context["page"]
    assert (changed.kind, added.kind) == ("changed", "added")
    assert before.context["page"][0].rows == changed.rows, "closing it gave what the draft had shown"
    (row,) = changed.rows
    assert (row.before.key, row.after.key) == ("4", "3")
    assert row.after.origin.startswith("changed, from A") and row.after.origin.endswith("by mia")
    assert "are identical" in client.get(to(at, "gold-compare"), {"one": 2, "other": 2}).content.decode()


def test_where_each_span_is_from_is_shown_and_names_are_hidden_where_the_lead_hides_them() -> None:
    at = home()
    gold_create(project=at.project, rule="majority", phase="main")
    client = member(at.project, Role.ADJUDICATOR)
    body = client.get(to(at, "gold-history", at.pair.pk)).content.decode()
    assert "rule “Majority”, from A1, A2" in body
    at.project.settings = {"adjudication_blind": True}
    at.project.save()
    body = client.get(to(at, "gold-history", at.pair.pk)).content.decode()
    assert "rule “Majority”, from 2 annotators" in body and not re.search(r"\bA1\b", body)


def shown_gold(**settings: object) -> tuple[Home, str]:
    """A1 has an account; the gold says 3 where they said 4."""
    at = home()
    at.people[0].user = UserFactory()
    at.people[0].save()
    draft = at.open()
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0, 1], [0]), ("1", [3], [])]))
    draft_decide(draft=draft, pair=at.pair, by=at.by, base=1, seen=at.status(draft).fingerprint)
    draft_close(draft=draft, by=at.by)
    at.project.settings = settings
    at.project.save()
    assert at.first.assignment is not None
    return at, to(at, "adjudicated-pair", at.first.assignment.pk)


def test_annotators_see_the_difference_to_their_own_work_when_the_lead_opens_it() -> None:
    at, page = shown_gold(gold_shown=True, closed_phases=["main"])
    client = logged_in(at.people[0].user)
    assert (
        "Of your <b>1 pair</b> with gold, 0 matches your annotation."
        in client.get(to(at, "adjudicated")).content.decode()
    )
    response = client.get(page)
    (row,) = response.context["rows"]
    assert (row.kind, row.before.key, row.after.key) == ("another label", "4", "3")
    # As words: a CSRF token may hold the letters.
    assert not re.search(r"\b(A2|mia)\b", response.content.decode()), "others stay out of it"
    found = statuses(at.project, page)
    assert (found["stranger"], found["annotator"], found["lead"]) == (404, 403, 200)


@pytest.mark.parametrize("settings", [{}, {"gold_shown": True}, {"closed_phases": ["main"]}])
def test_not_before_the_phase_is_closed_and_the_lead_shows_it(settings: dict[str, object]) -> None:
    at, page = shown_gold(**settings)
    client = logged_in(at.people[0].user)
    assert client.get(page).status_code == 404
    assert "There is no gold to see yet" in client.get(to(at, "adjudicated")).content.decode()


def test_no_gold_to_show() -> None:
    at, page = shown_gold(gold_shown=True, closed_phases=["main"])
    GoldVersion.objects.all().delete()
    assert logged_in(at.people[0].user).get(page).status_code == 404
