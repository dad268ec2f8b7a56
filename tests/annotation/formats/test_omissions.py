"""What an export leaves out is stored in English and translated on pages, also if the English has changed since."""

import pytest
from django.utils import translation

from annotation.formats.omissions import ALL_OMISSIONS, LEGACY_GOLD, omission_phrase


def test_every_stored_omission_is_read_back() -> None:
    assert [omission_phrase(each.text()) for each in ALL_OMISSIONS] == list(ALL_OMISSIONS)


@pytest.mark.parametrize("language", ["de", "fr", "it", "es"])
def test_an_omission_of_an_earlier_publication_is_translated(language: str) -> None:
    stored = "pairs' gold, which these files have no place for"
    assert omission_phrase(stored) == LEGACY_GOLD
    with translation.override(language):
        assert omission_phrase(stored).text(translation.gettext) not in ("", stored)
