"""A real server on this machine that answers well, badly, slowly, in parts, with errors, or not at all."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from annotation.phrases import Phrase
from assist.methods.base import MethodError, RunEnds, create
from assist.methods.language_models import asking, client
from assist.methods.language_models.asking import SendingOptions, ask
from assist.methods.language_models.client import ApiVariant, Reply, read_reply, reason_in, seconds_of
from assist.methods.language_models.prompt import PromptOptions, Request, requests
from assist.methods.language_models.site import ModelTarget, Price
from tests import llm_server as server
from tests.assist.methods.no_ledger import NoLedger
from tests.assist.methods.texts import pair
from tests.llm_server import LlmServer, llm_server

KEY = "sk-secret-0123456789"
QUICK = SendingOptions(first_wait=0.01)


class ListLedger(NoLedger):
    """A ledger that keeps everything in a list."""

    def __init__(self, **known: str) -> None:
        self.held = dict(known)
        self.events: list[str] = []
        self.waits: list[float] = []
        self.end: RunEnds | None = None

    def stored_answers(self, keys: Sequence[str]) -> dict[str, str]:
        return {key: self.held[key] for key in keys if key in self.held}

    def allow(self, amount: float) -> float:
        if self.end is not None:
            raise self.end
        if self.waits:
            return self.waits.pop()
        self.events.append("allowed")
        return 0.0

    def record_answer(self, key: str, amount: float, reply: Reply) -> None:
        self.held[key] = reply.text
        self.events.append(f"answered {reply.prompt} {reply.answer}")

    def release(self, amount: float) -> None:
        self.events.append("refused")

    def keep_reserved(self, amount: float) -> None:
        self.events.append("lost")


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_variants", {})
    monkeypatch.setattr(asking, "_known_servers", set())
    monkeypatch.setattr(asking, "ATTEMPTS", 3)


def target(made: LlmServer, **more: Any) -> ModelTarget:
    return replace(ModelTarget(made.url, "m", Price(1, 1), True, True, 5.0, KEY), **more)


def questions(count: int = 1) -> list[Request]:
    pairs = [pair(f"The dog {index} sleeps.", f"The cat {index} sleeps.", str(index)) for index in range(count)]
    return [each for given in pairs for each in requests(given, PromptOptions("graded", "1"))]


def answered(
    made: LlmServer, count: int = 1, how: SendingOptions = QUICK, ledger: ListLedger | None = None, **more: Any
) -> tuple[list[Any], list[str]]:
    books = ledger or ListLedger()
    texts = ask(target(made, **more), questions(count), how, books)
    return [json.loads(text) for text in texts], books.events


def test_answers_come_in_the_order_of_the_questions() -> None:
    with llm_server(server.slowly(0.2), server.well) as made:
        found, events = answered(made, 6)
    assert [each["A"][2]["word"] for each in found] == list("012345")
    assert events.count("allowed") == 6 and events.count("answered 1000 100") == 6
    assert 1 < made.most_at_once <= 4


def test_what_is_sent() -> None:
    with llm_server() as made:
        answered(made)
    ((path, headers, body),) = made.received
    assert path == "/v1/chat/completions" and headers["authorization"] == f"Bearer {KEY}"
    assert set(headers) <= {
        *("host", "connection", "content-length", "content-type", "accept", "accept-encoding", "user-agent"),
        "authorization",
    }
    assert body["model"] == "m" and body["temperature"] == 0 and body["max_tokens"] > 100
    assert body["response_format"]["json_schema"]["schema"]["required"] == ["A", "B"]
    assert body["messages"][0]["role"] == "system"


def test_no_key_of_the_environment_is_sent_where_none_belongs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", "org")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"X-Key: {KEY}")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with llm_server() as made:
        answered(made, key="")
    ((_, headers, body),) = made.received
    assert "authorization" not in headers and KEY not in str(headers) + str(body)
    assert not {name for name in headers if name.startswith(("openai", "x-"))}


def test_equal_questions_are_asked_once_and_known_ones_never() -> None:
    with llm_server() as made:
        ledger = ListLedger()
        texts = ask(target(made), questions() * 3, QUICK, ledger)
        assert len(texts) == 3 and len(made.received) == 1
        assert ask(target(made), questions(), QUICK, ledger) == texts[:1] and len(made.received) == 1


def test_an_answer_in_parts() -> None:
    with llm_server(server.in_parts) as made:
        found, _ = answered(made)
    assert found[0]["B"][1] == {"word": "cat", "similarity": 0}


def test_a_server_that_is_busy_is_asked_again_when_it_said() -> None:
    with llm_server(server.error(429, Retry_After="1"), server.well) as made:
        began = time.monotonic()
        _, events = answered(made)
    assert events == ["allowed", "refused", "allowed", "answered 1000 100"]
    assert time.monotonic() - began >= 1


def test_a_server_that_stays_busy_ends_the_run() -> None:
    with llm_server(server.error(429)) as made, pytest.raises(RunEnds, match="is not accepting any more requests"):
        answered(made)
    assert len(made.received) == 3


def test_a_server_that_wants_to_be_left_alone_for_long_ends_the_run_at_once() -> None:
    with (
        llm_server(server.error(503, Retry_After="86400")) as made,
        pytest.raises(RunEnds, match="is not accepting any more"),
    ):
        answered(made)
    assert len(made.received) == 1


def test_errors_that_pass() -> None:
    with llm_server(server.error(500), server.error(502), server.well) as made:
        found, events = answered(made)
    assert found and events.count("refused") == 2


def test_errors_that_stay_fail_the_request_and_the_others_are_answered() -> None:
    def kaputt(handler: server.Handler, asked: dict[str, Any]) -> None:
        (server.error(500, "kaputt") if "1" in asked["A"]["words"] else server.well)(handler, asked)

    with llm_server(kaputt) as made:
        ledger = ListLedger()
        with pytest.raises(MethodError, match=r"answers with errors.*500.*kaputt") as failed:
            answered(made, 3, ledger=ledger)
    assert not isinstance(failed.value, RunEnds)
    assert len(ledger.held) == 2 and ledger.events.count("refused") == 3


@pytest.mark.parametrize(
    ("status", "said"),
    [(401, "refuses the key"), (403, "refuses the key"), (404, "no such model"), (302, "no such model")],
)
def test_what_no_request_can_pass_ends_the_run(status: int, said: str) -> None:
    refusal = server.error(status, f"bad key {KEY}", Location="http://127.0.0.1:1/")
    with llm_server(refusal) as made, pytest.raises(RunEnds, match=said) as ended:
        answered(made)
    assert KEY not in str(ended.value) and len(made.received) == 1


def test_what_a_server_does_not_understand_is_left_out_and_remembered() -> None:
    with llm_server(
        server.error(400, "response_format: json_schema is not supported"),
        server.error(400, "Unsupported parameter: use max_completion_tokens"),
        server.error(400, "temperature does not support 0"),
        server.well,
    ) as made:
        answered(made)
        answered(made)
    *_, last, again = made.bodies
    for body in (last, again):
        assert body["response_format"] == {"type": "json_object"}
        assert "temperature" not in body and "max_tokens" not in body and body["max_completion_tokens"] > 0
    assert len(made.bodies) == 5


def test_a_form_that_the_lead_chose_is_not_changed() -> None:
    with llm_server(server.error(400, "too long")) as made, pytest.raises(MethodError, match=r"refuses.*400.*too long"):
        answered(made, how=replace(QUICK, structured="schema"))
    assert len(made.received) == 1
    with llm_server() as made:
        answered(made, how=replace(QUICK, structured="none"))
    assert "response_format" not in made.bodies[0]


def test_a_request_that_is_refused_in_every_form_fails() -> None:
    refusal = server.error(400, "maximum context length")
    with llm_server(refusal) as made, pytest.raises(MethodError, match="maximum context length"):
        answered(made)
    assert len(made.received) == 3


def test_a_server_that_does_not_answer() -> None:
    with llm_server(server.silent) as made:
        ledger = ListLedger()
        with pytest.raises(RunEnds, match=r"did not respond within 0\.2 seconds"):
            answered(made, ledger=ledger, seconds=0.2)
        made.ended.set()
    assert ledger.events == ["allowed", "lost"] * 2, "it may have been charged"


def test_a_server_that_is_not_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    ledger = ListLedger()
    with pytest.raises(RunEnds, match="can't be reached"):
        answered(LlmServer(url), ledger=ledger)
    assert ledger.events == ["allowed", "refused"] * 2, "nothing was sent"


def test_a_server_that_has_answered_before_gets_more_patience() -> None:
    with llm_server(server.error(500), server.silent) as made:
        ledger = ListLedger()
        with pytest.raises(RunEnds, match="did not respond"):
            answered(made, ledger=ledger, seconds=0.2)
        made.ended.set()
    assert ledger.events == ["allowed", "refused", *["allowed", "lost"] * 2]
    with llm_server(server.well, server.silent) as made:
        answered(made)
        ledger = ListLedger()
        with pytest.raises(RunEnds, match="did not respond"):
            answered(made, ledger=ledger, seconds=0.2)
        made.ended.set()
    assert ledger.events == ["allowed", "lost"] * 3


def test_an_answer_that_breaks_off_is_asked_for_again() -> None:
    with llm_server(server.broken_off, server.well) as made:
        found, events = answered(made)
    assert found and events == ["allowed", "lost", "allowed", "answered 1000 100"]


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"choices": []}', b'{"choices": [3]}', b"[" * 100_000])
def test_what_is_no_answer_fails_the_request(body: bytes) -> None:
    with (
        llm_server(server.raw(body)) as made,
        pytest.raises(MethodError, match="could not be understood"),
    ):
        answered(made)


def test_an_answer_that_is_too_long_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "MAX_BYTES", 5000)
    with llm_server(server.says("x" * 6000)) as made, pytest.raises(MethodError, match="could not be understood"):
        answered(made)


def test_a_private_address_is_refused_when_it_is_called() -> None:
    with llm_server() as made, pytest.raises(RunEnds, match="private network"):
        answered(made, private=False)
    assert not made.received


def test_rates_are_waited_for() -> None:
    with llm_server() as made:
        ledger = ListLedger()
        ledger.waits = [0.3]
        began = time.monotonic()
        answered(made, ledger=ledger)
    assert time.monotonic() - began >= 0.3


def test_nothing_is_asked_after_the_end() -> None:
    slow = server.slowly(1.0, server.error(400, "response_format"))
    with llm_server(slow, server.error(401), server.well) as made, pytest.raises(RunEnds, match="refuses the key"):
        answered(made, 2, replace(QUICK, parallel=2))
    assert len(made.received) == 2


def test_nothing_is_asked_without_a_run() -> None:
    method = create("llm", {"model": "m"})
    with llm_server() as made, pytest.raises(MethodError, match="only asked by a run"):
        method.ask(target(made), questions(), QUICK, None)  # type: ignore[attr-defined]
    assert not made.received


def test_a_limit_ends_the_run_after_what_is_on_its_way() -> None:
    with llm_server(server.slowly(0.3)) as made:
        ledger = ListLedger()
        allow = ledger.allow

        def once(amount: float) -> float:
            if ledger.events:
                raise RunEnds(Phrase("the limit"))
            return allow(amount)

        ledger.allow = once  # type: ignore[method-assign]
        with pytest.raises(RunEnds, match="the limit"):
            answered(made, 3, ledger=ledger)
    assert ledger.events == ["allowed", "answered 1000 100"]


def test_progress_may_end_the_work_while_a_server_is_silent() -> None:
    def stop(done: int, total: int, what: str) -> None:
        if time.monotonic() - began > 0.2:
            raise KeyboardInterrupt

    with llm_server(server.silent) as made:
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            ask(target(made), questions(), QUICK, NoLedger(), stop)
        assert time.monotonic() - began < 30, "the server is silent for 60 seconds"


@pytest.mark.parametrize(
    ("tokens", "read"),
    [
        ((3, 4), (3, 4)),
        ((-1, 4), (None, 4)),
        ((True, 1.5), (None, None)),
        (("7", None), (None, None)),
        ((10**12, 0), (None, 0)),
    ],
)
def test_counts_of_tokens_are_believed_only_if_they_are_counts(tokens: tuple[Any, Any], read: tuple[Any, Any]) -> None:
    reply = read_reply(server.completion("x", tokens))
    assert reply is not None and (reply.prompt, reply.answer) == read


def test_an_answer_without_text_is_an_empty_one() -> None:
    body = json.loads(server.completion("x"))
    body["choices"][0]["message"] = {"role": "assistant", "content": None, "refusal": "no"}
    assert read_reply(json.dumps(body).encode()) == Reply("", 1000, 100)


def test_an_answer_can_be_stored_whatever_is_in_it() -> None:
    assert read_reply(server.completion("a\x00b\ud800c 𝔘")) == Reply("ab?c 𝔘", 1000, 100)


def test_dialects_end() -> None:
    variant: ApiVariant | None = ApiVariant()
    steps = 0
    while variant is not None:
        variant = variant.adapted("max_completion_tokens temperature", True)
        steps += 1
    assert steps == 5


def test_reasons_are_one_short_line() -> None:
    assert reason_in(b'{"error": {"message": "a\\n b\\u001b[31m"}}') == "a b [31m"
    assert reason_in(b'{"detail": "d"}') == "d" and reason_in(b'{"error": "e"}') == "e"
    assert len(reason_in(b"x" * 9999)) == 200 and reason_in(b"\xff\x00") == "\ufffd "


@pytest.mark.parametrize("before", [0, 150, 190, 195])
@pytest.mark.parametrize("between", ["", "\n  "])
def test_no_part_of_the_key_is_in_a_reason(before: int, between: str) -> None:
    key = "sk-secret-0123456789"
    echoed = "x" * before + f" Bearer {key[:9]}{between}{key[9:]}."
    for content in (json.dumps({"error": {"message": echoed}}), echoed):
        assert "sk-" not in reason_in(content.encode(), key)


def test_retry_after(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (seconds_of("7"), seconds_of("-1"), seconds_of("soon"), seconds_of(""), seconds_of("inf")) == (
        7,
        0,
        None,
        None,
        None,
    )
    monkeypatch.setattr(time, "time", lambda: 1_445_412_470.0)
    assert seconds_of("Wed, 21 Oct 2015 07:28:00 GMT") == 10
