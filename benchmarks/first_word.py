"""How long the first word takes with a look-up and without, against a server of constant speed.

    python benchmarks/first_word.py [--memories 10000] [--turns 30] [--prefill-ms 300] [--token-ms 20]

The server takes `prefill` before it says anything, and `token` for each piece. To a request with the tool it calls
recall with a query of ten pieces, to any other it answers. So a look-up costs a second prefill and ten pieces, as the
server has it; what is beyond that is Orca's own: the search, the second request, and the event in between.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from msgspec.structs import replace
from stores import orca_with, sentence

from orca_core.clock import SystemClock
from orca_core.llm.openai_chat import OpenAIChat
from orca_core.model.events import Delta, LookedUp, LookingUp
from orca_core.model.llm import Span
from orca_core.model.sessions import SessionById, TurnRequest
from orca_core.settings import ProviderSettings, Settings

QUERY = "postgres port of the staging server behind the proxy now ".split(" ")


class _Steady(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    prefill_s = token_s = 0.0

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        time.sleep(self.prefill_s)
        is_told = any(each["role"] == "tool" for each in asked["messages"])
        if asked.get("tools") and not is_told:
            self._say(
                {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "recall", "arguments": '{"query": "'}}]}
            )
            for piece in QUERY:
                self._call(f"{piece} ")
            self._call('"}')
        else:
            for word in ("It", " is", " so", "."):
                self._say({"content": word})
        self._say({}, "stop")
        self.wfile.write(b"data: [DONE]\n\n")

    def _call(self, arguments: str, *, id: str | None = None, name: str | None = None) -> None:
        function = {"arguments": arguments, **({"name": name} if name else {})}
        self._say({"tool_calls": [{"index": 0, "function": function, **({"id": id} if id else {})}]})

    def _say(self, delta: dict[str, object], finish: str | None = None) -> None:
        time.sleep(self.token_s)
        chunk = {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
        self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.flush()

    def log_message(self, *_: object) -> None:
        return


@contextmanager
def steady_server(prefill_s: float, token_s: float) -> Iterator[str]:
    handler = type("Steady", (_Steady,), {"prefill_s": prefill_s, "token_s": token_s})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def measured(home: Path, memories: int, turns: int, lookups: int, url: str) -> tuple[list[float], list[float]]:
    """Of each turn when the first word came, and how long Orca took between a call and its answer."""
    model = OpenAIChat("steady", ProviderSettings(base_url=url, model="m"), None, SystemClock())
    memory = Settings().memory
    settings = Settings(memory=replace(memory, inject=replace(memory.inject, lookups=lookups)))
    orca = await orca_with(home, memories, model=model, settings=settings)
    chance, first, looked = random.Random(7), [], []
    for number in range(turns + 3):
        request = TurnRequest(
            (Span(f"docker 报错: {sentence(number, chance)}?"),), SessionById(f"s{number}", may_be_new=True)
        )
        started = time.perf_counter()
        begun = 0.0
        is_first = True
        async for event in orca.chat.turn(request):
            now = time.perf_counter()
            if isinstance(event, LookingUp):
                begun = now
            elif isinstance(event, LookedUp):
                looked.append(now - begun)
            elif isinstance(event, Delta) and is_first:
                is_first = False
                first.append(now - started)
    await orca.aclose()
    return first[3:], looked[3:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=30)
    parser.add_argument("--prefill-ms", type=float, default=300)
    parser.add_argument("--token-ms", type=float, default=20)
    arguments = parser.parse_args()
    prefill_s, token_s = arguments.prefill_ms / 1000, arguments.token_ms / 1000
    medians = {}
    with steady_server(prefill_s, token_s) as url, tempfile.TemporaryDirectory() as home:
        for lookups in (0, 2):
            first, looked = asyncio.run(
                measured(Path(home) / "home", arguments.memories, arguments.turns, lookups, url)
            )
            medians[lookups] = statistics.median(first)
            print(f"first word, lookups = {lookups}: median {1000 * medians[lookups]:.0f} ms")
            if looked:
                print(f"  from call to answer: median {1000 * statistics.median(looked):.1f} ms")
    server_s = prefill_s + (len(QUERY) + 3) * token_s
    print(f"a look-up costs {1000 * (medians[2] - medians[0]):.0f} ms, {1000 * server_s:.0f} of them the server's")


if __name__ == "__main__":
    main()
