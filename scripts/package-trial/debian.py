"""The Debian package on a bare Debian 12 without systemd: terminal, upgrade and removal."""

import re
import time

from container import Container, expect, note, run

INSTALL = "DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends"
# What a file of the system is, without those that apt and dpkg write for themselves.
LISTING = r"""
find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp \
    -o -path /packages -o -path /var/cache -o -path /var/log -o -path /var/lib/apt \
    -o -path /var/lib/dpkg -o -path /root \) -prune -o -printf '%y %m %U:%G %p\n' |
    grep -v -e ' /etc/ld.so.cache$' -e ' /usr/lib/locale/' | sort
"""
FAVORITES = "hoga favorites list"
CHANGE = "HOGA_ACCESS_LOG=all"


def next_version(packages, work):
    """Packs the same files with a higher version; returns the file's name."""
    version = packages.version + "+next"
    folder, target = work / "next", work / f"hoga_{version}_amd64.deb"
    run(["dpkg-deb", "--raw-extract", packages.deb, folder])
    control = folder / "DEBIAN/control"
    text = control.read_text(encoding="utf-8")
    control.write_text(re.sub(r"(?m)^Version: .*", f"Version: {version}", text), encoding="utf-8")
    built = run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", folder, target])
    expect(built.returncode == 0, "a package of the next version", built.stdout)
    return target.name


def check_bare(packages, later, work):
    """Installs, upgrades and removes the package as a person without a service would."""
    options = ["--network", "host", "--volume", f"{packages.folder}:/packages/now:ro",
               "--volume", f"{work}:/packages/next:ro"]
    with Container("bare", "bookworm", *options) as system:
        system.run("useradd --create-home kim")
        before = system.run(LISTING).stdout
        begin = time.monotonic()
        system.expect("apt-get update", "apt-get update --quiet")
        updated = time.monotonic()
        system.expect("apt install", f"{INSTALL} /packages/now/{packages.deb.name}")
        installed = time.monotonic()
        system.expect("the first list", "hoga watch --exchange simulated --once", "BTC/KRW", "kim")
        seconds = time.monotonic() - begin
        note(f"bare Debian 12: first list after {seconds:.1f} s: apt-get update "
             f"{updated - begin:.1f}, install {installed - updated:.1f}")
        expect(seconds < 60, f"the first list is there after {seconds:.0f} s")
        check_program(system, packages.version)
        system.expect("there is no account without systemd", "! getent passwd hoga")
        check_upgrade(system, later)
        check_removal(system, before)


def check_program(system, version):
    """Checks version, terminal and the places of manual and completions."""
    system.expect("the version", "hoga --version", rf"^hoga {re.escape(version)} ")
    system.expect_terminal("hoga watch --exchange simulated", "BTC/KRW", "q", "kim")
    system.expect("the example configuration is accepted",
                  "mkdir -p .config/hoga"
                  " && cp /usr/share/doc/hoga/examples/config.json .config/hoga/ && hoga config show"
                  " && rm -r .config/hoga", "config.json", "kim")
    system.expect("every setting of /etc/hoga/environment is accepted",
                  "touch /tmp/ca.pem; env $(sed -n 's/^#\\(HOGA_\\)/\\1/p' /etc/hoga/environment)"
                  " hoga config show", "dashboard.example.org")
    system.expect("all lines of /etc/hoga/environment are comments",
                  "! grep -v -e '^#' -e '^$' /etc/hoga/environment")


def check_upgrade(system, later):
    """Expects an upgrade to keep a changed configuration and people's data, and to ask nothing."""
    system.expect("a favorite", "hoga favorites add BTC_KRW", user="kim")
    kept = system.expect("favorites", FAVORITES, "BTC", "kim")
    system.run(f"echo {CHANGE} >> /etc/hoga/environment")
    # Standard input is empty: a question would end the upgrade.
    answer = system.expect("upgrade", f"{INSTALL} /packages/next/{later}")
    expect("onfiguration file" not in answer, "an upgrade asks nothing", answer)
    system.expect("the next version", "dpkg-query --show hoga", r"\+next")
    system.expect("a changed configuration stays", f"grep {CHANGE} /etc/hoga/environment")
    expect(system.expect("favorites stay", FAVORITES, "BTC", "kim") == kept, "favorites are equal")


def check_removal(system, before):
    """Expects only the configuration to stay on removal, and only people's data on purge."""
    files = system.run("dpkg-query --listfiles hoga").stdout.split()
    system.expect("remove", "apt-get remove --yes hoga")
    left = system.run(f"for f in {' '.join(files)}; do [ ! -f $f ] || echo $f; done").stdout.split()
    expect(left == ["/etc/hoga/environment"], f"removal leaves only the configuration: {left}")
    system.expect("purge", "apt-get purge --yes hoga && apt-get autoremove --purge --yes")
    after = system.run(LISTING).stdout
    new = set(after.splitlines()) - set(before.splitlines())
    others = sorted(line for line in new if " /home/kim/" not in line)
    expect(not others, f"purge leaves {others}")
    expect(any("/home/kim/.local/share/hoga/hoga.sqlite" in line for line in new), "data stay")
    gone = sorted(set(before.splitlines()) - set(after.splitlines()))
    expect(not gone, f"purge removes {gone}")
