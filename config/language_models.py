"""How the environment lists language models and their prices."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured


def llm_models(entries: list[str]) -> dict[str, tuple[float, float]]:
    """Models by name, with the prices of a million tokens sent and received: 'name=0.15/0.60', in this order."""
    result: dict[str, tuple[float, float]] = {}
    for entry in entries:
        name, _, prices = entry.strip().rpartition("=")
        try:
            sent, received = map(float, prices.split("/"))
        except ValueError:
            sent = received = -1.0
        if not name or not (0 <= sent < float("inf") and 0 <= received < float("inf")):
            raise ImproperlyConfigured(
                f"DIPTYCH_LLM_MODELS has {entry!r}; each model is given as name=PRICE/PRICE, the prices of a million "
                "tokens sent and received, for example small-model=0.15/0.60 (0/0 if nothing is charged)."
            )
        result[name.strip()] = (sent, received)
    return result
