"""Guidelines are Markdown written by leads: rendered, then sanitized, so that nothing in them can run in a browser."""

from __future__ import annotations

from functools import lru_cache

import nh3
from markdown_it import MarkdownIt

_TAGS = set(
    "a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q s small "  # noqa: SIM905
    "span strong sub summary sup table tbody td th thead tr u ul".split()
)
_ATTRIBUTES = {"*": {"lang", "dir", "title"}, "a": {"href"}, "td": {"align"}, "th": {"align"}, "ol": {"start"}}
_MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


@lru_cache(maxsize=64)
def markdown_html(text: str) -> str:
    """`text` as safe HTML: CommonMark with tables and `~~strikethrough~~`; scripts, styles and images are removed."""
    return nh3.clean(
        _MARKDOWN.render(text),
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )
