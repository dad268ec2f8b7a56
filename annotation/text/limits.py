"""Every limit on the size of imports, checked by imports and also by saves.

Each is far above the size of real documents and below what a browser or a worker can handle.
"""

from __future__ import annotations

MEGABYTE = 1024 * 1024

MAX_UPLOAD_BYTES = 500 * MEGABYTE
"""Bytes of all files of an upload together, and of an archive's contents."""
MAX_FILES = 20_000
"""Files in an archive."""
MAX_COMPRESSION_RATIO = 100
"""How many times its own size an archive or a Parquet file may unpack to, beyond the first megabyte."""
ALWAYS_UNPACKED = 64 * MEGABYTE
"""Bytes that a Parquet file may unpack to, however small: a text that many rows repeat is stored only once."""
MAX_VALUES = 20_000_000
"""Values of a column in a row group of a Parquet file: a list of a million equal ones takes only a few bytes there."""
MAX_WHOLE_FILE_BYTES = 64 * MEGABYTE
"""Bytes of a file that has to be read as a whole (JSON that is not one object per line, a page's text)."""
MAX_LINE_LENGTH = 8_000_000
"""Characters of one line of JSON, or one row of a table."""
MAX_LINES = 2_000_000
"""Lines of a file that is read line by line."""
MAX_COLUMNS = 1_000
"""Columns of a table, including nested ones in Parquet."""
MAX_ROWS = 200_000
"""Rows of all files of an import together."""
MAX_TEXT_LENGTH = 200_000
"""Characters of a text, a statement or a translation: more than a hundred printed pages."""
MAX_TOKENS = 50_000
"""Tokens of a text."""
MAX_PARAGRAPHS = 1_000
"""Paragraphs of a text: the time to align them grows with the square of their number."""
MAX_TOKEN_LENGTH = 1_000
"""Characters of a token: browsers don't break lines inside it, and stop responding at a million."""
MAX_METADATA_BYTES = 64 * 1024
"""Bytes of a pair's metadata as JSON (UTF-8): every page of the pair sends it to the browser."""
MAX_SPANS = 5_000
"""Spans of one annotation."""
MAX_COMMENT_LENGTH = 10_000
"""Characters of a comment on a pair or a span, and of the reason for a verdict."""
MAX_MESSAGE_LENGTH = 4_000
"""Characters of a message between annotator and lead."""
MAX_QUOTES, MAX_QUOTE_LENGTH = 20, 300
"""Runs of words that a message can be about, and characters of each that are kept with it."""
MAX_ACTIVE_SECONDS = 10_000_000
"""Seconds of work on one pair: almost four months."""
MAX_ANNOTATIONS = 500
"""Annotations of one pair."""
MAX_TRANSLATIONS = 50
"""Translations of one side."""
MAX_REJECTIONS = 1_000
"""Faults reported by one import, which then stops."""
MAX_TOKEN_REJECTIONS = 10
"""Texts with too many or too long tokens that are reported, after which the check stops: finding each takes seconds."""
