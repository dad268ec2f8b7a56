"""Agreement, gold, and what is published."""

from django.apps import AppConfig


class AgreementConfig(AppConfig):
    name = "agreement"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation import hooks

        hooks.AUDIT_SOURCES.add("agreement.audit.SOURCES")
        hooks.EVENT_ADDRESSES.add(
            "agreement.gold.event_addresses.ADDRESSES",
            "agreement.publication.event_addresses.ADDRESSES",
        )
        hooks.GOLD_SCORER.add("agreement.prelabel_eval.unsaved_scores.UnsavedScorer")
        hooks.NEWEST_ARCHIVE.add("agreement.selectors.newest_archive")
        hooks.COUNTS_FOR_DELETION.add("agreement.selectors.counts_for_deletion")
        hooks.ON_ARCHIVING.add("agreement.gold.services.jobs.gold_jobs_stop")
        hooks.ON_IMPORT_OF_ARCHIVE.add("agreement.gold.archive_validation.gold_check")
        hooks.ON_RENAMING.add("agreement.gold.services.person_renames.gold_rename")
