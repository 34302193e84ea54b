#!/usr/bin/python3 -B
"""Checks deploy/nginx.conf with this machine's nginx in front of two instances of hoga.

usage: scripts/drill/try_proxy.py HOGA [MUTATION …]

HOGA is a built binary. Needs nginx and openssl. MUTATION is the name of a changed configuration
in which the checks must find a fault, or `all`; without one the configuration itself is checked,
`none`. Exits with 0 if every outcome is the expected one, else with 1.
"""

import os
import pwd
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

import proxy as proxy_checks

ROOT = Path(__file__).resolve().parents[2]
# The client has another address than nginx, which connects from 127.0.0.1.
CLIENT = "127.0.0.5"
# Texts of the configuration with their replacements, and words of the check that must fail.
MUTATIONS = {
    "none": ({}, ""),
    "buffered": ({"proxy_buffering off;": "proxy_buffering on;"
                  " proxy_ignore_headers X-Accel-Buffering;"}, "s late"),
    "forgeable": ({"$remote_addr;\n    proxy_redirect": "$http_x_forwarded_for;\n"
                   "    proxy_redirect"}, "hoga logs client="),
    "appended": ({"$remote_addr;\n    proxy_redirect": "$proxy_add_x_forwarded_for;\n"
                  "    proxy_redirect"}, "hoga logs client="),
    "not forwarded": ({"proxy_set_header X-Forwarded-For $remote_addr;": ""}, "hoga logs client="),
    "no affinity": ({"hash $affinity consistent;": ""}, "pages of one revision"),
    "compressed": ({"gzip off;": "gzip on; gzip_types *; gzip_proxied any;"}, "is compressed as"),
    "no compression": (
        {'Connection "";': 'Connection ""; proxy_set_header Accept-Encoding "";'},
        "is sent as identity"),
    "no condition": ({'Connection "";': 'Connection ""; proxy_set_header If-Match "";'},
                     "with {'If-Match'"),
    "no tags": ({'Connection "";': 'Connection ""; proxy_set_header If-None-Match "";'},
                "with its own ETag"),
    "admin": ({"location / {": "location = /metrics { proxy_pass http://127.0.0.1:@ADMIN@; }"
               " location / {"}, "/metrics gets 200"),
    "old TLS": ({"TLSv1.2 TLSv1.3": "TLSv1.1 TLSv1.2 TLSv1.3",
                 "ECDHE+AESGCM:ECDHE+CHACHA20": "ALL:@SECLEVEL=0"}, "TLSv1_1 is accepted"),
    "plain HTTP": ({"return 308 https://$host$request_uri;": "return 200 ok;"}, "no redirect"),
    "HTTP/1.1": ({"ssl http2;\n        server_name": "ssl;\n        server_name"}, "not h2"),
    "version": ({"server_tokens off;": ""}, "names a version"),
    "no HSTS": ({"add_header Strict": "add_header Not-Strict"}, "Strict-Transport-Security"),
    "own policy": ({"add_header": 'add_header Content-Security-Policy "default-src *" always;'
                    " add_header"}, "Content-Security-Policy"),
    "small body": ({"client_max_body_size 64k;": "client_max_body_size 32k;"}, "65536 bytes"),
    "HTML": ({"error_page 413 @body_too_large;": ""}, "refused with text/html"),
    "few streams": ({"limit_conn clients 128;": "limit_conn clients 40;"}, "streams go on"),
    "lost changes": ({"error_page 502 504 = @change_elsewhere;": ""}, "without an instance"),
    "repeated": ({"proxy_next_upstream off;": ""}, "is sent 2 times"),
    "repeated if sent": ({"if ($is_unsent = 0)": "if ($is_unsent = 2)"}, "is sent 2 times"),
}


def free_ports(count):
    """Ports that are free now."""
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def wait_for_answer(url, process):
    """Returns once the address answers."""
    while process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"{process.args[:2]} ended with {process.returncode}")


class Services:
    """Two instances with one store, and the ports and files of nginx."""

    def __init__(self, binary, folder):
        self.binary, self.folder = Path(binary).resolve(), folder
        self.exchange, *self.ports = free_ports(5)
        self.instances, self.admins = self.ports[:2], self.ports[2:]
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "XDG_CONFIG_HOME": "/proc/nonexistent",
            "HOGA_STORE": str(folder / "hoga.db"), "HOGA_TRUSTED_PROXIES": "127.0.0.0/8",
            "HOGA_STREAMS_PER_USER": "64", "HOGA_CONNECTIONS_PER_CLIENT": "1000"}
        self.processes = {}

    def start(self):
        """Starts a simulated exchange and both instances."""
        self.run("exchange", "exchange", "simulate", "--listen", f"127.0.0.1:{self.exchange}",
                 "--rate", "100")
        for number in range(2):
            self.start_instance(number)

    def start_instance(self, number):
        """Starts an instance and waits until it is ready."""
        here = f"127.0.0.1:{self.exchange}"
        process = self.run(
            f"hoga-{number + 1}", "serve", "--rest-url", f"http://{here}",
            "--ws-url", f"ws://{here}/pub/ws", "--ws2-url", f"ws://{here}/websocket/v1",
            "--listen", f"127.0.0.1:{self.instances[number]}",
            "--admin-listen", f"127.0.0.1:{self.admins[number]}")
        wait_for_answer(f"http://127.0.0.1:{self.admins[number]}/readyz", process)

    def run(self, name, *words):
        """Starts the program with a log of its own."""
        with open(self.folder / f"{name}.log", "ab") as log:
            self.processes[name] = subprocess.Popen(
                [str(self.binary), *words], stderr=log, stdout=log, env=self.environment)
        return self.processes[name]

    def token(self):
        """A new token of the user."""
        return subprocess.run(
            [str(self.binary), "user", "token", "new", "local"], env=self.environment,
            capture_output=True, text=True, check=True).stdout.strip()

    def end(self, name, signal_number=signal.SIGTERM):
        """Ends a program."""
        process = self.processes.pop(name)
        process.send_signal(signal_number)
        process.wait(20)

    def log(self):
        """Both instances' log."""
        return "".join((self.folder / f"hoga-{number}.log").read_text() for number in (1, 2))


class Nginx:
    """nginx with a copy of the configuration."""

    def __init__(self, services, mutation, instances=None):
        self.instances = instances or services.instances
        self.folder = Path(tempfile.mkdtemp(prefix="nginx-", dir=services.folder))
        self.tls, self.plain = free_ports(2)
        text = (ROOT / "deploy/nginx.conf").read_text()
        for old, new in [*self._replacements(services), *MUTATIONS[mutation][0].items()]:
            if old not in text:
                raise SystemExit(f"deploy/nginx.conf has no '{old}'")
            text = text.replace(old, new)
        text = text.replace("@ADMIN@", str(services.admins[0]))
        path = self.folder / "nginx.conf"
        path.write_text(text)
        self.process = subprocess.Popen(["nginx", "-c", str(path), "-g", "daemon off;"])
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.tls)) == 0:
                    break
            time.sleep(0.05)

    def _replacements(self, services):
        key = services.folder / "hoga"
        user = pwd.getpwuid(os.getuid()).pw_name
        return [
            ("user www-data;", f"user {user};"),
            ("/run/nginx.pid", f"{self.folder}/nginx.pid"),
            ("/var/log/nginx", str(self.folder)),
            ("listen 443 ", f"listen 127.0.0.1:{self.tls} "),
            ("listen 80;", f"listen 127.0.0.1:{self.plain};"),
            ("/etc/nginx/tls/hoga", str(key)),
            ("hoga-1:8080", f"127.0.0.1:{self.instances[0]}"),
            ("hoga-2:8080", f"127.0.0.1:{self.instances[1]}"),
        ]

    def log(self):
        """The access log."""
        return (self.folder / "access.log").read_text()

    def stop(self):
        """Stops nginx."""
        self.process.terminate()
        self.process.wait(20)


class Broken:
    """A server that reads requests and closes their connections without an answer."""

    def __init__(self):
        self.methods = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with client:
                self.methods.append(client.recv(65_536).split(b" ")[0].decode())

    def close(self):
        """Refuses connections from now on."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


def check_repeats(services, mutation, expect):
    """A GET is repeated on the other instance. A change is sent once."""
    for method, count in {"GET": 2, "PUT": 1, "DELETE": 1, "PATCH": 1, "POST": 1}.items():
        instances = [Broken(), Broken()]
        # A new one: nginx leaves out both for a while.
        nginx = Nginx(services, mutation, [each.port for each in instances])
        try:
            context = ssl.create_default_context(cafile=str(services.folder / "hoga.crt"))
            site = proxy_checks.Site(f"https://127.0.0.1:{nginx.tls}", context, CLIENT)
            answer = site.request(method, "/v1/me/favorites", b"{}" if method != "GET" else None)
        finally:
            nginx.stop()
            for each in instances:
                each.close()
        sent = sum(len(each.methods) for each in instances)
        expect(sent == count, f"proxy: {method} is sent {sent} times, not {count}")
        expect(answer.status == 502 and answer.body.startswith(b"{"),
               f"proxy: {method} without an answer gets {answer.status} {answer.body[:80]}")


def make_certificate(folder):
    """A certificate of 127.0.0.1 that is its own authority."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-days", "2", "-subj", "/CN=hoga", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", str(folder / "hoga.key"), "-out", str(folder / "hoga.crt")],
        check=True, capture_output=True)


def trial(services, mutation, token):
    """Runs all checks; returns the sentences of those that failed, and how many there were."""
    failed, count = [], 0

    def expect(holds, sentence):
        nonlocal count
        count += 1
        if not holds:
            failed.append(sentence)

    nginx = Nginx(services, mutation)
    try:
        site = proxy_checks.Proxy(
            f"https://127.0.0.1:{nginx.tls}", f"http://127.0.0.1:{nginx.plain}",
            services.folder / "hoga.crt", token,
            [f"http://127.0.0.1:{port}" for port in services.instances], source=CLIENT)
        proxy_checks.check_all(site, expect, services.log, nginx.log)
        for number in range(2) if mutation in ("none", "lost changes") else ():
            proxy_checks.check_lost_instance(
                site, expect, lambda: services.end(f"hoga-{number + 1}", signal.SIGKILL))
            services.start_instance(number)
            time.sleep(6)  # nginx leaves it out for 5 s.
    finally:
        nginx.stop()
    check_repeats(services, mutation, expect)
    return failed, count


def main():
    if len(sys.argv) < 2 or set(sys.argv[2:]) - {"all", *MUTATIONS}:
        sys.exit(__doc__)
    names = sys.argv[2:] or ["none"]
    names = list(MUTATIONS) if names == ["all"] else names
    is_well = True
    with tempfile.TemporaryDirectory(prefix="ng-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        make_certificate(folder)
        services = Services(sys.argv[1], folder)
        try:
            services.start()
            token = services.token()
            for mutation in names:
                start = time.monotonic()
                failed, count = trial(services, mutation, token)
                words = MUTATIONS[mutation][1]
                holds = any(words in each for each in failed) if words else not failed
                is_well = is_well and holds
                print(f"{mutation}: {'as expected' if holds else 'NOT as expected'}, {len(failed)}"
                      f" of {count} checks failed, {time.monotonic() - start:.0f} s", flush=True)
                for each in failed[:4 if holds else 40]:
                    print(f"  {each[:300]}", flush=True)
        finally:
            for each in list(services.processes):
                services.end(each)
    sys.exit(not is_well)


if __name__ == "__main__":
    main()
