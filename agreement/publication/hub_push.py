"""A dataset folder onto a hub: one commit, then a tag for its version. The token is used and forgotten."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from agreement.publication.repository_names import is_repository_name
from annotation.errors import Conflict, DomainError, Invalid
from annotation.formats.hub.layout import FILES, METADATA_FILE
from annotation.formats.safe_paths import files_inside

WAIT_SECONDS = 60
"""How many seconds to wait for a response of the hub."""
PART = 1024 * 1024
REPLACED = ("gold/", "annotations/", "tokens/")
"""Folders in which an earlier version may have files that this one hasn't."""
_RESERVED_TAGS = ("main", "head")
"""Names of branches, by which a hub finds the newest commit."""
_TAG = re.compile(r"[A-Za-z0-9][\w.-]{0,59}")


@dataclass(frozen=True, slots=True)
class PushTarget:
    """Where a dataset goes: 'owner/name' on the site's hub, under a tag; `private` if the repository is made now."""

    repository: str
    tag: str
    private: bool = True


def check_target(target: PushTarget) -> None:
    """Raises Invalid naming the field."""
    if not is_repository_name(target.repository, needs_owner=True):
        raise Invalid(
            _("“%(name)s” is not a valid repository name.") % {"name": target.repository[:100]},
            where="repository",
            hint=_("Enter owner/name, in letters, digits, dots, hyphens and underscores."),
        )
    taken = target.tag.lower() in _RESERVED_TAGS
    if not _TAG.fullmatch(target.tag) or taken or ".." in target.tag or target.tag.endswith((".lock", ".")):
        raise Invalid(
            _("“%(name)s” is not a valid version.") % {"name": target.tag[:100]}, where="tag", hint=_("For example: v1")
        )


def check_token(token: str) -> None:
    """Raises Invalid for what can't be a token of a hub."""
    stripped = token.strip()
    if not stripped:
        raise Invalid(_("A token is needed to push a dataset to a hub."), where="token")
    if not (stripped.isascii() and stripped.isprintable()) or " " in stripped:
        raise Invalid(
            _("This is not a valid token: it contains spaces or characters that tokens don't have."),
            where="token",
            hint=_("Copy it again from the hub's settings."),
        )


def push(*, folder: Path, target: PushTarget, token: str) -> str:
    """Push a dataset folder to the site's hub (`settings.HUB`); returns the address of the tagged version.

    All files are in one commit, which takes the place of an earlier version's. Until that commit nothing is visible but
    an empty repository, which is removed again if it was made here. If the tag fails after it, pushing again sets it: a
    newest commit that has exactly these files is not made again. Raises Invalid, or Conflict if the tag exists.
    """
    # Only a push needs this large library.
    from httpx2 import HTTPError
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled

    check_target(target)
    if not (folder / METADATA_FILE).is_file():
        raise Invalid(_("Only a dataset folder (--to hub) can be pushed to a hub."), where=str(folder))
    check_token(token)
    _prepare_client()
    api = HfApi(endpoint=settings.HUB, token=token.strip(), library_name="diptych")
    try:
        return _push_to_repository(api, folder, target)
    except HfHubHTTPError as error:
        raise _refusal(error.response.status_code, target) from None
    except OfflineModeIsEnabled:
        raise Invalid(
            _("Hubs are switched off on this server (HF_HUB_OFFLINE)."),
            code="hub",
            where=target.repository,
            hint=_("Ask your server administrator."),
        ) from None
    except (HTTPError, OSError, RuntimeError, ValueError) as error:
        if isinstance(cause := error.__cause__, HfHubHTTPError):
            raise _refusal(cause.response.status_code, target) from None
        # Their messages could repeat what was sent, so only their type is reported.
        raise Invalid(
            _("The hub could not be reached, or its response was not understood (%(kind)s).")
            % {"kind": type(error).__name__},
            code="hub",
            where=target.repository,
            hint=_("Push again; retrying is safe."),
        ) from None


def _push_to_repository(api: Any, folder: Path, target: PushTarget) -> str:
    repository = {"repo_id": target.repository, "repo_type": "dataset"}
    created = _create_repository(api, target)
    committed = False
    try:
        if not created and target.tag in {each.name for each in api.list_repo_refs(**repository).tags}:
            raise _tag_exists(target)
        commit, existing = ("", {}) if created else _newest_commit(api, repository)
        files = {name: path for path, name in files_inside(folder, FILES)}
        if operations := _operations(files, existing):
            # Not `upload_folder`, which makes several commits of a large folder.
            commit = api.create_commit(operations=operations, commit_message=f"Version {target.tag}", **repository).oid
        committed = True
        api.create_tag(tag=target.tag, revision=commit, **repository)
    except BaseException:
        if created and not committed:
            _delete_repository(api, repository)
        raise
    return f"{settings.HUB}/datasets/{target.repository}/tree/{target.tag}"


def _newest_commit(api: Any, repository: dict[str, str]) -> tuple[str, dict[str, Any]]:
    """The newest commit of a repository, and its files by name."""
    from huggingface_hub import RepoFile

    commit = api.repo_info(revision="main", **repository).sha
    tree = api.list_repo_tree(recursive=True, revision=commit, **repository)
    return commit, {each.path: each for each in tree if isinstance(each, RepoFile)}


def _operations(files: Mapping[str, Path], existing: Mapping[str, Any]) -> list[Any]:
    """Every file of the dataset, and the removal of those that an earlier version had; none if nothing differs."""
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    gone = [name for name in existing if name.startswith(REPLACED) and name not in files]
    if not gone and all(name in existing and _same_content(path, existing[name]) for name, path in files.items()):
        return []
    added = [CommitOperationAdd(name, str(path)) for name, path in files.items()]
    return [*added, *(CommitOperationDelete(name) for name in gone)]


def _same_content(path: Path, existing: Any) -> bool:
    """Whether a file has the content that a hub has: by SHA-256 of what is in its large storage, else by Git's hash."""
    size = path.stat().st_size
    if size != existing.size:
        return False
    with path.open("rb") as file:
        if existing.lfs is not None:
            return hashlib.file_digest(file, "sha256").hexdigest() == str(existing.lfs.sha256)
        digest = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
        for part in iter(lambda: file.read(PART), b""):
            digest.update(part)
    return digest.hexdigest() == str(existing.blob_id)


def _create_repository(api: Any, target: PushTarget) -> bool:
    """Make the repository; returns False if there is one."""
    from huggingface_hub.errors import HfHubHTTPError

    try:
        api.create_repo(target.repository, repo_type="dataset", private=target.private)
    except HfHubHTTPError as error:
        if getattr(error.response, "status_code", 0) != 409:
            raise
        return False
    return True


def _delete_repository(api: Any, repository: dict[str, str]) -> None:
    """Remove the empty repository that this push made; if that fails too, it stays, empty."""
    from httpx2 import HTTPError
    from huggingface_hub.errors import HfHubHTTPError

    try:
        api.delete_repo(**repository)
    except (HfHubHTTPError, HTTPError):
        return


def _tag_exists(target: PushTarget) -> Conflict:
    return Conflict(
        _("%(repository)s already has a version %(tag)s.") % {"repository": target.repository, "tag": target.tag},
        where="tag",
        code="tag-exists",
        hint=_("Choose another version: what others have cited stays as it is."),
    )


def _refusal(status: int, target: PushTarget) -> DomainError:
    """What a hub's answer means."""
    if status == 401:
        return Invalid(_("The hub does not accept this token."), where="token", hint=_("Create a new one there."))
    if status in (403, 404):
        return Invalid(
            _("This token may not write to %(repository)s.") % {"repository": target.repository},
            where="token",
            hint=_("Give it write access there, or choose another repository."),
        )
    if status == 409:
        return Conflict(
            _("%(repository)s was changed by someone else in the meantime.") % {"repository": target.repository},
            where="repository",
            code="hub",
            hint=_("Push again."),
        )
    return Invalid(
        _("The hub responded with an error (%(status)s).") % {"status": status},
        code="hub",
        where="repository",
        hint=_("Push again later; retrying is safe."),
    )


@cache
def _prepare_client() -> None:
    """The library waits forever unless its client has a timeout, which is set once for the whole process."""
    from httpx2 import Client, Timeout
    from huggingface_hub import constants, set_client_factory
    from huggingface_hub.utils._http import default_client_factory
    from huggingface_hub.utils.tqdm import disable_progress_bars

    def client() -> Client:
        client = default_client_factory()
        client.timeout = Timeout(WAIT_SECONDS)
        return client

    set_client_factory(client)
    disable_progress_bars()
    # Xet uploads by code of its own, which knows no such limit; Git LFS goes through this client.
    constants.HF_HUB_DISABLE_XET = True
    # The library would ask huggingface.co what else might be calling it, whichever hub the site has.
    constants.HF_HUB_DISABLE_TELEMETRY = True
