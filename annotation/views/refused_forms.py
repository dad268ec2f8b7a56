"""The form of a refused request, so that the error page can send it again, and refusals within a page.

A redirect or a link would lose a form's fields. Files can't be put into a page, and passwords must not be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotation.templatetags.forms import CSRF_FIELD, OWNER_FIELD

NOTICE = "X-Diptych-Notice"
"""The header of a refusal that `static/js/notice.js` shows within the current page."""


OWN_FIELDS = (CSRF_FIELD, OWNER_FIELD)
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


@dataclass(frozen=True, slots=True)
class SentForm:
    """A submitted form that was refused: templates/annotation/_resend_form.html renders it as a form again."""

    address: str
    fields: list[tuple[str, str]]
    incomplete: bool
    """Whether files or passwords are missing from `fields`."""
    owner: str = ""
    """The user who filled it in, if known: nobody else can send it again."""


def sent_form(request: HttpRequest) -> SentForm | None:
    """The form that `request` submitted; None if there is none or it can't be parsed. No larger than a body may be."""
    if request.method != "POST":
        return None
    try:
        data, files = request.POST, request.FILES
    except (SuspiciousOperation, OSError):  # too large, or cut off
        return None
    fields = [(name, value) for name, values in data.lists() if name not in OWN_FIELDS for value in values]
    without_passwords = [(name, value) for name, value in fields if "password" not in name.lower()]
    incomplete = bool(files) or len(without_passwords) < len(fields)
    return SentForm(request.get_full_path(), without_passwords, incomplete, data.get(OWNER_FIELD, ""))


def is_from_another_user(request: HttpRequest) -> bool:
    """Whether someone other than the current user filled in the form that `request` sends."""
    if request.method != "POST" or request.content_type not in FORMS or not request.user.is_authenticated:
        return False
    return request.POST.get(OWNER_FIELD, str(request.user.pk)) != str(request.user.pk)


def refuse_other_user(request: HttpRequest) -> HttpResponse:
    """The refusal of such a form, which is kept for the person who filled it in."""
    if is_fragment(request):
        return notice_response(request, "annotation/_other_user_notice.html", 403)
    return render(request, "annotation/other_user.html", {"sent": sent_form(request)}, status=403)


def is_fragment(request: HttpRequest) -> bool:
    """Whether htmx requests a part of a page: the response must be neither a whole page nor a redirect to one."""
    return request.headers.get("HX-Request") == "true"


def notice_response(request: HttpRequest, template: str, status: int, **context: Any) -> HttpResponse:
    """A refusal of a part of a page: `template` is shown at the top of the page, which otherwise stays as it is."""
    response = render(request, template, context, status=status)
    response[NOTICE] = "1"
    return response
