"""Running a site: backups, health, metrics, and what its owner sees."""
