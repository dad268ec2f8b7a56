"""Texts, spans, people and work."""

import gc

from django.apps import AppConfig

COLLECT_AFTER = (50_000, 20, 20)
"""So many new objects are there before Python looks for cycles: at its default, half of the time that reading a large
project took went into looking through token lists, which hold none."""


class AnnotationConfig(AppConfig):
    name = "annotation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        gc.set_threshold(*COLLECT_AFTER)
