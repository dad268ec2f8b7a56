"""All rules by name."""

from agreement.adjudication import agreed, intersection, majority, median, pick, union, xparade
from agreement.adjudication.annotator_models import DAWID_SKENE, MACE
from agreement.adjudication.base import Rule, RuleError
from annotation.text.schemes import Scheme

RULES: dict[str, Rule] = {
    module.RULE.name: module.RULE for module in (xparade, pick, majority, union, intersection, median, agreed)
} | {rule.name: rule for rule in (DAWID_SKENE, MACE)}


def rules_for(scheme: Scheme) -> list[Rule]:
    """The rules that can decide something under a scheme: those of words, or, where it only asks, of answers."""
    return [each for each in RULES.values() if scheme.labels or each.answer]


def rule(name: str) -> Rule:
    """The rule of that name. Raises RuleError, naming those there are."""
    try:
        return RULES[name]
    except KeyError:
        raise RuleError(f"there is no rule '{name}'; there are {', '.join(RULES)}") from None
