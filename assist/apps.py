"""What models say about a pair."""

from django.apps import AppConfig


class AssistConfig(AppConfig):
    name = "assist"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation.selectors.highlights import newest_run_from
        from assist.selectors import newest_finished

        newest_run_from(newest_finished)
