"""Runs as JSON, for leads' programs: request, watch, pause, resume, cancel, retrain or show one."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction, extend_schema
from rest_framework import serializers
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
from annotation.models import JobStatus, User
from annotation.number_parsing import MAX_INTEGER
from annotation.permissions import lead_access
from annotation.serializers.base import ErrorSerializer, Fields, PagedSerializer, PageSerializer
from annotation.serializers.fields import StrictSettings
from assist.methods.base import methods
from assist.models import Run
from assist.runs.automatic import project_prelabel
from assist.runs.llm_costs import run_answers
from assist.runs.prelabel_options import PrelabelOptions
from assist.runs.selectors import run_failures, run_get, run_list, run_progress
from assist.runs.services import run_perform_action, run_request


class FailureSerializer(Fields):
    """A pair that a run failed on."""

    pair = serializers.CharField(help_text="external id of the pair")
    why = serializers.CharField()


class SettingsField(StrictSettings):
    """Settings by name, for the method given with them."""


class SettingsFieldSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """The settings of each method, from its settings model."""

    target_class = SettingsField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        return {"anyOf": [{**cls.Settings.model_json_schema(), "title": cls.slug()} for cls in methods()]}


class AnswersSerializer(Fields):
    """What a language model was asked, what that cost, and how good its answers were."""

    requests = serializers.IntegerField(help_text="sent, repeated ones included")
    repeated = serializers.IntegerField(help_text="refused or lost")
    prompt_tokens = serializers.IntegerField()
    answer_tokens = serializers.IntegerField()
    spent = serializers.FloatField(help_text="in the currency of the prices")
    reserved = serializers.FloatField(help_text="the most that requests without a known answer may have cost")
    answers = serializers.IntegerField(help_text="those that pairs were labelled by")
    tokens = serializers.IntegerField(help_text="to be labelled")
    spans = serializers.IntegerField(help_text="quotations")
    repaired_share = serializers.FloatField(allow_null=True, help_text="of answers: not exactly what was asked for")
    unusable_share = serializers.FloatField(allow_null=True, help_text="of answers: could not be parsed")
    padded_share = serializers.FloatField(allow_null=True, help_text="of tokens: without a label of their own")
    outside_share = serializers.FloatField(allow_null=True, help_text="of tokens: with a label outside the scale")
    near_share = serializers.FloatField(allow_null=True, help_text="of quotations: matched only approximately")
    unmatched_share = serializers.FloatField(allow_null=True, help_text="of quotations: not in the text")


class RunSerializer(Fields):
    """A run and its progress."""

    run = serializers.SlugField(source="slug")
    method = serializers.CharField(help_text="name and version: 'default.v1'")
    settings = serializers.DictField()
    status = serializers.ChoiceField(choices=JobStatus.choices)
    total = serializers.IntegerField(help_text="pairs")
    done = serializers.IntegerField(help_text="pairs")
    failed = serializers.IntegerField(help_text="pairs")
    queue = serializers.CharField()
    versions = serializers.DictField()
    report = serializers.DictField(help_text="what the method says about its fitted model")
    requested = serializers.DateTimeField()
    started = serializers.DateTimeField(allow_null=True)
    finished = serializers.DateTimeField(allow_null=True)
    error = serializers.CharField(allow_blank=True)
    answers = AnswersSerializer(allow_null=True, help_text="null unless the method asks a language model")
    pairs_per_second = serializers.FloatField(allow_null=True)
    seconds_left = serializers.FloatField(allow_null=True)

    def to_representation(self, instance: Run) -> dict[str, Any]:
        progress = run_progress(instance)
        instance.pairs_per_second = progress.rate  # type: ignore[attr-defined]
        instance.seconds_left = progress.seconds_left  # type: ignore[attr-defined]
        answers = run_answers(instance)
        instance.answers = answers.to_json() if answers else None  # type: ignore[attr-defined]
        return dict(super().to_representation(instance))


class RunDetailSerializer(RunSerializer):
    """A run with its log and its failures."""

    log = serializers.CharField()
    failures = FailureSerializer(many=True)

    def to_representation(self, instance: Run) -> dict[str, Any]:
        instance.failures = run_failures(instance)  # type: ignore[attr-defined]
        return super().to_representation(instance)


class RunsQuerySerializer(PageSerializer):
    """Which runs are wanted."""

    status = serializers.ChoiceField(choices=JobStatus.choices, required=False)


class RunsSerializer(PagedSerializer):
    """Runs of a project, newest first."""

    runs = RunSerializer(many=True)


class RequestSerializer(Fields):
    """The method and settings of a new run."""

    method = serializers.CharField()
    settings = SettingsField(required=False, default=dict)


class RunsView(APIView):
    @extend_schema(
        operation_id="runs",
        parameters=[RunsQuerySerializer],
        responses={200: RunsSerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["pre-labels"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The project's runs, newest first."""
        runs = run_list(lead_access(request.user, slug).project)
        query = validated_query(RunsQuerySerializer, request)
        if "status" in query:
            runs = runs.filter(status=query["status"])
        page = requested_page(runs, query)
        return Response({**page_json(page), "runs": [RunSerializer(run).data for run in page]})

    @extend_schema(
        operation_id="run_request",
        request=RequestSerializer,
        responses={200: RunSerializer, **REFUSALS, **BODY_REFUSALS, 429: ErrorSerializer},
        tags=["pre-labels"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Request the run of a method with these settings over all pairs; a repeated request does nothing."""
        access = lead_access(request.user, slug)
        data = validated_body(RequestSerializer, request, closed=True)
        by = request.user if isinstance(request.user, User) else None
        return Response(RunSerializer(run_request(project=access.project, by=by, from_web=True, **data)).data)


class AutomaticSerializer(Fields):
    """Whether and how new pairs are pre-labelled without a request."""

    automatic = serializers.BooleanField()
    method = serializers.CharField(max_length=80)
    settings = SettingsField(required=False, default=dict)
    retrain_after = serializers.IntegerField(
        min_value=0,
        max_value=MAX_INTEGER,
        required=False,
        default=20,
        help_text="A method that learns is retrained after this many pairs with new work; 0: never.",
    )


class AutomaticView(APIView):
    @extend_schema(operation_id="automatic", responses={200: AutomaticSerializer, **REFUSALS}, tags=["pre-labels"])
    def get(self, request: Request, slug: str) -> Response:
        """Whether and how new pairs are pre-labelled without a request."""
        return Response(PrelabelOptions.of(lead_access(request.user, slug).project.settings).to_json())

    @extend_schema(
        operation_id="automatic_set",
        request=AutomaticSerializer,
        responses={200: AutomaticSerializer, **REFUSALS, **BODY_REFUSALS},
        tags=["pre-labels"],
    )
    def put(self, request: Request, slug: str) -> Response:
        """Switch it on or off. Methods that send texts to another server can't be chosen."""
        access = lead_access(request.user, slug)
        data = validated_body(AutomaticSerializer, request, closed=True)
        project = project_prelabel(project=access.project, options=PrelabelOptions(**data), from_web=True)
        return Response(PrelabelOptions.of(project.settings).to_json())


class RunView(APIView):
    @extend_schema(operation_id="run", responses={200: RunDetailSerializer, **REFUSALS}, tags=["pre-labels"])
    def get(self, request: Request, slug: str, run: str) -> Response:
        """One run with its log and failures."""
        access = lead_access(request.user, slug)
        return Response(RunDetailSerializer(run_get(access.project, run)).data)


class RunActionView(APIView):
    @extend_schema(
        operation_id="run_act",
        request=None,
        responses={200: RunSerializer, **ACT_REFUSALS, 429: ErrorSerializer},
        tags=["pre-labels"],
    )
    def post(self, request: Request, slug: str, run: str, action: str) -> Response:
        """`pause`, `resume` (and retry failed pairs), `cancel`, `extend` to new pairs, `retrain`, or `show`."""
        access = lead_access(request.user, slug)
        return Response(RunSerializer(run_perform_action(run=run_get(access.project, run), action=action)).data)
