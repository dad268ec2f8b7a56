"""Excel (.xlsx) and OpenDocument (.ods) spreadsheets: one sheet, whose first row names the columns, as in CSV.

Only what cells show is read: of a formula its last computed value, of a date the date, of merged cells the first.
Nothing is computed or loaded from elsewhere, and macros are not read. Both kinds are read row by row.
"""

from __future__ import annotations

from annotation.formats.base import FORMATS, Format, Option
from annotation.formats.spreadsheet.reader import ENDINGS, is_spreadsheet, read
from annotation.formats.spreadsheet.sample import ods_sample, xlsx_sample
from annotation.formats.tabular import HEADER, OPTIONS

__all__ = ["FORMAT", "read"]

FORMAT = FORMATS.register(
    Format(
        "spreadsheet",
        "a spreadsheet (Excel or OpenDocument), one pair per row",
        read,
        None,
        {**OPTIONS, **HEADER, "sheet": Option("the sheet to read, if it isn't the first with a table")},
        extensions=ENDINGS,
        recognises=is_spreadsheet,
        samples={"pairs.xlsx": xlsx_sample, "pairs.ods": ods_sample},
    )
)
