"""Every rule by its name."""

from agreement.adjudication import agreed, intersection, majority, median, pick, union, xparade
from agreement.adjudication.annotator_models import DAWID_SKENE, MACE
from agreement.adjudication.base import Rule, RuleError

RULES: dict[str, Rule] = {
    module.RULE.name: module.RULE for module in (xparade, pick, majority, union, intersection, median, agreed)
} | {rule.name: rule for rule in (DAWID_SKENE, MACE)}


def rule(name: str) -> Rule:
    """The rule of that name. Raises RuleError, naming those there are."""
    try:
        return RULES[name]
    except KeyError:
        raise RuleError(f"there is no rule '{name}'; there are {', '.join(RULES)}") from None
