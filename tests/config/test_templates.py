"""Templates are compiled for each language, and say in each what Django's own loader would."""

from __future__ import annotations

from typing import Any

import pytest
from django.template import Context, Engine
from django.template.base import TextNode
from django.template.loader import get_template
from django.urls import NoReverseMatch
from django.utils.translation import override

from config.templates import Loader

OWN: Any = [("config.templates.Loader", [("django.template.loaders.locmem.Loader", {})])]
LANGUAGES = ("en", "de", "fr", "it", "es")
SOURCES = {
    "base": "{% load i18n %}{% translate 'Save' %}: {% block in %}{% translate 'Cancel' %}{% endblock %}",
    "child": '{% extends "base" %}{% load i18n %}{% block in %}{{ block.super }}, {% translate "Log out" %}'
    "{% endblock %}",
    "context": "{% load i18n %}{% translate 'Home' context 'start page' %}|{% translate 'Home' %}",
    "variable": "{% load i18n %}{% translate label %}{% translate 'Save' as saved %}[{{ saved }}]",
    "block": "{% load i18n %}{% blocktranslate trimmed %}\n  No spans are marked.\n{% endblocktranslate %}"
    "{% blocktranslate with n=3 %}Pair {{ n }}{% endblocktranslate %}"
    "{% blocktranslate count n=k %}{{ n }} pair{% plural %}{{ n }} pairs{% endblocktranslate %}",
    "branches": "{% load i18n %}{% if k > 1 %}{% translate 'Save' %}{% else %}{% translate 'Cancel' %}{% endif %}"
    "{% for n in numbers %}{% translate 'Save' %}{{ n }}{% empty %}{% translate 'Log out' %}{% endfor %}",
    "language": "{% load i18n %}{% language 'de' %}{% translate 'Save' %}{% endlanguage %}{% translate 'Save' %}",
    "include": '{% load i18n %}{% include "context" %}{% language "de" %}{% include "context" %}{% endlanguage %}',
    "address": "{% url 'home' %}|{% url 'login' as login %}{{ login }}|{% url 'project' 'town' %}|{% url said %}"
    "{% if k > 9 %}{% url 'nowhere' %}{% endif %}",
    "safe": "{% load i18n %}{% translate 'a < b & “c” 100%' %}"
    "{% autoescape off %}{% translate 'a < b' %}{% endautoescape %}"
    "{% filter upper %}{% translate 'Save' %}{% endfilter %}",
}


def engine(loaders: Any) -> Engine:
    given = [(own, [(inner, SOURCES)]) for own, [(inner, _)] in loaders]
    return Engine(
        loaders=given, builtins=["annotation.templatetags.forms"], libraries={"i18n": "django.templatetags.i18n"}
    )


@pytest.mark.parametrize("name", SOURCES)
def test_a_page_says_what_it_would_without(name: str) -> None:
    own = engine(OWN)
    plain = engine([("django.template.loaders.cached.Loader", OWN[0][1])])
    for _ in range(2):
        for language in LANGUAGES:
            with override(language):
                for given in (
                    {"label": "Save", "said": "login", "k": 1, "numbers": []},
                    {"label": "Cancel", "said": "logout", "k": 2, "numbers": [1, 2]},
                ):
                    texts = [each.get_template(name).render(Context(given)) for each in (own, plain)]
                    assert texts[0] == texts[1], language


def test_constant_translations_are_text() -> None:
    with override("de"):
        nodes = engine(OWN).get_template("context").nodelist
        texts = [node for node in nodes if isinstance(node, TextNode)]
        assert len(texts) == 1 and texts[0].s == "Start|Start"


def test_addresses_without_parameters_are_text_and_those_of_no_page_are_faults_where_they_are_shown() -> None:
    template = engine(OWN).get_template("address")
    assert isinstance(template.nodelist[0], TextNode) and template.nodelist[0].s == "/|"
    with pytest.raises(NoReverseMatch, match="nowhere"):
        template.render(Context({"said": "login", "k": 10}))


def test_a_page_of_one_language_is_not_shown_in_another() -> None:
    found: dict[str, str] = {}
    for language in (*LANGUAGES, *LANGUAGES):
        with override(language):
            text = get_template("annotation/_workspace_dialogs.html").render({"user": None})
            assert found.setdefault(language, text) == text
    assert len(set(found.values())) == len(LANGUAGES)


def test_it_is_the_loader_of_the_site() -> None:
    from django.template import engines

    assert isinstance(engines["django"].engine.template_loaders[0], Loader)  # type: ignore[attr-defined]
