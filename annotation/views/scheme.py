"""The scheme editor: labels, questions and what a span may be, with a preview of the workspace."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from csp.constants import SELF
from csp.decorators import csp_replace
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.clickjacking import xframe_options_sameorigin

from annotation import strict_json
from annotation.display_names import COLOUR_NAMES, PRESET_NAMES
from annotation.errors import DomainError, Invalid, sentences
from annotation.forms.scheme import EditedScheme, FormRow, QuestionRow
from annotation.forms.scheme_actions import rows_act
from annotation.models import Pair, Project
from annotation.permissions import lead_access
from annotation.selectors.pairs import pair_list
from annotation.selectors.schemes import scheme_revision, scheme_usage
from annotation.services.import_samples import sample_texts
from annotation.services.schemes import ConfirmationNeeded, SchemeRefused, scheme_change, scheme_read
from annotation.services.texts import texts_prepare
from annotation.strict_json import JSONError
from annotation.text.items.base import DEFAULT, ITEM_TYPES
from annotation.text.scheme_changes import Usage
from annotation.text.schemes import PRESETS, Scheme
from annotation.views.base import AuthenticatedRequest, person_page
from annotation.workspace_payload import preview_json

MAX_FILE_BYTES = 1_000_000
"""Bytes of a file with a scheme."""
_FIELD_TITLES = {
    "kind": gettext_lazy("Type"),
    "key": gettext_lazy("Key in files"),
    "hotkey": gettext_lazy("Hotkey"),
    "value": gettext_lazy("Value"),
    "colour": gettext_lazy("Colour"),
    "description": gettext_lazy("Help for annotators"),
    "default": gettext_lazy("Unmarked words count as"),
    "labels": gettext_lazy("Labels"),
    "questions": gettext_lazy("Questions"),
}
"""What the form calls its fields, except for `name`; types of questions name theirs themselves."""


@person_page
def scheme(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The editor. Every button but two sends the form, to be shown again with what the button did; nothing is saved."""
    access = lead_access(request.user, slug)
    project = access.project
    page: dict[str, Any] = {"base": scheme_revision(project.scheme)}
    if request.method != "POST":
        edited = EditedScheme.from_scheme(project.labels)
        return _page(request, project, edited, 200, page)
    edited = EditedScheme.from_form(request.POST)
    page["base"] = request.POST.get("base", "")
    action = request.POST.get("action", "")
    if action not in ("save", "confirm"):
        try:
            edited = _replacement(request, action) or edited
        except DomainError as error:
            # Beside the field that it came from.
            edited.errors["file" if action == "file" else "json"] = str(error)
            return _page(request, project, edited, 422, page)
        focus = rows_act(edited, action)
        return _page(request, project, edited, 200, page | {"focus": focus})
    try:
        scheme_change(project=project, scheme=edited.to_json(), base=page["base"], confirmed=action == "confirm")
    except ConfirmationNeeded as error:
        return _page(request, project, edited, 409, page | {"confirmations": error.questions})
    except DomainError as error:
        _refuse(edited, error)
        return _page(request, project, edited, error.status, page)
    messages.success(request, _("Scheme saved."))
    return redirect("project-scheme", slug=slug)


def _replacement(request: AuthenticatedRequest, action: str) -> EditedScheme | None:
    """The scheme made of a preset, a file or JSON; None for other actions. Raises DomainError."""
    name, _colon, preset = action.partition(":")
    if name == "preset" and preset in PRESETS:
        return EditedScheme.from_scheme(PRESETS[preset])
    if action == "json":
        return EditedScheme.from_scheme(_read(request.POST.get("json", "")))
    if action == "file":
        sent = request.FILES.get("file")
        if sent is None:
            raise Invalid(_("Choose a file first."))
        if (sent.size or 0) > MAX_FILE_BYTES:
            raise Invalid(_("A scheme file can be at most 1 MB."))
        try:
            text = sent.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Invalid(_("The file is not UTF-8 text."), hint=_("Choose a scheme exported here.")) from error
        return EditedScheme.from_scheme(_read(text))
    return None


def _read(text: str) -> Scheme:
    """The scheme in a JSON text; that of an exported pair of files is the whole file. Raises DomainError."""
    try:
        return scheme_read(strict_json.loads(text))
    except JSONError as error:
        if error.line:
            at = _("line %(line)s, column %(column)s") % {"line": error.line, "column": error.column}
            raise Invalid(_("This is not valid JSON: %(position)s.") % {"position": at}) from error
        raise Invalid(error.phrase.text(_)) from error


def _refuse(edited: EditedScheme, error: DomainError) -> None:
    if isinstance(error, SchemeRefused) and "reason" in error.phrase.params:
        for phrase in error.phrases:
            reason = phrase.params["reason"]
            edited.refuse(str(phrase.params["field"]), reason if isinstance(reason, str) else reason.text(_))
        edited.without_derived_errors()
    else:
        edited.refuse(error.where if error.where.startswith("scheme.") else "", sentences(error.message, error.hint))


def _page(
    request: AuthenticatedRequest, project: Project, edited: EditedScheme, status: int, more: dict[str, Any]
) -> HttpResponse:
    usage = scheme_usage(project)
    _mark_used(edited, usage)
    context = {
        "project": project,
        "edited": edited,
        "usage": usage,
        "saved": project.labels,
        "json": json.dumps(_completed_json(edited), indent=1, ensure_ascii=False),
        "presets": [(name, PRESET_NAMES[name]) for name in PRESETS],
        "kinds": [(name, _(ITEM_TYPES[name].title)) for name in sorted(ITEM_TYPES, key=lambda name: name != DEFAULT)],
        "colours": COLOUR_NAMES.items(),
        "wrong": bool(edited.errors) or any(row.errors for row in _every_row(edited)),
        "wrong_fields": any(edited.errors) or any(row.errors for row in _every_row(edited)),
        **more,
    }
    return render(request, "annotation/scheme.html", context, status=status)


def _completed_json(edited: EditedScheme) -> dict[str, Any]:
    """The edited scheme as JSON: with everything that was chosen for the lead, once it is valid."""
    try:
        return scheme_read(edited.to_json()).to_json()
    except SchemeRefused:
        return edited.to_json()


def _every_row(edited: EditedScheme) -> list[Any]:
    options = [option for question in edited.questions for option in question.options]
    return [*edited.labels, *edited.questions, *options]


def _mark_used(edited: EditedScheme, usage: Usage) -> None:
    for label in edited.labels:
        label.used = usage.labels.get(label.was, 0) if label.was else 0
    for question in edited.questions:
        keys = {question.was, *(f"{question.was}.{option.was}" for option in question.options)}
        for option in question.options:
            by_answer = usage.answers.get(question.was, {}).get(option.was, 0)
            option.used = by_answer or sum(usage.answers.get(f"{question.was}.{option.was}", {}).values())
        question.used = max((sum(usage.answers.get(key, {}).values()) for key in keys if question.was), default=0)


@xframe_options_sameorigin
@csp_replace({"frame-ancestors": [SELF]})  # type: ignore[arg-type]
@person_page
def preview(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The workspace with a pair of the project, or else a sample, under the scheme in the form, or the saved one."""
    access = lead_access(request.user, slug)
    project = access.project
    scheme = project.labels
    if request.method == "POST":
        edited = EditedScheme.from_form(request.POST)
        try:
            scheme = scheme_read(edited.to_json())
        except SchemeRefused as error:
            refused = {"reason": _refusal_message(edited, error)}
            return render(request, "annotation/scheme_invalid.html", refused, status=422)
    pair = _sample(project, scheme)
    context = {"project": project, "assignment": preview_json(pair, scheme), "preferences": request.user.preferences}
    return render(request, "annotation/scheme_preview.html", context)


def _refusal_message(edited: EditedScheme, error: SchemeRefused) -> str:
    """What is wrong first in the form, with its row and field."""
    _refuse(edited, error)
    for location, name_title, row in _named_rows(edited):
        titles = {"name": name_title} | _FIELD_TITLES
        if isinstance(row, QuestionRow):
            titles |= {each.name: _(each.title) for each in row.type.fields}
        for field, message in row.errors.items():
            if field in titles:
                location = [*location, _("“%(label)s”") % {"label": titles[field]}]
            if location:
                return _("%(field)s: %(reason)s") % {"field": ", ".join(location), "reason": message}
    reason = error.phrase.params.get("reason", error.message)
    return reason if isinstance(reason, str) else reason.text(_)


def _named_rows(edited: EditedScheme) -> Iterator[tuple[list[str], str, FormRow | EditedScheme]]:
    """Every row of the form: where it is, what the form calls its field `name`, and the row; last the scheme itself."""
    for n, label in enumerate(edited.labels, 1):
        yield [_("label %(n)s") % {"n": n}], _("Name"), label
    for n, question in enumerate(edited.questions, 1):
        location = [_("question %(n)s") % {"n": n}]
        yield location, _("Question"), question
        for m, option in enumerate(question.options, 1):
            yield [*location, _("answer %(n)s") % {"n": m}], _("Answer"), option
    yield [], _("Name of the scheme"), edited


def _sample(project: Project, scheme: Scheme) -> Pair:
    """The project's first pair; without one, a sample that is not stored."""
    pair = pair_list(project).select_related("statement").first()
    if pair is None:
        a, b = texts_prepare(records=sample_texts())
        pair = Pair(project=project, a=a, b=b, external_id="sample", position=0)
    pair.project = project
    if scheme.statement and pair.statement is None:
        # Annotators would see the statement of the pair; any text shows where it is.
        pair.statement = pair.a
    elif not scheme.statement:
        pair.statement = None
    return pair


@person_page
def export(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """A scheme as a file, which the editor of any project reads: the saved one, or by POST the one in the form."""
    access = lead_access(request.user, slug)
    posted = request.method == "POST"
    scheme_json = _completed_json(EditedScheme.from_form(request.POST)) if posted else access.project.labels.to_json()
    text = json.dumps(scheme_json, indent=1, ensure_ascii=False) + "\n"
    headers = {"Content-Disposition": f'attachment; filename="{access.project.slug}-scheme.json"'}
    return HttpResponse(text, content_type="application/json; charset=utf-8", headers=headers)
