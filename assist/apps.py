"""What models say about a pair."""

from django.apps import AppConfig


class AssistConfig(AppConfig):
    name = "assist"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation import hooks

        hooks.EVENT_ADDRESSES.add("assist.runs.event_addresses.ADDRESSES")
        hooks.NEWEST_RUN.add("assist.runs.newest_run.newest_finished")
        hooks.RUN_READER.add("assist.runs.reader.ProjectRuns")
        hooks.COUNTS_FOR_DELETION.add("assist.runs.reader.counts_for_deletion")
        hooks.ON_ARCHIVING.add(
            "assist.runs.services.runs_stop",
            "assist.mining_requests.jobs.mining_jobs_stop",
            "assist.encoder_comparisons.jobs.comparisons_stop",
            "assist.item_requests.jobs.generation_jobs_stop",
        )
        hooks.ON_DELETION.add("assist.runs.modelstore.models_remove")
        hooks.ON_ROW_OF_ARCHIVE.add("assist.runs.archived_runs.cancel_unfinished")
