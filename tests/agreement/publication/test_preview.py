"""A card's metadata and text, as a hub shows them."""

from __future__ import annotations

from agreement.publication.preview import card_parts


def test_metadata_is_listed_and_the_text_is_clean() -> None:
    front = "---\nlanguage:\n- de\n- en\nlicense: cc0-1.0\nconfigs:\n- config_name: gold\n---\n"
    found = card_parts(f"{front}\n# A\n\n---\n\n<script>x</script>b\n")
    assert found.metadata == [("license", "cc0-1.0"), ("language", "de, en")]
    assert found.html.startswith("<h1>A</h1>") and "script" not in found.html and "<hr" in found.html
