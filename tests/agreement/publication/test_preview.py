"""A card's metadata and text, as a hub shows them."""

from __future__ import annotations

from agreement.publication.preview import card_parts


def test_metadata_is_listed_and_the_text_is_clean() -> None:
    front = "---\nlanguage:\n- de\n- en\nlicense: cc0-1.0\nconfigs:\n- config_name: gold\n---\n"
    found = card_parts(f"{front}\n# A\n\n---\n\n<script>x</script>b\n")
    assert found.metadata == [("license", "cc0-1.0"), ("language", "de, en")]
    named = card_parts(f"{front.replace('gold', 'gold ---')}# A\n")
    assert named.metadata == found.metadata and named.html == "<h1>A</h1>\n"
    assert found.html.startswith("<h1>A</h1>") and "script" not in found.html and "<hr" in found.html
