"""A chat server that begins an answer and does not end it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class _BeginsOnly(BaseHTTPRequestHandler):
    beginning = "half an"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        chunk = {"choices": [{"index": 0, "delta": {"content": self.beginning}, "finish_reason": None}]}
        self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.flush()
        self.server.released.wait(30)  # type: ignore[attr-defined]

    def log_message(self, format: str, *arguments: object) -> None:
        return


@contextmanager
def unending_answers() -> Iterator[str]:
    """The base URL of a server whose answers begin with `half an` and never end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _BeginsOnly)
    server.daemon_threads = True
    server.released = threading.Event()  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.released.set()  # type: ignore[attr-defined]
        server.shutdown()
        server.server_close()
        thread.join()
