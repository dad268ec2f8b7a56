"""The key of the environment goes to the address of the environment, and to no address that a lead types."""

from __future__ import annotations

import pytest

from assist.methods.base import MethodError
from assist.methods.language_models.site import Price, Site, base_address, target

KEY = "sk-secret-0123456789"
OWN = Site(url="https://llm.example.org/v1/", key=KEY, models={"small": Price(1, 2), "large": Price(10, 20)})
FREE = Price()


def test_the_sites_server_has_its_key_and_prices() -> None:
    to = target(OWN, None, "large", Price(0, 0))
    assert (to.url, to.model, to.price, to.own, to.key) == (
        "https://llm.example.org/v1",
        "large",
        Price(10, 20),
        True,
        KEY,
    )
    assert target(OWN, None, None, FREE).model == "small"
    assert to.host == "https://llm.example.org"


@pytest.mark.parametrize(
    "address",
    [
        "https://llm.example.org.evil.example/v1",
        "https://llm.example.org:8443/v1",
        "http://llm.example.org/v1",
        "https://llm.example.org/v1/../v2",
        "https://llm.example.org/other",
        "https://llm.example.org./v1",
        "https://evil.example/v1",
    ],
)
def test_another_address_gets_no_key(address: str) -> None:
    to = target(OWN, address, "small", Price(3, 4))
    assert (to.key, to.own, to.price) == ("", False, Price(3, 4))


@pytest.mark.parametrize("address", ["https://llm.example.org/v1", "https://LLM.example.org:443/v1/"])
def test_the_sites_address_typed_by_hand_is_the_sites_with_its_limits(address: str) -> None:
    to = target(OWN, address, "small", Price(0, 0))
    assert to.own and to.price == Price(1, 2)


@pytest.mark.parametrize(
    "address",
    [
        *("", "x", "ftp://example.org", "https://user:pw@example.org/v1", "https://example.org/v1?key=1", "https://"),
        *("https://example.org/#v1", "https://exa mple.org", "file:///etc/passwd", "https://example.org\\@evil"),
    ],
)
def test_what_is_no_base_address_is_refused(address: str) -> None:
    with pytest.raises(MethodError, match="not the base address"):
        target(OWN, address, "small", FREE)


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:8000/v1", "http://localhost/v1", "http://169.254.169.254/latest"]
)
def test_private_addresses_are_the_owners_decision(address: str) -> None:
    with pytest.raises(MethodError, match="private network"):
        target(OWN, address, "small", FREE)
    allowed = target(Site(private=True), address, "small", FREE)
    assert allowed.private and not allowed.own
    # What the owner sets may be private: nobody else can change it.
    assert target(Site(url=address), None, "small", FREE).private


def test_with_a_key_only_listed_models_are_asked() -> None:
    with pytest.raises(MethodError, match=r"“huge” is not among the models.*small, large"):
        target(OWN, None, "huge", FREE)
    with pytest.raises(MethodError, match="DIPTYCH_LLM_MODELS"):
        target(Site(url=OWN.url, key=KEY), None, "huge", FREE)
    with pytest.raises(MethodError, match="DIPTYCH_LLM_MODELS"):
        target(Site(url=OWN.url, key=KEY), None, None, FREE)
    assert target(Site(url=OWN.url), None, "huge", FREE).price == FREE
    with pytest.raises(MethodError, match="no model is named"):
        target(Site(url=OWN.url), None, None, FREE)
    with pytest.raises(MethodError, match="no model is named"):
        target(OWN, "https://other.example/v1", None, FREE)


def test_a_site_without_a_server_says_so() -> None:
    with pytest.raises(MethodError, match="DIPTYCH_LLM_URL"):
        target(Site(), None, "small", FREE)
    with pytest.raises(MethodError, match="DIPTYCH_LLM_URL"):
        target(Site(url="nonsense"), None, "small", FREE)


def test_a_model_is_a_name() -> None:
    for name in ("a\nb", " ", "-" * 300, "a\x00"):
        with pytest.raises(MethodError, match="characters"):
            target(OWN, None, name, FREE)


def test_the_key_is_in_no_representation() -> None:
    assert KEY not in repr(OWN) and KEY not in repr(target(OWN, None, None, FREE))
    assert base_address("http://Example.org:80/v1//") == "http://example.org/v1"
