"""The simulated exchange, and comparing what clients read with what it sent."""

import json
import urllib.request

KRW, BTC = "KRW", "BTC"


class Exchange:
    """The simulator's own REST and control. Numbers of its answers stay texts."""

    def __init__(self, port):
        self.address = f"127.0.0.1:{port}"
        self.url = f"http://{self.address}"

    def answer(self, path):
        with urllib.request.urlopen(f"{self.url}/{path}", timeout=10) as answer:
            return json.load(answer, parse_float=str, parse_int=str)

    def data(self, path):
        """The data of an answer of API 1.x."""
        body = self.answer(f"public/{path}")
        if body["status"] != "0000":
            raise AssertionError(f"{path} was answered with {body}")
        return body["data"]

    def rows(self, path):
        """The rows of an answer of API 2.x."""
        body = self.answer(f"v1/{path}")
        if not isinstance(body, list):
            raise AssertionError(f"{path} was answered with {body}")
        return body

    def pause(self):
        """Holds the market still, and waits until nothing is on its way."""
        self.command("pause")
        while not self.answer("simulator/report")["isAtRest"]:
            pass

    def resume(self):
        self.command("resume")

    def command(self, name):
        request = urllib.request.Request(
            f"{self.url}/simulator/{name}", data=b"", method="POST"
        )
        urllib.request.urlopen(request, timeout=10).read()


def same(what, read, sent):
    """Fails unless a client read what was sent."""
    if read != sent:
        raise AssertionError(f"{what}: read {read!r}, sent {sent!r}")


def numbers(rows):
    """Rows of texts as the binary fractions that the clients make of them."""
    return [[float(value) for value in row] for row in rows]


def show(client, what, text):
    print(f"{client:<10} {what:<14} {text}")
