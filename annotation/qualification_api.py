"""The qualification in the API: the pass rule, everyone's results, and decisions. For leads."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api import BODY_REFUSALS, REFUSALS, parsed
from annotation.api_docs import documented
from annotation.errors import Invalid, NotFound
from annotation.models import Annotator, Project, User
from annotation.permissions import lead_access
from annotation.qualification_models import QualificationStep
from annotation.qualification_serializers import (
    DecisionSerializer,
    PersonStandingSerializer,
    ProjectRuleSerializer,
    QualificationSerializer,
)
from annotation.qualifying.rule import PassRule, rule_revision
from annotation.selectors.projects import annotator_get
from annotation.selectors.qualification import Standing, project_rule, retry_units, standing_of, standings
from annotation.serializers import ErrorSerializer
from annotation.services.qualification import (
    decision_undo,
    person_advance,
    person_retry,
    result_release,
    rule_save,
    words_save,
)

WRITE: dict[int, Any] = {**REFUSALS, **BODY_REFUSALS, 409: ErrorSerializer}
RULE = {
    "revision": "",
    "rule": {"measure": "same-label", "least": 0.7, "parts": {"5": 0.8}, "least_pairs": 7, "both_directions": True},
}


class QualificationView(APIView):
    @documented(operation_id="qualification", responses={200: QualificationSerializer, **REFUSALS}, tags=["people"])
    def get(self, request: Request, slug: str) -> Response:
        """The pass rule, and how everyone's first submissions compare with the references."""
        project = lead_access(request.user, slug).project
        people = [_standing_json(each) for each in standings(project)]
        return Response({**_rule_json(project_rule(project)), "people": people})


class RuleView(APIView):
    @documented(operation_id="qualification_rule", responses={200: ProjectRuleSerializer, **REFUSALS}, tags=["people"])
    def get(self, request: Request, slug: str) -> Response:
        """The pass rule of the qualification."""
        return Response(_rule_json(project_rule(lead_access(request.user, slug).project)))

    @documented(
        operation_id="qualification_rule_set",
        request=ProjectRuleSerializer,
        example=RULE,
        responses={200: ProjectRuleSerializer, **WRITE},
        tags=["people"],
    )
    def put(self, request: Request, slug: str) -> Response:
        """Set the pass rule, or remove it (null), from the revision that the client names ('' for no rule).

        With a rule, annotators can begin trial and main pairs once they are advanced. 409 with the code
        `rule-changed`: someone changed it since. 422: it does not fit the scheme.
        """
        project = lead_access(request.user, slug).project
        data = parsed(ProjectRuleSerializer, request, closed=True)
        return Response(_rule_json(rule_save(project=project, rule=data["rule"], base=data["revision"])))


class DecisionView(APIView):
    @documented(
        operation_id="qualification_person", responses={200: PersonStandingSerializer, **REFUSALS}, tags=["people"]
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Where one person stands, and how many other pairs are left for a retry. 404 without a pass rule."""
        return Response(_person_json(_person(lead_access(request.user, slug).project, pk)))

    @documented(
        operation_id="qualification_decide",
        request=DecisionSerializer,
        example={"action": "words", "words": "Well done: mark numbers too."},
        responses={200: PersonStandingSerializer, **WRITE},
        tags=["people"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Say something to a person, release their result, advance them, have them retry, or undo a decision.

        409: what was asked is not possible now; the message says why.
        """
        person = _person(lead_access(request.user, slug).project, pk)
        data = parsed(DecisionSerializer, request, closed=True)
        assert isinstance(request.user, User)
        with transaction.atomic():
            _decide(person, data, request.user)
        return Response(_person_json(person))


def _decide(person: Annotator, data: dict[str, Any], by: User) -> None:
    action = data["action"]
    for name, needed in (("words", "words"), ("retry", "pairs"), ("undo", "step")):
        if action == name and needed not in data:
            raise Invalid(_("This is needed for the action “%(action)s”.") % {"action": action}, where=needed)
    if "words" in data:
        words_save(annotator=person, words=data["words"], by=by)
    match action:
        case "release":
            result_release(annotator=person, by=by)
        case "advance":
            person_advance(annotator=person, by=by)
        case "retry":
            person_retry(annotator=person, pairs=data["pairs"], by=by)
        case "undo":
            decision_undo(annotator=person, step=data["step"], by=by)


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


def _person_json(person: Annotator) -> dict[str, Any]:
    standing = standing_of(person)
    assert standing is not None  # there is a rule
    return {**_standing_json(standing), "retry_pairs": len(retry_units(person, standing.rule))}


def _standing_json(standing: Standing) -> dict[str, Any]:
    result = standing.result
    return {
        "person": standing.annotator.pk,
        "alias": standing.annotator.alias,
        "standing": standing.status,
        "by_rule": result.state.value,
        "assigned": result.assigned,
        "submitted": result.submitted,
        "counted": result.counted,
        "value": result.value,
        "parts": dict(result.parts),
        "released": standing.released,
        "words": standing.words.words if standing.words else "",
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
        "steps": [_step_json(step) for step in standing.steps],
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
