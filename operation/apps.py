"""Running a site."""

from django.apps import AppConfig


class OperationConfig(AppConfig):
    name = "operation"
    default_auto_field = "django.db.models.BigAutoField"
