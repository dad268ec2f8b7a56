"""People and invitations in the API. For leads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base import (
    ACT_REFUSALS,
    BODY_REFUSALS,
    REFUSALS,
    page_json,
    requested_page,
    validated_body,
    validated_query,
)
from annotation.api_docs import documented
from annotation.errors import Conflict, Invalid
from annotation.invitees import Invitee
from annotation.models import Annotator, Assignment, User
from annotation.models.people import Invitation, Mailing
from annotation.permissions import check_may_reset_password, lead_access
from annotation.selectors.invitations import invitation_get, invitation_list, invitation_state
from annotation.selectors.progress import ProgressCounts, project_progress
from annotation.selectors.projects import annotator_get, annotator_list
from annotation.selectors.reading_languages import skills_by_annotator
from annotation.serializers.base import ErrorSerializer, PageSerializer
from annotation.serializers.people import (
    AccessChangeSerializer,
    AddedPersonSerializer,
    InvitationSerializer,
    InvitationsSerializer,
    InviteSerializer,
    MadeInvitationSerializer,
    MadeInvitationsSerializer,
    PasswordLinkSerializer,
    PeopleQuerySerializer,
    PeopleSerializer,
    PersonAddSerializer,
    PersonChangeSerializer,
    PersonSerializer,
    ReplacedSerializer,
    ReplaceSerializer,
    SharedSerializer,
    ShareSerializer,
)
from annotation.services.accounts import password_link_make
from annotation.services.invitations import NewInvitation, invitation_renew, invitation_revoke, invitations_create
from annotation.services.people import (
    ReassignmentPreview,
    person_add,
    person_assign_share,
    person_end_access,
    person_replace,
    person_replace_preview,
    person_restore_access,
    person_role_set,
)
from annotation.services.person_renames import person_rename
from annotation.services.reading_languages import reading_skills_set
from annotation.views.absolute_urls import password_link, site_origin
from annotation.views.invitation_mail import invitation_link, invitations_send

WRITE: dict[int, Any] = {**REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer}


class PeopleView(APIView):
    @documented(
        operation_id="people",
        parameters=[PeopleQuerySerializer],
        responses={200: PeopleSerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["people"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The people of the project, or those with a role: name, account, languages, and progress."""
        people = annotator_list(lead_access(request.user, slug).project)
        query = validated_query(PeopleQuerySerializer, request)
        if "role" in query:
            people = people.filter(role=query["role"])
        page = requested_page(people, query)
        return Response({**page_json(page), "people": people_json(list(page))})

    @documented(
        operation_id="person_add",
        request=PersonAddSerializer,
        responses={200: AddedPersonSerializer, **WRITE},
        tags=["people"],
        example={"username": "emil", "alias": "A7"},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add someone at once. A new username makes an account, whose password is only in this response.

        409: they are in the project already, or the name is taken. To have them choose their own, invite them.
        """
        access = lead_access(request.user, slug)
        added = person_add(project=access.project, **validated_body(PersonAddSerializer, request, closed=True))
        (shown,) = people_json([annotator_get(access.project, added.annotator.pk)])
        return Response({**shown, "password": added.password, "returned": added.returned})


class PersonView(APIView):
    @documented(
        operation_id="person_change",
        request=PersonChangeSerializer,
        responses={200: PersonSerializer, **WRITE},
        tags=["people"],
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """Rename a person, change their role, or state what they read. Nothing is changed if any of it is refused.

        409: someone else has, or had, the name. 403: it would leave the project without a lead.
        """
        person = annotator_get(lead_access(request.user, slug).project, pk)
        data = validated_body(PersonChangeSerializer, request, closed=True)
        with transaction.atomic():
            if "alias" in data:
                person = person_rename(annotator=person, alias=data["alias"])
            if "role" in data and data["role"] != person.role:
                person = person_role_set(annotator=person, role=data["role"])
            if "languages" in data:
                skills = {each["language"]: each["level"] for each in data["languages"]}
                reading_skills_set(annotator=person, skills=skills)
        return Response(people_json([annotator_get(person.project, pk)])[0])


class AccessView(APIView):
    @documented(
        operation_id="person_access",
        request=AccessChangeSerializer,
        responses={200: PersonSerializer, **WRITE},
        tags=["people"],
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """End a person's access, or restore it: same name, role and assignments. All work stays.

        409: already in that state, or there is no account. 403: the project would have no lead.
        """
        person = annotator_get(lead_access(request.user, slug).project, pk)
        allowed = validated_body(AccessChangeSerializer, request, closed=True)["access"]
        (person_restore_access if allowed else person_end_access)(annotator=person)
        return Response(people_json([annotator_get(person.project, pk)])[0])


class ReplaceView(APIView):
    @documented(
        operation_id="person_replace",
        request=ReplaceSerializer,
        responses={200: ReplacedSerializer, **WRITE},
        tags=["people"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Reassign a person's unfinished pairs to someone else; finished ones stay theirs.

        409: none of them can be reassigned.
        """
        project = lead_access(request.user, slug).project
        leaver = annotator_get(project, pk)
        data = validated_body(ReplaceSerializer, request, closed=True)
        newcomer = annotator_list(project).filter(pk=data["newcomer"]).first() if data["newcomer"] < 2**63 else None
        if newcomer is None:
            raise Invalid(_("There is no such person in this project."), where="newcomer")
        assert isinstance(request.user, User)
        if data["dry_run"]:
            return Response(_replacement_json(person_replace_preview(leaver=leaver, newcomer=newcomer)))
        result = person_replace(leaver=leaver, newcomer=newcomer, by=request.user, end_access=data["end_access"])
        return Response(_replacement_json(result))


class PasswordLinkView(APIView):
    @documented(
        operation_id="person_password_link",
        request=None,
        responses={200: PasswordLinkSerializer, **ACT_REFUSALS},
        tags=["people"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """A link with which a person sets a new password, to be passed on. 409: the person has no account here."""
        access = lead_access(request.user, slug)
        person = annotator_get(access.project, pk)
        if person.user is None:
            raise Conflict(_("This person has no account."), where=person.alias, hint=_("Invite them first."))
        check_may_reset_password(access.user, person.user, where=person.alias)
        link = password_link_make(user=person.user, by=access.user)
        return Response({"link": password_link(request, link)})


class ShareView(APIView):
    @documented(
        operation_id="person_share",
        request=ShareSerializer,
        responses={200: SharedSerializer, **WRITE},
        tags=["people"],
        example={"seed": 1},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Assign someone who joins midway what all others share, and an equal part of what nobody has started.

        409: there is nothing to assign.
        """
        person = annotator_get(lead_access(request.user, slug).project, pk)
        seed = validated_body(ShareSerializer, request, closed=True)["seed"]
        change = person_assign_share(annotator=person, seed=seed)
        return Response({"shared": len(change.new), "moved": len(change.moved)})


class InvitationsView(APIView):
    @documented(
        operation_id="invitations",
        parameters=[PageSerializer],
        responses={200: InvitationsSerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["people"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The project's invitations, the newest first."""
        invitations = invitation_list(lead_access(request.user, slug).project)
        page = requested_page(invitations, validated_query(PageSerializer, request))
        return Response({**page_json(page), "invitations": [invitation_json(row) for row in page]})

    @documented(
        operation_id="invitations_create",
        request=InviteSerializer,
        responses={200: MadeInvitationsSerializer, **WRITE},
        tags=["people"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Invite people, each by a link of their own: sent where the site sends e-mail, else only in this response.

        409: someone has, had, or is invited under one of the names.
        """
        access = lead_access(request.user, slug)
        data = validated_body(InviteSerializer, request, closed=True)
        people = [Invitee(each["name"].strip(), each["email"]) for each in data.pop("people")]
        assert isinstance(request.user, User)
        invitations = invitations_create(project=access.project, people=people, by=request.user, **data)
        return Response({"invitations": _send_invitations(invitations, request, request.user)})


class InvitationView(APIView):
    @documented(
        operation_id="invitation_revoke",
        request=None,
        responses={200: InvitationSerializer, **REFUSALS, 409: ErrorSerializer},
        tags=["people"],
    )
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Revoke an invitation: its link no longer works. 409: it was accepted or revoked."""
        row = invitation_get(lead_access(request.user, slug).project, pk)
        return Response(invitation_json(invitation_revoke(row=row)))


class InvitationRenewView(APIView):
    @documented(
        operation_id="invitation_renew",
        request=None,
        responses={200: MadeInvitationSerializer, **ACT_REFUSALS},
        tags=["people"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """A new link for an invitation, sent, or in this answer if it has no address or its e-mail failed; the old one
        no longer works. 409: it was accepted or revoked.
        """
        access = lead_access(request.user, slug)
        row = invitation_get(access.project, pk)
        failed = row.mailing == Mailing.FAILED
        renewed = invitation_renew(row=row, by=access.user)
        renewed.invitation.project = access.project
        return Response(_send_invitations([renewed], request, access.user, mail=not failed)[0])


def _send_invitations(
    invitations: list[NewInvitation], request: Request, by: User, *, mail: bool = True
) -> list[dict[str, Any]]:
    """Invitations that were just made, sent if they can be; the links of the others, or without `mail` of all."""
    origin = site_origin(request)
    shown = {
        each.invitation.pk for each in (invitations_send(invitations, origin=origin, by=by) if mail else invitations)
    }
    return [
        {
            **invitation_json(each.invitation),
            "link": invitation_link(each, origin) if each.invitation.pk in shown else None,
        }
        for each in invitations
    ]


def invitation_json(row: Invitation) -> dict[str, Any]:
    """An invitation as the API shows it."""
    return {
        "id": row.pk,
        **{name: getattr(row, name) for name in ("name", "email", "role", "mailing", "made", "expires")},
        "state": invitation_state(row).value,
        "person": row.accepted_as_id,
    }


def people_json(people: Sequence[Annotator]) -> list[dict[str, Any]]:
    """People of one project as the API shows them."""
    if not people:
        return []
    project = people[0].project
    totals = {each.annotator.pk: each.total for each in project_progress(project)}
    read = skills_by_annotator(project)
    return [_person(each, totals.get(each.pk, ProgressCounts()), read.get(each.pk, {})) for each in people]


def _person(person: Annotator, total: ProgressCounts, read: dict[str, str]) -> dict[str, Any]:
    account = person.user or person.former_user
    return {
        "id": person.pk,
        "alias": person.alias,
        "username": account.get_username() if account else None,
        "role": person.role,
        "access": "account" if person.user else "ended" if person.former_user else "none",
        "languages": [{"language": language, "level": level} for language, level in read.items()],
        "assigned": total.assigned,
        "finished": total.finished,
        "seconds": total.seconds,
    }


def _replacement_json(preview: ReassignmentPreview) -> dict[str, list[str]]:
    def names(rows: Sequence[Assignment]) -> list[str]:
        return [row.pair.external_id for row in rows]

    return {
        "moved": names(preview.moves),
        "restarted": names(preview.started),
        "staying": names([*preview.already_assigned, *preview.reference_seen, *preview.retests]),
        "unread": names(preview.unreadable),
    }
