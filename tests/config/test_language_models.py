"""The list of language models and their prices, as the environment gives it."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.language_models import llm_models


def test_models_with_prices_in_order() -> None:
    assert llm_models(["large=2.5/10", " org/small:7b=0/0"]) == {"large": (2.5, 10.0), "org/small:7b": (0.0, 0.0)}
    assert list(llm_models(["b=1/1", "a=1/1"])) == ["b", "a"] and llm_models([]) == {}


@pytest.mark.parametrize(
    "entry", ["large", "large=1", "=1/2", "large=1/2/3", "large=-1/2", "large=nan/1", "large=inf/1", ""]
)
def test_an_entry_without_prices_is_refused(entry: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="name=PRICE/PRICE"):
        llm_models([entry])
