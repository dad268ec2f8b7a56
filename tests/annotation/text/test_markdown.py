"""Guidelines are rendered as intended, and nothing in them runs."""

import pytest

from annotation.text.markdown import markdown_html


def test_markdown_with_tables_becomes_html() -> None:
    html = markdown_html("# Mark\n\n| a | b |\n|---|---|\n| *1* | ~~2~~ |")
    assert "<h1>Mark</h1>" in html and "<em>1</em>" in html and "<s>2</s>" in html


def test_words_in_another_script_keep_their_language() -> None:
    assert markdown_html('<span lang="ar" dir="rtl">سوق</span>') == '<p><span lang="ar" dir="rtl">سوق</span></p>\n'


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        '<img src="x" onerror="alert(1)">',
        "[here](javascript:alert(1))",
        '<a href="javascript:alert(1)">here</a>',
        '<p style="position:fixed" onclick="alert(1)">x</p>',
        "<iframe src='//example.org'></iframe>",
    ],
)
def test_nothing_in_guidelines_runs(text: str) -> None:
    html = markdown_html(text)
    assert not any(word in html for word in ("<script", 'href="javascript', "onerror", "onclick", "<iframe", "style="))
    assert "<img" not in html
