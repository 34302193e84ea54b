"""The Debian package as a service of a running systemd, on Debian 12."""

import socket
import time

from container import Container, expect, note
from debian import INSTALL

# systemd and what looks up manual and completions. Nothing of it is started by its installation.
TOOLS = "systemd dbus man-db bash-completion zsh fish"
DATA = "/var/lib/hoga/hoga.sqlite"
DROP_IN = "/etc/systemd/system/hoga.service.d/database.conf"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def check_service(packages, later, work):
    """Runs the service through installation, upgrade, a database's credential and removal."""
    options = ["--network", "host", "--privileged", "--systemd=always",
               "--volume", f"{packages.folder}:/packages/now:ro",
               "--volume", f"{work}:/packages/next:ro"]
    # Credentials are mounts, which reach a service only if mounts are shared, as on a real machine.
    # systemd-sysctl would change the settings of this machine's kernel and network.
    start = (f"apt-get update --quiet && {INSTALL} {TOOLS} && mount --make-rshared /"
             " && ln -sf /dev/null /etc/systemd/system/systemd-sysctl.service"
             " && exec /lib/systemd/systemd")
    with Container("systemd", "bookworm", *options, command=("bash", "-c", start)) as system:
        system.wait("systemd runs",
                    "systemctl is-system-running | grep -qE 'running|degraded'", 240)
        system.expect("apt install", f"{INSTALL} /packages/now/{packages.deb.name}")
        system.expect("the account has no shell", "getent passwd hoga", "nologin$")
        system.expect("the service is not enabled", "! systemctl is-enabled hoga")
        system.expect("nor started", "! systemctl is-active hoga")
        check_lookup(system)
        admin = start_service(system)
        check_sandbox(system)
        check_upgrade(system, later, admin)
        check_database(system, admin)
        check_removal(system, packages)


def check_lookup(system):
    """Expects man and three shells to find what the package has for them."""
    system.expect("man finds the manual", "man --where hoga", "man1/hoga.1.gz")
    system.expect("bash finds completions",
                  ". /usr/share/bash-completion/bash_completion; _completion_loader hoga;"
                  " complete -p hoga", "-F _hoga")
    system.expect("zsh finds completions",
                  "zsh -f -c 'autoload -U compinit; compinit -u -D; echo $_comps[hoga]'", "_hoga")
    system.expect("fish finds completions", "HOME=/tmp fish -c 'complete -C \"hoga comp\"'",
                  "completions")


def start_service(system):
    """Starts the service on the simulated exchange; returns the address of its admin listener."""
    listen, admin = (f"127.0.0.1:{free_port()}" for _ in range(2))
    system.run(f"printf '%s\\n' HOGA_EXCHANGE=simulated HOGA_LISTEN={listen}"
               f" HOGA_ADMIN_LISTEN={admin} >> /etc/hoga/environment")
    system.expect("the service starts", "systemctl enable --now hoga")
    system.wait("it is ready", f"hoga health --ready --admin-listen {admin}")
    host, port = listen.split(":")
    system.expect("it serves a document", f"exec 3<>/dev/tcp/{host}/{port}; printf 'GET /v1/markets"
                  "?limit=1 HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3;"
                  " cat <&3", "200 OK")
    system.expect("its store is in its state folder", f"stat -c '%U %a' {DATA}", "^hoga 600$")
    system.expect("which nobody else can read", "stat -c '%U %a' /var/lib/hoga", "^hoga 700$")
    system.expect("it runs as its account", "stat -c %U /proc/$(systemctl show --property MainPID"
                  " --value hoga)", "^hoga$")
    return admin


def check_sandbox(system):
    """Checks the exposure that the running systemd states, and what the account may write."""
    score = system.expect("the exposure is at most 1.5",
                          "systemd-analyze security --threshold=15 --no-pager hoga", "Overall")
    note("systemd-analyze security: " + score.strip().splitlines()[-1].split(": ")[-1])
    system.expect("the account can write to no file of the package",
                  "test -z \"$(dpkg-query --listfiles hoga | xargs -d '\\n' -I F runuser -u hoga --"
                  " find F -maxdepth 0 -writable)\"")


def check_upgrade(system, later, admin):
    """Expects an upgrade to restart the running service with its data and configuration."""
    facts = f"stat -c %i {DATA}; cat /etc/hoga/environment"
    former = system.run("systemctl show --property MainPID --value hoga").stdout
    kept = system.run(facts).stdout
    system.expect("upgrade", f"{INSTALL} /packages/next/{later}")
    system.wait("the new version is ready", f"hoga health --ready --admin-listen {admin}")
    now = system.run("systemctl show --property MainPID --value hoga").stdout
    expect(now.strip() not in ("0", former.strip()), "an upgrade restarts the service")
    expect(system.run(facts).stdout == kept, "an upgrade keeps store and configuration")
    system.expect("the service is still enabled", "systemctl is-enabled hoga")
    system.run("systemctl stop hoga")
    system.run(f"{INSTALL} --reinstall /packages/next/{later}")
    system.expect("an upgrade does not start a stopped service", "! systemctl is-active hoga")


def check_database(system, admin):
    """Expects the example drop-in to pass the database's address as a credential."""
    system.run(f"install -m 644 -D /usr/share/doc/hoga/examples/database.conf {DROP_IN}"
               " && systemctl daemon-reload")
    system.expect("without its credential the service does not start", "! systemctl start hoga")
    system.run("systemctl stop hoga; systemctl reset-failed hoga; (umask 077;"
               " echo postgresql://kim:geheim@127.0.0.1:1/hoga > /etc/hoga/database-url)")
    system.expect("with it the service starts", "systemctl start hoga")
    system.wait("it is alive", f"hoga health --admin-listen {admin}")
    system.wait("it tries the database", "journalctl --unit hoga | grep 'kim@127.0.0.1:1/hoga'")
    system.expect("its log has no password", "! journalctl --unit hoga | grep geheim")
    system.expect("the account cannot read the file",
                  "! runuser -u hoga -- cat /etc/hoga/database-url")
    system.run(f"rm -r {DROP_IN.rsplit('/', 1)[0]} && systemctl daemon-reload")
    begin = time.monotonic()
    system.expect("it stops", "systemctl stop hoga")
    expect(time.monotonic() - begin < 20, "it stops before systemd kills it")
    system.expect("without failure", "systemctl show --property Result hoga", "=success")
    system.run("systemctl start hoga")


def check_removal(system, packages):
    """Expects removal to stop the service, and purge to leave the data and their owner alone."""
    system.expect("remove", "apt-get remove --yes hoga")
    system.expect("a removed service does not run", "! pgrep --exact hoga || ! pidof hoga")
    system.expect("removal keeps configuration and data",
                  f"test -s /etc/hoga/environment && test -s {DATA}")
    system.expect("purge", "apt-get purge --yes hoga")
    system.expect("purge removes the configuration", "test ! -e /etc/hoga")
    system.expect("purge keeps the data and their owner", f"stat -c %U {DATA}", "^hoga$")
    system.expect("purge leaves no link to the unit",
                  "test -z \"$(find /etc/systemd /var/lib/systemd -name '*hoga*')\"")
    system.run("rm -r /var/lib/hoga")
    system.expect("install and purge again",
                  f"{INSTALL} /packages/now/{packages.deb.name} && apt-get purge --yes hoga")
    system.expect("without data the account goes too",
                  "! getent passwd hoga && ! getent group hoga && test ! -e /var/lib/hoga")
