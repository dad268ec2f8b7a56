"""Choosing a method and its settings for a scheme, and naming the run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from annotation.errors import Invalid
from annotation.settings_model import SettingError, check_web
from annotation.text.schemes import Scheme
from assist.llm import site_settings  # noqa: F401, says what the site's owner set
from assist.methods.base import Method, MethodError, method

TARGET = "target"


def usual_settings(cls: type[Method[Any, Any]], scheme: Scheme) -> dict[str, Any]:
    """A method's default settings, with a target that fits the scheme's labels.

    A method with a `target` ranks any difference if labels are graded, and new content if not.
    """
    usual = cls.Settings().model_dump()
    if TARGET in usual:
        usual[TARGET] = "graded" if scheme.graded else "new"
    return usual


def initial_settings(cls: type[Method[Any, Any]], scheme: Scheme) -> dict[str, Any]:
    """A method's settings before anyone changes any: those above, and what is usual on this site."""
    return {**usual_settings(cls, scheme), **cls.site_defaults()}


def method_class(name: str) -> type[Method[Any, Any]]:
    """The newest version of a method, or the one that is named. Raises Invalid listing the methods."""
    try:
        return method(name)
    except MethodError as error:
        raise Invalid(str(error), code="method", where=name) from error


def method_for(name: str, values: Mapping[str, Any], scheme: Scheme, *, from_web: bool = False) -> Method[Any, Any]:
    """The method with the given settings and defaults for the others. Raises Invalid listing what is available.

    `from_web`: models are taken by name alone, not by a path on the server.
    """
    cls = method_class(name)
    try:
        usual = initial_settings(cls, scheme)
        # What the site decides is written down with the run, so that a later change of the site doesn't change it.
        left = {key for key in cls.site_defaults() if values.get(key) in ("", None)}
        settings = cls.Settings.read({**usual, **{key: value for key, value in values.items() if key not in left}})
        if from_web:
            check_web(settings)
        return cls(settings)
    except SettingError as error:
        raise Invalid(error.phrase.text(gettext), code="method", where=name) from error


def run_slug(chosen: Method[Any, Any], scheme: Scheme) -> str:
    """'default-v1', or 'default-v1-3fa2c1' if settings differ from the defaults: the same for the same settings."""
    slug = chosen.slug().replace(".", "-")
    usual = usual_settings(type(chosen), scheme)
    changed = {key: value for key, value in chosen.settings.model_dump().items() if value != usual[key]}
    if not changed:
        return slug
    return f"{slug}-{hashlib.sha256(json.dumps(changed, sort_keys=True).encode()).hexdigest()[:6]}"
