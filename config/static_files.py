"""Which static files are served, and the names under which pages request them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib.staticfiles.finders import AppDirectoriesFinder
from whitenoise.storage import CompressedManifestStaticFilesStorage

UNUSED = ["rest_framework", "redoc", "swagger-ui-es-*", "swagger-ui.js", "htmx-2.js", "htmx-4*", "htmax-*", "ext"]
"""Files of other packages that none of our pages use: 4 MB that take half a minute to compress."""


class PackageFiles(AppDirectoriesFinder):
    """The static files of other packages, without unused ones."""

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[Any]:
        return iter(super().list([*(ignore_patterns or ()), *UNUSED]))


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Names with a hash of the content, which browsers cache forever, after `collectstatic`; plain names before."""

    def stored_name(self, name: str) -> str:
        return str(self.hashed_files.get(self.hash_key(self.clean_name(name)), name))
