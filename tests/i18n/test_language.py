"""The language of responses: the user's own choice, else the browser's, else English; dates and numbers too."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext, override, pgettext

from agreement.report.render.tables import number, whole
from annotation.errors import Invalid
from annotation.models import Guideline
from annotation.templatetags.diptych import language_name
from assist.runs.services import run_request
from tests.agreement.access import member
from tests.agreement.work import pair, project, submit
from tests.annotation.work import client_of, house
from tests.factories import ProjectFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
OTHERS = ("de", "fr", "it", "es")
WHEN = datetime(2026, 11, 21, 14, 5, tzinfo=UTC)


def said(words: str, language: str) -> str:
    """English words in another language, where they must differ."""
    with override(language):
        text = gettext(words)
    assert text != words
    return text


def language_of(client: Client, name: str = "login", **headers: str) -> str:
    """The language of a page, according to its tag and to the response's header."""
    response = client.get(reverse(name), headers=headers)
    found = re.search(r'<html lang="(\w+)"', response.content.decode())
    assert found is not None and response["Content-Language"] == found[1]
    return found[1]


@pytest.mark.parametrize("language", OTHERS)
def test_a_person_is_answered_in_the_language_they_chose(language: str) -> None:
    client = client_of(UserFactory())
    assert client.post(reverse("account"), {"language": language}).status_code == 302
    page = html.unescape(client.get(reverse("account")).content.decode())
    assert f'<html lang="{language}"' in page
    assert said("Log out", language) in page
    assert said("Language changed.", language) in page


def test_ones_own_choice_takes_precedence_over_the_browsers() -> None:
    client = client_of(UserFactory(preferences={"language": "it"}))
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "fr"
    assert language_of(client, "account", accept_language="de") == "it"


def test_people_at_one_server_have_each_their_own_language() -> None:
    one, other = (client_of(UserFactory(preferences={"language": code})) for code in ("de", "es"))
    nobody = Client()
    for _ in range(2):
        assert [language_of(each, "account") for each in (one, other)] == ["de", "es"]
        assert language_of(nobody) == "en"


@pytest.mark.parametrize(
    ("accepted", "given"),
    [("de", "de"), ("de-CH, en;q=0.5", "de"), ("nl, fr-CA;q=0.8, en;q=0.5", "fr"), ("nl", "en"), ("", "en")],
)
def test_without_a_choice_it_is_the_browsers_language_or_english(accepted: str, given: str) -> None:
    assert language_of(Client(), accept_language=accepted) == given


def test_a_choice_that_is_no_longer_offered_is_ignored() -> None:
    client = client_of(UserFactory(preferences={"language": "tlh"}))
    assert language_of(client, "account", accept_language="es") == "es"


def test_the_log_in_page_offers_every_language_and_keeps_the_one_taken() -> None:
    client = Client()
    page = client.get(reverse("login")).content.decode()
    for code, name in settings.LANGUAGES:
        assert re.search(rf'value="{code}"\s+lang="{code}"[^>]*>{name}<', page), code
    client.post(reverse("set_language"), {"language": "fr", "next": reverse("login")})
    assert language_of(client, accept_language="de") == "fr"
    page = client.get(reverse("login")).content.decode()
    assert re.search(r'value="fr"\s+lang="fr"[^>]*\saria-current="true"', page)


@pytest.mark.parametrize(
    ("language", "short", "long"),
    [
        ("en", "21 Nov 2026", "21 Nov 2026, 14:05"),
        ("de", "21.11.2026", "21.11.2026 14:05"),
        ("fr", "21/11/2026", "21/11/2026 14:05"),
        ("it", "21/11/2026", "21/11/2026 14:05"),
        ("es", "21/11/2026", "21/11/2026 14:05"),
    ],
)
def test_dates_are_written_as_the_language_writes_them(language: str, short: str, long: str) -> None:
    with override(language):
        assert date_format(WHEN, "SHORT_DATE_FORMAT") == short
        assert date_format(WHEN, "SHORT_DATETIME_FORMAT") == long


def test_pages_show_them_so() -> None:
    home = house()
    version = Guideline.objects.create(project=home.project, version=1, text="# Mark")
    Guideline.objects.filter(pk=version.pk).update(made=WHEN)
    address = reverse("guidelines", args=(home.project.slug,))
    assert "21 Nov 2026" in home.annotator.get(address).content.decode()
    assert "21.11.2026" in home.annotator.get(address, headers={"accept-language": "de"}).content.decode()


@pytest.mark.parametrize(
    ("language", "share", "count"),
    [("en", "0.657", "12,345"), ("de", "0,657", "12.345"), ("fr", "0,657", "12\xa0345"), ("it", "0,657", "12.345"),
     ("es", "0,657", "12.345")],
)  # fmt: skip
def test_numbers_are_written_as_the_language_writes_them(language: str, share: str, count: str) -> None:
    with override(language):
        assert (number(0.657), whole(12345).replace("\u202f", "\xa0")) == (share, count)


@pytest.mark.parametrize("language", OTHERS)
def test_zero_takes_the_plural_or_the_singular_depending_on_the_language(language: str) -> None:
    forms = "%(n)s document", "%(n)s documents"
    with override(language):
        one, many = ngettext(*forms, 1), ngettext(*forms, 7)
        assert one != many and ngettext(*forms, 0) == (one if language == "fr" else many)


def test_refusals_are_in_the_users_language_and_their_codes_are_not() -> None:
    home = house()
    address = reverse("api-assignment", args=(home.assignment.pk,))
    english, german = (
        home.stranger.get(address, headers={"accept-language": code}).json()["error"] for code in ("en", "de")
    )
    assert german["message"] != english["message"] and german["code"] == english["code"]


def test_the_report_is_in_the_users_language_and_its_downloads_in_english() -> None:
    made, (one, two) = project()
    for label in ("1", "3"):
        on = pair(made)
        submit(on, one, [(label, [0, 1], [0])])
        submit(on, two, [("5", [0, 1, 2], [0])])
    lead = member(made, "lead")
    german = lead.get(reverse("agreement", args=[made.slug]), headers={"accept-language": "de"}).content.decode()
    english = lead.get(reverse("agreement", args=[made.slug])).content.decode()
    for page, language, digits in ((german, "de", r">0,\d\d<"), (english, "en", r">0\.\d\d<")):
        picture = page[page.index("<svg") : page.rindex("</svg>")]
        assert re.search(digits, picture), language
    assert said("Most disputed", "de") in german and "Most disputed" in english
    headlines = [re.findall(r'<p class="answer">(.*?)</p>', page, re.S)[0] for page in (german, english)]
    assert headlines[0] != headlines[1] and re.search(r"0,\d", headlines[0])
    address = reverse("agreement-download", args=[made.slug, "csv"])
    assert lead.get(address).content == lead.get(address, headers={"accept-language": "de"}).content


@pytest.mark.parametrize("language", OTHERS)
def test_one_english_word_with_two_meanings_has_two_translations(language: str) -> None:
    with override(language):
        assert pgettext("of a dataset", "Split") != gettext("Split")
        assert pgettext("measure", "precision") != gettext("precision")
        assert pgettext("log-in", "none") != pgettext("value", "none")


def test_chinese_has_a_name_even_without_its_script() -> None:
    with override("de"):
        names = [language_name(code) for code in ("zh", "zh-hans", "tlh")]
    assert names == ["Chinesisch", "Vereinfachtes Chinesisch", "tlh"]


def test_a_refused_run_is_reported_in_the_users_language() -> None:
    with override("de"), pytest.raises(Invalid, match="Es gibt keine Paare") as caught:
        run_request(project=ProjectFactory(), method="default")
    assert caught.value.hint == "Importieren Sie zuerst welche."
