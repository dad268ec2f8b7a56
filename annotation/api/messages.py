"""Messages in the API: leads see every thread of their projects, everyone else those about their own pairs."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base import BODY_REFUSALS, REFUSALS, page_json, requested_page, validated_body, validated_query
from annotation.api_docs import documented
from annotation.errors import NotFound
from annotation.models import Assignment
from annotation.models.messages import Message, Party, Thread
from annotation.permissions import Access, member_access, visible_threads_owner
from annotation.selectors.assignments import no_assignment
from annotation.selectors.threads import (
    assignment_written_about,
    lead_read_state,
    thread_get,
    threads_listed,
    threads_of,
)
from annotation.serializers.base import ErrorSerializer
from annotation.serializers.messages import (
    NewMessageSerializer,
    NewThreadSerializer,
    ReadUpToSerializer,
    ResolvedSerializer,
    ThreadSerializer,
    ThreadsQuerySerializer,
    ThreadsSerializer,
)
from annotation.services.annotation_checks import check_not_held
from annotation.services.thread_read_marks import thread_read
from annotation.services.threads import thread_answer, thread_open, thread_reopen, thread_resolve
from annotation.views.absolute_urls import site_origin
from annotation.views.message_mail import thread_mail

WRITE: dict[int, Any] = {**REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer}


class ThreadsView(APIView):
    @documented(
        operation_id="threads",
        parameters=[ThreadsQuerySerializer],
        responses={200: ThreadsSerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["messages"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Threads of messages: for leads all of the project, for others those about their own pairs.

        Those about pairs that wait until one is advanced after the qualification are not listed.
        """
        access = member_access(request.user, slug)
        query = validated_query(ThreadsQuerySerializer, request)
        threads = threads_listed(threads_of(access.project, of=visible_threads_owner(access)), query["status"])
        if "assignment" in query:
            threads = threads.filter(assignment=query["assignment"])
        page = requested_page(threads, query)
        return Response(
            {
                **page_json(page),
                "threads": [thread_json(each, access) for each in page],
            }
        )

    @documented(
        operation_id="thread_open",
        request=NewThreadSerializer,
        responses={200: ThreadSerializer, **WRITE},
        tags=["messages"],
        example={
            "assignment": 1,
            "text": "Is this one difference or two?",
            "words": [{"side": "a", "start": 4, "end": 11}],
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        """Write about a pair that is assigned to you, to its leads; as a lead, to whoever has it.

        `words` are those that it is about; their text is kept with the message. Nothing changes about the work on the
        pair. 403 with the code `qualification`: the pair is on hold until a lead advances you, and its texts with it.
        409: the annotator has no access to the project, or there are too many messages.
        """
        access = member_access(request.user, slug)
        data = validated_body(NewThreadSerializer, request, closed=True)
        key = data.pop("assignment")
        assignment = assignment_written_about(access.project, key, of=visible_threads_owner(access))
        if assignment is None:
            # Leads have none of their own, and may know of all.
            missing = NotFound(_("There is no such assignment in this project."), where="assignment")
            raise missing if access.lead else no_assignment(key)
        _check_readable(assignment, access)
        return _answer(request, access, thread_open(assignment=assignment, by=access.user, **data).pk)


class ThreadView(APIView):
    @documented(operation_id="thread", responses={200: ThreadSerializer, **REFUSALS}, tags=["messages"])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """A thread with its messages. That it was read is said by another request.

        403 with the code `qualification`: it is about a pair on hold until a lead advances you.
        """
        access = member_access(request.user, slug)
        return Response(thread_json(_thread(access, pk), access))

    @documented(
        operation_id="thread_answer",
        request=NewMessageSerializer,
        responses={200: ThreadSerializer, **WRITE},
        tags=["messages"],
        example={"text": "One: both words say it together."},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Answer; a thread that was resolved is open again. 409: as for a first message."""
        access = member_access(request.user, slug)
        row = _thread(access, pk)
        data = validated_body(NewMessageSerializer, request, closed=True)
        thread_answer(thread=row, by=access.user, **data)
        return _answer(request, access, pk)


class ThreadResolvedView(APIView):
    @documented(
        operation_id="thread_resolve",
        request=ResolvedSerializer,
        responses={200: ThreadSerializer, **WRITE},
        tags=["messages"],
        example={"resolved": True},
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """Resolve a thread, or open it again. Either side may."""
        access = member_access(request.user, slug)
        row = _thread(access, pk)
        if validated_body(ResolvedSerializer, request, closed=True)["resolved"]:
            thread_resolve(thread=row, by=access.user)
        else:
            thread_reopen(thread=row)
        return Response(thread_json(_thread(access, pk), access))


class ThreadReadView(APIView):
    @documented(
        operation_id="thread_read",
        request=ReadUpToSerializer,
        responses={200: ThreadSerializer, **REFUSALS, **BODY_REFUSALS},
        tags=["messages"],
        example={"last": 1},
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """Say that you have read a thread up to the message `last`; later ones stay unread.

        In an archived project too.
        """
        access = member_access(request.user, slug)
        row = _thread(access, pk)
        last = validated_body(ReadUpToSerializer, request, closed=True)["last"]
        thread_read(thread=row, by=access.user, last=last)
        return Response(thread_json(_thread(access, pk), access))


def _thread(access: Access, pk: int) -> Thread:
    """A thread that the person may read."""
    row = thread_get(access.project, pk, of=visible_threads_owner(access))
    _check_readable(row.assignment, access)
    return row


def _check_readable(assignment: Assignment, access: Access) -> None:
    """Raises Forbidden if it is one's own and waits until one is advanced: messages quote the pair's texts."""
    if not access.lead:
        assignment.annotator.project = access.project
        check_not_held(assignment, assignment.annotator)


def thread_json(thread: Thread, access: Access) -> dict[str, Any]:
    """A thread as the API shows it to someone: annotators are not told which lead wrote or has read it."""
    unread = thread.unread_since is not None
    read_state = lead_read_state(thread, access.user) if access.lead else None
    return {
        "id": thread.pk,
        "assignment": thread.assignment_id,
        "pair": thread.assignment.pair.external_id,
        "annotator": thread.assignment.annotator.alias,
        "span": thread.span,
        "words": thread.quote,
        "resolved": thread.resolved is not None,
        "waiting_for": thread.waiting_for,
        "unread": unread,
        "new": read_state.new if read_state else unread,
        "read_by": read_state.others if read_state else [],
        "changed": thread.changed,
        "messages": [_message(each, thread, access) for each in thread.messages.all()],
    }


def _message(row: Message, thread: Thread, access: Access) -> dict[str, Any]:
    lead = row.author.get_username() if row.author and access.lead else ""
    return {
        "id": row.pk,
        "by": row.by,
        "name": lead if row.by == Party.LEAD else thread.assignment.annotator.alias,
        "mine": row.author_id == access.user.pk,
        "text": row.text,
        "made": row.made,
    }


def _answer(request: Request, access: Access, pk: int) -> Response:
    """The thread after a message, of which the other side is told by e-mail."""
    thread = _thread(access, pk)
    thread_mail(thread, origin=site_origin(request))
    return Response(thread_json(thread, access))
