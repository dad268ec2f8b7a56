"""Every limit on the size of imports, checked by imports and also by saves.

Each is far above the size of real documents and below what a browser or a worker can handle.
"""

from __future__ import annotations

MEGABYTE = 1024 * 1024

LARGEST_UPLOAD = 500 * MEGABYTE
"""Bytes of all files of an upload together, and of an archive's contents."""
MOST_FILES = 20_000
"""Files in an archive."""
LARGEST_RATIO = 100
"""How many times its own size an archive or a Parquet file may unpack to, beyond the first megabyte."""
ALWAYS_UNPACKED = 64 * MEGABYTE
"""Bytes that a Parquet file may unpack to, however small: a text that many rows repeat is stored only once."""
MOST_VALUES = 20_000_000
"""Values of a column in a row group of a Parquet file: a list of a million equal ones takes only a few bytes there."""
LARGEST_WHOLE_FILE = 64 * MEGABYTE
"""Bytes of a file that has to be read as a whole (JSON that is not one object per line, a page's text)."""
LONGEST_LINE = 8_000_000
"""Characters of one line of JSON, or one row of a table."""
MOST_LINES = 2_000_000
"""Lines of a file that is read line by line."""
MOST_COLUMNS = 1_000
"""Columns of a table, including nested ones in Parquet."""
MOST_ROWS = 200_000
"""Rows of all files of an import together."""
LONGEST_TEXT = 200_000
"""Characters of a text, a statement or a translation: more than a hundred printed pages."""
MOST_TOKENS = 50_000
"""Tokens of a text."""
MOST_PARAGRAPHS = 1_000
"""Paragraphs of a text: the time to align them grows with the square of their number."""
LONGEST_TOKEN = 1_000
"""Characters of a token: browsers don't break lines inside it, and stop responding at a million."""
LARGEST_METADATA = 64 * 1024
"""Bytes of a pair's metadata as JSON (UTF-8): every page of the pair sends it to the browser."""
MOST_SPANS = 5_000
"""Spans of one annotation."""
LONGEST_COMMENT = 10_000
"""Characters of a comment on a pair or a span, and of the reason for a verdict."""
LONGEST_MESSAGE = 4_000
"""Characters of a message between annotator and lead."""
MOST_QUOTED, LONGEST_QUOTE = 20, 300
"""Runs of words that a message can be about, and characters of each that are kept with it."""
MOST_ACTIVE_SECONDS = 10_000_000
"""Seconds of work on one pair: almost four months."""
MOST_ANNOTATIONS = 500
"""Annotations of one pair."""
MOST_TRANSLATIONS = 50
"""Translations of one side."""
MOST_REFUSALS = 1_000
"""Faults reported by one import, which then stops."""
MOST_TOKEN_REFUSALS = 10
"""Texts with too many or too long tokens that are reported, after which the check stops: finding each takes seconds."""
