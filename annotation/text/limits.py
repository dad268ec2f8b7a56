"""How much of anything is accepted: one place for every limit that an import checks; saves check them too.

Each is far above what real documents need and below what a browser or a worker can handle.
"""

from __future__ import annotations

MEGABYTE = 1024 * 1024

LARGEST_UPLOAD = 500 * MEGABYTE
"""Bytes of all files of an upload together, and of what an archive holds."""
MOST_FILES = 20_000
"""Files in an archive."""
LARGEST_RATIO = 100
"""How many times its own size an archive or a Parquet file may unpack to, beyond the first megabyte."""
MOST_VALUES = 20_000_000
"""Values of a column in a row group of a Parquet file: a list of a million equal ones takes some bytes there."""
LARGEST_WHOLE_FILE = 64 * MEGABYTE
"""Bytes of a file that has to be read as a whole (JSON that is not one object a line, a page's text)."""
LONGEST_LINE = 8_000_000
"""Characters of one line of JSON, or one row of a table."""
MOST_LINES = 2_000_000
"""Lines of a file that is read line by line."""
MOST_COLUMNS = 1_000
"""Columns of a table, in Parquet with those inside of columns."""
MOST_ROWS = 200_000
"""Rows of all files of an import together."""
LONGEST_TEXT = 200_000
"""Characters of a text, a statement or a translation: more than a hundred printed pages."""
MOST_TOKENS = 50_000
"""Tokens of a text."""
MOST_PARAGRAPHS = 1_000
"""Paragraphs of a text: finding which stand opposite each other takes time that grows with their square."""
LONGEST_TOKEN = 1_000
"""Characters of a token: a browser breaks no line inside it, and stops responding at a million."""
LARGEST_METADATA = 64 * 1024
"""Bytes of a pair's metadata as JSON (UTF-8): every page of the pair sends it to the browser."""
MOST_SPANS = 5_000
"""Spans of one annotation."""
LONGEST_COMMENT = 10_000
"""Characters of a comment on a pair or a span, and of the reason for a verdict."""
MOST_ACTIVE_SECONDS = 10_000_000
"""Seconds that somebody worked on one pair: almost four months."""
MOST_ANNOTATIONS = 500
"""Annotations of one pair."""
MOST_TRANSLATIONS = 50
"""Translations of one side."""
MOST_REFUSALS = 1_000
"""Faults named in one reading; it stops there."""
MOST_TOKEN_REFUSALS = 10
"""Texts named whose tokens are too many or too long: finding them takes seconds a text, so it stops there."""
