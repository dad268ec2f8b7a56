"""Adjudication pages: rules, dry runs, versions, leaving out."""

import re
import sys
from dataclasses import replace

import pytest
from django.urls import reverse

from agreement.adjudication.base import RULES, Decision, RuleError
from agreement.models import Exclusion, GoldVersion
from annotation.models import Pair, Project
from tests.agreement.access import member, statuses
from tests.agreement.work import pair, project, submit

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
ADJUDICATORS = {"stranger": 404, "annotator": 403, "adjudicator": 200, "lead": 200, "nobody": 302}


@pytest.fixture
def on() -> Pair:
    made, (one, two) = project()
    on = pair(made)
    submit(on, one, [("4", [0, 1], [0]), ("1", [3], [])])
    submit(on, two, [("2", [0, 1], [0]), ("1", [3], [])])
    return on


def address(of: Project, name: str, *rest: object) -> str:
    return reverse(name, args=[of.slug, *rest])


def test_access(on: Pair) -> None:
    made = on.project
    assert statuses(made, address(made, "adjudication")) == ADJUDICATORS
    assert statuses(made, address(made, "adjudication-rules", on.pk)) == ADJUDICATORS
    assert statuses(made, address(made, "adjudication-try"), "post") == {**ADJUDICATORS, "nobody": 401}
    assert statuses(made, address(made, "adjudication-make"), "post") == {
        **ADJUDICATORS, "adjudicator": 403, "lead": 302, "nobody": 401
    }  # fmt: skip
    assert statuses(made, address(made, "adjudication-exclude", on.pk), "post") == {
        **ADJUDICATORS, "adjudicator": 422, "lead": 422, "nobody": 401
    }  # fmt: skip
    member(made, "lead").post(address(made, "adjudication-make"), {"rule": "union", "phase": "main"})
    assert statuses(made, address(made, "gold-version", 1)) == ADJUDICATORS


def test_a_dry_run_compares_rules_and_writes_nothing(on: Pair) -> None:
    client = member(on.project, "adjudicator")
    page = client.post(address(on.project, "adjudication-try"), {"rule": "majority", "phase": "main", "ties": "lower"})
    body = page.content.decode()
    assert "1 pair, 0 excluded" in body and "The rule was unsure in 1 pair" in body
    assert "No changes were made." in body
    others = {row.title: row.tokens for row, _ in page.context["others"]}
    assert others["Union"] == 3, "ties go to the higher there"
    assert "X-PARADE" not in others, "the scheme lacks its labels"
    assert not GoldVersion.objects.exists()


def test_the_answer_does_not_wait_for_the_other_rules(on: Pair) -> None:
    client, to = member(on.project, "adjudicator"), address(on.project, "adjudication-try")
    body = {"rule": "majority", "phase": "main", "ties": "lower"}
    first = client.post(to, body, headers={"HX-Request": "true"}).content.decode()
    assert "No changes were made." in first and 'hx-trigger="load, ' in first and "Union" not in first
    then = client.post(to, {**body, "compare": "1"}, headers={"HX-Request": "true"}).content.decode()
    assert "Union" in then and "No changes were made." not in then


def test_a_missing_extra_is_said_in_place_of_an_answer(on: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("crowdkit", "crowdkit.aggregation"):  # another test may have imported it
        monkeypatch.setitem(sys.modules, name, None)
    client, missing = member(on.project, "lead"), "not installed; install it with: pip install crowd-kit=="
    body = {"rule": "dawid-skene", "phase": "main"}
    assert missing in client.post(address(on.project, "adjudication-try"), body).content.decode()
    page = client.post(address(on.project, "adjudication-make"), body, follow=True).content.decode()
    assert missing in page and not GoldVersion.objects.exists()
    page = client.post(address(on.project, "manual-adjudication-open"), body, follow=True).content.decode()
    assert missing in page and not GoldVersion.objects.exists()


def test_a_wrong_setting_is_said(on: Pair) -> None:
    client = member(on.project, "lead")
    page = client.post(address(on.project, "adjudication-try"), {"rule": "majority", "phase": "main", "ties": "mean"})
    assert "Ties: Select a valid choice. mean is not one of the available choices" in page.content.decode()


def test_make_gold(on: Pair) -> None:
    client = member(on.project, "lead")
    page = client.post(address(on.project, "adjudication-make"), {"rule": "union", "phase": "main"}, follow=True)
    assert "Gold version 1 was created." in page.content.decode()
    assert GoldVersion.objects.get().made_by is not None
    assert "The newest gold is <b>version 1</b>." in client.get(address(on.project, "adjudication")).content.decode()
    again = client.post(address(on.project, "adjudication-try"), {"rule": "intersection", "phase": "main"})
    assert again.context["changes"].tokens == 0
    assert again.context["changes"].number == 1


def test_the_rules_parameters_are_fields(on: Pair) -> None:
    client = member(on.project, "lead")
    page = client.get(address(on.project, "adjudication"), {"rule": "xparade"}, headers={"hx-request": "true"})
    body = page.content.decode()
    assert 'name="near_all"' in body and 'name="similar"' not in body
    assert re.search(r">\s*Nearly all\s*<input", body)
    assert "<html" not in body


def test_where_rules_differ_is_named_and_shown_over_the_texts(on: Pair) -> None:
    client = member(on.project, "adjudicator")
    page = client.post(address(on.project, "adjudication-try"), {"rule": "majority", "phase": "main", "ties": "lower"})
    row = next(row for row, _ in page.context["others"] if row.title == "Union")
    assert (row.differing, row.pairs) == (1, ((on.pk, on.external_id, 3),))
    to = address(on.project, "adjudication-rules", on.pk)
    assert to in page.content.decode()
    page = client.get(to)
    side_by_side = page.context["side_by_side"]
    assert {"Majority", "Union"} <= {person.name for person in side_by_side.people}
    assert [segment.text for _, segment in side_by_side.differences] == ["The library", "Die"]
    assert not GoldVersion.objects.exists()


def test_a_rule_that_refuses_a_pair_says_why(on: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object) -> Decision:
        raise RuleError("this rule needs three annotators")

    monkeypatch.setitem(RULES, "wary", replace(RULES["union"], name="wary", title="Wary", decide=refuse))
    client = member(on.project, "adjudicator")
    tried = client.post(address(on.project, "adjudication-try"), {"rule": "majority", "phase": "main"})
    shown = client.get(address(on.project, "adjudication-rules", on.pk))
    assert all("this rule needs three annotators" in page.content.decode() for page in (tried, shown))


def test_what_a_rule_is_unsure_of_goes_on_by_hand(on: Pair) -> None:
    client = member(on.project, "adjudicator")
    body = client.get(address(on.project, "adjudication")).content.decode()
    assert f'formaction="{address(on.project, "manual-adjudication-open")}"' in body
    client.post(address(on.project, "manual-adjudication-open"), {"rule": "majority", "phase": "main", "ties": "lower"})
    draft = GoldVersion.objects.get(open=True)
    assert (draft.rule, draft.parameters["ties"]) == ("majority", "lower")


def test_a_version_lists_its_pairs_and_leads_to_what_changed(on: Pair) -> None:
    client = member(on.project, "lead")
    for rule in ("union", "intersection"):
        client.post(address(on.project, "adjudication-make"), {"rule": rule, "phase": "main"})
    body = client.get(address(on.project, "gold-version", 2)).content.decode()
    assert address(on.project, "gold-history", on.pk) in body
    assert "Ties: higher" in body
    assert f"{address(on.project, 'gold-compare')}?one=1&amp;other=2" in body
    assert "What changed since" not in client.get(address(on.project, "gold-version", 1)).content.decode()
    listed = client.get(address(on.project, "adjudication")).content.decode()
    assert "<td>Union</td>" in listed and "<td>union</td>" not in listed


def test_leave_out_and_take_in(on: Pair) -> None:
    client, to = member(on.project, "adjudicator"), address(on.project, "adjudication-exclude", on.pk)
    client.post(to, {"action": "exclude", "reason": "a menu"})
    assert Exclusion.objects.get().reason == "a menu"
    listed = client.get(address(on.project, "adjudication")).content.decode()
    assert "a menu" in listed.partition("Excluded pairs")[2] and "by a lead" not in listed
    assert "a menu" in client.get(address(on.project, "agreement-pair", on.pk)).content.decode()
    second = (
        member(on.project, "lead").post(to, {"action": "exclude", "reason": "a list"}, follow=True).content.decode()
    )
    assert "Someone else has excluded this pair already." in second and "Excluded from the gold: a menu" in second
    client.post(to, {"action": "include"})
    assert not Exclusion.objects.exists()


def test_who_decides_blind_sees_no_names(on: Pair) -> None:
    on.project.settings = {**on.project.settings, "adjudication_blind": True}
    on.project.save()
    to = address(on.project, "agreement-pair", on.pk)
    # Whole words: the page also holds random letters, against forged requests.
    names = re.compile(r"\bA[12]\b")
    assert not names.search(member(on.project, "adjudicator").get(to).content.decode())
    assert names.search(member(on.project, "lead").get(to).content.decode())
