"""All differences of a pair that no score of a word shows."""

from assist.methods.mismatch.aligned import Aligned, Mismatch
from assist.methods.mismatch.compare import quantity_mismatches
from assist.methods.mismatch.logic import logic_mismatches
from assist.methods.mismatch.names import name_mismatches


def mismatches(pair: Aligned) -> list[Mismatch]:
    """The mismatches of a pair in the order of side A."""
    result = [*quantity_mismatches(pair), *logic_mismatches(pair), *name_mismatches(pair)]
    return sorted(result, key=lambda each: (each.a, each.b))
