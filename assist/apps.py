"""What models say about a pair."""

from django.apps import AppConfig


class AssistConfig(AppConfig):
    name = "assist"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation.selectors.highlights import newest_run_from
        from assist.newest_run import newest_finished

        newest_run_from(newest_finished)
        # By their names, as agreement's: a web process that archives nothing loads none of it.
        from annotation.services.archiving import STOPS
        from annotation.services.deletion import FILES

        if "assist.modelstore.models_remove" not in FILES:
            FILES.append("assist.modelstore.models_remove")
        for name in (
            "assist.services.runs_stop",
            "assist.minings.minings_stop",
            "assist.comparisons.comparisons_stop",
            "assist.item_makings.makings_stop",
        ):
            if name not in STOPS:
                STOPS.append(name)
