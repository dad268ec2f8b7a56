"""Whether, and with which provider, people log in by OpenID Connect: `DIPTYCH_OPENID_…` of the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

PREFIX = "DIPTYCH_OPENID_"
NEEDED = ("allauth", "jwt", "cryptography", "requests")
MAX_NAME_LENGTH = 60


@dataclass(frozen=True, slots=True)
class OpenID:
    """A provider, and what the owner leaves to it.

    `name` is what the button says. `links_by_email`: an account whose e-mail address the provider verified is entered
    the first time without its password. `new_accounts`: whoever the provider knows may make an account without an
    invitation. `issuer` is without the slash at its end that some have.
    """

    issuer: str
    client: str
    secret: str = field(repr=False)
    name: str
    links_by_email: bool = False
    new_accounts: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether what is sent to the provider can be read on the way: its address is not HTTPS."""
        return urlsplit(self.issuer).scheme != "https"


def openid_options(env: Any, environment: Mapping[str, str]) -> OpenID | None:
    """The provider that the environment names, None if it names none.

    Raises ImproperlyConfigured for half a configuration, an invalid address, and if packages are missing.
    """
    issuer = env.str(f"{PREFIX}ISSUER", default="").strip().rstrip("/")
    if not issuer:
        named = sorted(name for name, value in environment.items() if name.startswith(PREFIX) and value)
        if named:
            raise ImproperlyConfigured(f"{named[0]} is set, but not {PREFIX}ISSUER, the provider's address.")
        return None
    _check_address(issuer)
    client, secret = (env.str(f"{PREFIX}{name}", default="") for name in ("CLIENT", "SECRET"))
    for name, value in (("CLIENT", client), ("SECRET", secret)):
        if not value:
            raise ImproperlyConfigured(
                f"{PREFIX}ISSUER is set, but not {PREFIX}{name}; the provider gives both when this site is registered."
            )
    name = env.str(f"{PREFIX}NAME", default="").strip() or str(urlsplit(issuer).hostname)
    if len(name) > MAX_NAME_LENGTH or not name.isprintable():
        raise ImproperlyConfigured(f"{PREFIX}NAME has up to {MAX_NAME_LENGTH} characters, in one line.")
    if missing := [each for each in NEEDED if find_spec(each) is None]:
        raise ImproperlyConfigured(
            f"{PREFIX}ISSUER is set, but {', '.join(missing)} is not installed; run "
            ".venv/bin/pip install -r requirements-openid.txt, or pip install 'diptych[openid]' for a wheel."
        )
    return OpenID(
        issuer=issuer,
        client=client,
        secret=secret,
        name=name,
        links_by_email=env.bool(f"{PREFIX}LINK_BY_EMAIL", default=False),
        new_accounts=env.bool(f"{PREFIX}NEW_ACCOUNTS", default=False),
    )


def _check_address(issuer: str) -> None:
    wrong = f"{PREFIX}ISSUER is {issuer!r}; give the provider's issuer, such as https://id.example.org/realms/town."
    try:
        parts = urlsplit(issuer)
        parts.port  # noqa: B018  # raises for an invalid one
    except ValueError:
        raise ImproperlyConfigured(wrong) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or len(issuer) > 300:
        raise ImproperlyConfigured(wrong)
    if parts.query or parts.fragment or not issuer.isascii() or not issuer.isprintable() or " " in issuer:
        raise ImproperlyConfigured(wrong)
