"""Guidelines: everyone reads them, leads write the next version."""

import re

import pytest
from django.urls import reverse

from annotation.models import Guideline
from tests.annotation.work import House, house

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def written() -> House:
    home = house()
    for version in (1, 2):
        Guideline.objects.create(project=home.project, version=version, text=f"# Version *{version}*")
    return home


def test_the_newest_is_read_and_older_ones_are_found() -> None:
    home = written()
    address = reverse("guidelines", args=(home.project.slug,))
    assert "<h1>Version <em>2</em></h1>" in home.annotator.get(address).content.decode()
    old = home.annotator.get(address, {"version": "1"}).content.decode()
    assert "<h1>Version <em>1</em></h1>" in old and "out of date" in old
    assert home.annotator.get(address, {"version": "9"}).status_code == 404


def test_the_labels_are_shown_beside_them() -> None:
    home = house()
    page = home.annotator.get(reverse("guidelines", args=(home.project.slug,))).content.decode()
    assert "A minimal, unimportant detail differs." in page and "There are no guidelines yet." in page


def test_an_edit_creates_the_next_version() -> None:
    home = written()
    address = reverse("guidelines-edit", args=(home.project.slug,))
    assert home.lead.post(address, {"text": "# Three", "base": 2}).status_code == 302
    assert Guideline.objects.get(project=home.project, version=3).text == "# Three"


def test_an_edit_of_an_older_version_is_refused_and_its_words_stay_in_the_form() -> None:
    home = written()
    response = home.lead.post(reverse("guidelines-edit", args=(home.project.slug,)), {"text": "# My words", "base": 1})
    page = response.content.decode()
    assert response.status_code == 422 and "# My words" in page and "saved in the meantime" in page
    assert "Changes in version 2, by" in page and "<ins>" in page, "what the other one changed"
    assert re.search(r'name="base" value="2"', page), "saving again follows it"
    again = {"text": "# My words and theirs", "base": 2}
    assert Guideline.objects.count() == 2
    assert home.lead.post(reverse("guidelines-edit", args=(home.project.slug,)), again).status_code == 302
    assert Guideline.objects.count() == 3


def test_the_preview_is_cleaned_and_keeps_nothing() -> None:
    home = written()
    response = home.lead.post(
        reverse("guidelines-edit", args=(home.project.slug,)),
        {"text": "*so*<script>alert(1)</script>", "base": 2},
        headers={"HX-Request": "true"},
    )
    page = response.content.decode()
    assert "<em>so</em>" in page and "<script" not in page and "<html" not in page
    assert Guideline.objects.count() == 2


def test_the_difference_between_versions_keeps_the_spaces_between_changed_words() -> None:
    home = house()
    for version, text in enumerate(("Mark all differences.", "Leave out names."), 1):
        Guideline.objects.create(project=home.project, version=version, text=text)
    address = reverse("guidelines", args=(home.project.slug,))
    page = home.annotator.get(address, {"version": "2", "since": "1"}).content.decode()
    lines = re.findall(r'<li class="(removed|added)">(.*?)</li>', page, re.DOTALL)
    texts = [(kind, re.sub(r"<[^>]+>|(removed|added):", "", html).strip()) for kind, html in lines]
    assert texts == [("removed", "Mark all differences."), ("added", "Leave out names.")]
