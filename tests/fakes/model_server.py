"""A small OpenAI-compatible server over real sockets, standard library only. It does what a test wrote down for it.

    with ModelServer() as server:
        server.will(stream(chunk("Hel"), chunk("lo", finish="stop"), DONE))
        … ask server.base_url …
        server.requests[0].body["messages"]

A step is bytes to send, a number of seconds to wait, `DROP` to close the connection, `RESET` to tear it down, or
`Again` to send something until the test has seen enough of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import socket
import struct
import threading
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct, field


class Again(Struct, frozen=True):
    """Bytes that are sent again and again until `enough` is set."""

    sent: bytes
    enough: threading.Event = field(default_factory=threading.Event)


Step = bytes | float | str | Again
DROP, RESET = "drop", "reset"
DONE = b"data: [DONE]\n\n"
SILENCE = 3600.0
"""Nothing more is sent, and the connection stays open."""


class Request(Struct):
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    was_cut: bool = False


class Act(Struct):
    """One answer: status, headers and what is sent. Without a status no head is sent either."""

    steps: Sequence[Step]
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "text/event-stream"})


def chunk(
    text: str | None = None, *, finish: str | None = None, usage: dict[str, Any] | None = None, **delta: Any
) -> bytes:
    """One event of a streamed answer."""
    content = {} if text is None else {"content": text}
    body: dict[str, Any] = {"choices": [{"index": 0, "delta": {**content, **delta}, "finish_reason": finish}]}
    if usage:
        body["usage"] = usage
    return event(body)


def event(body: object) -> bytes:
    return b"data: " + json.dumps(body, ensure_ascii=False).encode() + b"\n\n"


def stream(*steps: Step) -> Act:
    return Act(steps)


def answer(text: str) -> Act:
    """A plain good answer."""
    return stream(chunk(text), chunk(finish="stop"), DONE)


def hangs_up(how: str = DROP) -> Act:
    """No answer at all: the connection ends."""
    return Act([how], status=0)


def refuses(status: int, body: object, **headers: str) -> Act:
    """An error: JSON, or text as it is."""
    raw = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    return Act([raw], status, {"Content-Type": "application/json", **headers})


def vectors(*rows: object, **extra: Any) -> Act:
    """An answer of the embeddings endpoint."""
    data = [{"index": index, "embedding": row} for index, row in enumerate(rows)]
    return Act([json.dumps({"data": data, **extra}).encode()], 200, {"Content-Type": "application/json"})


def embeds(*, dimensions: int = 1024, at_most: int = 32, seconds: float = 0.0) -> Callable[[Request], Act]:
    """An embeddings endpoint: every text has its own vector; more texts than `at_most` are refused; it takes its time."""

    def answers(request: Request) -> Act:
        texts = request.body["input"]
        if len(texts) > at_most:
            sentence = f"batch size {len(texts)} > maximum allowed batch size {at_most}"
            return refuses(413, {"code": 413, "message": sentence, "type": "Validation"})
        made = vectors(*([chance.uniform(-1, 1) for _ in range(dimensions)] for chance in map(random.Random, texts)))
        return Act([seconds, *made.steps], made.status, made.headers)

    return answers


def ranking(*rows: object, under: str | None = "results") -> Act:
    """An answer of a rerank endpoint; `under` no name it is a bare list."""
    body = {"id": "r", under: list(rows), "usage": {"total_tokens": 9}} if under else list(rows)
    return Act([json.dumps(body).encode()], 200, {"Content-Type": "application/json"})


class ModelServer:
    """Plays one act a request, the last one again and again; keeps every request.

    An act is an answer, or a function that makes one of the request.
    """

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._acts: list[Act | Callable[[Request], Act]] = [answer("ok")]
        self._played = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._server: asyncio.Server | None = None

    def will(self, *acts: Act | Callable[[Request], Act]) -> None:
        """From now on play these."""
        self._acts = list(acts)
        self._played = 0

    @property
    def base_url(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    def __enter__(self) -> ModelServer:
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(self._start(), self._loop).result()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _start(self) -> asyncio.Server:
        return await asyncio.start_server(self._serve, "127.0.0.1", 0)

    async def _stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await self._read(reader)
            planned = self._acts[min(self._played, len(self._acts) - 1)]
            self._played += 1
            self.requests.append(request)
            act = planned if isinstance(planned, Act) else planned(request)
            head = [f"HTTP/1.1 {act.status} X", "Connection: close", *(f"{k}: {v}" for k, v in act.headers.items())]
            if act.status:
                writer.write("\r\n".join(head).encode() + b"\r\n\r\n")
            await self._play(act, writer, request)
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()

    async def _play(self, act: Act, writer: asyncio.StreamWriter, request: Request) -> None:
        for step in act.steps:
            if step in (DROP, RESET):
                if step == RESET:
                    lingers_for_no_time = struct.pack("ii", 1, 0)
                    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, lingers_for_no_time)
                writer.transport.abort()
                return
            if isinstance(step, Again):
                while not step.enough.is_set() and not request.was_cut:
                    await self._send(step.sent, writer, request)
                    await asyncio.sleep(0.005)
            elif isinstance(step, bytes):
                await self._send(step, writer, request)
            elif isinstance(step, int | float):
                await asyncio.sleep(step)
            if writer.transport.is_closing():
                request.was_cut = True
                return

    async def _send(self, step: bytes, writer: asyncio.StreamWriter, request: Request) -> None:
        try:
            writer.write(step)
            await writer.drain()
        except ConnectionError:
            request.was_cut = True
            raise
        request.was_cut = request.was_cut or writer.transport.is_closing()

    async def _read(self, reader: asyncio.StreamReader) -> Request:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        raw = await reader.readexactly(int(headers.get("content-length", 0)))
        return Request(head[0].split()[1], headers, json.loads(raw or b"{}"))
