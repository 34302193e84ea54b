"""One run of a scenario: a folder, programs started with or without the library, and findings."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Those of docs/configuration.md.
DOCUMENTED_STATUSES = {0, 64, 69, 70, 78}
# A run that takes longer than this is taken for one that hangs; most need two seconds.
SECONDS_MAX = 30
# Longer than the time that hoga gives to a statement of PostgreSQL.
ANSWER_SECONDS_MAX = 10
PROGRAM_NAME = "hoga"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Run:
    """A folder of its own, an environment, and the findings about the program in it.

    `hook` are the variables of the preloaded library, `limit` is a prefix of the command.
    """

    def __init__(self, world, hook=None, limit=()):
        self.world = world
        self.folder = Path(tempfile.mkdtemp(prefix="run-", dir=world.folder))
        self.calls_log = self.folder / "calls"
        self.hook = hook
        self.limit = list(limit)
        self.findings = []
        # Whether no call fails.
        self.is_measure = hook is not None and "FAILING_CALL" not in hook
        self.status = None
        self.descriptors = None
        self.stderr = self.folder / "stderr"
        self.environment = {
            name: value for name, value in os.environ.items()
            if not name.startswith(("HOGA_", "FAILING_CALL"))
        } | {
            "HOME": str(self.folder), "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
            "HOGA_LANG": "en", "SWIFT_BACKTRACE": "enable=no",
            "HOGA_STORE": str(self.folder / "store.db"),
        } | world.exchange

    def find(self, sentence):
        self.findings.append(sentence)

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *words, **options):
        """Starts the program with the library and the limit of this run."""
        environment = self.environment | {
            "LD_PRELOAD": f"{self.world.library}:{self.world.leak_library}",
            "FAILING_CALLS_LOG": str(self.calls_log), "FAILING_CALLS_PROGRAM": PROGRAM_NAME,
            "LSAN_OPTIONS": f"log_path={self.folder}/leaks:exitcode=0:handle_segv=0:"
                            "handle_sigbus=0:handle_sigfpe=0:print_suppressions=0:"
                            f"suppressions={ROOT}/scripts/lsan-suppressions.txt",
        } | (self.hook or {})
        with self.stderr.open("ab") as errors:
            return subprocess.Popen(  # pylint: disable=consider-using-with
                [*self.limit, self.world.hoga, *words], cwd=self.folder, env=environment,
                **{"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL,
                   "stderr": errors} | options,
            )

    def plain(self, *words):
        """Runs the program without library and limit; its status and output."""
        done = subprocess.run(
            [self.world.hoga, *words], cwd=self.folder, env=self.environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=SECONDS_MAX, check=False,
        )
        return done.returncode, done.stdout

    def must(self, *words):
        """The output of an unfailed program, which must succeed."""
        status, output = self.plain(*words)
        if status != 0:
            self.find(f"afterwards `hoga {' '.join(words)}` exits with {status}: {output.strip()}")
            return ""
        return output

    def end(self, process, seconds=SECONDS_MAX):
        """Waits for the program, and judges how it ended."""
        try:
            self.status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.find(f"does not end within {seconds} s")
            process.kill()
            process.wait()
            return
        words = self.errors()
        if self.status < 0:
            name = signal.Signals(-self.status).name
            self.find(f"ended by {name}: {words[:300]}")
        elif self.status not in DOCUMENTED_STATUSES:
            self.find(f"exit status {self.status}, which is not documented")
        elif self.status != 0 and not words.strip():
            self.find(f"exit status {self.status} without a word on standard error")
        report = self.folder / f"leaks.{process.pid}"
        if report.exists():
            self.find(f"LeakSanitizer: {report.read_text(encoding='utf-8', errors='replace')}")

    def errors(self):
        return self.stderr.read_text(encoding="utf-8", errors="replace")

    def calls(self):
        """The calls that were logged before the failed one, and the failed one, or None."""
        before, failed = [], None
        if self.calls_log.exists():
            for line in self.calls_log.read_text(encoding="ascii").splitlines():
                word, _, rest = line.partition(" ")
                if word == "call" and failed is None:
                    before.append(rest)
                elif word == "failed":
                    failed = rest
        return before, failed

    def count_descriptors(self, process, allowed):
        """Counts open descriptors, for up to five seconds until they are no more than allowed.

        Pools of connections may hold two sockets more at one time than at another.
        """
        deadline = time.monotonic() + 5
        while True:
            try:
                paths = list(Path(f"/proc/{process.pid}/fd").iterdir())
                names = sorted(os.readlink(path) for path in paths)
            except OSError:
                if process.poll() is not None:
                    return
                continue
            sockets = sum(name.startswith("socket:") for name in names)
            self.descriptors = (len(names) - sockets, sockets)
            if allowed is None:
                return
            if len(names) - sockets <= allowed[0] and sockets <= allowed[1] + 2:
                return
            if time.monotonic() > deadline:
                self.find(f"{self.descriptors} files and sockets are open instead of {allowed}: "
                          f"{names}")
                return
            time.sleep(0.1)


class Client:
    """Requests to a service, each on a connection of its own."""

    def __init__(self, port, token=None):
        self.port = port
        self.token = token

    def request(self, method, path, body=None, **header):
        """The status, the fields and the body of an answer; status 0 without one."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS_MAX)
        fields = {name.replace("_", "-"): value for name, value in header.items()}
        if self.token:
            fields["Authorization"] = f"Bearer {self.token}"
        text = None
        if body is not None:
            text = json.dumps(body)
            fields["Content-Type"] = "application/json"
        try:
            connection.request(method, path, text, fields)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        except (OSError, http.client.HTTPException):
            return 0, {}, b""
        finally:
            connection.close()

    def stream(self, path, seconds, **header):
        """The bytes of an event stream within so many seconds of its first ones."""
        found = b""
        fields = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in header.items())
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{fields}\r\n"
        deadline = time.monotonic() + ANSWER_SECONDS_MAX
        try:
            with socket.create_connection(("127.0.0.1", self.port), ANSWER_SECONDS_MAX) as link:
                link.sendall(head.encode())
                while (rest := deadline - time.monotonic()) > 0:
                    link.settimeout(rest)
                    data = link.recv(65536)
                    if not data:
                        break
                    if not found:
                        deadline = time.monotonic() + seconds
                    found += data
        except OSError:
            pass
        return found

    def await_answer(self, path, process, seconds=15):
        """Whether the service answers before it ends."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and process.poll() is None:
            if self.request("GET", path)[0] == 200:
                return True
            time.sleep(0.05)
        return False
