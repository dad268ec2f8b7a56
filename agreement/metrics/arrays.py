"""The array types that every metric takes and returns, and the code of a missing answer."""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

MISSING = -1
"""The code of a token that an annotator did not see. Labels are coded from 0 (unmarked) in the scheme's order."""


def quotient(above: Floats, below: Floats) -> Floats:
    """`above / below`, element-wise; NaN, without a warning, where `below` is 0."""
    above, below = np.broadcast_arrays(np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64))
    result = np.full(above.shape, np.nan)
    np.divide(above, below, out=result, where=below != 0)
    return result


def smallest(numbers: Ints) -> Ints:
    """The same whole numbers in the smallest type that holds them."""
    if not numbers.size or numbers.min() < 0:
        return numbers
    return numbers.astype(np.min_scalar_type(int(numbers.max())))
