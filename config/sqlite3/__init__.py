"""SQLite for the threads of a web process; see `base`.

Django recognises this backend as SQLite because its module's name ends in `sqlite3`.
"""
