"""Compares the options of docker-compose.yml with the containers that run: with what podman states,
and where the kernel tells it, with the kernel."""

import json
import os
import re
import resource
from pathlib import Path

import yaml

from engine import container, inspected, podman

# Numbers of capabilities, linux/capability.h.
CAPABILITIES = {"CHOWN": 0, "DAC_OVERRIDE": 1, "FOWNER": 3, "SETGID": 6, "SETUID": 7}
# Options that the drill does by itself, and why.
BY_THE_DRILL = {
    "build": "the image was built with these arguments",
    "depends_on": "the drill starts the services in this order: podman-compose cannot wait for "
                  "health without systemd",
    "stop_grace_period": "podman-compose passes it when it stops a container",
}
NOT_HERE = [
    "order by health (depends_on) and periodic health checks: podman needs systemd for them; the "
    "drill runs each check itself and starts the services in their order",
    "json-file and max-file of logging: podman writes a format of its own to one file; max-size is "
    "in force",
    "stop_grace_period: podman-compose passes it when it stops a container",
]


class Inspection:
    """One service of the file and its container."""

    def __init__(self, report, name, options, compose):
        self.report, self.name, self.options, self.compose = report, name, options, compose
        self.state = inspected(name)
        self.host, self.config = self.state["HostConfig"], self.state["Config"]
        self.process = Path("/proc", str(self.state["State"]["Pid"]))
        self.is_running = self.state["State"]["Running"]

    def expect(self, option, wanted, found):
        self.report.expect(wanted == found, f"{self.name}: {option} is {found}, not {wanted}")

    def check(self):
        """Compares every option; one that nobody compares is a failure."""
        for option, value in self.options.items():
            if option in BY_THE_DRILL:
                continue
            compare = getattr(self, "check_" + option, None)
            if compare is None:
                self.report.expect(False, f"{self.name}: nobody compares {option}")
            else:
                compare(value)

    def status(self, name):
        """A line of the kernel's status of the first process."""
        return re.search(rf"^{name}:\t(.*)$", (self.process / "status").read_text(),
                         re.MULTILINE).group(1)

    def group(self, controller, *names):
        """A limit of the process's control group, of either hierarchy."""
        for line in (self.process / "cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if controller not in controllers.split(",") and controllers:
                continue
            for root in ("/sys/fs/cgroup", f"/sys/fs/cgroup/{controller}"):
                for name in names:
                    file = Path(root + path, name)
                    if file.exists():
                        return file.read_text().strip()
        return None

    def check_image(self, value):
        self.expect("image", value, re.sub(r"^localhost/|:latest$", "", self.state["ImageName"]))

    def check_command(self, value):
        self.expect("command", value, self.config["Cmd"])

    def check_environment(self, value):
        found = dict(line.split("=", 1) for line in self.config["Env"])
        for name, text in value.items():
            self.expect(name, text, found.get(name))

    def check_read_only(self, value):
        self.expect("read_only", value, self.host["ReadonlyRootfs"])
        if self.is_running:
            mounts = (self.process / "mountinfo").read_text()
            options = re.search(r"^\d+ \d+ \S+ \S+ / (\S+)", mounts, re.MULTILINE).group(1)
            self.expect("the root's mount", "ro", options.split(",")[0])

    def check_cap_drop(self, value):
        if self.is_running:
            kept = sum(1 << CAPABILITIES[name] for name in self.options.get("cap_add", []))
            self.expect("capabilities", kept, int(self.status("CapBnd"), 16))
        self.expect("cap_drop", ["ALL"], value)
        wanted = sorted("CAP_" + name for name in self.options.get("cap_add", []))
        self.expect("bounding capabilities", wanted, sorted(self.state["BoundingCaps"] or []))

    def check_cap_add(self, value):
        """Compared with `cap_drop`."""
        self.report.expect("cap_drop" in self.options, f"{self.name}: {value} without cap_drop")

    def check_security_opt(self, value):
        self.expect("security_opt", ["no-new-privileges:true"], value)
        self.report.expect(any("no-new-privileges" in each for each in self.host["SecurityOpt"]),
                           f"{self.name}: may gain privileges")
        if self.is_running:
            self.expect("no-new-privileges", "1", self.status("NoNewPrivs"))

    def check_pids_limit(self, value):
        self.expect("pids_limit", value, self.host["PidsLimit"])
        if self.is_running:
            self.expect("pids.max", str(value), self.group("pids", "pids.max"))

    def check_mem_limit(self, value):
        wanted = int(value.removesuffix("g")) << 30
        self.expect("mem_limit", wanted, self.host["Memory"])
        if self.is_running:
            self.expect("memory's limit", str(wanted),
                        self.group("memory", "memory.limit_in_bytes", "memory.max"))

    def check_logging(self, value):
        self.expect("max-size", value["options"]["max-size"].upper(),
                    self.host["LogConfig"]["Size"].replace("B", "").upper())

    def check_secrets(self, value):
        mounted = {each["Destination"]: each for each in self.state["Mounts"]}
        for name in value:
            mount = mounted.get(f"/run/secrets/{name}")
            self.report.expect(mount and not mount["RW"], f"{self.name}: the secret {name}")

    def check_networks(self, value):
        known = self.compose["networks"]
        wanted = sorted(known[name].get("name", f"hoga_{name}") for name in value)
        self.expect("networks", wanted, sorted(self.state["NetworkSettings"]["Networks"]))

    def check_healthcheck(self, value):
        found = self.config.get("Healthcheck") or {}
        if value.get("disable"):
            self.report.expect(found.get("Test", ["NONE"]) == ["NONE"],
                               f"{self.name}: its health check is not disabled")
            return
        self.expect("health check", value["test"], found["Test"])
        self.expect("retries", value["retries"], found["Retries"])
        for name, key in (("interval", "Interval"), ("timeout", "Timeout"),
                          ("start_period", "StartPeriod")):
            if name in value:
                self.expect(name, int(value[name].removesuffix("s")) * 10**9, found[key])

    def check_ulimits(self, value):
        least = min(value["nofile"], resource.getrlimit(resource.RLIMIT_NOFILE)[1])
        limits = (self.process / "limits").read_text()
        found = re.search(r"^Max open files\s+(\d+)\s+(\d+)", limits, re.MULTILINE).groups()
        self.expect("open files", (str(least), str(least)), found)

    def check_restart(self, value):
        self.expect("restart", value, self.host["RestartPolicy"]["Name"] or "no")

    def check_ports(self, value):
        found = [f"{each['HostIp']}:{each['HostPort']}:{port.removesuffix('/tcp')}"
                 for port, places in self.host["PortBindings"].items() for each in places]
        self.expect("ports", sorted(value), sorted(found))

    def check_volumes(self, value):
        found = {each["Destination"]: each["RW"] for each in self.state["Mounts"]}
        for volume in value:
            _, place, *options = volume.split(":")
            self.expect(place, "ro" not in options, found.get(place))

    def check_tmpfs(self, value):
        mounts = (self.process / "mountinfo").read_text()
        for place in value:
            # Debian's /var/run is a link.
            path = re.sub("^/var/run", "/run", place)
            self.report.expect(re.search(rf" {path} .* - tmpfs ", mounts),
                               f"{self.name}: {place} is not in memory")

    def check_shm_size(self, value):
        self.expect("shm_size", int(value.removesuffix("m")) << 20, self.host["ShmSize"])


def compare(report, folder):
    """Compares all services, networks and secrets with what runs; returns how much it was."""
    compose = yaml.safe_load((folder / "docker-compose.yml").read_text())
    before = report.checks
    for name, options in compose["services"].items():
        inspection = Inspection(report, name, options, compose)
        inspection.check()
        if name.startswith("hoga-"):
            inspection.expect("user", "10001\t10001\t10001\t10001", inspection.status("Uid"))
    for name, options in compose["networks"].items():
        known = json.loads(podman("network", "inspect", options.get("name", f"hoga_{name}")))[0]
        report.expect(known["internal"] == options.get("internal", False), f"network {name}")
    for name, secret in compose["secrets"].items():
        mode = os.stat(folder / secret["file"]).st_mode & 0o777
        report.expect(mode == 0o600, f"the secret {name} has mode {mode:o}")
    check_reach(report)
    return f"{report.checks - before} comparisons"


def check_reach(report):
    """Expects that the database reaches nobody outside, and that only instances reach it."""
    exchange = inspected("exchange")["NetworkSettings"]["Networks"]["hoga_outside"]["IPAddress"]
    database = inspected("postgresql")["NetworkSettings"]["Networks"]["hoga_inside"]["IPAddress"]

    def reaches(service, address, port):
        answer = podman("exec", container(service), "bash", "-c",
                        f"timeout 2 bash -c '</dev/tcp/{address}/{port}' && echo yes",
                        check=False, quiet=True)
        return answer.strip() == "yes"

    report.expect(reaches("hoga-1", database, 5432), "an instance reaches the database")
    report.expect(reaches("hoga-1", exchange, 8080), "an instance reaches the exchange")
    report.expect(not reaches("postgresql", exchange, 8080), "the database reaches the world")
    report.expect(not reaches("exchange", database, 5432), "the world reaches the database")
