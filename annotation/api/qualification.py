"""The qualification in the API: the pass rule, everyone's results, and decisions. For leads."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base import BODY_REFUSALS, REFUSALS, page_json, requested_page, validated_body, validated_query
from annotation.api_docs import documented
from annotation.errors import Invalid, NotFound
from annotation.models import Annotator, Project, User
from annotation.models.qualification import QualificationStep
from annotation.permissions import lead_access
from annotation.qualification.rule import PassRule, rule_revision
from annotation.selectors.projects import annotator_get
from annotation.selectors.qualification import (
    HeldBack,
    Qualification,
    held_back_by_rule,
    project_rule,
    qualification_of,
    qualifications,
)
from annotation.selectors.retries import retry_supply
from annotation.serializers.base import ErrorSerializer, PageSerializer
from annotation.serializers.qualification import (
    DecisionConflictSerializer,
    DecisionSerializer,
    PersonQualificationSerializer,
    QualificationSerializer,
    RuleChangeSerializer,
    RuleStateSerializer,
)
from annotation.services.qualification import person_decide, rule_check, rule_save

WRITE: dict[int, Any] = {**REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer}
RULE = {
    "revision": "",
    "rule": {"measure": "same-label", "least": 0.7, "parts": {"5": 0.8}, "least_pairs": 7, "both_directions": True},
}


class QualificationView(APIView):
    @documented(
        operation_id="qualification",
        parameters=[PageSerializer],
        responses={200: QualificationSerializer, **REFUSALS, 422: ErrorSerializer},
        tags=["people"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The pass rule, and how people's first submissions compare with the references."""
        project = lead_access(request.user, slug).project
        page = requested_page(qualifications(project), validated_query(PageSerializer, request))
        people = [_qualification_json(each) for each in page]
        return Response({**_rule_json(project_rule(project)), **page_json(page), "people": people})


class RuleView(APIView):
    @documented(operation_id="qualification_rule", responses={200: RuleStateSerializer, **REFUSALS}, tags=["people"])
    def get(self, request: Request, slug: str) -> Response:
        """The pass rule of the qualification, and how many people and pairs it holds back."""
        project = lead_access(request.user, slug).project
        return Response(_rule_state(project, project_rule(project)))

    @documented(
        operation_id="qualification_rule_set",
        request=RuleChangeSerializer,
        example=RULE,
        responses={200: RuleStateSerializer, **WRITE},
        tags=["people"],
    )
    def put(self, request: Request, slug: str) -> Response:
        """Set the pass rule, or remove it (null), from the revision that the client names ('' for no rule).

        With a rule, annotators can begin trial and main pairs once they are advanced; `held` says how many wait. With
        `dry_run` nothing is saved, and `held` says how many would. 409 with the code `rule-changed`: someone changed it
        since. 422: it does not fit the scheme.
        """
        project = lead_access(request.user, slug).project
        data = validated_body(RuleChangeSerializer, request, closed=True)
        rule = data["rule"]
        if data.get("dry_run"):
            return Response(_rule_state(project, None if rule is None else rule_check(project=project, rule=rule)))
        return Response(_rule_state(project, rule_save(project=project, rule=rule, base=data["revision"])))


class DecisionView(APIView):
    @documented(
        operation_id="qualification_person", responses={200: PersonQualificationSerializer, **REFUSALS}, tags=["people"]
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """One person's status, and how many other pairs are left for a retry. 404 without a pass rule."""
        return Response(_person_json(_person(lead_access(request.user, slug).project, pk)))

    @documented(
        operation_id="qualification_decide",
        request=DecisionSerializer,
        example={"action": "words", "revision": "0.0", "words": "Well done: mark numbers too."},
        responses={200: PersonQualificationSerializer, **WRITE, 409: DecisionConflictSerializer},
        tags=["people"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Say something to a person, release their result, advance them, have them retry, or undo a decision.

        409: what was asked is not possible now; the message says why. With the code `decided-since` or `words-changed`,
        another lead decided or said something after `revision`; `words` and `revision` are then those of now.
        """
        person = _person(lead_access(request.user, slug).project, pk)
        data = validated_body(DecisionSerializer, request, closed=True)
        assert isinstance(request.user, User)
        _decide(person, data, request.user)
        return Response(_person_json(person))


FIELDS = {"words": ("words",), "release": (), "advance": (), "retry": ("pairs",), "undo": ("step",)}
"""What each action needs besides the revision. Words may come with all others but undoing."""


def _decide(person: Annotator, data: dict[str, Any], by: User) -> None:
    action = data["action"]
    for name in FIELDS[action]:
        if name not in data:
            raise Invalid(_("This is needed for the action “%(action)s”.") % {"action": action}, where=name)
    for name in ("words", "pairs", "step"):
        if name in data and name not in FIELDS[action] and (name != "words" or action == "undo"):
            raise Invalid(_("The action “%(action)s” has no such field.") % {"action": action}, where=name)
    person_decide(annotator=person, by=by, **data)


def _person(project: Project, pk: int) -> Annotator:
    person = annotator_get(project, pk)
    person.project = project
    if project_rule(project) is None:
        raise NotFound(
            _("This project has no pass rule for the qualification."), where=project.name, hint=_("Set one first.")
        )
    return person


def _rule_json(rule: PassRule | None) -> dict[str, Any]:
    return {"revision": rule_revision(rule), "rule": rule.to_json() if rule else None}


def _rule_state(project: Project, rule: PassRule | None) -> dict[str, Any]:
    held = held_back_by_rule(project, rule) if rule else HeldBack(0, 0)
    return {**_rule_json(rule), "held": {"people": held.people, "pairs": held.pairs}}


def _person_json(person: Annotator) -> dict[str, Any]:
    qualification = qualification_of(person)
    assert qualification is not None  # there is a rule
    return {**_qualification_json(qualification), "retry_pairs": len(retry_supply(person, qualification.rule).units)}


def _qualification_json(qualification: Qualification) -> dict[str, Any]:
    result = qualification.result
    return {
        "person": qualification.annotator.pk,
        "alias": qualification.annotator.alias,
        "status": qualification.status,
        "by_rule": result.state.value,
        "assigned": result.assigned,
        "submitted": result.submitted,
        "counted": result.counted,
        "value": result.value,
        "parts": dict(result.parts),
        "released": qualification.released,
        "revision": qualification.revision,
        "words": qualification.visible_message,
        "pairs": [
            {
                "assignment": each.assignment,
                "pair": each.pair,
                "name": each.name,
                "value": each.compared.value if each.compared else None,
                "parts": dict(each.compared.parts) if each.compared else {},
                "missing": each.missing.value if each.missing else "",
                "gold_version": each.gold_version,
            }
            for each in result.pairs
        ],
        "steps": [_step_json(step) for step in qualification.steps],
    }


def _step_json(step: QualificationStep) -> dict[str, Any]:
    return {
        "id": step.pk,
        "step": step.step,
        "words": step.words,
        "value": step.value,
        "pairs": step.pairs,
        "automatic": step.automatic,
        "by": step.made_by.get_username() if step.made_by else "",
        "made": step.made,
        "undone": step.undone,
    }
