"""The qualification's pages: the rule, everyone's results, decisions about a person, and what the person sees."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Annotator, Assignment, Phase, Project, Role
from annotation.models.qualification import QualificationStep
from annotation.qualification.rule import KEY, PassRule
from annotation.selectors.qualification import HeldBack, held_back_by_rule, project_rule, qualification_of
from annotation.services.archiving import project_archive
from annotation.services.qualification import person_advance
from tests.annotation.qualified import (
    REFERENCE,
    assign,
    candidate,
    gold,
    own,
    page,
    ruled,
    submit_all,
    with_gold,
    words_save,
)
from tests.annotation.work import LIBRARY, client_of, house, span
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
RULE = {"measure": "same-label", "least": "0.8", "least_pairs": "3", "release": "lead", "part0": "0.5"}


def lead_of(project: Project) -> Client:
    lead: Any = AnnotatorFactory(project=project, role=Role.LEAD)
    return client_of(lead.user)


def decide(client: Client, person: Annotator, **form: Any) -> Any:
    """Post a decision, as the page shows it now unless `form` has an older revision."""
    address = reverse("qualification-person", args=(person.project.slug, person.pk))
    return client.post(address, {"revision": revision_of(person), **form})


def revision_of(person: Annotator) -> str:
    qualification = qualification_of(Annotator.objects.select_related("project").get(pk=person.pk))
    assert qualification is not None
    return qualification.revision


def test_access_to_a_person() -> None:
    home = house()
    home.project.settings = {KEY: {"least_pairs": 1}}
    home.project.save()
    address = reverse("qualification-person", args=(home.project.slug, home.assignment.annotator_id))
    found = [
        getattr(home, who).get(address).status_code
        for who in ("lead", "superuser", "adjudicator", "annotator", "stranger", "anonymous")
    ]
    assert found == [200, 200, 403, 403, 404, 302]


def test_without_a_rule_the_page_says_what_one_does() -> None:
    project = ProjectFactory()
    client = lead_of(project)
    shown = page(client, "qualification", project=project)
    assert "There is no pass rule" in shown and reverse("qualification-rule", args=(project.slug,)) in shown
    person = candidate(project)
    response = client.get(reverse("qualification-person", args=(project.slug, person.pk)))
    assert response.status_code == 404 and "Set one first." in response.content.decode()


def test_a_rule_is_set_changed_and_removed() -> None:
    project = ProjectFactory()
    client = lead_of(project)
    address = reverse("qualification-rule", args=(project.slug,))
    shown = page(client, "qualification-rule", project=project)
    assert "Marked words with the same label (F1)" in shown and "Minimal" in shown
    assert client.post(address, {**RULE, "revision": ""}).status_code == 302
    rule = project_rule(Project.objects.get(pk=project.pk))
    assert rule is not None
    assert (rule.least, rule.parts, rule.least_pairs, rule.automatic) == (0.8, {"1": 0.5}, 3, False)
    late = client.post(address, {**RULE, "revision": ""})
    assert late.status_code == 422 and "Someone has changed the pass rule" in late.content.decode()
    revision = client.get(address).context["form"]["revision"].initial
    assert client.post(address, {"action": "remove", "revision": revision}).status_code == 302
    assert project_rule(Project.objects.get(pk=project.pk)) is None


def test_a_rule_that_someone_has_too_few_pairs_for_says_so() -> None:
    project = ProjectFactory()
    client, address = lead_of(project), reverse("qualification-rule", args=(project.slug,))
    client.post(address, {**RULE, "revision": ""})
    person = AnnotatorFactory(project=project, alias="anna")
    AssignmentFactory(pair=PairFactory(project=project), annotator=person, phase="qualification")
    revision = client.get(address).context["form"]["revision"].initial
    shown = client.post(address, {**RULE, "least": "0.7", "revision": revision}, follow=True).content.decode()
    assert "The rule needs 3 pairs, and these people have fewer, so they can&#x27;t pass: anna." in shown


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("least", "1.2", "less than or equal to 1"),
        ("least", "", "This field is required."),
        ("part0", "-1", "greater than or equal to 0"),
        ("least_pairs", "0", "greater than or equal to 1"),
        ("measure", "same-answer", "same-answer is not one of the available choices"),
    ],
)
def test_what_is_wrong_with_a_rule_is_said_beside_its_field(field: str, value: str, message: str) -> None:
    project = ProjectFactory()
    response = lead_of(project).post(reverse("qualification-rule", args=(project.slug,)), {**RULE, field: value})
    assert response.status_code == 422
    assert message in str(response.context["form"].errors[field])
    assert project_rule(Project.objects.get(pk=project.pk)) is None


def test_a_first_rule_on_a_running_project_says_whom_it_holds_back_and_asks() -> None:
    project = ProjectFactory()
    for phases in ((Phase.MAIN, Phase.TRIAL), (Phase.MAIN,), (Phase.QUALIFICATION,)):
        person = candidate(project)
        for phase in phases:
            assign(person, PairFactory(project=project), phase)
    started = assign(person, PairFactory(project=project), Phase.MAIN)
    started.status = "started"
    started.save()
    advanced = candidate(project, [PairFactory(project=project)], Phase.MAIN)
    advanced.qualification_steps.create(step="advance")
    AnnotatorFactory(project=project, user=None).assignments.create(
        pair=PairFactory(project=project), phase=Phase.MAIN, order=0
    )
    client = lead_of(project)
    address = reverse("qualification-rule", args=(project.slug,))
    asked = client.post(address, {**RULE, "revision": ""})
    shown = " ".join(asked.content.decode().split())
    assert asked.status_code == 200 and "Not saved yet." in shown
    assert "With this rule, 2 people can't begin their other pairs until you advance them." in shown
    assert "3 other pairs that are assigned to them and not started wait until then." in shown
    assert 'value="0.8"' in shown and project_rule(Project.objects.get(pk=project.pk)) is None
    assert client.post(address, {**RULE, "revision": "", "held": "1/3"}).status_code == 200  # others than were shown
    assert client.post(address, {**RULE, "revision": "", "held": "2/3"}).status_code == 302
    # Another rule holds back nobody else.
    revision = client.get(address).context["form"]["revision"].initial
    assert client.post(address, {**RULE, "least": "0.9", "revision": revision}).status_code == 302


def test_a_rule_that_advances_whoever_passes_does_not_count_them_as_held_back() -> None:
    project = ruled()
    for words in (REFERENCE, ()):
        person = candidate(project, [with_gold(project), with_gold(project)])
        assign(person, PairFactory(project=project), Phase.MAIN)
        submit_all(person, *words)
    rule = {**project.settings[KEY]}
    assert held_back_by_rule(project, PassRule.of(rule, project.labels)) == HeldBack(2, 2)
    assert held_back_by_rule(project, PassRule.of({**rule, "automatic": True}, project.labels)) == HeldBack(1, 1)


def test_the_list_shows_everyone_with_their_values() -> None:
    project = ruled()
    pairs = [with_gold(project), with_gold(project)]
    submit_all(candidate(project, pairs), span(LIBRARY, label="3"))
    advanced = candidate(project)
    person_advance(annotator=advanced, by=None)
    shown = page(lead_of(project), "qualification", project=project)
    assert "<b>1 person</b> is waiting for your decision; 1 of 2 have been advanced. </p>" in shown
    for _each in range(2):
        candidate(project)
    listed = page(lead_of(project), "qualification", project=project)
    assert "1 of 4 have been advanced. 2 people have no qualification pairs." in listed
    assert "not passed" in shown and "0.66" in shown and "2 of 2" in shown
    assert "To pass, a person needs a mean of at least 0.70 over at least 2 pairs." in shown


def test_a_value_just_below_never_looks_as_if_it_reached_it() -> None:
    from annotation.templatetags.diptych import agreement_value

    assert [agreement_value(each) for each in (0.6999, 0.7, 0.29, 1.0, None)] == ["0.69", "0.70", "0.29", "1.00", "–"]


def test_a_lead_writes_words_and_advances_in_one_step() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    main = assign(person, PairFactory(project=project), Phase.MAIN)
    client = lead_of(project)
    assert decide(client, person, action="advance", words="Well done.", pairs="").status_code == 302
    assert [(each.step, each.words) for each in QualificationStep.objects.order_by("pk")] == [
        ("words", "Well done."),
        ("advance", ""),
    ]
    assert QualificationStep.objects.filter(made_by__memberships__role=Role.LEAD).count() == 2
    shown = page(client, "qualification-person", person.pk, project=project)
    assert "<b>Advanced</b>" in shown and "Undo: Advanced" in shown
    assert own(person).get(reverse("work", args=(project.slug, main.pk))).status_code == 200


def test_a_refused_decision_changes_nothing_and_keeps_the_words() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    response = decide(lead_of(project), person, action="retry", words="Once more.", pairs="3")
    assert response.status_code == 422
    assert "still has qualification pairs to submit" in response.content.decode()
    assert "Once more." in response.content.decode()
    assert not QualificationStep.objects.exists()


def test_a_retry_and_its_undoing() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    with_gold(project)
    submit_all(person)
    client = lead_of(project)
    shown = page(client, "qualification-person", person.pk, project=project)
    assert "1 other pair with a reference that this person has not seen is available for a retry." in shown
    few = decide(client, person, action="retry", words="", pairs="2")
    assert few.status_code == 422 and "There is 1 other pair" in str(few.context["form"].errors["pairs"])
    assert decide(client, person, action="retry", words="", pairs="1").status_code == 302
    assert Assignment.objects.filter(annotator=person).count() == 2
    step = QualificationStep.objects.get(step="retry")
    words_save(annotator=person, words="Try again.", by=None)
    assert decide(client, person, action="undo", step=str(step.pk)).status_code == 302
    assert Assignment.objects.filter(annotator=person).count() == 1
    assert QualificationStep.objects.filter(step="words").count() == 1  # undoing sends no words, and takes none back
    late = decide(client, person, action="undo", step="x")
    assert late.status_code == 422 and "made another decision" in late.content.decode()


def test_a_retry_with_fewer_pairs_than_the_rule_needs_says_so() -> None:
    project = ruled(least_pairs=2)
    person = candidate(project, [with_gold(project), with_gold(project)])
    with_gold(project)
    submit_all(person)
    client = lead_of(project)
    assert decide(client, person, action="retry", words="", pairs="1").status_code == 302
    told = page(client, "qualification-person", person.pk, project=project)
    assert "The pass rule needs 2, so the result will be: too few pairs." in told


def test_a_form_from_before_another_leads_words_shows_both_versions() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    client = lead_of(project)
    before = revision_of(person)
    words_save(annotator=person, words="Read the\nguidelines.", by=None)
    late = decide(client, person, revision=before, action="words", words="Mark numbers.")
    shown = " ".join(late.content.decode().split())
    assert late.status_code == 422 and "Someone has sent" in shown
    assert "Read the<br>guidelines." in shown and "Mark numbers.</textarea>" in shown
    assert "Message shown to this person since" in shown
    # The page that was shown then is the newest one.
    again = late.context["form"]["revision"].value()
    assert decide(client, person, revision=again, action="words", words="Mark numbers.").status_code == 302
    assert revision_of(person) != again
    words_save(annotator=person, words="", by=None)
    late = decide(client, person, revision=again, action="advance", words="Well done.")
    assert "The message was withdrawn" in late.content.decode()
    assert not QualificationStep.objects.filter(step="advance").exists()


def test_a_form_sent_without_a_decision_or_with_an_unknown_one() -> None:
    person = candidate(ruled())
    client = lead_of(person.project)
    assert decide(client, person, words="Hello.").status_code == 302
    assert QualificationStep.objects.get().words == "Hello."
    unknown = decide(client, person, action="promote", words="")
    assert unknown.status_code == 422 and "no such decision" in unknown.content.decode()
    assert QualificationStep.objects.count() == 1


def test_a_refused_undo_keeps_the_words_in_their_field() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    words_save(annotator=person, words="Mark numbers.", by=None)
    refused = lead_of(project).post(
        reverse("qualification-person", args=(project.slug, person.pk)), {"action": "undo", "step": "7"}
    )
    assert refused.status_code == 422
    assert "Mark numbers.</textarea>" in refused.content.decode()
    assert "Message shown to this person since" not in refused.content.decode()


def test_an_archived_project_offers_no_decisions() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    person_advance(annotator=person, by=None)
    client = lead_of(project)
    assert "<textarea" in page(client, "qualification-person", person.pk, project=project)
    project_archive(project=project, by=None)
    shown = page(client, "qualification-person", person.pk, project=project)
    assert "<textarea" not in shown and 'name="action"' not in shown and "Advanced" in shown
    assert 'name="action"' not in page(client, "qualification-rule", project=project)
    assert "Set a pass rule" not in page(client, "qualification", project=project)


def test_the_page_says_why_nobody_can_retry_and_how_to_get_more_pairs() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    other = PairFactory(project=project)
    client = lead_of(project)
    shown = page(client, "qualification-person", person.pk, project=project)
    assert "A retry is not possible" in shown
    assert "1 pair: assigned to this person already, in some phase" in shown and "1 pair: no reference" in shown
    for name in ("import", "adjudication"):
        assert reverse(name, args=(project.slug,)) in shown.split("To get more:")[1]
    gold(other, *REFERENCE)
    shown = page(client, "qualification-person", person.pk, project=project)
    assert "A retry with other pairs is possible once these are submitted." in shown
    assert 'value="retry"' not in shown
    submit_all(person)
    assert 'value="retry"' in page(client, "qualification-person", person.pk, project=project)


def test_the_history_says_what_became_of_words() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    for words in ("Good.", ""):
        words_save(annotator=person, words=words, by=None)
    shown = page(lead_of(project), "qualification-person", person.pk, project=project)
    assert shown.count("Message withdrawn") == 1 and "Good." in shown


def test_pairs_without_their_mirrors_are_explained_where_both_directions_count() -> None:
    project = ruled(both_directions=True, release="at-once")
    person = candidate(project, [with_gold(project), with_gold(project)])
    submit_all(person, *REFERENCE)
    why = "A pair counts once its mirror is submitted too."
    shown = page(lead_of(project), "qualification-person", person.pk, project=project)
    assert f"or decide yourself. {why}" in shown and "0 pairs count, and the rule asks for 2" in shown
    assert f"0 pairs count, and 2 are required. {why}" in page(own(person), "project", project=project)


def test_queries_do_not_grow_with_the_pairs() -> None:
    project = ruled()
    client, person = lead_of(project), candidate(project, [with_gold(project)])
    submit_all(person, *REFERENCE)
    mine = own(person)
    counts = []
    for _ in range(2):
        for asking, name, more in (
            (client, "qualification", ()),
            (client, "qualification-person", (person.pk,)),
            (mine, "project", ()),
        ):
            with CaptureQueriesContext(connection) as asked:
                page(asking, name, *more, project=project)
            counts.append(len(asked))
        for _each in range(4):
            assign(person, with_gold(project))
        submit_all(person, *REFERENCE)
    assert counts[:3] == counts[3:]
