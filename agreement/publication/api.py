"""Publications in the API: what the card states, publishing, differences, pushes to a hub, consent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.views.decorators.debug import sensitive_variables
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from agreement.models import Publication, Push
from agreement.publication.card import Terms
from agreement.publication.difference import KINDS, datasets_of, difference, terms_changed
from agreement.publication.facts import LICENCE, NAMES, UNKNOWN, facts_missing, facts_of
from agreement.publication.hub_push import PushTarget
from agreement.publication.serializers import (
    CardFactsSaveSerializer,
    CardFactsSerializer,
    CardIncompleteSerializer,
    CardSerializer,
    ConsentChangeSerializer,
    ConsentSerializer,
    ConsentsSerializer,
    DeletedPublicationSerializer,
    DifferenceQuerySerializer,
    DifferenceSerializer,
    PublicationRequestSerializer,
    PublicationSerializer,
    PublicationsSerializer,
    PushesSerializer,
    PushRequestSerializer,
    PushSerializer,
)
from agreement.publication.services.consent import consent_restore, consent_withdraw
from agreement.publication.services.facts import facts_save
from agreement.publication.services.publications import publication_delete, publication_request, publication_retry
from agreement.publication.services.pushes import push_request
from agreement.publication.splits import Splits
from agreement.selectors import publication_get, publication_list, push_list, withdrawals
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
from annotation.models import Annotator, JobStatus, Project, User
from annotation.permissions import lead_access
from annotation.selectors.projects import annotator_get, annotator_list
from annotation.serializers.base import ErrorSerializer, PageSerializer

CHANGES_LISTED = 100
"""Changes of a kind that a response lists."""
CHANGE_RESPONSES: dict[int, Any] = {**REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer}
REQUEST_RESPONSES: dict[int, Any] = {**REFUSALS, **BODY_REFUSALS, 422: CardIncompleteSerializer, 429: ErrorSerializer}


class CardFactsView(APIView):
    @documented(operation_id="card_facts", responses={200: CardFactsSerializer, **REFUSALS}, tags=["publications"])
    def get(self, request: Request, slug: str) -> Response:
        """What people state for the dataset's card, and what is missing."""
        return Response(facts_json(lead_access(request.user, slug).project))

    @documented(
        operation_id="card_facts_save",
        request=CardFactsSaveSerializer,
        responses={200: CardFactsSerializer, **CHANGE_RESPONSES},
        tags=["publications"],
        example={"revision": 0, "facts": {"contact": "Lena, lena@example.org", "creators": "expert-generated"}},
    )
    def put(self, request: Request, slug: str) -> Response:
        """Save what the card states, whole. 409: someone else saved a revision in the meantime."""
        project = lead_access(request.user, slug).project
        data = validated_body(CardFactsSaveSerializer, request, closed=True)
        facts_save(project=project, values=data["facts"], base=data["revision"])
        project.refresh_from_db()
        return Response(facts_json(project))


class PublicationsView(APIView):
    @documented(
        operation_id="publications",
        parameters=[PageSerializer],
        responses={200: PublicationsSerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["publications"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The project's publications, the newest first."""
        publications = publication_list(lead_access(request.user, slug).project)
        page = requested_page(publications, validated_query(PageSerializer, request))
        return Response({**page_json(page), "publications": [publication_json(each) for each in page]})

    @documented(
        operation_id="publication_request",
        request=PublicationRequestSerializer,
        responses={200: PublicationSerializer, **REQUEST_RESPONSES},
        tags=["publications"],
        example={"format": "hub", "licence": "cc-by-4.0", "splits": "train=80, test=20", "seed": 1},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Publish the project. A small one is done in the response; ask for the state of a large one by GET."""
        project = lead_access(request.user, slug).project
        data = validated_body(PublicationRequestSerializer, request, closed=True)
        assert isinstance(request.user, User)
        publication = publication_request(
            project=project,
            to=data["format"],
            terms=Terms(data.get("licence", UNKNOWN), data.get("description", "")),
            splits=Splits.parse(data.get("splits", ""), data.get("seed", 1)),
            by=request.user,
            preview=data["preview"],
        )
        return Response(publication_json(publication))


class CardView(APIView):
    @documented(operation_id="publication_card", responses={200: CardSerializer, **REFUSALS}, tags=["publications"])
    def get(self, request: Request, slug: str, number: int) -> Response:
        """The card of a dataset, or of the preview (number 0)."""
        publication = publication_get(lead_access(request.user, slug).project, number)
        return Response({"card": publication.card})


class PublicationView(APIView):
    @documented(operation_id="publication", responses={200: PublicationSerializer, **REFUSALS}, tags=["publications"])
    def get(self, request: Request, slug: str, number: int) -> Response:
        """The state of a publication, and the address of its file."""
        return Response(publication_json(publication_get(lead_access(request.user, slug).project, number)))

    @documented(
        operation_id="publication_delete",
        request=None,
        responses={200: DeletedPublicationSerializer, **REFUSALS, 409: ErrorSerializer},
        tags=["publications"],
    )
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Delete a publication that failed, or cancel one that is not ready. 409: it is ready."""
        publication_delete(publication=publication_get(lead_access(request.user, slug).project, number))
        return Response({"deleted": number})


class PublicationRetryView(APIView):
    @documented(
        operation_id="publication_retry",
        request=None,
        responses={
            200: PublicationSerializer,
            **ACT_REFUSALS,
            422: CardIncompleteSerializer,
            429: ErrorSerializer,
        },
        tags=["publications"],
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Retry a failed publication, with the project's current content. 409: it has not failed."""
        publication = publication_get(lead_access(request.user, slug).project, number)
        return Response(publication_json(publication_retry(publication=publication)))


class DifferenceView(APIView):
    @documented(
        operation_id="publication_difference",
        parameters=[DifferenceQuerySerializer],
        responses={
            200: DifferenceSerializer,
            **REFUSALS,
            409: ErrorSerializer,
            422: ErrorSerializer,
            429: ErrorSerializer,
        },
        tags=["publications"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """What differs between two datasets: pairs, texts, gold, annotations, labels, terms. 409: one is not ready."""
        project = lead_access(request.user, slug).project
        data = validated_query(DifferenceQuerySerializer, request)
        one, other = data["one"], data["other"]
        first, second = publication_get(project, one), publication_get(project, other)
        with datasets_of(first, second) as (before, after):
            diff = difference(before, after)
        changes = [
            {
                "kind": kind,
                "count": len(diff.by_kind[kind]),
                "first": [{"pair": pair, "who": who} for pair, who in diff.by_kind[kind][:CHANGES_LISTED]],
            }
            for kind in KINDS
        ]
        names = ("config", "label", "before", "after")
        labels = [dict(zip(names, each, strict=True)) for each in diff.labels]
        terms = [asdict(each) for each in terms_changed(first, second)]
        return Response({"one": one, "other": other, "terms": terms, "changes": changes, "labels": labels})


class PushesView(APIView):
    @documented(
        operation_id="pushes",
        parameters=[PageSerializer],
        responses={200: PushesSerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["publications"],
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """The pushes of a publication, the newest first, and how they went."""
        pushes = push_list(publication_get(lead_access(request.user, slug).project, number))
        page = requested_page(pushes, validated_query(PageSerializer, request))
        return Response({**page_json(page), "pushes": [push_json(each) for each in page]})

    @sensitive_variables()
    @documented(
        operation_id="push_request",
        request=PushRequestSerializer,
        responses={200: PushSerializer, **CHANGE_RESPONSES, 429: ErrorSerializer},
        tags=["publications"],
        example={"repository": "owner/towns", "tag": "v1", "private": True, "token": "hf_your_token"},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Push a dataset to the site's hub. Ask how it went by GET. 409: it is not ready, or is being pushed."""
        publication = publication_get(lead_access(request.user, slug).project, number)
        data = validated_body(PushRequestSerializer, request, closed=True)
        assert isinstance(request.user, User)
        target = PushTarget(data["repository"].strip(), data["tag"].strip(), data["private"])
        push = push_request(publication=publication, target=target, token=data["token"], by=request.user)
        return Response(push_json(push))


class ConsentsView(APIView):
    @documented(
        operation_id="consents",
        parameters=[PageSerializer],
        responses={200: ConsentsSerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["publications"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Whose annotations later publications exclude."""
        project = lead_access(request.user, slug).project
        page = requested_page(annotator_list(project), validated_query(PageSerializer, request))
        gone = withdrawals(project)
        return Response({**page_json(page), "people": [consent_json(each, gone) for each in page]})


class ConsentView(APIView):
    @documented(
        operation_id="consent_change",
        request=ConsentChangeSerializer,
        responses={200: ConsentSerializer, **CHANGE_RESPONSES},
        tags=["publications"],
        example={"withdrawn": True},
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """Withdraw a person's consent, or restore it. 409: already in that state."""
        person = annotator_get(lead_access(request.user, slug).project, pk)
        assert isinstance(request.user, User)
        if validated_body(ConsentChangeSerializer, request, closed=True)["withdrawn"]:
            consent_withdraw(annotator=person, by=request.user)
        else:
            consent_restore(annotator=person)
        return Response(consent_json(person, withdrawals(person.project)))


def facts_json(project: Project) -> dict[str, Any]:
    """What a project's card states, as the API shows it."""
    facts, revision = facts_of(project)
    missing = [name for name in facts_missing(project, facts, "") if name != LICENCE]
    return {"revision": revision, "facts": {name: getattr(facts, name) for name in NAMES}, "missing": missing}


def publication_json(row: Publication) -> dict[str, Any]:
    """A publication as the API shows it."""
    names = (
        *("number", "format", "licence", "description", "gold", "splits", "seed", "status", "total", "done"),
        *("problem", "omitted", "digest", "file", "size", "made"),
    )
    ready = row.status == JobStatus.DONE and row.number != Publication.PREVIEW
    return {
        **{name: getattr(row, name) for name in names},
        "made_by": row.made_by.username if row.made_by else None,
        "download": reverse("publication", args=(row.project.slug, row.number)) if ready else None,
    }


def push_json(row: Push) -> dict[str, Any]:
    """A push as the API shows it: without the token, which is stored nowhere."""
    names = ("repository", "tag", "private", "status", "interrupted", "problem", "url", "made")
    return {"id": row.pk, **{name: getattr(row, name) for name in names}}


def consent_json(person: Annotator, withdrawn: Mapping[int, datetime]) -> dict[str, Any]:
    """A person's consent as the API shows it; `withdrawn` is that of everyone in the project, as `withdrawals` reads
    it.
    """
    return {"person": person.pk, "alias": person.alias, "withdrawn": withdrawn.get(person.pk)}
