"""The exchange and the service that the page is tested with, as processes of their own."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Benchmarks"))

# The limits are high, because they are not tested.
LIMITS = [
    "--requests-per-client", "1000000", "--requests-per-token", "1000000",
    "--not-modified-per-client", "1000000", "--streams-per-user", "1000",
    "--connections-per-client", "1000",
]


def simulated_exchange(hoga, frames_per_second):
    """Starts the simulated exchange; its markets and prices have a fixed seed."""
    os.environ["HOGA_BENCH_BINARY"] = str(hoga)
    # Reads the variable when it is imported.
    from processes import Exchange  # pylint: disable=import-outside-toplevel
    return Exchange(frames_per_second, seed=7)


class WebService:
    """`hoga serve` with a store and a port of its own, both kept over a restart."""

    def __init__(self, hoga, exchange, options=()):
        from processes import environment, free_port  # pylint: disable=import-outside-toplevel
        self._hoga = hoga
        self._exchange = exchange
        self._options = list(options)
        self.folder = tempfile.mkdtemp(prefix="hoga-page-")
        self.log = os.path.join(self.folder, "log")
        self._environment = environment() | {
            name: os.path.join(self.folder, name)
            for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")
        }
        self.port, self.admin_port = free_port(), free_port()
        self.process = None
        try:
            token = self._run("user", "token", "new", "local", "--scope", "write")
            self.token = token.strip()
            self.start()
        except BaseException:
            self.end()
            raise

    def _run(self, *arguments):
        return subprocess.run(
            [self._hoga, *arguments], env=self._environment, check=True, capture_output=True,
            text=True).stdout

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        """Starts the process, and waits until it has prices."""
        from processes import wait_for  # pylint: disable=import-outside-toplevel
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self._hoga, "serve", "--listen", f"127.0.0.1:{self.port}",
                 "--admin-listen", f"127.0.0.1:{self.admin_port}", *self._exchange.addresses,
                 *LIMITS, *self._options],
                env=self._environment, stderr=log)
        wait_for("hoga serve", self._has_prices)

    def _has_prices(self):
        if self.process.poll() is not None:
            raise SystemExit(f"hoga serve ended:\n{Path(self.log).read_text(encoding='utf-8')}")
        return self.readiness()["feed"]["connection"] == "live"

    def readiness(self):
        address = f"http://127.0.0.1:{self.admin_port}/readyz"
        with urllib.request.urlopen(address, timeout=5) as answer:
            return json.load(answer)

    def open_streams(self):
        """The number of open event streams, from the metrics."""
        address = f"http://127.0.0.1:{self.admin_port}/metrics"
        with urllib.request.urlopen(address, timeout=5) as answer:
            lines = answer.read().decode().splitlines()
        return int(next(line for line in lines if line.startswith("hoga_streams ")).split()[1])

    def get(self, path, token=None, **parameters):
        """The document at a path."""
        return self.send("GET", path, token=token, parameters=parameters)

    def send(self, method, path, body=None, token=None, parameters=None):
        """Sends a request, and returns the document of its answer, if it has one."""
        query = f"?{urllib.parse.urlencode(parameters)}" if parameters else ""
        request = urllib.request.Request(f"{self.address}{path}{query}", method=method)
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=10) as answer:
            content = answer.read()
        return json.loads(content) if content else None

    def kill(self):
        """Ends the process at once."""
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def end(self):
        """Ends the process and removes its store."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
