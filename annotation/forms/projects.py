"""Forms of projects: a new one, and a project's settings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from annotation import strict_json
from annotation.display_names import PHASE_NAMES, PRESET_NAMES, READING_LEVELS, VERDICT_NAMES
from annotation.forms.base import WholeNumberField
from annotation.models import Project
from annotation.project_options import LATEST, ProjectOptions
from annotation.selectors.highlights import highlight_runs
from annotation.selectors.projects import options_of
from annotation.strict_json import JSONError
from annotation.text.items.base import ITEM_TYPES
from annotation.text.schemes import PRESETS
from annotation.vocabulary import FINAL_VERDICTS, Phase, ReadingLevel, Verdict

OWN_SCHEME = "own"


def _comparable(value: object) -> object:
    """A setting's value in a form in which equal ones are equal; everyone may submit."""
    if isinstance(value, (list, tuple)):
        return sorted({str(each) for each in value} - {Verdict.SUBMITTED.value})
    return value


class ProjectForm(forms.Form):
    """A new project: a name, and a built-in or custom scheme."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=200)
    slug = forms.SlugField(
        label=gettext_lazy("Short name"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("Used in web addresses and commands. Derived from the name if left empty."),
    )
    scheme = forms.ChoiceField(
        label=gettext_lazy("Starting scheme"),
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Labels and questions are edited on the project's Scheme page, with a preview."),
    )
    own_scheme = forms.CharField(
        label=gettext_lazy("Your own scheme, as JSON"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false", "class": "code"}),
        help_text=gettext_lazy("Labels with key, name, description, colour, hotkey and value; sides; rules for spans."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [
            *((name, PRESET_NAMES[name]) for name in PRESETS),
            (OWN_SCHEME, _("My own scheme, as JSON (advanced)")),
        ]
        self.fields["scheme"].choices = choices  # type: ignore[attr-defined]
        self.fields["scheme"].initial = "graded"
        types = "; ".join(f"{name}: {_(each.describes)}" for name, each in ITEM_TYPES.items())
        self.fields["own_scheme"].help_text += " " + _("Types of questions: %(types)s.") % {"types": types}
        self.fields["own_scheme"].initial = json.dumps(PRESETS["graded"].to_json(), indent=1, ensure_ascii=False)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("scheme") != OWN_SCHEME:
            return {**data, "scheme_json": PRESETS[data["scheme"]].to_json() if "scheme" in data else None}
        try:
            scheme = strict_json.loads(data.get("own_scheme") or "")
        except JSONError as error:
            if error.line:
                position = _("line %(line)s, column %(column)s") % {"line": error.line, "column": error.column}
                self.add_error("own_scheme", _("This is not valid JSON: %(position)s.") % {"position": position})
            else:
                self.add_error("own_scheme", error.phrase.text(_))
            return data
        return {**data, "scheme_json": scheme}


class ProjectSettingsForm(forms.Form):
    """A project's name and settings.

    `shown` is what the page showed. What someone else has saved since then stays, unless the same field was changed
    here too: then the form says so beside the field, and saving again replaces it.
    """

    shown = forms.CharField(widget=forms.HiddenInput, required=False)
    name = forms.CharField(label=gettext_lazy("Name"), max_length=200)
    highlights_run = forms.ChoiceField(label=gettext_lazy("Pre-labels shown"), required=False)
    highlights_share = WholeNumberField(
        label=gettext_lazy("Share of assignments that show pre-labels (%)"),
        min_value=0,
        max_value=100,
        help_text=gettext_lazy(
            "At 50, half of the assignments show no pre-labels; the choice is fixed for each pair and annotator."
        ),
    )
    metadata_shown = forms.BooleanField(
        label=gettext_lazy("Annotators can see where a pair comes from (its metadata)"), required=False
    )
    verdicts = forms.MultipleChoiceField(
        label=gettext_lazy("What annotators may do besides submitting"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    skip_percent = WholeNumberField(
        label=gettext_lazy("Maximum share of pairs an annotator may skip (%)"),
        min_value=0,
        max_value=100,
        required=False,
        help_text=gettext_lazy("Leave empty for no limit. X-PARADE used less than 5."),
    )
    closed_phases = forms.MultipleChoiceField(
        label=gettext_lazy("Closed phases: pairs can no longer be submitted or reopened"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    adjudication_blind = forms.BooleanField(
        label=gettext_lazy("Adjudicators see letters instead of annotators' names"), required=False
    )
    gold_shown = forms.BooleanField(
        label=gettext_lazy("Annotators can see how the gold differs from their own work"),
        required=False,
        help_text=gettext_lazy("Only in closed phases, so that nobody can copy it."),
    )

    reading_level = forms.ChoiceField(
        label=gettext_lazy("Minimum reading level for annotating a language"),
        choices=READING_LEVELS,
        required=False,
        help_text=gettext_lazy("Plans warn about people below this level, or exclude them."),
    )

    currency = forms.RegexField(
        label=gettext_lazy("Currency of hourly rates"),
        regex=r"^[A-Z]{3}$",
        required=False,
        max_length=3,
        error_messages={"invalid": gettext_lazy("Enter the three letters of a currency, such as EUR or CHF.")},
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        runs = [(run.run, f"{run.method}, {run.made:%Y-%m-%d %H:%M}") for run in highlight_runs(project)]
        choices: dict[str, list[tuple[str, Any]]] = {
            "highlights_run": [
                (LATEST, _("of the newest finished run that has any")),
                ("", pgettext("pre-labels", "none")),
                *runs,
            ],
            "verdicts": [(key, VERDICT_NAMES[key]) for key in FINAL_VERDICTS if key != Verdict.SUBMITTED],
            "closed_phases": [(key, PHASE_NAMES[key]) for key in Phase],
        }
        for name, options in choices.items():
            self.fields[name].choices = options  # type: ignore[attr-defined]

        self.saved = self.initial_values(project, options_of(project))
        self.initial = {**self.saved, "shown": json.dumps(self.saved)}

    @staticmethod
    def initial_values(project: Project, options: ProjectOptions) -> dict[str, Any]:
        return {"name": project.name, **options.to_json()}

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        try:
            shown = strict_json.loads(data.get("shown") or "{}")
        except JSONError:
            shown = {}
        before = {**self.saved, **(shown if isinstance(shown, dict) else {})}
        changed = [
            name for name in self.saved if name in data and _comparable(self.saved[name]) != _comparable(before[name])
        ]
        both = [
            name
            for name in changed
            if _comparable(data[name]) not in (_comparable(before[name]), _comparable(self.saved[name]))
        ]
        for name in (name for name in changed if name not in both):
            data[name] = _comparable(self.saved[name])
        if both:
            self._show_saved([name for name in changed if name not in both])
        for name in both:
            value = {"value": self._in_words(name)}
            self.add_error(name, _("Saved in the meantime: %(value)s. Save again to replace it.") % value)
        return data

    def _show_saved(self, names: Sequence[str]) -> None:
        """Show what someone else saved in these fields; saving again is a change of what is saved now."""
        data: Any = self.data
        data = data.copy()
        data["shown"] = json.dumps(self.saved)
        for name in names:
            value = self.saved[name]
            if isinstance(value, bool) and not value:
                data.pop(name, None)
            elif isinstance(value, (list, tuple)):
                data.setlist(name, [str(each) for each in value])
            else:
                data[name] = "" if value is None else str(value)
        self.data = data

    def _in_words(self, name: str) -> str:
        value, field = self.saved[name], self.fields[name]
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        names = {str(key): str(words) for key, words in getattr(field, "choices", ())}
        if isinstance(value, (list, tuple)):
            return ", ".join(names[str(each)] for each in value if str(each) in names) or "–"
        return "–" if value is None else names.get(str(value), str(value)) or "–"

    def options(self) -> dict[str, Any]:
        """The settings' values, to be checked by the service."""
        data = self.cleaned_data
        return {
            "highlights_run": data["highlights_run"],
            "highlights_share": data["highlights_share"],
            "metadata_shown": data["metadata_shown"],
            "verdicts": (Verdict.SUBMITTED.value, *data["verdicts"]),
            "skip_percent": data["skip_percent"],
            "closed_phases": tuple(data["closed_phases"]),
            "adjudication_blind": data["adjudication_blind"],
            "gold_shown": data["gold_shown"],
            "reading_level": data["reading_level"] or ReadingLevel.B2.value,
            "currency": data["currency"] or ProjectOptions().currency,
        }
