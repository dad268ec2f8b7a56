"""SQLite for the threads of a web process; see `base`. By the end of its name, as of Django's, SQLite is known."""
