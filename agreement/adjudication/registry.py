"""The rules for a scheme, which of them is proposed, and a rule by its name."""

from agreement.adjudication.base import RULES, Rule, RuleError
from annotation.text.schemes import Scheme

DEFAULT = "majority"
"""The rule for a scheme for which none was made."""


def rules_for(scheme: Scheme) -> list[Rule]:
    """The rules that can decide all of a scheme."""
    return [each for each in RULES.values() if each.suits(scheme)]


def proposed_rule(scheme: Scheme) -> Rule:
    """The rule that pages propose first: of those for the scheme one that was made for it, or else the majority."""
    return next((each for each in rules_for(scheme) if each.made_for(scheme)), RULES[DEFAULT])


def rule(name: str) -> Rule:
    """The rule with that name. Raises RuleError naming the existing ones."""
    try:
        return RULES[name]
    except KeyError:
        raise RuleError(f"there is no rule '{name}'; there are {', '.join(RULES)}") from None
