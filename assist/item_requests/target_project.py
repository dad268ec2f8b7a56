"""Who may have items made into which project."""

from __future__ import annotations

from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Project, User
from annotation.permissions import is_lead, project_creator_access


def check_rating_project(user: User, slug: str) -> None:
    """Raises Invalid for a project of others, and Forbidden if it has to be created and the user may not do that."""
    existing = Project.objects.filter(slug=slug).first()
    if existing is None:
        project_creator_access(user)
    elif not is_lead(user, existing):
        raise Invalid(_("There is a project of that name that you don't lead."), code="into", where="into")
