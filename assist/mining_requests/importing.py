"""Mining pairs from files of articles into a project: read, compare, import."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.errors import Invalid
from annotation.formats.record import FormatError
from annotation.models import User
from annotation.progress import OnProgress, ignore_progress
from annotation.services.import_report import ImportRefused, ImportReport
from annotation.services.imports import import_pairs
from annotation.settings_model import SettingError
from assist.methods.base import MethodError
from assist.mining.articles import Article, LanguagesError, read_articles
from assist.mining.mine import MiningResult, mine
from assist.mining.records import mined_source
from assist.mining.settings import MiningSettings


def mining_settings(values: Mapping[str, object]) -> MiningSettings:
    """Settings by name, missing ones with their defaults. Raises Invalid."""
    try:
        return MiningSettings.read(values)
    except SettingError as error:
        raise Invalid(error.phrase.text(_), code="setting") from error


class ArticlesRefused(ImportRefused):
    """Articles that can't be read, so that nothing is compared."""

    @staticmethod
    def summary(count: int) -> str:
        return ngettext(
            "No articles were compared: %(n)s problem found.",
            "No articles were compared: %(n)s problems found.",
            count,
        )


def mining_articles(paths: Sequence[Path]) -> list[Article]:
    """The articles in files and folders. Raises ArticlesRefused, naming everything that is wrong."""
    try:
        return read_articles(paths)
    except FormatError as error:
        raise ArticlesRefused(error.rejections) from error


def mining_matches(
    articles: Sequence[Article], settings: MiningSettings, on_progress: OnProgress = ignore_progress
) -> MiningResult:
    """The matches in the articles. Raises Invalid if they aren't in two languages, or the encoder can't be used."""
    try:
        return mine(articles, settings, on_progress)
    except LanguagesError as error:
        raise Invalid(error.phrase.text(_), code="languages") from error
    except MethodError as error:
        raise Invalid(error.phrase.text(_), code="model") from error


def mine_files(
    *,
    slug: str,
    paths: Sequence[Path],
    settings: Mapping[str, object],
    dry_run: bool = False,
    by: User | None = None,
    on_progress: OnProgress = ignore_progress,
) -> tuple[MiningResult, ImportReport | None]:
    """Mine the articles in `paths` and import the pairs into the project `slug`, which is created if there is none.

    Returns what was found, and the report of the import: None if no match was kept, and nothing imported. `dry_run`
    gives the same report but writes nothing. Raises Invalid, or ImportRefused with everything that is wrong.
    """
    chosen = mining_settings(settings)
    articles = mining_articles(paths)
    mined = mining_matches(articles, chosen, on_progress)
    if not mined.kept_matches:
        return mined, None
    parsed = mined_source(mined, chosen)
    return mined, import_pairs(slug=slug, parsed=parsed, dry_run=dry_run, by=by)
