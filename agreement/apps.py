"""Agreement, gold, and what is published."""

from django.apps import AppConfig


class AgreementConfig(AppConfig):
    name = "agreement"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # By its name: a web process on which nobody is renamed loads none of it.
        from annotation.services.renames import ALSO

        name = "agreement.gold.services.renames.gold_rename"
        if name not in ALSO:
            ALSO.append(name)
        from annotation.selectors.gold_scores import SCORER

        SCORER[:] = ["agreement.prelabel_eval.unsaved.UnsavedScorer"]
        from annotation.selectors.audit import ALSO as AUDITED
        from annotation.services.archiving import STOPS
        from annotation.services.project_archive.tables import CHECKS

        if "agreement.gold.archived.gold_check" not in CHECKS:
            CHECKS.append("agreement.gold.archived.gold_check")

        if "agreement.audit.SOURCES" not in AUDITED:
            AUDITED.append("agreement.audit.SOURCES")

        stop = "agreement.gold.services.jobs.gold_jobs_stop"
        if stop not in STOPS:
            STOPS.append(stop)
