"""Archives: one project with everything that belongs to it, as a file that another site imports.

    diptych-project.json              format, versions, and for each table its bytes, its hash and its number of rows
    tables/annotation.pair.jsonl      the names of a table's columns in the first line, then a row a line

Rows refer to each other by their line: the first row of a table is 1. People are what the exporter chose: published
numbers, or names. A backup (`operation.backup`) is of a whole site, with accounts and passwords; an archive has none.
"""
