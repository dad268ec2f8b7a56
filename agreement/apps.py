"""Agreement, gold, and what is published."""

from django.apps import AppConfig


class AgreementConfig(AppConfig):
    name = "agreement"
    default_auto_field = "django.db.models.BigAutoField"
