"""A disagreement made an example in the guidelines."""

import pytest
from django.urls import reverse

from agreement.report.services.examples import HEADING, example_add
from annotation.errors import Invalid
from annotation.models import Guideline
from annotation.text.markdown import markdown_html
from tests.agreement.access import member, statuses
from tests.agreement.work import pair, project
from tests.factories import TextFactory

pytestmark = pytest.mark.django_db


def test_an_example_is_the_next_version_of_the_guidelines() -> None:
    made, _ = project()
    Guideline.objects.create(project=made, version=1, text="Mark what differs.")
    on = pair(made, a=TextFactory(content="It *costs* <b>5</b> francs.\nChildren pay nothing."))
    first = example_add(pair=on, side="a", first=1, last=4, label="3", remark="a price")
    assert first.version == 2
    assert first.text.startswith(f'Mark what differs.\n\n{HEADING}\n\n> <q lang="en">')
    second = example_add(pair=on, side="a", first=0, last=1, label="0", remark="")
    assert second.version == 3
    assert second.text.count(HEADING) == 1
    html = markdown_html(second.text)
    assert "<mark>*costs*</mark> &lt;b&gt;5" in html, "nothing in a text is read as markup"
    assert "<strong>Moderate</strong> – a price" in html and "<strong>unmarked</strong>" in html


def test_what_is_not_there_is_refused() -> None:
    made, _ = project()
    on = pair(made)
    for first, last, label in ((0, 999, "3"), (2, 2, "3"), (0, 1, "9"), (-1, 1, "3")):
        with pytest.raises(Invalid):
            example_add(pair=on, side="b", first=first, last=last, label=label, remark="")
    assert not Guideline.objects.exists()


def test_from_the_page_for_leads_only() -> None:
    made, _ = project()
    on = pair(made)
    address = reverse("agreement-example", args=[made.slug, on.pk])
    refused = {"stranger": 404, "annotator": 403, "adjudicator": 403, "lead": 422, "nobody": 401}
    assert statuses(made, address, "post") == refused
    page = member(made, "lead").post(address, {"side": "b", "first": "0", "last": "2", "label": "2", "remark": "r"})
    assert page.status_code == 302
    assert "Small" in Guideline.objects.get().text
