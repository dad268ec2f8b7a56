"""Adds a disagreement to the guidelines as an example, so that it is decided once for everyone."""

from __future__ import annotations

import html

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Guideline, Pair, Project
from annotation.selectors.projects import guideline_current
from annotation.services.guidelines import guideline_write
from annotation.text.quotes import context_around
from annotation.text.schemes import Side

HEADING = "## Examples"
CONTEXT = 60
MAX_WORDS = 120


@transaction.atomic
def example_add(*, pair: Pair, side: Side, first: int, last: int, label: str, remark: str) -> Guideline:
    """Append the words [first, last) of one side, with the right label and a remark, to the newest guidelines.

    `label` is a key of the scheme, or its default for words that nobody should mark. Raises Invalid for words or a
    label that don't exist, and for too many words. An example that is already in the guidelines creates no version.
    """
    scheme = pair.project.labels
    text = pair.a if side == "a" else pair.b
    if not 0 <= first < last <= len(text.tokens):
        raise Invalid(_("These words are not in this pair."), code="example", where=pair.external_id)
    if last - first > MAX_WORDS:
        raise Invalid(
            _("An example can have at most %(n)s words. Write longer examples into the guidelines yourself.")
            % {"n": MAX_WORDS},
            code="example",
            where=pair.external_id,
        )
    if label != scheme.default and label not in scheme.keys:
        raise Invalid(
            _("“%(label)s” is not a label in this project.") % {"label": label}, code="example", where="label"
        )
    start, end = text.tokens[first][0], text.tokens[last - 1][1]
    before, after = context_around(text.content, start, end, CONTEXT)
    words = text.content[start:end]
    name = _("unmarked") if label == scheme.default else scheme.label(label).name
    quoted = f"…{_line(before)}<mark>{_line(words)}</mark>{_line(after)}…"
    example = f'> <q lang="{text.language}">{quoted}</q>\n>\n> **{name}**'
    if remark.strip():
        example += f" – {_line(remark.strip())}"
    Project.objects.select_for_update().get(pk=pair.project_id)
    current = guideline_current(pair.project)
    body = current.text if current else ""
    if current is not None and f"\n\n{example}\n\n" in f"\n\n{body}\n\n":
        return current
    parts = [body] if HEADING in body else [*([body] if body else []), HEADING]
    return guideline_write(
        project=pair.project, text="\n\n".join([*parts, example]), base=current.version if current else 0
    )


def _line(text: str) -> str:
    """One line of text that Markdown and HTML leave unchanged."""
    escaped = html.escape(" ".join(text.split()) if text.strip() else "", quote=False)
    padded = f" {escaped}" if text[:1].isspace() and escaped else escaped
    padded = f"{padded} " if text[-1:].isspace() and escaped else padded
    return "".join(f"\\{character}" if character in "*_`[]#~|" else character for character in padded)
