"""What people write stays what it is: it changes nothing of the card around it, and runs nowhere."""

from __future__ import annotations

import pytest

from agreement.publication.card_markup import block, example, fenced, inline, table
from annotation.text.markdown import markdown_html

HOSTILE = [
    "# Licence\n\nfree",
    "Licence\n=======\n\nfree",
    "<h1>Licence</h1>",
    "<div>\n\n# Licence",
    "```\nnever closed",
    "<!-- never closed",
    "<pre>\n\n# Licence\n\n</pre>",
    "    # Licence\n\n\n    code",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "[a](javascript:alert(1))",
    "---\nlicense: mit\n---",
    "| a | b |\n| - | - |\n| <style> | 1 |",
]


@pytest.mark.parametrize("written", HOSTILE)
def test_a_block_ends_where_it_ends(written: str) -> None:
    made = block(written)
    assert "\n" not in made
    html = markdown_html(f"# Card\n\n{made}\n\n## After\n\nend\n")
    assert html.startswith("<h1>Card</h1>") and html.count("<h1>") == 1
    assert html.rstrip().endswith("<h2>After</h2>\n<p>end</p>"), "what follows is outside of it"
    assert html.count("<h2>") == 1
    for forbidden in ("<script", "onerror", "href=", "<img", "<style"):
        assert forbidden not in html


def test_headings_are_lower_and_code_keeps_its_lines() -> None:
    made = block("# One\n\n##### Five\n\n```\na\n\n# b\n```\n")
    assert "<h3>One</h3>" in made and "<h6>Five</h6>" in made
    assert "<pre><code>a\n\n# b\n</code></pre>" in markdown_html(made).replace("&#10;", "\n")
    assert block("") == "" and block("<!-- x -->") == ""


@pytest.mark.parametrize("written", ["a\n# b", "*a*", "<b>", "[a](http://b)", "`a`", "a | b", "~~a~~", "&lt;"])
def test_a_line_is_itself(written: str) -> None:
    html = markdown_html(f"# {inline(written)}\n\nend")
    plain = " ".join(written.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert html == f"<h1>{plain}</h1>\n<p>end</p>\n"


@pytest.mark.parametrize("text", ["@misc{a}", "```\n# Licence", "`````"])
def test_a_fence_is_longer_than_those_inside(text: str) -> None:
    html = markdown_html(f"{fenced(text, 'bibtex')}\n\n## After\n")
    assert html.count("<pre>") == 1 and html.endswith("<h2>After</h2>\n") and html.count("<h2>") == 1


def test_cells_stay_in_their_cells() -> None:
    html = markdown_html(table("a*b", ("x", "y"), [("one\n\n# two | three", "<b>")]))
    assert html.count("<tr>") == 2 and html.count("<td") == 2 and "<h1>" not in html and "<b>" not in html


def test_an_example_is_cut() -> None:
    made = example({"text": "x" * 1000, "tokens": [{"start": 0}] * 50, "id": "p1"})
    assert "(1,000 characters)" in made and "(50 in all)" in made and '"id": "p1"' in made and len(made) < 1000
