"""The messages of scripts in the browser, in each language: Django's JavaScript catalogue, cached by browsers.

A page loads the catalogue of its language with `{% script_texts %}`; `static/js/gettext.js` reads it.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import override
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

YEAR = 365 * 24 * 3600


class Catalogue(JavaScriptCatalog):
    """The project's own messages in the domain `djangojs`, without those of other packages."""

    packages = ["diptych"]

    def get_paths(self, packages: Any) -> list[str]:
        return [str(path) for path in settings.LOCALE_PATHS]


@cache
def _cached_catalogue(language: str) -> tuple[bytes, str]:
    with override(language):
        script = Catalogue().get(HttpRequest()).content
    return script, sha256(script).hexdigest()[:12]


def catalogue(language: str) -> tuple[bytes, str]:
    """A language's catalogue as a script, and a hash of it. During development it is reread each time."""
    return _cached_catalogue.__wrapped__(language) if settings.DEBUG else _cached_catalogue(language)


def catalogue_address(language: str) -> str | None:
    """The address of a language's catalogue; None for English, the language of the scripts themselves."""
    if language == settings.LANGUAGE_CODE:
        return None
    return reverse("javascript-catalog", args=(language, catalogue(language)[1]))


@require_safe
def script_texts(request: HttpRequest, language: str, version: str) -> HttpResponse:
    """A language's catalogue, the same for everyone; 404 for a language that the interface doesn't have.

    Cached permanently only at the URL with its own hash: the page may be from a server before or after an upgrade.
    """
    if language not in dict(settings.LANGUAGES):
        raise Http404
    script, current = catalogue(language)
    response = HttpResponse(script, content_type='text/javascript; charset="utf-8"')
    response["Content-Language"] = language
    if version == current:
        patch_cache_control(response, public=True, max_age=YEAR, immutable=True)
    else:
        patch_cache_control(response, no_cache=True)
    return response
