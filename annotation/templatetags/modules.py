"""Scripts and styles under their content's version or within the page, and a page's modules: `{% load modules %}`."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from config.bundles import bundle_address
from config.statics import static_text, versioned

register = template.Library()


@register.simple_tag
def asset(name: str) -> str:
    """The address of a static file that a browser may keep for good: it names the version of the content."""
    return versioned(name)


@register.simple_tag
def modules(entry: str) -> SafeString:
    """The script of an ES module and all that it imports, as one file; while one develops, the modules themselves.

    The page is painted once, with what the script makes: not as an empty frame first.
    """
    address = versioned(entry) if settings.DEBUG else bundle_address(entry)
    return format_html('<script type="module" blocking="render" src="{}"></script>', address)


@register.simple_tag(takes_context=True)
def within(context: Context, *names: str) -> SafeString:
    """Our own styles or short scripts as a part of the page: nothing to wait for before it is painted."""
    element = "style" if names[0].endswith(".css") else "script"
    text = mark_safe("".join(static_text(name) for name in names))  # files of ours, no end tags in them
    return format_html('<{0} nonce="{1}">{2}</{0}>', element, context["CSP_NONCE"], text)
