"""A server on this machine that speaks OpenAI's protocol and behaves as a test wants: well, badly or not at all.

`python -m tests.llm_server PORT` serves until it is ended, to try the method by hand.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SendingOptions = Callable[["Handler", dict[str, Any]], None]


def judged(asked: dict[str, Any]) -> dict[str, Any]:
    """The answer of a model that knows words by their look: one that the other text lacks is different, or new."""
    texts = {name: asked[name] for name in ("A", "B")}
    words = {name: each.get("words") or each["text"].split() for name, each in texts.items()}
    known = {name: {word.casefold().strip(".,!?") for word in own} for name, own in words.items()}
    if "label" not in asked:
        return {"new": [word for word in words["B"] if word.casefold().strip(".,!?") not in known["A"]]}
    return {
        name: [
            {
                "word": word,
                "similarity": 5 if word.casefold().strip(".,!?") in known["B" if name == "A" else "A"] else 0,
            }
            for word in words[name]
        ]
        for name in asked["label"]
    }


def completion(content: str, tokens: tuple[Any, Any] = (1000, 100)) -> bytes:
    """The body of an answer."""
    return json.dumps(
        {
            "id": "c1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
            "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": 0},
        }
    ).encode()


def well(handler: Handler, asked: dict[str, Any]) -> None:
    handler.say(200, completion(json.dumps(judged(asked), ensure_ascii=False)))


def says(text: str, tokens: tuple[Any, Any] = (1000, 100)) -> SendingOptions:
    return lambda handler, asked: handler.say(200, completion(text, tokens))


def fenced(handler: Handler, asked: dict[str, Any]) -> None:
    """JSON in prose."""
    handler.say(200, completion(f"Here is the result:\n```json\n{json.dumps(judged(asked))}\n```\nAnything else?"))


def halved(handler: Handler, asked: dict[str, Any]) -> None:
    """An answer that is cut off in the middle."""
    whole = json.dumps(judged(asked))
    handler.say(200, completion(whole[: len(whole) // 2]))


def error(status: int, message: str = "no", **headers: str) -> SendingOptions:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = json.dumps({"error": {"message": message, "type": "t"}}).encode()
    return lambda handler, asked: handler.say(status, body, named)


def raw(body: bytes) -> SendingOptions:
    return lambda handler, asked: handler.say(200, body)


def slowly(seconds: float, then: SendingOptions = well) -> SendingOptions:
    def manner(handler: Handler, asked: dict[str, Any]) -> None:
        time.sleep(seconds)
        then(handler, asked)

    return manner


def in_parts(handler: Handler, asked: dict[str, Any]) -> None:
    """Chunk by chunk, some of them in the middle of a character."""
    body = completion(json.dumps(judged(asked), ensure_ascii=False))
    handler.start(200, {"Transfer-Encoding": "chunked"})
    for start in range(0, len(body), 37):
        part = body[start : start + 37]
        handler.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
        handler.wfile.flush()
        time.sleep(0.001)
    handler.wfile.write(b"0\r\n\r\n")


def broken_off(handler: Handler, asked: dict[str, Any]) -> None:
    """The connection ends in the middle of the body."""
    body = completion(json.dumps(judged(asked)))
    handler.start(200, {"Content-Length": str(len(body))})
    handler.wfile.write(body[: len(body) // 2])
    handler.wfile.flush()
    handler.connection.close()


def silent(handler: Handler, asked: dict[str, Any]) -> None:
    """Nothing, until the server ends."""
    handler.server_of_tests.ended.wait(60)


@dataclass
class LlmServer:
    """What came, in order (path, headers by lower-case name, body), and how to answer: in turn, then as the last."""

    url: str = ""
    manners: list[SendingOptions] = field(default_factory=lambda: [well])
    received: list[tuple[str, dict[str, str], dict[str, Any]]] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    at_once: int = 0
    most_at_once: int = 0

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [body for _, _, body in self.received]

    @property
    def asked(self) -> list[dict[str, Any]]:
        """The last message of each request."""
        return [json.loads(body["messages"][-1]["content"]) for body in self.bodies]


class Handler(BaseHTTPRequestHandler):
    server_of_tests: LlmServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        to = self.server_of_tests
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        with to.lock:
            to.received.append((self.path, headers, body))
            manner = to.manners.pop(0) if len(to.manners) > 1 else to.manners[0]
            to.at_once += 1
            to.most_at_once = max(to.most_at_once, to.at_once)
        try:
            manner(self, json.loads(body["messages"][-1]["content"]))
        except (ConnectionError, ValueError):
            pass
        finally:
            with to.lock:
                to.at_once -= 1

    def start(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def say(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.start(status, {"Content-Length": str(len(body)), **(headers or {})})
        self.wfile.write(body)


@contextmanager
def llm_server(*manners: SendingOptions, port: int = 0) -> Iterator[LlmServer]:
    """A server at 127.0.0.1; its base address is `url`."""
    made = LlmServer()
    if manners:
        made.manners = list(manners)
    server = ThreadingHTTPServer(("127.0.0.1", port), type("Mine", (Handler,), {"server_of_tests": made}))
    made.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.ended.set()
        server.shutdown()
        thread.join()
        server.server_close()


if __name__ == "__main__":
    with llm_server(port=int(sys.argv[1])) as running:
        print(running.url, flush=True)
        threading.Event().wait()
