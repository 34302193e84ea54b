#!/usr/bin/env python3
"""Measures hoga's reaction to an exchange that is killed, stopped, or away for long."""

import signal
import socket
import threading
import time

from processes import Exchange, Service, cpu_seconds, wait_for


def state(service):
    return service.ready()["feed"]["connection"]


def phase(service):
    return service.list("?limit=1")["state"]["health"]["phase"]


def killed(exchange, service, seconds):
    exchange.kill()
    noticed = wait_for("state after the kill", lambda: phase(service) != "ready")
    time.sleep(max(seconds - noticed, 0))
    before = service.list("?limit=1")["revision"]
    exchange.start()
    back = wait_for(
        "live again", lambda: state(service) == "live" and phase(service) == "ready", 40)
    now = time.time()
    newest = service.list("?limit=1")
    assert newest["revision"] != before
    print(f"killed for {seconds} s: state shown after {noticed:.2f} s, "
          f"live {back:.2f} s after its return ({time.strftime('%X', time.localtime(now))})")


class Refuser:
    """Accepts connections on the exchange's port, counts them by path and hangs up."""

    def __init__(self, port):
        self.counts = {"stream": 0, "rest": 0, "other": 0}
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", port))
        self.listener.listen(64)
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(1)
                try:
                    head = connection.recv(256)
                except OSError:
                    head = b""
                kind = ("stream" if b"/pub/ws" in head
                        else "rest" if b"/public/" in head else "other")
                self.counts[kind] += 1

    def end(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join()


def away(exchange, service, seconds):
    exchange.kill()
    refuser = Refuser(exchange.port)
    before = cpu_seconds(service.process.pid)
    time.sleep(seconds)
    cpu = (cpu_seconds(service.process.pid) - before) / seconds
    refuser.end()
    counts = dict(refuser.counts)
    exchange.start()
    back = wait_for(
        "live again", lambda: state(service) == "live" and phase(service) == "ready", 60)
    print(f"away for {seconds} s: attempts {counts} (at most 18 each), "
          f"CPU {cpu:.2%} of a core (under 2 %), live {back:.2f} s after its return")


def stopped(exchange, service):
    exchange.signal(signal.SIGSTOP)
    start = time.monotonic()
    wait_for("stale", lambda: phase(service) == "stale")
    stale = time.monotonic() - start
    wait_for("reconnecting", lambda: state(service) == "reconnecting")
    reconnecting = time.monotonic() - start
    exchange.signal(signal.SIGCONT)
    back = wait_for(
        "live again", lambda: state(service) == "live" and phase(service) == "ready", 40)
    print(f"stopped: stale after {stale:.2f} s (within 6), reconnecting after "
          f"{reconnecting:.2f} s (within 12), live {back:.2f} s after it went on")


def main():
    exchange = Exchange(rate=500)
    service = Service(exchange)
    try:
        killed(exchange, service, 10)
        stopped(exchange, service)
        away(exchange, service, 60)
    finally:
        service.end()
        exchange.kill()


if __name__ == "__main__":
    main()
