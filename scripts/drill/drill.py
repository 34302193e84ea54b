"""The drill of `make compose-drill`: the image, the compose file and an upgrade, in containers.

usage: scripts/compose-drill [PACKAGES]     which prepares and calls this

The image is built by the Dockerfile's steps on bases of Debian's packages, and the services of
docker-compose.yml run with all their options. A deployment of 0.1.0 is upgraded beside fifty
clients; then every option is compared with what is in force, and users, a terminal, the page, the
Python client, the proxy, a killed leader, a restarted database and a restored backup are tried.
"""

import http.client
import json
import os
import pty
import re
import resource
import select
import signal
import subprocess
import sys
import time

import urllib.request
from pathlib import Path

import clients
import images
import inspection
import proxy
from engine import Compose, DrillFailure, Report, container, inspected, is_healthy, podman, run
from engine import wait_for

PORTS = {"hoga-1": 8080, "hoga-2": 8082}
PAGE_PYTHON = images.ROOT / ".build/page/bin/python"


class Drill:
    """The deployment and its steps."""

    def __init__(self, work, packages):
        self.work, self.packages = work, packages
        self.report = Report()
        self.expect = self.report.expect
        self.crowd = None
        self.tokens, self.own_token, self.site = {}, None, None
        self.folder = self.commit = self.compose = None

    def main(self):
        step = self.report.step
        step("base image", images.base, self.work)
        step("base with the Swift toolchain", images.swift, self.work)
        self.prepare()
        step("image by the Dockerfile", images.hoga, self.compose, self.commit)
        if self.packages:
            step("packages of its first stage", images.packages, self.packages)
        step("files of the image", images.check_files, self.report)
        step("image of 0.1.0", images.former, self.work)
        step("stand-in for PostgreSQL's image", images.postgresql)
        step("nginx", images.nginx, self.work)
        step("deployment of 0.1.0", self.start_former)
        step("users and tokens of 0.1.0", self.add_users)
        step("fifty clients", self.start_clients)
        step("upgrade", self.upgrade)
        step("nothing is lost", self.compare_changes)
        refused = sum(count for key, count in self.crowd.answers().items() if key[0] >= 500)
        self.expect(refused * 100 <= self.crowd.acknowledged(), f"{refused} of 503 in the upgrade")
        step("options in force", inspection.compare, self.report, self.folder)
        for line in inspection.NOT_HERE:
            print(f"          not here: {line}")
        step("installation and version", self.tell_installation)
        step("terminal", self.terminal)
        step("page", self.page)
        step("proxy", self.proxy)
        step("an instance away behind the proxy", self.proxy_without_instance)
        step("leader killed", self.kill_leader)
        step("database restarted", self.restart_database)
        step("nothing is lost", self.compare_changes)
        step("instances end", self.end_clients)
        step("backup and restore", self.restore)

    def prepare(self):
        """A clean checkout with secrets, and the drill's additions."""
        self.folder, self.commit = images.checkout(self.work)
        run(self.folder / "deploy/make-secrets")
        files = min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], 65536)
        addition = self.folder / "drill.yml"
        addition.write_text((images.HERE / "compose.yml").read_text().replace("65536", str(files)))
        self.compose = Compose(self.folder, addition)

    def tag(self, name):
        """Makes an image the one of the compose file."""
        podman("tag", f"localhost/hoga:{name}", "localhost/hoga:latest")

    def start_former(self):
        self.tag("former")
        self.compose.up("postgresql", "exchange")
        seconds = wait_for("the database is healthy", lambda: is_healthy("postgresql"))
        self.migrate()
        for service in PORTS:
            self.compose.up(service)
        for service in PORTS:
            wait_for(f"{service} is ready", lambda name=service: is_healthy(name))
        return f"database after {seconds:.1f} s"

    def migrate(self):
        """Runs the job of the compose file with today's image; its container stays."""
        self.compose.replace("migration")
        name = container("migration")
        status = podman("wait", name).strip()
        if status != "0":
            raise DrillFailure(f"migration ended with {status}: {podman('logs', name)}")

    def add_users(self):
        """One container adds all users, because each start of one takes a second."""
        names = [f"user{number}" for number in range(clients.WRITERS + 1)]
        text = podman(
            "run", "--rm", "--interactive", "--network", "hoga_inside", "--entrypoint", "sh",
            "--volume", f"{self.folder}/deploy/secrets/owner_url:/run/secrets/owner_url:ro",
            "--env", "HOGA_DATABASE_URL_FILE=/run/secrets/owner_url", "localhost/hoga", "-ec",
            'for name in "$@"; do hoga user add "$name" >&2; hoga user token new "$name"; done',
            "sh", *names)
        self.tokens = dict(zip(names, text.split()))
        self.expect(len(self.tokens) == len(names), "every user has a token")
        # One user belongs to the drill itself.
        self.own_token = self.tokens.pop(names[-1])
        return f"{len(names)} users"

    def start_clients(self):
        self.crowd = clients.Crowd(self.tokens, list(PORTS.values()))
        wait_for("changes are acknowledged", lambda: self.crowd.acknowledged() > 200)
        return f"{clients.WRITERS} writers, {clients.READERS} readers"

    def upgrade(self):
        """Schema first, then one instance after the other, as docs/deployment.md says."""
        before = self.crowd.acknowledged()
        self.tag("new")
        self.migrate()
        time.sleep(5)
        for service in PORTS:
            self.compose.replace(service)
            wait_for(f"{service} is ready", lambda name=service: is_healthy(name))
            time.sleep(3)
        return f"{self.crowd.acknowledged() - before} changes acknowledged meanwhile"

    def compare_changes(self):
        lost = self.crowd.lost()
        for text in lost:
            self.expect(False, text)
        idle = self.crowd.idle_readers()
        self.expect(idle == 0, f"{idle} followers by the Python client received nothing")
        answers = self.crowd.answers()
        wrong = {key: count for key, count in answers.items()
                 if key[0] >= 500 and key != (503, "store_unavailable")}
        self.expect(not wrong, f"answers of 5xx: {wrong}")
        told = ", ".join(f"{count} of {key[0]} {key[1]}" for key, count in sorted(answers.items()))
        return f"{self.crowd.acknowledged()} changes acknowledged; refused: {told or 'none'}"

    def tell_installation(self):
        about = document(PORTS["hoga-1"], "/v1/about")["state"]
        told = about.get("installation")
        self.expect(told == "image", f"/v1/about tells {told}")
        self.expect(about["commit"] == self.commit, f"{about['commit']} is not {self.commit}")
        doctor = podman("exec", container("hoga-1"), "/usr/bin/hoga", "doctor", check=False)
        self.expect("from the container image" in doctor, f"hoga doctor: {doctor}")
        return f"{about['version']} ({about['commit']}), {told}"

    def terminal(self):
        """A person's terminal in a container shows the list of an instance, and `q` ends it."""
        token = self.work / "token"
        token.write_text(self.own_token)
        token.chmod(0o600)
        os.chown(token, 10001, 10001)
        words = ["podman", "run", "--rm", "--interactive", "--tty", "--network", "hoga_outside",
                 "--env", "HOGA_TOKEN_FILE=/run/token", "--env", "TERM=xterm-256color",
                 "--volume", f"{token}:/run/token:ro",
                 "localhost/hoga", "watch", "--server", "http://hoga-2:8080"]
        process, screen = pty.fork()
        if process == 0:
            os.execvp(words[0], words)
        shown, is_asked, end = b"", False, time.monotonic() + 30
        try:
            while time.monotonic() < end:
                if select.select([screen], [], [], 0.5)[0]:
                    shown += os.read(screen, 65536)
                if not is_asked and "비트코인".encode() in shown:
                    os.write(screen, b"q")
                    is_asked = True
        except OSError:
            pass  # The terminal is closed.
        if time.monotonic() >= end:
            os.kill(process, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        self.expect(is_asked and status == 0, f"terminal: {status}, {shown[-300:]}")

    def page(self):
        addresses = [f"http://127.0.0.1:{port}" for port in PORTS.values()]
        answer = subprocess.run([PAGE_PYTHON, "-B", images.HERE / "page.py", *addresses],
                                capture_output=True, text=True, check=False)
        self.expect(answer.returncode == 0, f"page: {answer.stderr[-500:]}")

    def proxy(self):
        """nginx with deploy/nginx.conf in front of both instances."""
        folder = self.folder / "tls"
        folder.mkdir()
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-days", "2", "-subj", "/CN=hoga drill", "-addext",
            "subjectAltName=IP:127.0.0.1", "-keyout", folder / "hoga.key", "-out",
            folder / "hoga.crt")
        self.compose.up("proxy")
        self.site = proxy.Proxy(
            "https://127.0.0.1:8443", "http://127.0.0.1:8444", folder / "hoga.crt", self.own_token,
            [f"http://127.0.0.1:{port}" for port in PORTS.values()])
        wait_for("the proxy answers", lambda: answers(self.site))
        before = self.report.checks
        proxy.check_all(self.site, self.expect, self.service_log, self.proxy_log)
        return f"{self.report.checks - before} checks"

    def proxy_without_instance(self):
        """Each instance is stopped and comes back; nginx resolves its name anew."""
        for service in PORTS:
            proxy.check_lost_instance(self.site, self.expect,
                                      lambda name=service: self.compose("stop", name))
            self.compose.up(service)
            wait_for(f"{service} is ready", lambda name=service: is_healthy(name))
            podman("exec", container("proxy"), "nginx", "-s", "reload", quiet=True)
            time.sleep(6)

    @staticmethod
    def service_log():
        return "".join(run("sh", "-c", f"podman logs {container(name)} 2>&1") for name in PORTS)

    @staticmethod
    def proxy_log():
        return podman("exec", container("proxy"), "cat", "/var/log/nginx/access.log")

    def leader(self):
        """The service that writes candles, by its metrics."""
        for service in PORTS:
            try:
                metrics = self.admin(service, "/metrics")
            except OSError:
                continue
            if re.search(r"^hoga_candle_leader 1$", metrics, re.MULTILINE):
                return service
        return None

    @staticmethod
    def admin(service, path):
        """A text of the admin listener, over the network that a Prometheus would join."""
        address = inspected(service)["NetworkSettings"]["Networks"]["hoga-scrape"]["IPAddress"]
        if not address:
            raise OSError(f"{service} does not run")
        with urllib.request.urlopen(f"http://{address}:8081{path}", timeout=5) as answer:
            return answer.read().decode()

    def kill_leader(self):
        wait_for("an instance leads", self.leader)
        leader = self.leader()
        process = inspected(leader)["State"]["Pid"]
        start = time.monotonic()
        os.kill(process, signal.SIGKILL)
        wait_for("it is gone", lambda: inspected(leader)["State"]["Pid"] != process)
        # The other one, or this one in its next life.
        wait_for("an instance leads again", self.leader, 30)
        taken = time.monotonic() - start
        self.expect(taken <= 5, f"the lease was taken after {taken:.1f} s")
        next_leader = self.leader()
        back = wait_for("the engine starts it again", lambda: is_healthy(leader))
        return (f"{leader} killed, {next_leader} leads after {taken:.1f} s, all are ready after "
                f"{back:.1f} s more")

    def restart_database(self):
        before = self.crowd.acknowledged()
        podman("restart", container("postgresql"))
        for service in ("postgresql", *PORTS):
            wait_for(f"{service} is healthy", lambda name=service: is_healthy(name))
        for port in PORTS.values():
            rows = document(port, "/v1/markets?limit=1")["state"]["rows"]
            self.expect(len(rows) == 1, "no list without the database")
        wait_for("changes are acknowledged", lambda: self.crowd.acknowledged() > before + 100)

    def end_clients(self):
        self.crowd.end()
        for service in PORTS:
            self.compose("stop", service)
            status = inspected(service)["State"]["ExitCode"]
            self.expect(status == 0, f"{service} ended with {status}")

    def restore(self):
        """The dump goes into a new volume as docs/deployment.md says; nobody misses a change."""
        self.tag("new")
        before = self.contents()
        dump = self.work / "hoga.dump"
        with open(dump, "wb") as file:
            subprocess.run(["podman", "exec", container("postgresql"), "pg_dump", "--username",
                            "postgres", "--format", "custom", "hoga"], stdout=file, check=True)
        self.compose("down", "--volumes")
        self.compose.up("postgresql", "exchange")
        wait_for("the database is healthy", lambda: is_healthy("postgresql"))
        with open(dump, "rb") as file:
            subprocess.run(["podman", "exec", "--interactive", container("postgresql"),
                            "pg_restore", "--username", "postgres", "--dbname", "hoga",
                            "--exit-on-error"], stdin=file, check=True)
        after = self.contents()
        for name in before | after:
            self.expect(before.get(name) == after.get(name), f"{name} is not as it was dumped")
        self.migrate()
        self.compose.up("hoga-1")
        wait_for("hoga-1 is ready", lambda: is_healthy("hoga-1"))
        for writer in self.crowd.writers:
            lost = writer.differs(self.crowd.instances[0])
            self.expect(lost is None, lost)
        return f"{len(before)} tables, {dump.stat().st_size} bytes"

    def contents(self):
        """The number and hash of the rows of each table."""
        names = self.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'hoga'").split()
        parts = (f"SELECT '{name}', count(*), md5(string_agg(r::text, ',' ORDER BY r::text)) "
                 f'FROM hoga."{name}" AS r' for name in names)
        lines = self.sql(" UNION ALL ".join(parts)).splitlines()
        return dict(line.split("|", 1) for line in lines)

    @staticmethod
    def sql(statement):
        return podman("exec", container("postgresql"), "psql", "--username", "postgres",
                      "--no-align", "--tuples-only", "--dbname", "hoga", "--command",
                      statement).strip()


def answers(site):
    """Whether the proxy has a document."""
    try:
        return site.get("/v1/about").status == 200
    except OSError:
        return False


def document(port, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
        return json.load(answer)


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    drill = Drill(Path(sys.argv[1]), Path(sys.argv[2]) if sys.argv[2:] else None)
    try:
        drill.main()
    except (DrillFailure, subprocess.SubprocessError, http.client.HTTPException, OSError,
            LookupError) as error:
        drill.expect(False, str(error))
        for service in PORTS:
            print(run("sh", "-c", f"podman logs --tail 20 {container(service)} 2>&1", check=False))
    report = drill.report
    minutes = (time.monotonic() - report.start) / 60
    print(f"compose-drill: {report.checks - len(report.failures)} of {report.checks} checks hold, "
          f"{minutes:.1f} min")
    sys.exit(1 if report.failures else 0)


main()
