"""The rules for a scheme, and a rule by its name."""

from agreement.adjudication.base import RULES, Rule, RuleError
from annotation.text.schemes import Scheme


def rules_for(scheme: Scheme) -> list[Rule]:
    """The rules that can decide all of a scheme."""
    return [each for each in RULES.values() if each.suits(scheme)]


def rule(name: str) -> Rule:
    """The rule with that name. Raises RuleError naming the existing ones."""
    try:
        return RULES[name]
    except KeyError:
        raise RuleError(f"there is no rule '{name}'; there are {', '.join(RULES)}") from None
