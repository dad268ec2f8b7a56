"""Backups: one zip file with every row that is kept, the files beside the database, and a manifest.

    manifest.json                     migrations, versions, and for each entry its size, its hash and what it counts
    tables/annotation.pair.jsonl      the names of a table's columns in the first line, then a row a line
    files/publications/x-1.zip        a file of the data folder

Rows are written as values of the models' fields, so that a backup of one database is restored into another. A hash
tells damage, not forgery: who can write a backup can put anything into the site that is restored from it.
"""
