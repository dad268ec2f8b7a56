"""`manage.py plan --project SLUG`: assign a project's unassigned pairs, or change what nobody has started."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.costs import hours_of
from annotation.errors import DomainError
from annotation.forms.plan import KNOWN_PLANS
from annotation.models import Annotator, Project
from annotation.planning.plans import PlanSettings
from annotation.selectors.plans import PlanTable, plan_table
from annotation.selectors.projects import assignable_annotators, project_by_slug
from annotation.selectors.qualification import project_rule
from annotation.selectors.retries import too_few_to_pass
from annotation.services.plan_changes import plan_change_apply, plan_change_preview
from annotation.services.plans import existing_assignments, plan_apply, plan_preview, units_unassigned

COLUMNS = ("withdrawn", "new", "qualification", "trial", "main", "shared", "finished", "hours")
MAX_MINUTES = 24 * 60
NUMBERS = ("qualification", "trial", "overlap", "overlap_people", "seed")


class Command(BaseCommand):
    help = (
        "Assign a project's unassigned pairs, or with --change those that nobody has started. Shows everyone's share."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", metavar="SLUG", required=True, help="the project's slug")
        parser.add_argument(
            "--people", metavar="ALIASES", default="", help="who gets pairs, such as A1,A2 (default: all annotators)"
        )
        add = parser.add_argument
        add("--preset", choices=KNOWN_PLANS, help="a published plan; other options override its numbers")
        add("--qualification", type=_count, metavar="N", help="how many pairs with gold everyone annotates first")
        add("--both-directions", action="store_true", default=None, help="only pairs with a mirror qualify people")
        add("--trial", type=_count, metavar="N", help="how many pairs everyone annotates before the main phase")
        add("--overlap", type=_count, metavar="N", help="how many pairs of the main phase several people annotate")
        add(
            "--overlap-people",
            type=_count,
            metavar="N",
            help="how many people annotate each pair of --overlap (0, the default: everyone)",
        )
        add("--readers-only", action="store_true", help="assign a pair only to people who read its languages")
        add("--seed", type=_count, default=1, help="the same seed gives the same plan (default: 1)")
        add("--minutes", type=_minutes, help="minutes per pair, to estimate the hours (default: as measured so far)")
        add("--change", action="store_true", help="change the whole plan, apart from what someone has started")
        add("--dry-run", action="store_true", help="show the plan and assign nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        change, names = options["change"], (*NUMBERS, "both_directions", "readers_only")
        chosen = {name: options[name] for name in names if options[name] is not None}
        if change and (chosen.get("qualification") or chosen.get("both_directions") or options["preset"]):
            raise CommandError("--change leaves qualification pairs as they are: leave out the options about them.")
        preview, apply = (plan_change_preview, plan_change_apply) if change else (plan_preview, plan_apply)
        try:
            project = project_by_slug(options["project"])
            people = _people(project, options["people"])
            preset = (
                KNOWN_PLANS[options["preset"]].values(units_unassigned(project=project)) if options["preset"] else {}
            )
            settings = PlanSettings(**{**preset, **chosen})
            existing = existing_assignments(project)
            arguments: dict[str, Any] = {"project": project, "annotators": people, "settings": settings}
            shown = preview(**arguments)
            if not options["dry_run"]:
                apply(**arguments, digest=shown.digest)
        except DomainError as error:
            raise CommandError(str(error)) from error
        withdrawn: Sequence[int] = getattr(shown, "withdrawn", ())
        minutes = options["minutes"]
        self._show(
            plan_table(
                project=project,
                chosen=people,
                existing=existing,
                planned=shown.planned,
                withdrawn=withdrawn,
                seconds_per_pair=None if minutes is None else minutes * 60,
            )
        )
        rule = project_rule(project)
        if not change and (few := too_few_to_pass(project=project, planned=shown.planned, rule=rule)) is not None:
            self.stderr.write(f"Nobody can pass: the pass rule needs more qualification pairs than {few}.")
        if options["dry_run"]:
            self.stdout.write("Nothing was assigned.")
        else:
            self.stdout.write(f"New assignments: {len(shown.planned)}. Withdrawn: {len(withdrawn)}.")

    def _show(self, table: PlanTable) -> None:
        self.stdout.write("\t".join(("annotator", *COLUMNS)))
        for row in table.rows:
            share = row.share
            hours = "" if row.seconds is None else str(hours_of(round(row.seconds)))
            counts = (share.withdrawn, share.new, *share.to_do.values(), share.shared, share.finished)
            self.stdout.write("\t".join((row.person.alias, *map(str, counts), hours)))


def _count(text: str) -> int:
    if not text.isascii() or not text.isdecimal():
        raise ArgumentTypeError("expected a whole number from 0")
    return int(text)


def _minutes(text: str) -> float:
    try:
        minutes = float(text)
    except ValueError as error:
        raise ArgumentTypeError("expected a number of minutes") from error
    if not 0 < minutes <= MAX_MINUTES:
        raise ArgumentTypeError(f"expected more than 0 and at most {MAX_MINUTES} minutes")
    return minutes


def _people(project: Project, aliases: str) -> list[Annotator]:
    """The annotators with these names, or all. Raises CommandError for a name that nobody has."""
    people = {person.alias: person for person in assignable_annotators(project)}
    names = [name.strip() for name in aliases.split(",") if name.strip()] or list(people)
    unknown = [name for name in names if name not in people]
    if unknown:
        raise CommandError(f"No annotator with access is named {unknown[0]}. There are: {', '.join(people)}.")
    return [people[name] for name in dict.fromkeys(names)]
