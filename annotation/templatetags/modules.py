"""Scripts and styles under the version of their content, and the script of a page's modules: `{% load modules %}`."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString

from config.bundles import bundle_address
from config.statics import versioned

register = template.Library()


@register.simple_tag
def asset(name: str) -> str:
    """The address of a static file that a browser may keep for good: it names the version of the content."""
    return versioned(name)


@register.simple_tag
def modules(entry: str) -> SafeString:
    """The script of an ES module and all that it imports, as one file; while one develops, the modules themselves."""
    address = versioned(entry) if settings.DEBUG else bundle_address(entry)
    return format_html('<script type="module" src="{}"></script>', address)
