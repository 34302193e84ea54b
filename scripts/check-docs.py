#!/usr/bin/python3
"""Runs every shell command in README.md and docs/, so that no page shows one that fails.

usage: scripts/with-postgresql scripts/check-docs.py HOGA

HOGA is a built binary. The ```sh blocks of a page run in order in one bash session that stops at
the first error, in an empty folder, on the simulated exchange, with free ports in place of the
documented ones. The ```sql block of docs/deployment.md prepares its database first; the ```python
and ```js blocks of docs/http-api.md are files, named in their first lines, that its commands run
beside the checkout's clients; lines that run node are skipped where it is not installed. Blocks of another language need
what a test does not have: an editor, a container engine, another host.
README's `make` commands are skipped: they are what runs this script.
Exits with 0, or with 1 after printing the output of each page that failed.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
PORT = re.compile(r"(?<=127\.0\.0\.1:)(\d+)")
SKIPPED = re.compile(r"^(?:sudo )?make .*\n", re.M)
# README's last block opens a terminal and a server; its commands run on other pages.
INTERACTIVE = re.compile(r"^hoga (?:watch|serve|doctor) +#.*\n", re.M)
# The file that a block of these languages is, as its first line says: `# example.py: …`.
EXAMPLES = ("python", "js")
EXAMPLE_NAME = re.compile(r"(?:#|//) (\w+\.\w+): ")
NODE = re.compile(r"^node .*\n", re.M)
SECONDS_MAX = 120
PASSWORD = "documented"


def blocks(page, language):
    text = page.read_text(encoding="utf-8")
    return [body for name, body in BLOCK.findall(text) if name == language]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def prepare_database(page, folder):
    """Runs the page's SQL as the administrator and writes the two URL files."""
    statements = "".join(blocks(page, "sql")).replace("…", PASSWORD)
    if not statements:
        return
    administrator = os.environ["HOGA_TEST_DATABASE_URL"]
    psql = os.path.join(os.environ["HOGA_TEST_POSTGRESQL_BIN"], "psql")
    subprocess.run(
        [psql, "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", administrator],
        input=statements, text=True, check=True, stdout=subprocess.DEVNULL,
    )
    server = urlsplit(administrator).netloc.split("@")[-1]
    for role in ("owner", "service"):
        url = f"postgresql://hoga_{role}:{PASSWORD}@{server}/hoga"
        (folder / f"{role}.url").write_text(url, encoding="utf-8")


def run(page, hoga, folder):
    """The page's output, and whether every command of it succeeded."""
    commands = INTERACTIVE.sub("", SKIPPED.sub("", "\n".join(blocks(page, "sh"))))
    if not shutil.which("node"):
        commands = NODE.sub("", commands)
    ports = {}

    def moved(text):
        return PORT.sub(lambda match: str(ports.setdefault(match[1], free_port())), text)

    commands = moved(commands)
    (folder / "clients").symlink_to(ROOT / "clients")
    for language in EXAMPLES:
        for body in blocks(page, language):
            name = EXAMPLE_NAME.match(body)[1]
            (folder / name).write_text(moved(body), encoding="utf-8")
    binaries = folder / "bin"
    binaries.mkdir()
    (binaries / "hoga").symlink_to(hoga)
    prepare_database(page, folder)
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("HOGA_")
    } | {
        "PATH": f"{binaries}:{os.environ['PATH']}", "HOME": str(folder), "LC_ALL": "C.UTF-8",
        "XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_STATE_HOME": str(folder / "state"), "HOGA_EXCHANGE": "simulated",
        "HOGA_LISTEN": f"127.0.0.1:{ports.get('8080', free_port())}",
        "HOGA_ADMIN_LISTEN": f"127.0.0.1:{ports.get('8081', free_port())}",
    }
    script = "set -euo pipefail\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n" + commands
    with subprocess.Popen(
        ["bash", "-x", "-c", script], cwd=folder, env=environment, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=SECONDS_MAX)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            output = process.communicate()[0] + f"\nstopped after {SECONDS_MAX} s"
    return output, process.returncode == 0


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 64
    hoga = str(Path(arguments[0]).resolve())
    failures = 0
    for page in PAGES:
        folder = Path(tempfile.mkdtemp(prefix="hoga-docs-"))
        try:
            output, succeeded = run(page, hoga, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        if not succeeded:
            failures += 1
            print(f"{page.name} has a command that fails:\n{output[-4000:]}", file=sys.stderr)
    print(f"scripts/check-docs.py: {len(PAGES)} pages, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
