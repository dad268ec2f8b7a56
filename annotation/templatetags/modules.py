"""A page's ES modules, their texts, and inline styles and scripts: `{% load modules %}`.

`script/bundle` combines all modules of a page into one script, if esbuild is installed. Without it, browsers load the
modules themselves: an import map has their hashed names, so that modules can import each other by plain names, and all
are requested at once. Before `collectstatic`, and during development, they have their plain names.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import cast

from django import template
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template import Context
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from config.script_texts import catalogue_address
from config.static_files import Storage

register = template.Library()


def _collected() -> dict[str, str]:
    """Hashed names by plain ones; empty before `collectstatic` and during development."""
    return {} if settings.DEBUG else dict(cast(Storage, staticfiles_storage).hashed_files)


def _bundled(name: str) -> str:
    """The bundle of a file made by `script/bundle`, or the file itself."""
    return f"bundle/{name}" if f"bundle/{name}" in _collected() else name


@register.simple_tag(takes_context=True)
def modules(context: Context, entry: str, *imports: str) -> SafeString:
    """The script element of an ES module; if it is not bundled, the modules it imports are in `imports`: folders and
    single files.

    The page is painted once, with the script's output, instead of as an empty frame first.
    """
    name = _bundled(entry)
    run = format_html('<script type="module" blocking="render" src="{}"></script>', staticfiles_storage.url(name))
    # Modules that only have types are named in comments and never requested.
    imported = [
        each
        for each in sorted(_collected())
        if each.startswith(tuple(each if each.endswith(".js") else f"{each}/" for each in imports))
        and not each.endswith("/types.js")
    ]
    if name != entry or not imported:
        return run
    addresses = {f"{settings.STATIC_URL}{each}": staticfiles_storage.url(each) for each in imported}
    return format_html(
        '<script type="importmap" nonce="{}">{}</script>\n{}{}',
        context["CSP_NONCE"],
        mark_safe(json.dumps({"imports": addresses}, separators=(",", ":"))),  # names of files, no end tags in them
        format_html_join("", '<link rel="modulepreload" href="{}">\n', ((each,) for each in addresses.values())),
        run,
    )


@register.simple_tag
def deferred_module(name: str) -> SafeString:
    """The script element of an ES module that nothing on the page waits for; it needs no list of imports."""
    return format_html('<script type="module" src="{}"></script>', staticfiles_storage.url(_bundled(name)))


@register.simple_tag
def script_texts() -> SafeString:
    """The script element of the translations that `static/js/gettext.js` reads; nothing in English.

    Must come before the modules: scripts run in order once the page has been parsed.
    """
    address = catalogue_address(get_language() or settings.LANGUAGE_CODE)
    return format_html('<script defer src="{}"></script>', address) if address else SafeString("")


@register.simple_tag(takes_context=True)
def inline_static(context: Context, *names: str) -> SafeString:
    """Our own styles or short scripts inline: nothing to wait for before the page is painted."""
    element = "style" if names[0].endswith(".css") else "script"
    read = _text.__wrapped__ if settings.DEBUG else _text
    text = mark_safe("".join(read(_bundled(name)) for name in names))  # files of ours, no end tags in them
    return format_html('<{0} nonce="{1}">{2}</{0}>', element, context["CSP_NONCE"], text)


@cache
def _text(name: str) -> str:
    """A static file of ours. Raises FileNotFoundError for an unknown name."""
    path = finders.find(name)
    if not path:
        raise FileNotFoundError(f"no static file {name}")
    return Path(str(path)).read_text("utf-8")
