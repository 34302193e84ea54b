"""Reads documents and event streams of `hoga serve`. Python 3.9 or newer, standard library only.

    client = Client("http://127.0.0.1:8080")
    for event in client.follow("/v1/stream", documents="order-book", market="BTC_KRW"):
        print(event.type, event.document["revision"])

Documents are what `json` makes of them: decimals stay strings, exact to the last digit.
"""

import http.client
import json
import random
import socket
import threading
import zlib
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional
from urllib.parse import urlencode, urlsplit

Document = Dict[str, Any]

# The members that identify a row, one in each list.
ROW_KEYS = ("id", "openTime", "market", "asset")
# Events that carry a whole document.
WHOLE = ("snapshot", "reset")
# The server sends a bookmark every 15 s: a stream that is silent for longer is broken.
SILENCE_SECONDS_MAX = 45
RETRY_SECONDS_MAX = 60
# Until the server names a delay.
RETRY_SECONDS = 2.0


class Problem(Exception):
    """An answer of the server that is no document: RFC 9457 in `document`, if it sent one."""

    def __init__(self, status: int, document: Document, retry_after: Optional[float]):
        super().__init__(f"{status} {document.get('code', '')}: {document.get('detail', '')}")
        self.status = status
        self.document = document
        # Seconds to wait before the next request; None if the server did not say.
        self.retry_after = retry_after

    @property
    def is_retryable(self) -> bool:
        """Whether the same request can succeed later."""
        return self.document.get("retryable", self.status == 429 or self.status >= 500)


class PatchMismatch(Exception):
    """A patch does not fit the document: read the whole document again."""


def apply_patch(document: Document, data: Document, revision: str) -> Document:
    """The next revision of a document.

    The document is not changed; the result shares what the patch does not name. `data` and
    `revision` are data and id of the event. Raises PatchMismatch.
    """
    try:
        state = document["state"]
        for patch in data["patches"]:
            state = _changed(state, patch["path"].split("."), patch)
        return {**document, "revision": revision, "asOf": data["asOf"], "state": state}
    except (KeyError, TypeError, AttributeError) as error:
        raise PatchMismatch(f"unknown member {error}") from error


def _changed(value: Any, path: List[str], patch: Document) -> Any:
    """A value in which the place at a path is patched."""
    if path:
        if path[0] not in value:
            raise PatchMismatch(f"no {patch['path']} in the document")
        return {**value, path[0]: _changed(value[path[0]], path[1:], patch)}
    return patch["value"] if "value" in patch else _changed_rows(value, patch)


def _changed_rows(rows: List[Document], patch: Document) -> List[Document]:
    """Removes, replaces where rows stand, puts new rows at the named end, then orders."""
    by_key = {_key(row): row for row in rows}
    for key in patch["remove"]:
        if by_key.pop(key, None) is None:
            raise PatchMismatch(f"no row {key} to remove")
    new = {}
    for row in patch["upsert"]:
        # Assigning to a key that is there keeps its place.
        (by_key if _key(row) in by_key else new)[_key(row)] = row
    if patch["insert"] not in ("first", "last"):
        raise PatchMismatch(f"no end of a list: {patch['insert']}")
    by_key = {**new, **by_key} if patch["insert"] == "first" else {**by_key, **new}
    order = patch["order"]
    if order is None:
        return list(by_key.values())
    if len(order) != len(by_key) or set(order) != by_key.keys():
        raise PatchMismatch("the order does not name every row once")
    return [by_key[key] for key in order]


def _key(row: Document) -> str:
    for name in ROW_KEYS:
        if name in row:
            return row[name]
    raise PatchMismatch("a row without a key")


class Event(NamedTuple):
    """An event, and the document behind it."""

    # snapshot, reset, patch, bookmark or bye.
    type: str
    # The document after the event; None only before the first.
    document: Optional[Document]


class MessageReader:
    """Parses a text/event-stream (WHATWG HTML, 9.2) from pieces of any size."""

    def __init__(self) -> None:
        # The delay before a reconnection that the server asked for, in seconds.
        self.retry: Optional[float] = None
        self._line: List[bytes] = []
        self._fields: Dict[str, str] = {}

    def read(self, piece: bytes) -> Iterator[Dict[str, str]]:
        """The fields (event, id, data) of the messages that end in this piece."""
        *lines, rest = piece.split(b"\n")
        for line in lines:
            self._line.append(line)
            text = b"".join(self._line).decode("utf-8")
            self._line = []
            if text.rstrip("\r"):
                self._take(*text.rstrip("\r").partition(":")[::2])
            else:
                fields, self._fields = self._fields, {}
                if "data" in fields:
                    yield {"event": "message", **fields}
        self._line.append(rest)

    def _take(self, name: str, value: str) -> None:
        value = value[1:] if value.startswith(" ") else value
        if name == "data" and "data" in self._fields:
            value = self._fields["data"] + "\n" + value
        if name == "retry" and value.isdigit():
            self.retry = int(value) / 1000
        self._fields[name] = value


class Stream:
    """The events of a stream, over any number of connections.

    Iterating connects, resumes with `Last-Event-ID` after each disconnection, and waits between
    attempts as the server asks, longer after each failure. Raises Problem for an answer that no
    later attempt can better. `close()` ends it, from any thread.
    """

    def __init__(self, client: "Client", target: str, start: Optional[Document]):
        # The newest document, and how many connections and unfitting patches there were.
        self.document = start
        self.connections = 0
        self.mismatches = 0
        self._client = client
        self._target = target
        self._retry, self._failures = RETRY_SECONDS, 0
        self._closed = threading.Event()
        self._socket: Optional[socket.socket] = None

    def close(self) -> None:
        """Ends the stream and its connection."""
        self._closed.set()
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except (AttributeError, OSError):
            pass  # Not connected.

    def __iter__(self) -> Iterator[Event]:
        while not self._closed.is_set():
            delay = 0.0
            try:
                yield from self._events()
            except Problem as problem:
                if not problem.is_retryable:
                    raise
                delay = problem.retry_after or 0.0
            except PatchMismatch:
                self.mismatches += 1
                self.document = None
            except (OSError, http.client.HTTPException, zlib.error, ValueError):
                pass  # The connection broke, or its bytes are no event stream.
            backoff = self._retry * 2 ** min(self._failures, 6) * random.uniform(0.75, 1)
            self._failures += 1
            self._client.wait(self._closed, max(delay, min(backoff, RETRY_SECONDS_MAX)))

    def _events(self) -> Iterator[Event]:
        """The events of one connection."""
        headers = {"Accept": "text/event-stream"}
        if self.document:
            headers["Last-Event-ID"] = self.document["revision"]
        self._socket, answer = self._client.open(self._target, headers, SILENCE_SECONDS_MAX)
        self.connections += 1
        reader = MessageReader()
        try:
            for piece in decoded(answer):
                for message in reader.read(piece):
                    self._failures = 0
                    yield self._take(message)
                self._retry = reader.retry or self._retry
                if self._closed.is_set():
                    return
        finally:
            answer.close()
            self._socket.close()

    def _take(self, message: Dict[str, str]) -> Event:
        if message["event"] in WHOLE:
            self.document = json.loads(message["data"])
        elif message["event"] == "patch":
            if self.document is None or "id" not in message:
                raise PatchMismatch("a patch without a document or revision")
            self.document = apply_patch(self.document, json.loads(message["data"]), message["id"])
        return Event(message["event"], self.document)


def decoded(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    """The body of an answer as it arrives, decompressed if the server compressed it."""
    is_compressed = answer.getheader("Content-Encoding", "identity") == "gzip"
    inflater = zlib.decompressobj(16 + zlib.MAX_WBITS) if is_compressed else None
    while True:
        piece = answer.read1(1 << 16)
        if not piece:
            return
        yield inflater.decompress(piece) if inflater else piece


class Client:
    """Reads a `hoga serve`.

    address: `http://127.0.0.1:8080`, or the `https` address of a proxy before it.
    token: for documents of a user; sent in a header field only.
    wait: called with an event and seconds between connections; returns early once it is set.
    """

    def __init__(self, address: str, token: Optional[str] = None, timeout: float = 10,
                 wait: Any = threading.Event.wait):
        self.timeout = timeout
        self.wait = wait
        self._address = urlsplit(address)
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path: str, **parameters: Any) -> Document:
        """The document at a path. Raises Problem, OSError or HTTPException."""
        sock, answer = self.open(target(path, parameters), {}, self.timeout)
        with sock, answer:
            return json.loads(b"".join(decoded(answer)))

    def follow(self, path: str, start: Optional[Document] = None, **parameters: Any) -> Stream:
        """The events of a stream.

        start: the answer to the same question, younger than a minute: the stream continues it.
        parameters: of the path; a hyphen in a name is written in a dictionary, `**{"a-b": 1}`.
        """
        return Stream(self, target(path, parameters), start)

    def open(self, where: str, headers: Dict[str, str], timeout: float):
        """The socket of a connection, and its answer. Raises Problem unless that is 200."""
        is_secure = self._address.scheme == "https"
        kind = http.client.HTTPSConnection if is_secure else http.client.HTTPConnection
        connection = kind(self._address.hostname or "", self._address.port, timeout=timeout)
        try:
            connection.connect()
            # The connection forgets its socket once an answer ends it.
            sock = connection.sock
            connection.request("GET", self._address.path.rstrip("/") + where, headers={
                "Accept-Encoding": "gzip", **self._headers, **headers})
            answer = connection.getresponse()
            if answer.status == 200:
                return sock, answer
            raise problem(answer)
        except BaseException:
            connection.close()
            raise


def problem(answer: http.client.HTTPResponse) -> Problem:
    """The problem that an answer states."""
    try:
        document = json.loads(b"".join(decoded(answer)))
    except ValueError:
        document = {}
    after = answer.getheader("Retry-After", "")
    return Problem(answer.status, document if isinstance(document, dict) else {},
                   float(after) if after.isdigit() else None)


def target(path: str, parameters: Dict[str, Any]) -> str:
    """A path with its query; lists are joined by commas."""
    def text(value: Any) -> str:
        is_list = isinstance(value, Iterable) and not isinstance(value, str)
        return ",".join(map(str, value)) if is_list else str(value)

    return path + ("?" if parameters else "") + urlencode(
        {name: text(value) for name, value in parameters.items()})
