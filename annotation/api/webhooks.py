"""Webhooks in the API. For leads."""

from __future__ import annotations

from typing import Any

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
from annotation.models.webhooks import Webhook, WebhookDelivery
from annotation.permissions import Access, lead_access
from annotation.selectors.webhooks import delivery_get, delivery_list, webhook_get, webhook_list
from annotation.serializers.base import ErrorSerializer, PageSerializer
from annotation.serializers.webhooks import (
    DeliveriesSerializer,
    DeliverySerializer,
    MadeWebhookSerializer,
    NewWebhookSerializer,
    ResentSerializer,
    WebhookChangeSerializer,
    WebhookSerializer,
    WebhooksSerializer,
)
from annotation.services.webhooks import (
    NewWebhook,
    deliveries_resend_failed,
    delivery_resend,
    webhook_change,
    webhook_create,
    webhook_remove,
    webhook_rotate,
    webhook_test,
)

WRITE: dict[int, Any] = {**REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer}
EXAMPLE = {"url": "https://hooks.example.org/diptych", "events": ["pair.submitted", "gold.made"]}


class WebhooksView(APIView):
    @documented(operation_id="webhooks", responses={200: WebhooksSerializer, **REFUSALS}, tags=["webhooks"])
    def get(self, request: Request, slug: str) -> Response:
        """The project's webhooks, without their secrets."""
        access = lead_access(request.user, slug)
        return Response({"webhooks": [webhook_json(each) for each in webhook_list(access.project)]})

    @documented(
        operation_id="webhook_create",
        request=NewWebhookSerializer,
        responses={200: MadeWebhookSerializer, **WRITE},
        tags=["webhooks"],
        example=EXAMPLE,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Register an address. The secret that signs is only in this response.

        409: it is registered already, or there are too many. 422: no web address, or one inside a private network.
        """
        access = lead_access(request.user, slug)
        data = validated_body(NewWebhookSerializer, request, closed=True)
        return Response(_created_webhook_json(access, webhook_create(project=access.project, by=access.user, **data)))


class WebhookView(APIView):
    @documented(operation_id="webhook", responses={200: WebhookSerializer, **REFUSALS}, tags=["webhooks"])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """A webhook, without its secret."""
        return Response(webhook_json(webhook_get(lead_access(request.user, slug).project, pk)))

    @documented(
        operation_id="webhook_change",
        request=WebhookChangeSerializer,
        responses={200: WebhookSerializer, **WRITE},
        tags=["webhooks"],
        example={"enabled": True},
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """Change the address or the events, enable or disable it; omitted fields stay. 409: as for a new one."""
        access = lead_access(request.user, slug)
        hook = webhook_get(access.project, pk)
        webhook_change(hook=hook, by=access.user, **validated_body(WebhookChangeSerializer, request, closed=True))
        return Response(webhook_json(webhook_get(access.project, pk)))

    @documented(
        operation_id="webhook_delete", request=None, responses={200: WebhookSerializer, **REFUSALS}, tags=["webhooks"]
    )
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a webhook with its log; nothing more is sent to it. Returns it as it was."""
        access = lead_access(request.user, slug)
        hook = webhook_get(access.project, pk)
        deleted = webhook_json(hook)
        webhook_remove(hook=hook, by=access.user)
        return Response(deleted)


class SecretView(APIView):
    @documented(
        operation_id="webhook_secret",
        request=None,
        responses={200: MadeWebhookSerializer, **REFUSALS, 400: ErrorSerializer, 415: ErrorSerializer},
        tags=["webhooks"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """A new secret, which is only in this response. For a day the old one stays valid."""
        access = lead_access(request.user, slug)
        return Response(
            _created_webhook_json(access, webhook_rotate(hook=webhook_get(access.project, pk), by=access.user))
        )


class TestView(APIView):
    @documented(
        operation_id="webhook_test",
        request=None,
        responses={200: DeliverySerializer, **ACT_REFUSALS},
        tags=["webhooks"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Send a test event (`webhook.test`). 409: the webhook is disabled."""
        hook = webhook_get(lead_access(request.user, slug).project, pk)
        return Response(delivery_json(webhook_test(hook=hook)))


class DeliveriesView(APIView):
    @documented(
        operation_id="webhook_deliveries",
        parameters=[PageSerializer],
        responses={200: DeliveriesSerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["webhooks"],
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """What was sent to a webhook in the last 30 days, or waits to be, the newest first."""
        hook = webhook_get(lead_access(request.user, slug).project, pk)
        query = validated_query(PageSerializer, request)
        page = requested_page(delivery_list(hook), query)
        return Response(
            {
                **page_json(page),
                "deliveries": [delivery_json(each) for each in page],
            }
        )


class ResendView(APIView):
    @documented(
        operation_id="webhook_resend",
        request=None,
        responses={200: DeliverySerializer, **ACT_REFUSALS},
        tags=["webhooks"],
    )
    def post(self, request: Request, slug: str, pk: int, delivery: int) -> Response:
        """Send a delivery again, under the same id. 409: it is being sent, or the webhook is disabled."""
        row = delivery_get(lead_access(request.user, slug).project, pk, delivery)
        return Response(delivery_json(delivery_resend(row=row)))


class ResendFailedView(APIView):
    @documented(
        operation_id="webhook_resend_failed",
        request=None,
        responses={200: ResentSerializer, **ACT_REFUSALS},
        tags=["webhooks"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Send all deliveries again that were given up. 409: there are none, or the webhook is disabled."""
        hook = webhook_get(lead_access(request.user, slug).project, pk)
        return Response({"deliveries": deliveries_resend_failed(hook=hook)})


def webhook_json(hook: Webhook) -> dict[str, Any]:
    """A webhook as the API shows it; `hook` comes from `webhook_list`."""
    counted: Any = hook
    return {
        "id": hook.pk,
        **{name: getattr(hook, name) for name in ("url", "events", "enabled")},
        "broken": hook.disabled_at,
        "failing_since": hook.failing_since,
        "made": hook.made,
        "made_by": hook.made_by.get_username() if hook.made_by else None,
        "open": counted.open,
        "failed": counted.failed,
    }


def delivery_json(row: WebhookDelivery) -> dict[str, Any]:
    """A delivery as the API shows it."""
    return {
        "id": row.pk,
        **{name: getattr(row, name) for name in ("message", "event", "status", "made", "last", "code", "problem")},
        "attempts": row.tried,
        "next": row.due,
        "answer": row.answer,
        "payload": row.body,
    }


def _created_webhook_json(access: Access, created: NewWebhook) -> dict[str, Any]:
    return {**webhook_json(webhook_get(access.project, created.webhook.pk)), "secret": created.secret}
