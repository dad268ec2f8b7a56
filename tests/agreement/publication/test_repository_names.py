"""Names of repositories: none is taken that the hub's client refuses later."""

import pytest
from huggingface_hub.errors import HFValidationError
from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]

from agreement.publication.repository_names import is_repository_name


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        *[("owner/name", True), ("o/n", True), ("Owner_1/set.v2-final", True), ("_/_", True)],
        *[("owner/x.git", False), ("owner/x-", False), ("owner/x.", False), ("-owner/x", False), ("owner/.x", False)],
        *[("../x", False), ("..", False), ("a/../b", False), ("a--b/c", False), ("a/b/c", False), ("owner/", False)],
        *[
            ("owner/" + "x" * 96, True),
            ("owner/" + "x" * 97, False),
            ("owner/naïve", False),
            ("a b/c", False),
            ("", False),
        ],
    ],
)
def test_a_name_is_taken_if_the_client_takes_it(name: str, taken: bool) -> None:
    assert is_repository_name(name, needs_owner=True) == taken
    if taken:
        validate_repo_id(name)


@pytest.mark.parametrize("name", ["owner/x.git", "owner/x-", "../x", "a--b/c", "a/b/c", "owner/" + "x" * 97])
def test_what_the_client_refuses_is_refused_here(name: str) -> None:
    with pytest.raises(HFValidationError):
        validate_repo_id(name)
    assert not is_repository_name(name, needs_owner=False)


def test_a_dataset_need_not_have_an_owner() -> None:
    assert is_repository_name("squad", needs_owner=False) and not is_repository_name("squad", needs_owner=True)
    assert not is_repository_name("..", needs_owner=False)
