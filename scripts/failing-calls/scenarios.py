"""What hoga is made to do while one of its calls fails, and what must hold afterwards.

A scenario is a function of a run. It starts the program once with `run.start`, judges its end with
`run.end`, and looks at what the program left behind with an unfailed one.
"""

import contextlib
import json
import os
import pty
import select
import signal
import sqlite3
import termios
import time

from runs import Client, free_port

ASSETS = ("BTC", "ETH", "XRP")
MARKETS = [f"{asset}_KRW" for asset in ASSETS]
# The database into which a backup is restored as a check: that of PostgreSQLBackup.swift.
CHECKED = "hoga_backup_check"


def watch(run):
    """A terminal, a few keys, and `q`."""
    # Down, open a market, its tabs, back, search, and out of it.
    show(run, [b"", b"", b"j", b"\r", b"", b"\t", b"\x1b", b"/b", b"\x1b", b"?", b"\x1b"])
    check_store(run)


def alert_command(run):
    """A terminal, rules that fire at many trades, and the command that they run."""
    for rule in crossing_rules(run):
        run.must("alert", "add", "--exchange", "simulated", rule)
    fired = run.folder / "fired"
    end = time.monotonic() + 20
    show(run, [], "--alert-command", "touch fired",
         until=lambda: fired.exists() or time.monotonic() > end)
    if run.is_measure and not fired.exists():
        run.find("without a failure no alert ran the command")
    check_store(run)


def check_store(run):
    """Checks the SQLite store, which a program that does not even start has not made."""
    if os.path.exists(run.environment["HOGA_STORE"]) or run.status == 0:
        run.must("store", "check")


def show(run, keys, *words, until=lambda: True):
    """Runs `hoga watch` in a terminal, presses keys, waits, and ends it with `q`."""
    main_end, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (30, 100))
    before = termios.tcgetattr(terminal)
    process = run.start("watch", *words, stdin=terminal, stdout=terminal, start_new_session=True)
    deadline = time.monotonic() + 30
    next_key = time.monotonic() + 0.2
    while process.poll() is None and time.monotonic() < deadline:
        if select.select([main_end], [], [], 0.05)[0]:
            os.read(main_end, 65536)
        if time.monotonic() >= next_key and (keys or until()):
            # `q` closes what is open first.
            os.write(main_end, keys.pop(0) if keys else b"q")
            next_key = time.monotonic() + 0.15
    if process.poll() is None:
        run.find("does not end by `q`")
        process.send_signal(signal.SIGTERM)
    run.end(process, 5)
    # The failed call may be the one that restores the terminal.
    if termios.tcgetattr(terminal)[3] != before[3] and not is_of_terminal(run):
        run.find("the terminal is left in raw mode")
    os.close(main_end)
    os.close(terminal)


def is_of_terminal(run):
    failed = run.calls()[1] or ""
    return failed.startswith(("tcsetattr", "tcgetattr", "endwin", "reset_prog_mode"))


def serve(run):
    """Documents, event streams, a user's changes, and SIGTERM; a SQLite store."""
    token = run.must("user", "token", "new", "local").split("\n")[0]
    acknowledged = serve_and_change(run, token)
    compare(acknowledged, run, "local")
    run.must("store", "check")


def webhook(run):
    """Serves with a SQLite store, a webhook, and rules that fire at many trades."""
    run.environment |= run.world.receivers.variables
    path = f"/ok/{run.folder.name}"
    token = run.must("user", "token", "new", "local").split("\n")[0]
    received = run.world.receivers.received[path]

    def deliver(client):
        body = {"url": run.world.receivers.url(path)}
        is_set = client.request("PUT", "/v1/me/webhook", body)[0] == 201
        added = [client.request("POST", "/v1/me/alerts", {"rule": rule})[0]
                 for rule in crossing_rules(run)]
        # The lease is taken within five seconds of the first rule.
        deadline = time.monotonic() + (20 if is_set and 201 in added else 0)
        while not received and time.monotonic() < deadline:
            time.sleep(0.05)
        if run.is_measure and not received:
            run.find("without a failure the webhook received nothing")
        client.request("GET", "/v1/me/webhook")
        return is_set

    is_set = serve_and_act(run, token, deliver)
    if is_set and not stored(run, "SELECT count(*) FROM webhooks"):
        run.find("lost acknowledgement: the webhook is not stored")
    run.must("store", "check")


def stored(run, statement):
    """The one value that a statement finds in the SQLite store."""
    with contextlib.closing(sqlite3.connect(run.environment["HOGA_STORE"])) as store:
        return store.execute(statement).fetchone()[0]


def crossing_rules(run):
    """Rules that fire whenever the price of a market crosses its present one."""
    fields = json.loads(Client(run.world.port).request("GET", "/public/ticker/ALL_KRW")[2])
    return [f"{asset} <> {ticker['closing_price']} again 0s"
            for asset, ticker in fields["data"].items() if asset != "date"]


def deployment(run):
    """Serves with PostgreSQL, and with a stream of the user's data."""
    name = run.world.database.fork(run)
    acknowledged = serve_and_change(run, run.world.database.token)
    run.world.database.use(run, "owner", name)
    compare(acknowledged, run, "kim")


def busy_deployment(run):
    """Serves with PostgreSQL while another session locks a table for longer than hoga waits for a
    statement, and then another table while hoga ends, which cancels its statement."""
    database = run.world.database
    name = database.fork(run)

    def act(client):
        with database.locked(name, "holdings"):
            body = {"quantity": "9", "averagePrice": None}
            status = client.request("PUT", "/v1/me/holdings/BTC", body)[0]
        if run.is_measure and status != 503:
            run.find(f"without a failure a locked table is answered with {status}")
        return change(client, run)

    acknowledged = serve_and_act(run, database.token, act,
                                 ending=lambda: database.blocked(name, "instance_lease"))
    database.use(run, "owner", name)
    compare(acknowledged, run, "kim")


def serve_and_change(run, token):
    """Runs the service; the changes that it acknowledged, by kind."""
    return serve_and_act(run, token, lambda client: change(client, run)) or {}


def serve_and_act(run, token, act, ending=contextlib.nullcontext):
    """Runs the service, reads its documents and acts as the user; what `act` returns, or None.

    The service ends within `ending`.
    """
    port, admin = free_port(), free_port()
    process = run.start("serve", "--listen", f"127.0.0.1:{port}",
                        "--admin-listen", f"127.0.0.1:{admin}")
    client = Client(port)
    result = None
    if client.await_answer("/v1/markets", process):
        read_documents(run, client)
        result = act(Client(port, token))
        Client(admin).request("GET", "/metrics")
        run.count_descriptors(process, run.world.allowed_descriptors)
        # One that ends meanwhile is judged by how it ends.
        if not client.await_answer("/v1/markets", process, 5) and process.poll() is None:
            run.find("the service no longer answers")
    elif process.poll() is None:
        run.find("the service never answers")
    with ending() if process.poll() is None else contextlib.nullcontext() as waits:
        if run.is_measure and waits is False:
            run.find("without a failure no statement waits at the end")
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        run.end(process)
    return result


def compare(acknowledged, run, user):
    """Compares what is stored with what was acknowledged."""
    if not acknowledged:
        return
    kept = json.loads(run.must("user", "export", user) or "{}")
    holdings = {row["asset"]: row["quantity"] for row in kept.get("holdings", [])}
    favorites = kept.get("favorites", [])
    for asset, quantity in acknowledged.get("holdings", {}).items():
        if holdings.get(asset) != quantity:
            run.find(f"lost acknowledgement: {quantity} {asset}, stored are {holdings}")
    if "favorites" in acknowledged and favorites != acknowledged["favorites"]:
        run.find(f"lost acknowledgement: favorites, stored are {favorites}")


def read_documents(run, client):
    """Reads documents and streams, all of which an unfailed service has."""
    statuses = [
        client.request("GET", "/v1/markets", Accept_Encoding="gzip")[0],
        client.request("GET", "/v1/markets/BTC_KRW")[0],
        client.request("GET", "/v1/markets/BTC_KRW/candles?interval=1m&count=30")[0],
        client.request("GET", "/v1/snapshot?documents=market-list,assets")[0],
        client.request("GET", "/")[0],
    ]
    if run.is_measure and set(statuses) != {200}:
        run.find(f"without a failure the documents are answered with {statuses}")
    read_stream(run, client, "/v1/stream?documents=market-list")
    read_stream(run, client, "/v1/stream?documents=order-book&market=BTC_KRW",
                Accept_Encoding="gzip")


def read_stream(run, client, path, **header):
    """Reads a stream for half a second."""
    found = client.stream(path, 0.5, **header)
    if run.is_measure and not found.startswith(b"HTTP/1.1 200 "):
        run.find(f"without a failure {path} is answered with {found[:300]}")


def change(client, run):
    """Makes changes; each that was acknowledged, by kind."""
    acknowledged = {}
    for number, asset in enumerate(ASSETS, 1):
        quantity = str(number)
        body = {"quantity": quantity, "averagePrice": None}
        if 200 <= client.request("PUT", f"/v1/me/holdings/{asset}", body)[0] < 300:
            acknowledged.setdefault("holdings", {})[asset] = quantity
    status, fields, _ = client.request("GET", "/v1/me/favorites")
    if status == 200:
        body = {"rows": MARKETS}
        status = client.request("PUT", "/v1/me/favorites", body, If_Match=fields["ETag"])[0]
        if 200 <= status < 300:
            acknowledged["favorites"] = MARKETS
    client.request("POST", "/v1/me/alerts", {"rule": "BTC > 1 again 1s"})
    read_stream(run, client, "/v1/me/stream?documents=alerts",
                Authorization=f"Bearer {client.token}")
    if run.is_measure and len(acknowledged) < 2:
        run.find(f"without a failure only {acknowledged} are acknowledged, last status {status}")
    return acknowledged


def export(run):
    """Candles of the exchange, stored and written to a file."""
    process = run.start("export", "candles", "BTC_KRW", "--interval", "1m", "--output", "out.csv")
    run.end(process)
    files = sorted(path.name for path in run.folder.glob("*out.csv*"))
    # Without `unlink` nothing can remove a temporary file.
    is_removable = "unlink" not in (run.calls()[1] or "")
    if run.status == 0 and files != ["out.csv"] and is_removable:
        run.find(f"exports into {files}")
    if run.status == 0:
        lines = (run.folder / "out.csv").read_text(encoding="utf-8").splitlines()
        if len(lines) < 2 or lines[-1].count(",") != lines[0].count(","):
            run.find(f"the exported file has {len(lines)} lines, the last one is {lines[-1:]}")
    if run.status not in (0, None) and files and is_removable:
        run.find(f"failed, but left {files}")


def import_favorites(run):
    """A file of favorites, of which all or none are added."""
    rows = [f"{market},{index}" for index, market in enumerate(MARKETS, 1)]
    text = "\n".join(["market,position", *rows, ""])
    (run.folder / "favorites.csv").write_text(text, encoding="utf-8")
    run.end(run.start("favorites", "import", "favorites.csv"))
    output = run.must("favorites", "list")
    count = sum(market in output for market in MARKETS)
    if count not in (0, len(MARKETS)) or run.status == 0 and count == 0:
        run.find(f"exit status {run.status}, and {count} of {len(MARKETS)} favorites")


def migration(run):
    """A new SQLite store."""
    run.end(run.start("migrate", "up"))
    run.must("migrate", "up")
    run.must("migrate", "verify")
    run.must("store", "check")


def shared_migration(run):
    """An empty PostgreSQL database."""
    run.world.database.make_empty(run)
    run.end(run.start("migrate", "up"))
    run.must("migrate", "up")
    run.must("migrate", "verify")


def backup(run):
    """A copy of a SQLite store."""
    run.must("favorites", "add", "BTC_KRW")
    run.end(run.start("store", "backup", "copy.db"))
    if run.status == 0:
        run.environment["HOGA_STORE"] = str(run.folder / "copy.db")
    if "BTC_KRW" not in run.must("favorites", "list"):
        run.find("the favorite is missing")
    run.must("store", "check")


def shared_backup(run):
    """A dump of a PostgreSQL database, which is restored into another one as a check."""
    database = run.world.database
    # All backups of a server check themselves in one database.
    with database.backup_lock:
        database.use(run, "owner", database.copy("hoga"))
        run.end(run.start("store", "backup", "copy.dump"))
        is_left = database.run_sql(f"SELECT 1 FROM pg_database WHERE datname = '{CHECKED}'") != ""
        if is_left:
            told = run.plain("store", "backup", "other.dump")[1]
            # A connection that breaks while the server makes the database does not tell of it.
            is_unknown = (run.calls()[1] or "").startswith("PQ") and run.status != 0
            # One that a lack of memory ends can do nothing any more.
            is_killed = run.status is None or run.status < 0
            if not is_killed and (not is_unknown or f"DROP DATABASE {CHECKED}" not in told):
                run.find(f"{CHECKED} is left behind, and the next backup says: {told}")
            database.run_sql(f"DROP DATABASE {CHECKED} WITH (FORCE)")
        run.must("store", "backup", "other.dump")
    # Without `write` the program cannot tell that the backup is there.
    is_told = not (run.calls()[1] or "").startswith("write@")
    if (run.status == 0) != (run.folder / "copy.dump").exists() and is_told:
        run.find(f"exit status {run.status}, and files {os.listdir(run.folder)}")


def recording(run):
    """The exchange's messages of a second."""
    run.end(run.start("exchange", "record", "messages.jsonl", "--for", "1s"))
    if run.status == 0 and not (run.folder / "messages.jsonl").exists():
        run.find("there is no recording")


def replay(run):
    """The recording of another run, shown once."""
    run.end(run.start("watch", "--once", "--limit", "3", "--exchange",
                      f"replay:{run.world.recording}", "--replay-speed", "max"))


def simulation(run):
    """The simulated exchange and one reader of it."""
    port = free_port()
    process = run.start("exchange", "simulate", "--listen", f"127.0.0.1:{port}",
                        "--krw-markets", "3", "--btc-markets", "1")
    if Client(port).await_answer("/public/ticker/ALL_KRW", process, 5):
        run.environment |= {
            "HOGA_BITHUMB_REST_URL": f"http://127.0.0.1:{port}",
            "HOGA_BITHUMB_WS_URL": f"ws://127.0.0.1:{port}/pub/ws",
            "HOGA_BITHUMB_WS2_URL": f"ws://127.0.0.1:{port}/websocket/v1",
        }
        run.plain("watch", "--once", "--limit", "1", "--store", "none")
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    run.end(process)


SCENARIOS = {
    "watch": watch, "alert-command": alert_command, "export": export, "import": import_favorites,
    "migration": migration, "backup": backup, "recording": recording, "replay": replay,
    "simulation": simulation, "serve": serve, "webhook": webhook,
    "shared-migration": shared_migration, "shared-backup": shared_backup,
    "deployment": deployment, "busy-deployment": busy_deployment,
}
NEEDS_POSTGRESQL = {"shared-migration", "shared-backup", "deployment", "busy-deployment"}
