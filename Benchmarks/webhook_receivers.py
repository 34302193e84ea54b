"""Receivers of webhooks: an HTTPS server with a certificate of its own authority.

The first part of the path of a request says how it is answered: `ok` at once, `fail` with 500,
`late` after nine seconds, `slow` never, `endless` with a body that does not end.

usage: webhook_receivers.py FOLDER   answers with the certificates there; prints the port
"""

import asyncio
import base64
import collections
import hashlib
import hmac
import json
import os
import ssl
import subprocess
import sys
import threading
import time

from processes import http_client


def make_certificates(folder):
    """Makes an authority and a certificate for 127.0.0.1; returns the authority's file."""
    def openssl(*words):
        subprocess.run(["openssl", *words], check=True, cwd=folder, stderr=subprocess.DEVNULL)
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", "authority.key", "-out", "authority.pem", "-days", "2", "-subj",
            "/CN=receivers")
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", "receiver.key", "-out", "receiver.csr", "-subj", "/CN=receiver")
    with open(os.path.join(folder, "names"), "w", encoding="ascii") as file:
        file.write("subjectAltName=IP:127.0.0.1\n")
    openssl("x509", "-req", "-in", "receiver.csr", "-CA", "authority.pem", "-CAkey",
            "authority.key", "-CAcreateserial", "-out", "receiver.pem", "-days", "2", "-extfile",
            "names")
    return os.path.join(folder, "authority.pem")


def make_key(folder):
    """Makes the service's key for secrets; returns its file."""
    path = os.path.join(folder, "webhook.key")
    with open(path, "wb") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(base64.b64encode(os.urandom(32)) + b"\n")
    return path


def set_webhook(port, user, token, url):
    """Sets the webhook of a user, from an address of the user's own; returns the secret."""
    client = http_client(port, user)
    client.request("PUT", "/v1/me/webhook", json.dumps({"url": url}), {
        "Authorization": f"Bearer {token}", "Content-Type": "application/json"})
    answer = client.getresponse()
    body = json.load(answer)
    client.close()
    if answer.status != 201:
        raise SystemExit(f"PUT /v1/me/webhook: {answer.status} {body}")
    return body["state"]["secret"]


class Receivers:
    """An HTTPS server that keeps what each path received, on a thread of its own."""

    def __init__(self, folder, authority=None):
        self.authority = authority or make_certificates(folder)
        self.key = None if authority else make_key(folder)
        # By path: the received (webhook-id, time of arrival, alert).
        self.received = collections.defaultdict(list)
        self.secrets = {}
        self.forged = 0
        self.connections = 0
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(os.path.join(folder, "receiver.pem"),
                                os.path.join(folder, "receiver.key"))
        self.context = context
        self.port = None
        started = threading.Event()
        threading.Thread(target=self.serve, args=(started,), daemon=True).start()
        started.wait()

    @property
    def variables(self):
        """What the environment of a service that delivers here must have."""
        return {"HOGA_WEBHOOK_KEY_FILE": self.key, "HOGA_CA_FILE": self.authority,
                "HOGA_WEBHOOK_ALLOW": "127.0.0.0/8"}

    def url(self, path):
        return f"https://127.0.0.1:{self.port}{path}"

    def serve(self, started):
        async def run():
            server = await asyncio.start_server(self.handle, "127.0.0.1", 0, ssl=self.context,
                                                backlog=1024)
            self.port = server.sockets[0].getsockname()[1]
            started.set()
            await server.serve_forever()
        asyncio.run(run())

    async def handle(self, reader, writer):
        self.connections += 1
        try:
            while await self.answer(reader, writer):
                pass
        except (OSError, asyncio.IncompleteReadError, ssl.SSLError):
            pass
        finally:
            writer.close()

    async def answer(self, reader, writer):
        """Reads a request and answers it; returns whether the connection goes on."""
        head = await reader.readuntil(b"\r\n\r\n")
        arrived = time.time()
        lines = head.decode("latin-1").split("\r\n")
        path = lines[0].split(" ")[1]
        fields = {name.lower(): value.strip()
                  for name, _, value in (line.partition(":") for line in lines[1:])}
        body = await reader.readexactly(int(fields.get("content-length", 0)))
        kind = path.split("/")[1]
        if kind in ("slow", "late"):
            await asyncio.sleep(9 if kind == "late" else 3600)
        if kind == "endless":
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                writer.write(b"x" * 1000)
                await writer.drain()
                await asyncio.sleep(0.1)
        status = b"500 Failed" if kind == "fail" else b"204 No Content"
        if kind == "ok":
            self.check(path, fields, body)
            self.received[path].append((fields["webhook-id"], arrived, json.loads(body)))
        writer.write(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        return True

    def check(self, path, fields, body):
        """Verifies the signature as a receiver does."""
        secret = self.secrets.get(path)
        if secret is None:
            return
        key = base64.b64decode(secret.removeprefix("whsec_"))
        message = f"{fields['webhook-id']}.{fields['webhook-timestamp']}.".encode() + body
        expected = base64.b64encode(hmac.new(key, message, hashlib.sha256).digest()).decode()
        if fields["webhook-signature"] != f"v1,{expected}":
            self.forged += 1


class OtherReceivers:
    """An HTTPS server with the same certificates in a process of its own, whose load is its own."""

    def __init__(self, receivers):
        self.process = subprocess.Popen(
            [sys.executable, __file__, os.path.dirname(receivers.authority)],
            stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def url(self, path):
        return f"https://127.0.0.1:{self.port}{path}"

    def end(self):
        self.process.kill()
        self.process.wait()


if __name__ == "__main__":
    print(Receivers(sys.argv[1], os.path.join(sys.argv[1], "authority.pem")).port, flush=True)
    threading.Event().wait()
