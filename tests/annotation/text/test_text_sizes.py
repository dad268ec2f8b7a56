"""The table of statistics: documents and tokens by languages, side and subdomain."""

from annotation.text.text_sizes import TextSize, size_rows

DE, FR = ("en", "de"), ("en", "fr")


def test_rows_by_languages_side_and_subdomain() -> None:
    sizes = [TextSize(DE, "a", "x", 10), TextSize(DE, "b", "x", 12), TextSize(DE, "a", "y", 30)]
    sizes += [TextSize(DE, "b", "y", 40), TextSize(DE, "a", "", 5), TextSize(DE, "b", "", 5), TextSize(FR, "a", "", 7)]
    sizes += [TextSize(FR, "b", "", 8)]
    found = [
        (*row.languages, row.side, row.subdomain, row.documents, row.tokens, row.min_tokens, row.max_tokens)
        for row in size_rows(sizes)
    ]
    assert found == [
        ("en", "de", "a", "", 3, 45, 5, 30),
        ("en", "de", "a", "x", 1, 10, 10, 10),
        ("en", "de", "a", "y", 1, 30, 30, 30),
        ("en", "de", "b", "", 3, 57, 5, 40),
        ("en", "de", "b", "x", 1, 12, 12, 12),
        ("en", "de", "b", "y", 1, 40, 40, 40),
        ("en", "fr", "a", "", 1, 7, 7, 7),
        ("en", "fr", "b", "", 1, 8, 8, 8),
    ]
    first = size_rows(sizes)[0]
    assert first.to_json() == {
        "languages": "en-de", "side": "a", "language": "en", "subdomain": "",
        "documents": 3, "tokens": 45, "min": 5, "max": 30, "mean": 15.0,
    }  # fmt: skip
    assert size_rows([]) == []
