"""Running a site."""

from django.apps import AppConfig
from django.core.checks import Tags, register


class OperationConfig(AppConfig):
    name = "operation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from operation import log_ins
        from operation.production import check_production

        log_ins.connect_signals()

        register(check_production, Tags.security, deploy=True)
