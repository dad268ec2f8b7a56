"""A real OpenID Connect provider on 127.0.0.1, which can be told to behave badly.

It has the code flow with PKCE, tokens signed by RS256, and a page on which a person logs in. `python -m
tests.openid.provider 9400 http://127.0.0.1:8000` serves one for a site that is tried by hand.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT, SECRET = "diptych", "a secret of both"
SITE_OF_OTHERS = "https://id.example.org"
PATIENCE = 60
"""For how many seconds a slow provider keeps whoever asks waiting: far longer than a site should wait."""
ANNA = {"sub": "248289761001", "preferred_username": "anna", "email": "anna@example.org", "email_verified": True}


@cache
def key_of(name: str) -> rsa.RSAPrivateKey:
    """A key for each name: the provider's own, and a stranger's."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@dataclass
class Provider:
    """What it does, and what it was asked. `person` is who is logged in there; `wrong` what it does badly.

    With `asks` a person presses a button first. `claims` and `header` replace those of identity tokens, `raw` whole
    answers: body and content type.
    """

    redirect_uri: str
    port: int = 0
    path: str = "/realms/town"
    person: dict[str, Any] = field(default_factory=lambda: dict(ANNA))
    wrong: set[str] = field(default_factory=set)
    claims: dict[str, Any] = field(default_factory=dict)
    discovered: dict[str, Any] = field(default_factory=dict)
    in_userinfo: bool = False
    asks: bool = False
    asked: list[str] = field(default_factory=list)
    raw: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    ended: Event = field(default_factory=Event)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def issuer(self) -> str:
        return self.origin + self.path

    def description(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
            **self.discovered,
        }

    def keys(self) -> dict[str, Any]:
        public = jwt.algorithms.RSAAlgorithm.to_jwk(key_of("own").public_key(), as_dict=True)
        keys = [{**public, "kid": "key-1", "use": "sig", "alg": "RS256"}]
        return {"keys": [{**keys[0], "kid": "key-0"} if "key-id" in self.wrong else keys[0]]}

    def id_token(self, nonce: str) -> str:
        now = int(time.time())
        about = {} if self.in_userinfo else {name: self.person[name] for name in self.person if name != "sub"}
        claims = {
            "iss": self.issuer,
            "sub": self.person["sub"],
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": nonce,
            **about,
            **self.claims,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        headers = {"kid": "key-1"}
        if "unsigned" in self.wrong:
            return jwt.encode(claims, "", algorithm="none", headers=headers)
        if "symmetric" in self.wrong:
            return jwt.encode(claims, SECRET.ljust(32, "."), algorithm="HS256", headers=headers)
        return jwt.encode(
            claims, key_of("stranger" if "signature" in self.wrong else "own"), algorithm="RS256", headers=headers
        )


class Handler(BaseHTTPRequestHandler):
    """One request."""

    provider: Provider

    def do_GET(self) -> None:
        self._answer({"/.well-known/openid-configuration": self._description, "/authorize": self._authorize,
                      "/jwks": self._jwks, "/userinfo": self._userinfo})  # fmt: skip

    def do_POST(self) -> None:
        self._answer({"/token": self._token, "/authorize": self._authorize})

    def _answer(self, answers: dict[str, Any]) -> None:
        at = self.provider
        path = urlsplit(self.path).path
        what = path.removeprefix(at.path)
        at.asked.append(what)
        length = int(self.headers.get("Content-Length", 0))
        sent = self.rfile.read(length).decode()
        self.sent = {name: values[0] for name, values in parse_qs(sent or urlsplit(self.path).query).items()}
        if f"slow {what}" in at.wrong:
            at.ended.wait(PATIENCE)
        if f"drip {what}" in at.wrong:
            return self._drip()
        if what in at.raw:
            return self._say(200, *at.raw[what])
        if f"down {what}" in at.wrong:
            return self._say(503, b"down for maintenance", "text/plain")
        if f"page {what}" in at.wrong:
            return self._say(200, b"<html>Welcome</html>", "application/json")
        if f"list {what}" in at.wrong:
            return self._json([])
        if f"large {what}" in at.wrong:
            return self._json({"x": "x" * 2_000_000})
        if f"redirect {what}" in at.wrong:
            return self._redirect(f"{at.issuer}/elsewhere")
        if path.startswith(at.path) and what in answers:
            answers[what]()
            return None
        return self._say(404, b"nothing here", "text/plain")

    def _description(self) -> None:
        self._json(self.provider.description())

    def _jwks(self) -> None:
        self._json(self.provider.keys())

    def _authorize(self) -> None:
        at, sent = self.provider, self.sent
        assert sent["client_id"] == CLIENT and sent["redirect_uri"] == at.redirect_uri, sent
        assert sent["response_type"] == "code" and "openid" in sent["scope"].split(), sent
        assert sent["code_challenge_method"] == "S256" and len(sent["state"]) > 10 and len(sent["nonce"]) > 20, sent
        if at.asks and self.command == "GET":
            fields = "".join(f'<input type="hidden" name="{k}" value="{escape(v)}">' for k, v in sent.items())
            page = (
                f'<html lang="en"><title>Town</title><form method="post">{fields}<button>Yes, it is me</button></form>'
            )
            return self._say(200, page.encode(), "text/html; charset=utf-8")
        if "denied" in at.wrong:
            found = {"error": "access_denied", "error_description": "<b>no</b>", "state": sent["state"]}
        else:
            code = secrets.token_urlsafe(16)
            at.codes[code] = sent
            found = {"code": code, "state": sent["state"]}
        return self._redirect(f"{at.redirect_uri}?{urlencode(found)}")

    def _token(self) -> None:
        at, sent = self.provider, self.sent
        named = "Basic " + base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        assert self.headers["Authorization"] == named, "the client did not say who it is"
        started = at.codes.pop(sent["code"], None)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(sent.get("code_verifier", "").encode()).digest())
        if started is None or started["code_challenge"] != challenge.decode().rstrip("="):
            return self._json({"error": "invalid_grant"}, 400)
        assert sent["redirect_uri"] == started["redirect_uri"] and sent["grant_type"] == "authorization_code"
        answer = {"access_token": "opens-userinfo", "token_type": "Bearer", "id_token": at.id_token(started["nonce"])}
        if "no identity" in at.wrong:
            del answer["id_token"]
        return self._json(answer)

    def _userinfo(self) -> None:
        assert self.headers["Authorization"] == "Bearer opens-userinfo"
        self._json({**self.provider.person, **({"sub": "someone else"} if "userinfo" in self.provider.wrong else {})})

    def _json(self, found: Any, status: int = 200) -> None:
        self._say(status, json.dumps(found).encode(), "application/json")

    def _drip(self) -> None:
        """A header that has no end, so that no time-out of a single byte is met."""
        try:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            began = time.monotonic()
            while time.monotonic() - began < PATIENCE and not self.provider.ended.wait(0.2):
                self.wfile.write(b"x")
        except OSError:
            return

    def _redirect(self, to: str) -> None:
        self.send_response(302)
        self.send_header("Location", to)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _say(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


@contextmanager
def serving(redirect_uri: str, port: int = 0) -> Iterator[Provider]:
    """A provider that knows one site, by the address to which it sends people back."""
    at = Provider(redirect_uri)
    handler = type("Bound", (Handler,), {"provider": at})
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        at.port = server.server_address[1]
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield at
        finally:
            at.ended.set()
            server.shutdown()
            thread.join()


if __name__ == "__main__":
    with serving(f"{sys.argv[2]}/login/openid/callback/", int(sys.argv[1])) as town:
        town.asks = True
        print(f"DIPTYCH_OPENID_ISSUER={town.issuer} DIPTYCH_OPENID_CLIENT={CLIENT} DIPTYCH_OPENID_SECRET='{SECRET}'")
        while True:
            time.sleep(60)
