"""Templates compiled once for each language, in which everything that depends on nothing else is plain text.

Django looks every `{% translate "…" %}` up each time that a page is rendered: 80 times for the workspace. What is left
are those with variables, and everything between `{% language … %}` and its end. The same holds for the addresses of
pages that have no parameters.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.template import Context, Node, NodeList, Template
from django.template.base import TextNode, TokenType
from django.template.defaulttags import URLNode
from django.template.loaders import base, cached
from django.templatetags.i18n import BlockTranslateNode, LanguageNode, TranslateNode
from django.urls import NoReverseMatch
from django.utils.translation import get_language

_OWN_LANGUAGE = (BlockTranslateNode, LanguageNode)
"""Nodes whose content is not rendered as it is, or in another language."""


class _Loader(base.Loader):
    """Finds nothing by itself; what a loader with a cache compiles is translated before it is kept."""

    def get_template(self, template_name: str, skip: Any = None) -> Template:
        template = super().get_template(template_name, skip)
        context = Context()
        with context.bind_template(template):
            translate(template.nodelist, context)
        return template


class Loader(cached.Loader, _Loader):
    """Django's cached loader, with a template for each language."""

    def cache_key(self, template_name: str, skip: Any = None) -> str:
        return f"{get_language() or ''}:{super().cache_key(template_name, skip)}"


def translate(nodes: NodeList, context: Context) -> None:
    """Replace what is constant in a list of nodes, and in all lists inside, by text in the active language.

    `context` is empty, and bound to their template.
    """
    translated: list[Node] = []
    for node in nodes:
        new = TextNode(node.render(context)) if _is_constant(node, context) else node
        if isinstance(new, TextNode) and translated and isinstance(translated[-1], TextNode):
            translated[-1] = TextNode(translated[-1].s + new.s)
        else:
            translated.append(new)
        if not isinstance(node, _OWN_LANGUAGE):
            for inner in _node_lists(vars(node).values()):
                translate(inner, context)
    nodes[:] = translated


def _is_constant(node: Node, context: Context) -> bool:
    """Whether a node renders the same text whenever its language is active."""
    if isinstance(node, TranslateNode):
        expression: Any = node.filter_expression
        constant = getattr(expression.var, "literal", None) is not None and not expression.filters
        return constant and not node.asvar and _is_text(node.message_context)
    if isinstance(node, URLNode):
        return not (node.args or node.kwargs or node.asvar) and _is_text(node.view_name) and _exists(node, context)
    if isinstance(node, BlockTranslateNode):
        varies = node.extra_context or node.countervar or node.plural or node.asvar
        return (
            not varies
            and _is_text(node.message_context)
            and all(token.token_type == TokenType.TEXT for token in node.singular)
        )
    return False


def _exists(node: URLNode, context: Context) -> bool:
    """Whether there is a page of this name: some exist on some sites only, and are named under a condition."""
    try:
        return bool(node.render(context))
    except NoReverseMatch:
        return False


def _is_text(expression: Any) -> bool:
    return expression is None or (isinstance(expression.var, str) and not expression.filters)


def _node_lists(values: Any) -> Iterator[NodeList]:
    """The lists of nodes in a node's attributes; some have them in tuples, with a condition."""
    for value in values:
        if isinstance(value, NodeList):
            yield value
        elif isinstance(value, list | tuple):
            yield from _node_lists(value)
