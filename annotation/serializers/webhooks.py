"""The shapes of webhooks and their deliveries in the API."""

from __future__ import annotations

from rest_framework import serializers

from annotation.models.webhooks import DeliveryStatus, EventType
from annotation.outgoing_requests import MAX_URL_LENGTH
from annotation.serializers.base import Fields, PagedSerializer
from annotation.serializers.fields import StrictBoolean, StrictText
from annotation.services.webhooks import EVENTS

EVENT_NAMES = [(each.value, each.value) for each in EVENTS]


class NewWebhookSerializer(Fields):
    """An address to notify, and of what."""

    url = StrictText(max_length=MAX_URL_LENGTH, help_text="https:// or http://.")
    events = serializers.ListField(child=serializers.ChoiceField(choices=EVENT_NAMES), max_length=len(EVENT_NAMES))


class WebhookChangeSerializer(Fields):
    """What is to change."""

    url = StrictText(max_length=MAX_URL_LENGTH, required=False)
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=EVENT_NAMES), max_length=len(EVENT_NAMES), required=False
    )
    enabled = StrictBoolean(required=False)


class WebhookSerializer(Fields):
    """A webhook, without its secret. `open`: deliveries that wait or are being sent; `failed`: those given up."""

    id = serializers.IntegerField()
    url = serializers.CharField()
    events = serializers.ListField(child=serializers.ChoiceField(choices=EVENT_NAMES))
    enabled = serializers.BooleanField()
    broken = serializers.DateTimeField(allow_null=True, help_text="When it was disabled because deliveries failed.")
    failing_since = serializers.DateTimeField(allow_null=True, help_text="Since when no attempt has succeeded.")
    made = serializers.DateTimeField()
    made_by = serializers.CharField(allow_null=True, help_text="The username of who registered it.")
    open = serializers.IntegerField()
    failed = serializers.IntegerField()


class MadeWebhookSerializer(WebhookSerializer):
    """A webhook with its secret, which is only in this response."""

    secret = serializers.CharField()


class WebhooksSerializer(Fields):
    """The webhooks of a project."""

    webhooks = WebhookSerializer(many=True)


class DeliverySerializer(Fields):
    """One event for one webhook. `answer` is the beginning of the last response's text, `code` its status."""

    id = serializers.IntegerField()
    message = serializers.CharField(help_text="The `webhook-id` of every attempt.")
    event = serializers.ChoiceField(choices=EventType.choices)
    status = serializers.ChoiceField(choices=DeliveryStatus.choices)
    made = serializers.DateTimeField()
    attempts = serializers.IntegerField()
    last = serializers.DateTimeField(allow_null=True, help_text="When the last attempt was made.")
    next = serializers.DateTimeField(allow_null=True, help_text="When the next one may be made.")
    code = serializers.IntegerField(allow_null=True)
    problem = serializers.CharField(
        allow_blank=True,
        help_text="Why it is not delivered: `status`, `redirect`, `address` (refused), `name`, `time`, `tls`, "
        "`connection`, `answer`, `worker`.",
    )
    answer = serializers.CharField(allow_blank=True)
    payload = serializers.CharField(help_text="What is sent, as it is signed.")


class DeliveriesSerializer(PagedSerializer):
    """Deliveries of a webhook, the newest first."""

    deliveries = DeliverySerializer(many=True)


class ResentSerializer(Fields):
    """How many deliveries are sent again."""

    deliveries = serializers.IntegerField()
