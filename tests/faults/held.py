"""Included by worker processes of tests: a job stops in its middle while the worker's folder has a file named `hold`.

It then leaves a file `reached-KIND`, and its heartbeat goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings

from agreement.gold.services import versions
from agreement.publication.services import publications
from agreement.report.services import reports
from annotation.services import imports
from tests.assist import fake_registered  # noqa: F401
from tests.assist.fake import Fake

KINDS = ("gold", "import", "publication", "report", "run")
ROWS = "rows-of-gold"


def hold(kind: str, file: str) -> None:
    folder = Path(settings.DATA_DIR)
    if (folder / file).exists():
        (folder / f"reached-{kind}").touch()
    while (folder / file).exists():
        time.sleep(0.05)


def held(where: Any, name: str, kind: str, *, before: bool = False, file: str = "hold") -> None:
    """Have a function stop before it begins or after it has done its work, while there is a file of this name."""
    whole: Callable[..., Any] = getattr(where, name)

    def holding(*arguments: Any, **named: Any) -> Any:
        if before:
            hold(kind, file)
        result = whole(*arguments, **named)
        if not before:
            hold(kind, file)
        return result

    setattr(where, name, holding)


held(versions, "decide", "gold")  # every pair is decided and nothing written
held(versions, "gold_write_many", ROWS, file=ROWS)  # all is written and nothing committed
held(imports, "staging_write", "import")  # the first rows are staged
held(publications, "_pack", "publication", before=True)  # the files are written
held(reports, "agreement_report", "report")  # it is computed and not stored
held(Fake, "predict", "run")
