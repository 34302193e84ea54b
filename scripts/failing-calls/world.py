"""What all runs share: the library, a simulated exchange, a database server, and symbols."""

import bisect
import contextlib
import ctypes.util
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

from runs import PROGRAM_NAME, ROOT, Client, Run, free_port

sys.path.append(str(ROOT / "Benchmarks"))
# pylint: disable=wrong-import-position
from webhook_receivers import Receivers  # noqa: E402

SQL = re.compile(r"^```sql\n(.*?)^```$", re.M | re.S)
PASSWORD = "trial"


class World:
    """Made in a folder, which whoever made it removes."""

    def __init__(self, hoga, folder):
        self.folder = folder
        # The library looks for the name of the program.
        self.hoga = str(folder / PROGRAM_NAME)
        os.symlink(hoga, self.hoga)
        self.library = folder / "failing-calls.so"
        sources = ROOT / "Tests" / "FailingCalls"
        clang = Path(shutil.which("swiftc")).resolve().with_name("clang")
        subprocess.run(
            [clang, "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-O1", "-fPIC", "-shared",
             "-fvisibility=hidden", "-fno-builtin", "-fno-omit-frame-pointer",
             sources / "call-sites.c", sources / "failing-calls.c", "-o", self.library],
            check=True,
        )
        # GCC's LeakSanitizer stands alone: the program needs no build of its own for it.
        self.leak_library = ctypes.util.find_library("lsan")
        if self.leak_library is None:
            raise SystemExit("failing-calls: liblsan is missing: run scripts/bootstrap test")
        self.symbols = Symbols(self.hoga)
        self.allowed_descriptors = None
        self.exchange = {}
        self.port = None
        self.simulator = None
        self.receivers = None
        self.database = None
        self.recording = folder / "recording.jsonl"

    def __enter__(self):
        self.receivers = Receivers(self.folder)
        port = self.port = free_port()
        run = Run(self)
        self.simulator = subprocess.Popen(  # pylint: disable=consider-using-with
            [self.hoga, "exchange", "simulate", "--listen", f"127.0.0.1:{port}",
             "--krw-markets", "8", "--btc-markets", "2", "--rate", "50"],
            env=run.environment, stderr=subprocess.DEVNULL,
        )
        if not Client(port).await_answer("/public/ticker/ALL_KRW", self.simulator):
            raise SystemExit("failing-calls: the simulated exchange does not answer")
        self.exchange = {
            "HOGA_BITHUMB_REST_URL": f"http://127.0.0.1:{port}",
            "HOGA_BITHUMB_WS_URL": f"ws://127.0.0.1:{port}/pub/ws",
            "HOGA_BITHUMB_WS2_URL": f"ws://127.0.0.1:{port}/websocket/v1",
        }
        run = Run(self)
        run.must("exchange", "record", str(self.recording), "--for", "2s")
        if "HOGA_TEST_DATABASE_URL" in os.environ:
            self.database = Database(self)
        return self

    def __exit__(self, *_):
        self.simulator.kill()
        self.simulator.wait()


class Database:
    """Databases in the cluster of scripts/with-postgresql, with the roles of the documentation."""

    def __init__(self, world):
        self.administrator = os.environ["HOGA_TEST_DATABASE_URL"]
        self.server = urlsplit(self.administrator).netloc.split("@")[-1]
        self.psql = os.path.join(os.environ["HOGA_TEST_POSTGRESQL_BIN"], "psql")
        self.count = 0
        self.lock = threading.Lock()
        self.backup_lock = threading.Lock()
        page = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
        self.run_sql(SQL.search(page)[1].replace("…", PASSWORD))
        run = Run(world)
        self.use(run, "owner", "hoga")
        # An empty database is a copy of this one, a deployment's of the other.
        self.run_sql("CREATE DATABASE empty TEMPLATE hoga OWNER hoga_owner")
        run.must("migrate", "up")
        run.must("user", "add", "kim")
        self.token = run.must("user", "token", "new", "kim").split("\n")[0]

    def run_sql(self, statements):
        """Runs statements as the administrator; the rows that they find."""
        return subprocess.run(
            [self.psql, "--no-psqlrc", "--quiet", "--tuples-only", "--set", "ON_ERROR_STOP=1",
             self.administrator],
            input=statements, text=True, check=True, stdout=subprocess.PIPE,
        ).stdout.strip()

    def copy(self, template):
        with self.lock:
            self.count += 1
            name = f"copy{self.count}"
            self.run_sql(f"CREATE DATABASE {name} TEMPLATE {template} OWNER hoga_owner;\n"
                         f"GRANT CONNECT ON DATABASE {name} TO hoga_app")
        return name

    @contextlib.contextmanager
    def locked(self, name, table):
        """Keeps a table of a database locked."""
        address = urlsplit(self.administrator)._replace(path=f"/{name}").geturl()
        with subprocess.Popen(
            [self.psql, "--no-psqlrc", "--quiet", "--no-align", "--tuples-only", "--set",
             "ON_ERROR_STOP=1", address],
            text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        ) as session:
            print(f"BEGIN; LOCK TABLE hoga.{table}; SELECT 1;", file=session.stdin, flush=True)
            if session.stdout.readline() != "1\n":
                raise SystemExit(f"failing-calls: hoga.{table} cannot be locked")
            yield
            session.stdin.close()

    @contextlib.contextmanager
    def blocked(self, name, table, seconds=5):
        """Keeps a table locked; gives whether a statement waits for it within so many seconds."""
        with self.locked(name, table):
            deadline = time.monotonic() + seconds
            while not (waits := self.has_waiting(name)) and time.monotonic() < deadline:
                time.sleep(0.05)
            yield waits

    def has_waiting(self, name):
        """Whether a statement in a database waits for a lock."""
        return self.run_sql(
            "SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database "
            f"WHERE datname = '{name}' AND NOT granted LIMIT 1"
        ) != ""

    def use(self, run, role, name):
        run.environment.pop("HOGA_STORE", None)
        run.environment["HOGA_DATABASE_URL"] = \
            f"postgresql://hoga_{role}:{PASSWORD}@{self.server}/{name}"

    def fork(self, run):
        """A deployment with a user, whose instances run as the service; the database's name."""
        name = self.copy("hoga")
        self.use(run, "service", name)
        return name

    def make_empty(self, run):
        """A database without a schema, for its owner."""
        self.use(run, "owner", self.copy("empty"))


class Symbols:
    """Names of the functions that hold the call sites of a binary."""

    def __init__(self, hoga):
        listed = subprocess.run(
            ["nm", "--defined-only", "--numeric-sort", hoga], text=True, check=True,
            stdout=subprocess.PIPE,
        ).stdout
        rows = [line.split() for line in listed.splitlines()]
        rows = [(int(row[0], 16), row[2]) for row in rows if len(row) == 3 and row[1] in "tTwW"]
        self.addresses = [address for address, _ in rows]
        self.names = [name for _, name in rows]

    def callers(self, call):
        """The mangled names of the functions of a call, from the innermost one."""
        sites = call.partition("@")[2].partition(":")[0].split(",")
        names = []
        for site in sites:
            index = bisect.bisect_right(self.addresses, int(site, 16) - 1) - 1
            names.append(self.names[index] if index >= 0 else site)
        return names

    def is_swift_memory(self, call):
        """Whether Swift's compiler made the call for memory, whose lack no program can handle."""
        return call.startswith(("malloc@", "calloc@")) and self.callers(call)[0].startswith("$s")

    def describe(self, call):
        """The functions of a call, from the innermost one."""
        names = self.callers(call)
        done = subprocess.run(
            ["swift", "demangle", "--compact", "--simplified", *names], text=True, check=False,
            stdout=subprocess.PIPE,
        )
        return " < ".join(done.stdout.split("\n")).strip(" <")
