"""Texts, spans, people and their work."""

import gc

from django.apps import AppConfig

COLLECT_AFTER = (50_000, 20, 20)
"""Thresholds of Python's garbage collector. At the defaults, half of the time spent on reading a large project went
into scanning token lists, which hold no cycles.
"""


class AnnotationConfig(AppConfig):
    name = "annotation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation import hooks

        gc.set_threshold(*COLLECT_AFTER)
        hooks.AUDIT_SOURCES.add("annotation.selectors.audit_sources.SOURCES")
        hooks.EVENT_ADDRESSES.add("annotation.views.event_addresses.ADDRESSES")
