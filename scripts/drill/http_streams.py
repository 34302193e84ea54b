"""HTTP requests, and event streams with the times of their events."""

import http.client
import socket
import threading
import time
import zlib
from collections import namedtuple
from urllib.parse import urlsplit

TIMEOUT_SECONDS = 15
Answer = namedtuple("Answer", "status headers body")
# `kind` is the event's name, `at` the monotonic time of its last byte.
Event = namedtuple("Event", "kind id at")


def wait_until(condition, seconds=10):
    """Polls until the condition holds or the time is over; returns whether it holds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class Site:
    """The address of a server. Each request has a connection of its own."""

    def __init__(self, url, context=None, source=None):
        self.url, self.source = url, source
        self._context = context

    def connection(self) -> http.client.HTTPConnection:
        """A new connection that is not open yet."""
        parts = urlsplit(self.url)
        options = {"timeout": TIMEOUT_SECONDS,
                   "source_address": (self.source, 0) if self.source else None}
        if parts.scheme == "https":
            return http.client.HTTPSConnection(
                parts.hostname, parts.port, context=self._context, **options)
        return http.client.HTTPConnection(parts.hostname, parts.port, **options)

    def request(self, method, path, body=None, headers=None) -> Answer:
        """The whole answer to a request."""
        connection = self.connection()
        try:
            try:
                connection.request(method, path, body=body, headers=headers or {})
            except (BrokenPipeError, ConnectionResetError):
                pass  # The server refused the body before it was sent. Its answer is there.
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()


class Reader:
    """Reads a stream in a thread until it is closed."""

    def __init__(self, site, path, headers=None):
        self.events = []
        self.coding = None
        # The reason why the stream ended before close(); None while it goes on.
        self.failure = None
        self._connection = site.connection()
        self._socket = None
        self._is_closed = False
        self._thread = threading.Thread(
            target=self._run, args=(path, headers or {}), daemon=True)
        self._thread.start()

    def close(self):
        """Ends the stream."""
        self._is_closed = True
        if self._socket:
            try:
                self._socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # Closed by the server.
        self._thread.join()
        self._connection.close()

    def _run(self, path, headers):
        failure = "the stream ended"
        try:
            self._connection.connect()
            self._socket = self._connection.sock
            self._connection.request("GET", path, headers=headers)
            answer = self._connection.getresponse()
            if answer.status == 200:
                self._read(answer)
            else:
                failure = f"{answer.status} {answer.read(300).decode(errors='replace')}"
        except (OSError, http.client.HTTPException, zlib.error, ValueError) as error:
            failure = f"{type(error).__name__}: {error}"
        if not self._is_closed:
            self.failure = failure

    def _read(self, answer):
        self.coding = answer.headers.get("Content-Encoding", "identity")
        decoder = zlib.decompressobj(31) if self.coding == "gzip" else None
        rest = b""
        while part := answer.read1(65_536):
            now = time.monotonic()
            *texts, rest = (rest + (decoder.decompress(part) if decoder else part)).split(b"\n\n")
            for text in texts:
                fields = dict(line.split(": ", 1) for line in text.decode().splitlines()
                              if ": " in line)
                if "event" in fields and "id" in fields:
                    self.events.append(Event(fields["event"], fields["id"], now))
