"""A TCP relay between the browser and the service, which can cut connections or change bytes."""

import random
import socket
import sys
import threading
import time

CUT_BYTES_MIN = 100
# A connection is cut after this time if too few bytes come.
CUT_SECONDS_MAX = 2


class Relay:
    """Forwards connections to a port of this machine.

    `replacements` are pairs of byte strings of one length; the second stands in answers in place
    of the first. Answers are not compressed then.
    """

    def __init__(self, port, replacements=()):
        self.cuts = 0
        self._target = ("127.0.0.1", port)
        self._replacements = replacements
        self._cut_bytes_max = None
        self._generator = random.Random(port)
        self._open = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def start_cutting(self, bytes_max):
        """Cuts each connection after a random number of bytes, each magnitude as often."""
        self._cut_bytes_max = bytes_max
        for each in list(self._open):
            self._cut(each)

    def stop_cutting(self):
        """Leaves new connections alone."""
        self._cut_bytes_max = None

    def close(self):
        self._listener.close()
        self.stop_cutting()
        for each in list(self._open):
            self._shut(each)

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._relay, args=(client,), daemon=True).start()

    def _relay(self, client):
        count, timer = sys.maxsize, None
        if self._cut_bytes_max:
            magnitude = (self._cut_bytes_max / CUT_BYTES_MIN) ** self._generator.random()
            count = int(CUT_BYTES_MIN * magnitude)
            seconds = CUT_SECONDS_MAX * self._generator.random()
            timer = threading.Timer(seconds, self._cut, [client])
            timer.start()
        self._open.add(client)
        try:
            with client, socket.create_connection(self._target) as server:
                back = threading.Thread(target=self._ask, args=(client, server), daemon=True)
                back.start()
                if self._answer(server, client, count):
                    self.cuts += 1
                for each in (client, server):
                    self._shut(each)
        except OSError:
            pass  # The service does not run.
        finally:
            self._open.discard(client)
            if timer:
                timer.cancel()

    def _cut(self, client):
        if client in self._open:
            self.cuts += 1
            self._shut(client)

    @staticmethod
    def _shut(connection):
        try:
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # Closed by its other side.

    def _ask(self, client, server):
        """Forwards requests until one side is closed."""
        try:
            while piece := client.recv(1 << 16):
                if self._replacements:
                    piece = piece.replace(b"Accept-Encoding", b"X-Not-Supported")
                server.sendall(piece)
            server.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def _answer(self, server, client, count):
        """Forwards so many bytes of answers; returns whether the count ended them."""
        try:
            while count > 0 and (piece := server.recv(min(count, 1 << 16))):
                piece = self._replaced(piece, server)
                client.sendall(piece)
                count -= len(piece)
        except OSError:
            return False
        return count <= 0

    def _replaced(self, piece, server):
        """Replaces byte strings; one that is cut by the end of a piece is read first."""
        for old, new in self._replacements:
            deadline = time.monotonic() + 1
            while any(piece.endswith(old[:size]) for size in range(1, len(old))):
                more = server.recv(1 << 16)
                if not more or time.monotonic() > deadline:
                    break
                piece += more
            piece = piece.replace(old, new)
        return piece
