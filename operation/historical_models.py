"""The models as they were at a set of migrations: a backup's, or those that a database has."""

from __future__ import annotations

from collections.abc import Collection

from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

Key = tuple[str, str]


def applied_migrations() -> list[Key]:
    return sorted(MigrationRecorder(connection).applied_migrations())


def leaf_migrations(loader: MigrationLoader, migrations: Collection[Key]) -> list[Key]:
    """Those of the migrations on which none of them depends in their own app: applying them applies all."""
    keys = set(migrations) & set(loader.graph.nodes)
    nodes = loader.graph.node_map
    return sorted(
        key for key in keys if not any(child.key in keys and child.key[0] == key[0] for child in nodes[key].children)
    )


def models_at(migrations: Collection[Key]) -> Apps:
    """The models after these migrations."""
    loader = MigrationLoader(connection)
    apps: Apps = loader.project_state(leaf_migrations(loader, migrations)).apps
    return apps
