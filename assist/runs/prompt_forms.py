"""The form of a prompt: the settings of the method, and the pair for which the request is shown."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from annotation.forms.base import WholeNumberField
from annotation.text.schemes import Scheme
from assist.methods.language_models.texts import PROMPTS
from assist.methods.llm import Llm
from assist.runs.forms import MethodSettingsForm

TASK, VERSION, INSTRUCTIONS = "target", "prompt", "instructions"


class PairForm(forms.Form):
    """The pair for which the request is shown."""

    pair = WholeNumberField(
        label=gettext_lazy("Pair shown"), min_value=1, initial=1, help_text=gettext_lazy("its number in the project")
    )


class PromptForm(MethodSettingsForm):
    """The settings of the method, with the instructions of the chosen task to begin with.

    Instructions that are those of a version are not stored: they are named by the version.
    """

    def __init__(self, scheme: Scheme, data: Any = None) -> None:
        super().__init__(Llm, scheme, data)
        if data is None:
            self.initial[INSTRUCTIONS] = PROMPTS[self.initial[VERSION], self.initial[TASK]].instructions

    def clean_instructions(self) -> str:
        text: str = self.cleaned_data[INSTRUCTIONS].replace("\r\n", "\n").strip()
        return "" if text in {each.instructions for each in PROMPTS.values()} else text

    def show_instructions(self) -> None:
        """Show the instructions of the chosen task, if there are no others."""
        chosen = self.cleaned_data
        if not chosen[INSTRUCTIONS]:
            data: Any = self.data
            data = data.copy()
            data[self.add_prefix(INSTRUCTIONS)] = PROMPTS[chosen[VERSION], chosen[TASK]].instructions
            self.data = data
