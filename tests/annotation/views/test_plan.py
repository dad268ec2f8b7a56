"""The plan page: previewed before it is applied, and applied as it was previewed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from annotation.display_names import PHASE_NAMES
from annotation.models import Annotator, Assignment, Pair
from annotation.qualification.rule import KEY, PassRule
from annotation.services.archiving import project_archive
from tests.annotation.work import House, house
from tests.annotation.writes import gold_write
from tests.factories import PairFactory
from tests.ids import wrong_ids

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def ready() -> tuple[House, dict[str, Any]]:
    home = house()
    home.assignment.delete()
    PairFactory.create_batch(5, project=home.project)
    people = Annotator.objects.filter(project=home.project, role="annotator")
    body = {"people": [person.pk for person in people], "trial": 1, "overlap": 2, "seed": 1}
    return home, {**body, "qualification": 0, "overlap_people": 0}


def post(home: House, body: dict[str, Any], **more: Any) -> Any:
    return home.lead.post(reverse("plan", args=(home.project.slug,)), body, **more)


def errors_beside(page: str) -> dict[str, str]:
    """The errors that a preview brings for the fields, by their names."""
    found = re.findall(r'id="id_(\w+)_beside"[^>]*hx-swap-oob="true">(.*?)</div>', page, re.DOTALL)
    return {name: strip_tags(errors).strip() for name, errors in found if errors.strip()}


def digest(page: str) -> str:
    found = re.search(r'name="digest" value="(\w+)"', page)
    assert found
    return found.group(1)


def test_changing_the_form_updates_the_preview_and_assigns_nothing() -> None:
    home, body = ready()
    response = post(home, body, headers={"HX-Request": "true"})
    page = response.content.decode()
    assert response.status_code == 200 and "<html" not in page
    assert "9 assignments will be created" in page
    assert not Assignment.objects.exists()


def test_without_scripts_the_plan_is_on_the_page() -> None:
    home, body = ready()
    page = post(home, body).content.decode()
    assert "<html" in page and "9 assignments will be created" in page


def test_what_the_preview_carries_has_no_id_of_the_form() -> None:
    home, body = ready()
    page = post(home, body).content.decode()
    assert wrong_ids(page) == [] and page.count('name="minutes"') == 2
    fragment = post(home, body, headers={"HX-Request": "true"}).content.decode()
    assert 'name="minutes"' in fragment and 'id="id_minutes"' not in fragment and 'id="id_people_0"' not in fragment


def test_the_previewed_plan_is_applied() -> None:
    home, body = ready()
    seen = digest(post(home, body).content.decode())
    response = post(home, {**body, "step": "make", "digest": seen})
    assert response["Location"] == reverse("project", args=(home.project.slug,))
    assert Assignment.objects.count() == 9


def test_a_plan_without_a_preview_is_not_applied() -> None:
    home, body = ready()
    response = post(home, {**body, "step": "make", "digest": "another"})
    assert response.status_code == 422 and "changed since" in response.content.decode()
    assert not Assignment.objects.exists()


def test_what_has_changed_meanwhile_is_shown_in_a_new_preview_without_scripts_too() -> None:
    home, body = ready()
    seen = digest(post(home, body).content.decode())
    PairFactory(project=home.project)
    refused = post(home, {**body, "step": "make", "digest": seen})
    page = refused.content.decode()
    assert refused.status_code == 422 and "changed since" in page and "10 assignments will be created" in page
    assert not Assignment.objects.exists()
    response = post(home, {**body, "step": "make", "digest": digest(page)})
    assert response.status_code == 302 and Assignment.objects.count() == 10


def test_a_plan_that_has_become_impossible_meanwhile_is_refused_once() -> None:
    home, body = ready()
    body |= {"trial": 6, "overlap": 0}
    seen = digest(post(home, body).content.decode())
    home.project.pairs.earliest("pk").delete()
    page = post(home, {**body, "step": "make", "digest": seen}).content.decode()
    assert "Pairs requested: 6." in page and 'name="digest"' not in page
    assert page.count("Pairs requested: 6.") == 1 and "see the errors beside the fields" in page


def test_an_error_is_beside_its_field_when_the_preview_is_requested_and_goes_again() -> None:
    home, body = ready()
    address = reverse("plan", args=(home.project.slug,))
    assert 'id="id_trial_beside"' in home.lead.get(address).content.decode()
    for more, wrong in (({"trial": 60}, "trial"), ({"seed": "x"}, "seed"), ({"people": []}, "people"), ({}, "")):
        page = post(home, {**body, **more}, headers={"HX-Request": "true"}).content.decode()
        for name in ("people", "trial", "overlap", "seed", "minutes"):
            assert f'id="id_{name}_beside"' in page, "or what was there would stay"
        assert set(errors_beside(page)) == {wrong} - {""}
        assert ("see the errors beside the fields" in page) == bool(wrong)


def test_requesting_too_much_is_refused_in_the_fragment() -> None:
    home, body = ready()
    response = post(home, {**body, "trial": 50}, headers={"HX-Request": "true"})
    assert response.status_code == 200 and "Pairs requested: 50." in response.content.decode()


@pytest.mark.parametrize(
    ("people", "given", "said"),
    [
        (
            2,
            {"overlap_people": 1},
            "overlap_people: At least 2 annotators must share an overlapping pair. Enter 2 or more, or 0 for everyone.",
        ),
        (
            2,
            {"overlap_people": 5},
            "overlap_people: People needed for each overlapping pair: 5. People chosen: 2. "
            "Choose more people or a lower number.",
        ),
        (
            1,
            {},
            "overlap: Overlapping pairs are annotated by at least 2 people, but only one is chosen. "
            "Set the overlap to 0, or choose a second person.",
        ),
        (
            1,
            {"overlap_people": 5},
            "overlap: Overlapping pairs are annotated by at least 2 people, but only one is chosen. "
            "Set the overlap to 0, or choose a second person.",
        ),
        (2, {"trial": ""}, "trial: This field is required."),
        (2, {"trial": -1}, "trial: Ensure this value is greater than or equal to 0."),
    ],
)
def test_an_impossible_plan_says_what_to_change_at_its_field(people: int, given: dict[str, Any], said: str) -> None:
    home, body = ready()
    response = post(home, {**body, "people": body["people"][:people], **given}, headers={"HX-Request": "true"})
    page = response.content.decode()
    name, _colon, error = said.partition(": ")
    assert errors_beside(page) == {name: error} and "Create these assignments" not in page


def test_only_annotators_of_the_project_are_planned_for() -> None:
    home, body = ready()
    outsider = house().assignment.annotator
    response = post(home, {**body, "people": [outsider.pk]})
    assert response.status_code == 422 and not Assignment.objects.filter(pair__project=home.project).exists()


def test_without_annotators_the_page_says_to_add_people_first() -> None:
    home, _ = ready()
    Annotator.objects.filter(project=home.project, role="annotator").delete()
    page = home.lead.get(reverse("plan", args=(home.project.slug,))).content.decode()
    assert "This project has no annotators yet." in page and reverse("people", args=(home.project.slug,)) in page
    assert "This field is required" not in page and 'id="preview"' not in page


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_without_anyone_ticked_the_page_says_to_choose_someone(headers: dict[str, str]) -> None:
    home, body = ready()
    page = post(home, {**body, "people": []}, headers=headers).content.decode()
    assert "Choose at least one person." in page and "This field is required." not in page


def test_one_assignment_is_said_in_the_singular() -> None:
    home, body = ready()
    people = Annotator.objects.filter(project=home.project, role="annotator")
    body |= {"people": [people[0].pk], "trial": 0, "overlap": 0}
    home.project.pairs.exclude(pk=home.project.pairs.earliest("pk").pk).delete()
    seen = post(home, body).content.decode()
    made = post(home, {**body, "step": "make", "digest": digest(seen)}, follow=True).content.decode()
    assert "1 assignment was created." in made


def test_the_preview_draws_everyones_share_and_says_how_long_it_takes() -> None:
    home, body = ready()
    page = post(home, body).content.decode()
    assert page.count('class="workload"') == 2 and 'class="trial" style="width:20.0%"' in page
    assert "until then, enter the minutes you expect" in page
    page = post(home, {**body, "minutes": "10"}).content.decode()
    assert "About 1 h 30 min of work in all, at the time you expect for a pair." in " ".join(page.split())


def test_published_plans_fill_the_form() -> None:
    home, body = ready()
    address = reverse("plan", args=(home.project.slug,))
    form = home.lead.get(address, {"known": "swissgov"}).context["form"]
    assert (form["trial"].value(), form["overlap"].value(), form["qualification"].value()) == (3, 3, 0)
    form = home.lead.get(address, {"known": "xparade"}).context["form"]
    values = {name: form[name].value() for name in ("qualification", "both_directions", "trial", "overlap")}
    # There are no more pairs than that.
    assert values == {"qualification": 6, "both_directions": True, "trial": 0, "overlap": 0}
    page = post(home, {**body, **values, "overlap_people": 0}, headers={"HX-Request": "true"}).content.decode()
    said = "Pairs with gold in both directions requested: 6. Unassigned: 0."
    assert said in errors_beside(page)["qualification"]
    assert home.lead.get(address, {"known": "<script>"}).status_code == 200


def mirrored_with_gold(home: House, units: int) -> None:
    for _ in range(units):
        one, other = PairFactory.create_batch(2, project=home.project)
        Pair.objects.filter(pk=one.pk).update(mirror=other)
        Pair.objects.filter(pk=other.pk).update(mirror=one)
        for pair in (one, other):
            gold_write(pair=pair, version=0, spans=[], provenance={})


def test_x_parades_plan_qualifies_with_seven_pairs_in_both_directions_and_gives_everyone_everything() -> None:
    home, body = ready()
    home.project.pairs.all().delete()
    mirrored_with_gold(home, 9)
    gold_write(pair=PairFactory(project=home.project), version=0, spans=[], provenance={})
    form = home.lead.get(reverse("plan", args=(home.project.slug,)), {"known": "xparade"}).context["form"]
    wanted = {name: form[name].value() for name in ("qualification", "both_directions", "trial", "overlap")}
    assert wanted["overlap"] == 3
    body |= wanted
    seen = digest(post(home, body).content.decode())
    post(home, {**body, "step": "make", "digest": seen})
    for person in body["people"]:
        work = Assignment.objects.filter(annotator=person)
        assert (work.filter(phase="qualification").count(), work.filter(phase="main").count()) == (14, 5)


def test_with_a_pass_rule_the_preview_says_for_whom_no_pair_is_left_for_a_retry() -> None:
    home, body = ready()
    mirrored_with_gold(home, 3)
    body |= {"qualification": 2, "both_directions": True, "trial": 0}
    everything = {**body, "overlap": 7}
    said = "too few pairs with gold for a retry of the qualification"
    assert said not in post(home, everything).content.decode(), "there is no rule"
    home.project.settings = {**home.project.settings, KEY: PassRule(least_pairs=1, both_directions=True).to_json()}
    home.project.save()
    names = [person.alias for person in Annotator.objects.filter(pk__in=body["people"]).order_by("pk")]
    assert f"{said}, should someone not pass: {', '.join(names)}." in post(home, everything).content.decode()
    page = post(home, {**body, "overlap": 0}).content.decode()
    assert page.count(said) == 1, "whoever gets the third pair has none, the other one has that"
    assert sum(f"pass: {name}." in page for name in names) == 1
    assert said not in post(home, {**everything, "qualification": 0, "overlap": 8}).content.decode()
    home.project.settings[KEY] = PassRule(least_pairs=2, both_directions=True).to_json()
    home.project.save()
    assert f"pass: {', '.join(names)}." in post(home, {**body, "overlap": 0}).content.decode(), "one pair is too few"
    assert "Nobody can pass" not in post(home, {**body, "overlap": 0}).content.decode()
    home.project.settings[KEY] = PassRule(least_pairs=3, both_directions=True).to_json()
    home.project.save()
    said = "Nobody can pass the qualification: the pass rule needs at least 3 pairs, and this plan gives 2."
    assert said in post(home, {**body, "overlap": 0}).content.decode()
    planned = {"people": body["people"], "qualification": 2, "both_directions": True, "seed": 1}
    answer = home.lead.post(reverse("api-plan", args=(home.project.slug,)), planned, "application/json").json()
    assert set(answer["without_retry"]) == set(body["people"]) and answer["too_few_to_pass"] == 2


def changed(home: House, body: dict[str, Any], **more: Any) -> Any:
    return home.lead.post(reverse("plan-change", args=(home.project.slug,)), body, **more)


def test_a_plan_is_changed_as_previewed() -> None:
    home, body = ready()
    post(home, {**body, "step": "make", "digest": digest(post(home, body).content.decode())})
    address = reverse("plan-change", args=(home.project.slug,))
    form = home.lead.get(address).context["form"]
    assert [form[name].value() for name in ("trial", "overlap", "overlap_people")] == [1, 2, 0]
    page = changed(home, body, headers={"HX-Request": "true"}).content.decode()
    assert "Nothing would change." in page and "<html" not in page and 'name="digest"' not in page
    body["overlap"] = 4
    page = changed(home, body).content.decode()
    assert "New assignments: 2. Withdrawn: 0." in page
    response = changed(home, {**body, "step": "make", "digest": digest(page)}, follow=True)
    assert "The plan was changed. New assignments: 2. Withdrawn: 0." in response.content.decode()
    assert Assignment.objects.count() == 11


def test_a_change_for_fewer_people_names_who_loses_pairs() -> None:
    home, body = ready()
    post(home, {**body, "step": "make", "digest": digest(post(home, body).content.decode())})
    leaver = Annotator.objects.get(pk=body["people"][1])
    body |= {"people": body["people"][:1], "overlap": 0}
    page = changed(home, body).content.decode()
    assert f'<th scope="row">{leaver.alias}</th>' in page
    assert "have started" not in page and "changed since" not in page
    refused = changed(home, {**body, "step": "make", "digest": "another"})
    page = refused.content.decode()
    assert refused.status_code == 422 and "changed since" in page
    assert changed(home, {**body, "step": "make", "digest": digest(page)}).status_code == 302


def test_opening_the_change_shows_what_is_assigned_and_proposes_nothing() -> None:
    home, body = ready()
    post(home, {**body, "step": "make", "digest": digest(post(home, body).content.decode())})
    page = home.lead.get(reverse("plan-change", args=(home.project.slug,))).content.decode()
    assert "This is what is assigned now." in page and 'name="digest"' not in page
    assert page.count('class="workload"') == 2 and 'hx-trigger="submit, input' in page


def test_the_page_names_started_pairs_that_stay() -> None:
    home, body = ready()
    post(home, {**body, "step": "make", "digest": digest(post(home, body).content.decode())})
    Assignment.objects.filter(phase="trial").update(status="done")
    Assignment.objects.filter(phase="main").update(status="started")
    page = changed(home, {**body, "trial": 0, "overlap": 0}).content.decode()
    assert f"Pairs of the phase “{PHASE_NAMES['trial']}” that someone has started: 1." in page
    assert "Other pairs that several people have started: 2." in page
    assert "that someone has started: 1." not in changed(home, body).content.decode()


def test_without_pairs_or_people_there_is_nothing_to_change() -> None:
    home, _ = ready()
    home.project.pairs.all().delete()
    page = home.lead.get(reverse("plan-change", args=(home.project.slug,))).content.decode()
    assert "There is nothing to change yet" in page and 'id="preview"' not in page


@pytest.mark.parametrize("name", ["plan", "plan-change", "plan-again"])
def test_an_archived_project_has_no_form_to_plan_with(name: str) -> None:
    home, _body = ready()
    assert "csrfmiddlewaretoken" in plan_page(home, name)
    project_archive(project=home.project, by=None)
    page = plan_page(home, name)
    assert "Nothing can be assigned in an archived project." in page and 'id="preview"' not in page


def plan_page(home: House, name: str) -> str:
    """What a page of planning shows to the lead."""
    return str(home.lead.get(reverse(name, args=(home.project.slug,))).content.decode())
