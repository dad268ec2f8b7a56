"""The API's OpenAPI document as it is served: each process makes it once for each language and format."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any, cast

from django.conf import settings
from django.http import HttpResponse
from django.utils import translation
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request

from config.openapi import OneAtATime

MAX_KEPT = 16
"""Rendered documents kept in a process, each about a megabyte: five languages in two formats, and some indents."""


@lru_cache(maxsize=MAX_KEPT)
def rendered(language: str, renderer: Any, media_type: str) -> bytes:
    """The document in a language, by a class of renderers; `media_type` is what the request accepts of it
    ('…; indent=2')."""
    with translation.override(language):
        document = OneAtATime().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
        return cast(bytes, renderer().render(document, media_type, {}))


class ApiDocumentView(SpectacularAPIView):
    """The document does not depend on who asks, and changes only with the program."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: object, **kwargs: object) -> HttpResponse:
        requested = request.query_params.get("lang")
        language = requested if requested in dict(settings.LANGUAGES) else translation.get_language()
        renderer: Any = request.accepted_renderer
        media_type = request.accepted_media_type
        charset = f"; charset={renderer.charset}" if renderer.charset else ""
        return HttpResponse(
            rendered(language or settings.LANGUAGE_CODE, cast(Hashable, type(renderer)), media_type),
            content_type=f"{renderer.media_type}{charset}",
            headers={"Content-Disposition": f'inline; filename="Diptych.{renderer.format}"'},
        )
