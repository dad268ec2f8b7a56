"""The site's provider as django-allauth sees it, and all that is believed of its responses.

django-allauth makes the addresses, keeps what a log-in began with (state, PKCE) in the session, and fetches the token.
It would take an identity token that came straight from the provider without checking its signature, and send no nonce;
here both are always checked, with the issuer, the audience and the times.
"""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import urlsplit

import jwt
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import HttpRequest
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from annotation.services.identities import Claims
from annotation.strict_json import first_unprintable, has_visible_text
from annotation.views.absolute_urls import site_origin
from config.openid.failed import OpenIDLoginError
from config.openid.options import OpenID
from config.openid.requests_session import BoundedSession

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Signatures with a key that the provider alone has."""
LEEWAY = 60
"""Seconds by which the provider's clock may be off."""
MAX_SUBJECT_LENGTH = 255
SCOPES = ("openid", "email", "profile")
KEPT_SECONDS = 600
"""How long the provider's description of itself is kept."""
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")
_described: dict[str, tuple[float, dict[str, Any]]] = {}


class SiteProvider(OpenIDConnectProvider):  # type: ignore[misc]
    """The one provider that the environment names; no table is asked for it."""

    def __init__(self, request: HttpRequest, options: OpenID) -> None:
        self.options = options
        app = SocialApp(
            provider="openid_connect",
            provider_id="site",
            name=options.name,
            client_id=options.client,
            secret=options.secret,
            settings={"server_url": options.issuer},
        )
        super().__init__(request, app=app)

    def get_default_scope(self) -> list[str]:
        return list(SCOPES)

    def get_scope(self, *_request: Any) -> list[str]:
        return list(SCOPES)

    def get_pkce_params(self) -> dict[str, str]:
        from allauth.socialaccount.providers.oauth2.utils import generate_code_challenge

        challenge: dict[str, str] = generate_code_challenge()
        return challenge

    def get_oauth2_adapter(self, request: HttpRequest) -> SiteOAuth2Adapter:
        return SiteOAuth2Adapter(request, self)


class SiteOAuth2Adapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    """What is asked of the provider. Raises Failed for an invalid response, or one that can't be believed."""

    def __init__(self, request: HttpRequest, provider: SiteProvider) -> None:
        self._provider = provider
        super().__init__(request, "site")

    def get_provider(self) -> SiteProvider:
        return self._provider

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        return site_origin(request) + reverse("openid-callback")

    @property
    def openid_config(self) -> dict[str, Any]:
        """The provider's description of itself: its addresses, on HTTPS if the issuer is, and the issuer asked for."""
        options = self._provider.options
        at, description = _described.get(options.issuer, (0.0, {}))
        if time.monotonic() - at < KEPT_SECONDS and description:
            return description
        description = self._json(self._provider.server_url)
        if not isinstance(description.get("issuer"), str) or description["issuer"].rstrip("/") != options.issuer:
            raise OpenIDLoginError("answer")
        for name in _ENDPOINTS:
            _check_endpoint(description.get(name), options)
        if "userinfo_endpoint" in description:
            _check_endpoint(description["userinfo_endpoint"], options)
        _described[options.issuer] = time.monotonic(), description
        return description

    def claims(self, token_response: Any, nonce: str) -> Claims:
        """Who the person is, from the provider's response to the code that the browser brought."""
        token = token_response.get("id_token")
        if not isinstance(token, str):
            raise OpenIDLoginError("answer")
        claims = self._verified(token)
        if not isinstance(claims.get("nonce"), str) or not constant_time_compare(claims["nonce"], nonce):
            raise OpenIDLoginError("answer")
        subject = claims["sub"]
        if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT_LENGTH or first_unprintable(subject):
            raise OpenIDLoginError("answer")
        if "email" not in claims and "userinfo_endpoint" in self.openid_config:
            more = self._json(
                self.profile_url, headers={"Authorization": f"Bearer {token_response.get('access_token')}"}
            )
            if more.get("sub") != subject:
                raise OpenIDLoginError("answer")
            # Only what was said of this very address.
            claims = {**more, **claims, "email_verified": more.get("email_verified")}
        return Claims(self._provider.options.issuer, subject, _verified_email(claims), _username(claims))

    def _verified(self, token: str) -> dict[str, Any]:
        options, config = self._provider.options, self.openid_config
        try:
            header = jwt.get_unverified_header(token)
            if header.get("alg") not in ALGORITHMS:
                raise OpenIDLoginError("answer")
            claims: dict[str, Any] = jwt.decode(
                token,
                self._key(header),
                algorithms=[header["alg"]],
                audience=options.client,
                issuer=config["issuer"],
                leeway=LEEWAY,
                options={"require": ["iss", "sub", "aud", "exp", "iat"]},
            )
        except (jwt.PyJWTError, ValueError) as error:
            raise OpenIDLoginError("answer") from error
        several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
        if claims.get("azp", options.client) != options.client or (several and "azp" not in claims):
            raise OpenIDLoginError("answer")
        return claims

    def _key(self, header: dict[str, Any]) -> Any:
        keys = self._json(self.openid_config["jwks_uri"]).get("keys")
        if not isinstance(keys, list):
            raise OpenIDLoginError("answer")
        fitting = [
            each
            for each in keys
            if isinstance(each, dict)
            and each.get("use", "sig") == "sig"
            and each.get("kid") == header.get("kid", each.get("kid"))
        ]
        if len(fitting) != 1:
            raise OpenIDLoginError("answer")
        return jwt.PyJWK.from_dict(fitting[0], algorithm=header["alg"]).key

    def _json(self, address: str, **more: Any) -> dict[str, Any]:
        response = BoundedSession().get(address, **more)
        body = response.json() if response.status_code == 200 else None
        if not isinstance(body, dict):
            raise OpenIDLoginError("unreachable" if response.status_code >= 500 else "answer")
        return body


class Callback(OAuth2CallbackView):  # type: ignore[misc]
    """The provider's response, without django-allauth's own log-in."""

    def __init__(self, request: HttpRequest, adapter: SiteOAuth2Adapter) -> None:
        self.request, self.adapter = request, adapter

    def finish(self) -> tuple[Claims, dict[str, Any]]:
        """Who came back, and what the log-in was started with. It can be finished once."""
        provider = self.adapter.get_provider()
        state, _response = self._get_state(self.request, provider)
        if state is None:
            raise OpenIDLoginError("state")
        if "error" in self.request.GET:
            raise OpenIDLoginError("cancelled" if self.request.GET["error"] == "access_denied" else "answer")
        if not self.request.GET.get("code"):
            raise OpenIDLoginError("answer")
        token_response = self.adapter.get_access_token_data(
            self.request,
            provider.app,
            self.adapter.get_client(self.request, provider.app),
            pkce_code_verifier=state["pkce_code_verifier"],
        )
        data = dict(state["data"])
        return self.adapter.claims(token_response, data.pop("nonce")), data


def _check_endpoint(address: Any, options: OpenID) -> None:
    parts = urlsplit(address) if isinstance(address, str) else urlsplit("")
    allowed = ("https",) if not options.is_plain else ("https", "http")
    if parts.scheme not in allowed or not parts.hostname:
        raise OpenIDLoginError("answer")


def _verified_email(claims: dict[str, Any]) -> str:
    email = claims.get("email")
    if claims.get("email_verified") is not True or not isinstance(email, str) or len(email) > 254:
        return ""
    try:
        validate_email(email)
    except ValidationError:
        return ""
    return email


def _username(claims: dict[str, Any]) -> str:
    """A username to suggest: the provider's, or what its e-mail address begins with."""
    for name in ("preferred_username", "email"):
        value = claims.get(name)
        if isinstance(value, str):
            begin = value.partition("@")[0].strip()
            if begin and len(begin) <= 150 and not first_unprintable(begin) and has_visible_text(begin):
                return begin
    return ""
