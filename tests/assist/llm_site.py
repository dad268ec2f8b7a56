"""A whole site for language models: the process in which its commands run (see `tests.assist.site`)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tests.assist import site

KEY = "sk-a-secret-key-of-the-site"


class LlmSite(site.Site):
    """A site whose workers ask a server at `url`."""

    commands = "tests.assist.llm_site"

    def __init__(self, folder: Path, url: str, **environment: str) -> None:
        more = {"DIPTYCH_LLM_URL": url, "DIPTYCH_LLM_KEY": KEY, "DIPTYCH_LLM_MODELS": "small=1/10"}
        super().__init__(folder, **more, DIPTYCH_LLM_RATE="60000", **environment)


def make(pairs: str) -> dict[str, Any]:
    """A database with a project of so many pairs with different texts."""
    from django.core.management import call_command

    from annotation.text.schemes import PRESETS
    from tests.assist.prompted import pairs_make
    from tests.factories import ProjectFactory

    call_command("migrate", verbosity=0)
    pairs_make(ProjectFactory(slug="library", scheme=PRESETS["graded"].to_json()), int(pairs))
    return {"pairs": pairs}


def request(limit: str) -> dict[str, Any]:
    """Ask for a run with a spending limit."""
    from annotation.models import Project
    from assist.runs.services import run_request

    settings = {"limit": limit, "per_minute": "10000", "parallel": "2"}
    return {"run": run_request(project=Project.objects.get(), method="llm", settings=settings).slug}


def accounts() -> dict[str, Any]:
    """What the accounts hold, and the run's status."""
    from assist.models import LlmAccount, LlmAnswer, Run

    run = Run.objects.get()
    return {
        "status": run.status,
        "why": run.error,
        "answers": LlmAnswer.objects.count(),
        "accounts": {
            each.name.partition(" ")[0]: [each.spent, each.reserved, each.requests] for each in LlmAccount.objects.all()
        },
    }


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    site.serve({"make": make, "request": request, "state": site.state, "accounts": accounts})
