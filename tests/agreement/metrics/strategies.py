"""What hypothesis draws for the metrics: labels of several annotators over several documents, some of them missing."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from agreement.metrics.arrays import MISSING, Ints


@st.composite
def answers(draw: st.DrawFn, *, labels: int = 3, missing: bool = True) -> tuple[Ints, Ints]:
    """(codes of shape (annotators, units), documents of shape (units,) in ascending order)."""
    annotators = draw(st.integers(2, 4))
    units = draw(st.integers(1, 40))
    lowest = MISSING if missing else 0
    codes = draw(hnp.arrays(np.int64, (annotators, units), elements=st.integers(lowest, labels - 1)))
    documents = np.sort(draw(hnp.arrays(np.int64, units, elements=st.integers(0, 4))))
    return codes, documents
