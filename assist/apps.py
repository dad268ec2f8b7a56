"""What models say about a pair."""

from django.apps import AppConfig


class AssistConfig(AppConfig):
    name = "assist"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation import hooks

        hooks.NEWEST_RUN.add("assist.newest_run.newest_finished")
        hooks.ON_ARCHIVING.add(
            "assist.services.runs_stop",
            "assist.mining_jobs.minings_stop",
            "assist.comparison_jobs.comparisons_stop",
            "assist.item_jobs.makings_stop",
        )
        hooks.ON_DELETION.add("assist.modelstore.models_remove")
