"""One request to a server that speaks OpenAI's protocol, by the package `openai` (see `annotation.outgoing_requests`).

The package builds the request; what is sent, and where, is decided here: headers are those of the list below, and the
key only if the target has one, whatever the environment holds for that package. The connection follows no redirect and
uses no proxy, goes to the address that was checked, and is cut when the time is over; an answer is read up to a limit.
"""

import json
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Literal

from annotation.outgoing_requests import FailureReason, Unreachable, post
from assist.methods.language_models.prompt import Request
from assist.methods.language_models.site import ModelTarget

if TYPE_CHECKING:
    import httpx2

MAX_BYTES = 2_000_000
"""The largest answer that is read, in bytes."""
_REASON = 200
_MAX_TOKENS = 10_000_000
_HEADERS = ("accept", "content-type", "user-agent")

Structured = Literal["schema", "object", "none"]


@dataclass(frozen=True, slots=True)
class ApiVariant:
    """What a server understands: how it is told the form of an answer and its length, and whether a temperature."""

    structured: Structured = "schema"
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True

    def adapted(self, reason: str, loose: bool) -> "ApiVariant | None":
        """What to try next after a refusal; None if nothing is left. ``loose``: the form may be left to the prompt."""
        reason = reason.casefold()
        if self.limit == "max_tokens" and "max_completion_tokens" in reason:
            return replace(self, limit="max_completion_tokens")
        if self.temperature and "temperature" in reason:
            return replace(self, temperature=False)
        if loose and self.structured != "none":
            return replace(self, structured="object" if self.structured == "schema" else "none")
        return None


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: its text, and the tokens of request and answer as the server counts them, None if it doesn't say."""

    text: str
    prompt: int | None = None
    answer: int | None = None


class ServerError(Exception):
    """The server answers with an error. ``wait``: the seconds of its Retry-After; None without one."""

    def __init__(self, status: int, reason: str, wait: float | None = None) -> None:
        super().__init__(f"{status} {reason}")
        self.status, self.reason, self.wait = status, reason, wait


class NoResponse(Exception):
    """There is no answer, or none that can be read. ``billed``: the server may have worked on it all the same."""

    def __init__(self, reason: FailureReason, billed: bool) -> None:
        super().__init__(reason.value)
        self.reason, self.billed = reason, billed


def send(target: ModelTarget, request: Request, variant: ApiVariant) -> Reply:
    """Ask once. Raises ServerError or NoResponse."""
    import openai

    # The package's own retries would be in no ledger.
    client = openai.OpenAI(
        api_key=target.key or "none",
        base_url=target.url,
        max_retries=0,
        timeout=target.seconds,
        http_client=_http(target),
    )
    try:
        answer = client.chat.completions.with_raw_response.create(**_body(target, request, variant)).http_response
    except openai.APIStatusError as error:
        raise _server_error(
            target, error.response.status_code, error.response.content, error.response.headers
        ) from None
    except Unreachable as error:
        raise NoResponse(error.reason, error.sent) from None
    except openai.APIConnectionError:
        raise NoResponse(FailureReason.RESPONSE, True) from None
    reply = read_reply(answer.content)
    if reply is None:
        raise NoResponse(FailureReason.RESPONSE, True)
    return reply


def _body(target: ModelTarget, request: Request, variant: ApiVariant) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": target.model,
        "messages": [{"role": role, "content": text} for role, text in request.messages],
        variant.limit: request.max_tokens,
    }
    if variant.temperature:
        body["temperature"] = request.temperature
    if variant.structured == "schema":
        schema = {"name": "answer", "strict": True, "schema": dict(request.schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif variant.structured == "object":
        body["response_format"] = {"type": "json_object"}
    return body


def _http(target: ModelTarget) -> "httpx2.Client":
    """The package's HTTP client, with a transport that sends by `annotation.outgoing_requests`."""
    import httpx2

    class Checked(httpx2.BaseTransport):
        def handle_request(self, request: httpx2.Request) -> httpx2.Response:
            headers = {name: request.headers[name] for name in _HEADERS if name in request.headers}
            if target.key:
                headers["authorization"] = f"Bearer {target.key}"
            url = str(request.url)
            if not url.startswith(f"{target.url}/"):
                raise Unreachable(FailureReason.ADDRESS)
            answer = post(
                url, request.read(), headers, private=target.private, seconds=target.seconds, max_bytes=MAX_BYTES
            )
            answer_headers = {
                name: answer.headers[name] for name in ("content-type", "retry-after") if name in answer.headers
            }
            return httpx2.Response(answer.status, headers=answer_headers, content=answer.start, request=request)

    return httpx2.Client(transport=Checked(), trust_env=False, follow_redirects=False, timeout=target.seconds)


def read_reply(content: bytes) -> Reply | None:
    """The reply in the body of an answer, which may be anything; None if it is not one."""
    try:
        reply = json.loads(content)
    except (ValueError, RecursionError):
        return None
    choices = reply.get("choices") if isinstance(reply, dict) else None
    message = choices[0].get("message") if isinstance(choices, list) and choices and isinstance(choices[0], dict) else 0
    if not isinstance(message, dict):
        return None
    text, usage = message.get("content"), reply.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Reply(
        _storable(text) if isinstance(text, str) else "",
        _tokens(usage.get("prompt_tokens")),
        _tokens(usage.get("completion_tokens")),
    )


def _storable(text: str) -> str:
    """The text without what no database takes: half a surrogate pair, and NUL."""
    return text.encode(errors="replace").decode().replace("\x00", "")


def _tokens(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value <= _MAX_TOKENS else None


def _server_error(target: ModelTarget, status: int, content: bytes, headers: Mapping[str, str]) -> ServerError:
    return ServerError(status, reason_in(content, target.key), seconds_of(headers.get("retry-after", "")))


def reason_in(content: bytes, key: str = "") -> str:
    """What an error says, shortened to one line of visible characters, without the key: leads read it."""
    text = content[:5000].decode(errors="replace")
    try:
        reply = json.loads(content[:100_000])
        error = reply.get("error", reply) if isinstance(reply, dict) else reply
        reason = error.get("message", error.get("detail")) if isinstance(error, dict) else error
        text = reason if isinstance(reason, str) else text
    except (ValueError, RecursionError):
        pass
    reason = "".join(each if each.isprintable() else " " for each in " ".join(text.split()))
    if key:  # before it is cut, or a part of it would stay; a server may have broken it over lines
        reason = re.sub(r"\s*".join(map(re.escape, key)), "…", reason)
    return reason[:_REASON]


def seconds_of(text: str) -> float | None:
    """What Retry-After says, as seconds from now: a number, or a date; None if neither."""
    try:
        seconds = float(text)
    except ValueError:
        try:
            until = parsedate_to_datetime(text)
        except (ValueError, TypeError, IndexError):
            return None
        until = until if until.tzinfo else until.replace(tzinfo=UTC)
        seconds = (until - datetime.fromtimestamp(time.time(), UTC)).total_seconds()
    return max(0.0, seconds) if math.isfinite(seconds) else None
