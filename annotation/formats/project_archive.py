"""An archive of a whole project: one zip of JSON lines. `annotation.services.project_archive` writes and reads it."""

from __future__ import annotations

from annotation.formats.base import FORMATS, Format, Option

MANIFEST = "diptych-project.json"

FORMAT = FORMATS.register(
    Format(
        "archive",
        "an archive of a whole project, exported by Diptych",
        None,
        None,
        {
            "people": Option(
                "existing accounts here for people in the archive: alias:username, separated by commas", web=False
            )
        },
        exports="an archive of the whole project, with its history, to import elsewhere; "
        "names of people are replaced by numbers",
        ending=".zip",
        marker=MANIFEST,
        project=True,
    )
)
