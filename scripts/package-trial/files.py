"""Checks of the packages as files: lintian, contents, checksums, signature, SPDX list, bytes."""

import gzip
import json
import os
import re
import tarfile
from pathlib import Path

from container import ROOT, expect, note, run

# All files of the Debian package; a proxy's configuration is optional.
DEB_FILES = """
etc/hoga/environment
lib/systemd/system/hoga.service
usr/bin/hoga
usr/lib/sysusers.d/hoga.conf
usr/share/bash-completion/completions/hoga
usr/share/doc/hoga/CHANGELOG.md.gz
usr/share/doc/hoga/changelog.gz
usr/share/doc/hoga/copyright
usr/share/doc/hoga/examples/alerts.yml
usr/share/doc/hoga/examples/config.json
usr/share/doc/hoga/examples/database.conf
usr/share/doc/hoga/examples/grafana-dashboard.json
usr/share/fish/vendor_completions.d/hoga.fish
usr/share/hoga/installation
usr/share/man/man1/hoga.1.gz
usr/share/zsh/vendor-completions/_hoga
""".split()
OPTIONAL = "usr/share/doc/hoga/examples/nginx.conf"
SECRET = re.compile(rb"BEGIN [A-Z ]*PRIVATE KEY|BEGIN PGP PRIVATE|://[a-z_]+:[0-9a-f]{16,}@")


class Packages:
    """The files of one version in a folder."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.deb = self.only("hoga_*_amd64.deb")
        self.version = self.deb.name.split("_")[1]
        self.archive = self.only(f"hoga-{self.version}-linux-x86_64.tar.gz")
        self.sbom = self.only(f"hoga-{self.version}.spdx.json")

    def only(self, pattern):
        found = list(self.folder.glob(pattern))
        if len(found) != 1:
            raise SystemExit(
                f"check-package: {self.folder} holds {len(found)} files {pattern}, not 1: "
                "run make package in a clean dist"
            )
        return found[0]


def check_files(packages, work):
    """Unpacks both packages and checks what they hold."""
    answer = run(["lintian", "--fail-on", "error,warning", "--no-cfg", packages.deb])
    tags = re.findall(r"^[EW]: .*", answer.stdout, re.MULTILINE)
    expect(answer.returncode == 0 and not tags, "lintian finds nothing", answer.stdout)
    packed = Path(work, "deb.tar")
    run(["bash", "-c", f"dpkg-deb --fsys-tarfile '{packages.deb}' > '{packed}'"])
    names = {name for name in check_members(packed, "the Debian package")}
    expect(names - {OPTIONAL} == set(DEB_FILES), "the Debian package has its files and no others",
           str(names ^ set(DEB_FILES)))
    top = f"hoga-{packages.version}-linux-x86_64"
    names = {name for name in check_members(packages.archive, "the archive")}
    expect(all(name.startswith(top + "/") for name in names), "the archive has one folder")
    for name in ["bin/hoga", "LICENSE", "README", "licenses/SOURCES", "share/man/man1/hoga.1",
                 "share/hoga/installation", "lib/libcurl.so.4"]:
        expect(f"{top}/{name}" in names, f"the archive has {name}")
    bundled = [name for name in names if re.search(r"/lib(c|m|resolv|pthread)\.so|/ld-linux", name)]
    expect(not bundled, f"the archive has no C library: {bundled}")
    run(["tar", "--extract", "--file", packages.archive, "--directory", work])
    for word, path in [("package", Path(work, "root/usr")), ("tarball", Path(work, top))]:
        if word == "package":
            run(["dpkg-deb", "--extract", packages.deb, Path(work, "root")])
        text = (path / "share/hoga/installation").read_text(encoding="utf-8")
        expect(text == word + "\n", f"share/hoga/installation is {word}")
    size = [path.stat().st_size / 1e6 for path in (packages.deb, packages.archive)]
    note(f"Debian package {size[0]:.1f} MB, archive {size[1]:.1f} MB")


def check_members(path, what):
    """Checks owner, mode and contents of every member; returns the names of files."""
    files = []
    with tarfile.open(path) as archive:
        for member in archive:
            name = member.name.removeprefix("./")
            expect(member.mode & 0o7022 == 0, f"{what}: {name} has mode {member.mode:o}")
            expect(member.uid == 0 and member.gid == 0, f"{what}: {name} is not root's")
            if member.isfile():
                files.append(name)
                secret = SECRET.search(archive.extractfile(member).read())
                # The program reads keys, so it may name their headings.
                expect(secret is None or "/bin/" in name or "/lib/" in name,
                       f"{what}: {name} holds a secret")
            else:
                expect(member.isdir(), f"{what}: {name} is neither file nor folder")
    return files


def check_sums(packages):
    answer = run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=packages.folder)
    expect(answer.returncode == 0 and answer.stdout.count(": OK") == 3, "SHA256SUMS", answer.stdout)


def check_sbom(packages):
    """Checks the structure of the SPDX list and that it names what the archive holds."""
    document = json.loads(packages.sbom.read_text(encoding="utf-8"))
    expect(document["spdxVersion"] == "SPDX-2.3", "the list is SPDX 2.3")
    elements = {element["SPDXID"]: element for element in document["packages"]}
    expect(len(elements) == len(document["packages"]), "ids of the SPDX list are unique")
    for relation in document["relationships"]:
        for end in ("spdxElementId", "relatedSpdxElement"):
            known = relation[end] in elements or relation[end] == "SPDXRef-DOCUMENT"
            expect(known, f"SPDX list: {relation[end]} is no element")
    for element in elements.values():
        for field in ("name", "downloadLocation", "licenseDeclared", "copyrightText"):
            expect(element.get(field), f"SPDX list: {element['SPDXID']} has no {field}")
    for identity, path in [("package", packages.deb), ("archive", packages.archive)]:
        stated = elements[f"SPDXRef-{identity}"]["checksums"][0]["checksumValue"]
        actual = run(["sha256sum", path]).stdout.split()[0]
        expect(stated == actual, f"SPDX list: checksum of {path.name}")
    names = {element["name"] for element in elements.values()}
    with tarfile.open(packages.archive) as archive:
        sources = next(m for m in archive if m.name.endswith("/licenses/SOURCES"))
        lines = archive.extractfile(sources).read().decode().splitlines()[1:]
        members = set(archive.getnames())
    top = f"hoga-{packages.version}-linux-x86_64"
    for line in lines:
        package = line.split("\t")[1]
        expect(package in names, f"the SPDX list names {package}")
        expect(f"{top}/licenses/{package}" in members, f"the archive has the license of {package}")
    for name in ("Swift standard library", "TradingView Lightweight Charts"):
        expect(name in names, f"the SPDX list names {name}")


def make_key(work, passphrase):
    """Makes an OpenPGP key in a folder of its own; returns the folder and the secret key's file."""
    home = Path(work, "key-with-passphrase" if passphrase else "key")
    home.mkdir(mode=0o700)
    gpg = ["gpg", "--homedir", home, "--batch", "--pinentry-mode", "loopback",
           "--passphrase", passphrase]
    name = "Trial <trial@hoga.example>"
    made = run([*gpg, "--quick-generate-key", name, "ed25519", "sign", "1d"])
    expect(made.returncode == 0, "gpg makes a key", made.stdout)
    secret = home / "secret.asc"
    run([*gpg, "--armor", "--output", secret, "--export-secret-keys"])
    run(["gpgconf", "--homedir", home, "--kill", "gpg-agent"])
    return home, secret


def check_builds(packages, work):
    """Packs the same program twice, signed, and compares the bytes and the signature.

    The Debian package equals the tried one. The archive holds this machine's libraries, which may
    be older or newer than those of the machine that packed the tried one.
    """
    first = Path(work, "packed 1")
    program = Path(work, "root/usr/bin/hoga")
    changelog = Path(work, "CHANGELOG.md")
    packed = Path(work, "root/usr/share/doc/hoga/CHANGELOG.md.gz")
    changelog.write_bytes(gzip.decompress(packed.read_bytes()))
    for number, passphrase, folder, mask, zone in [
        (1, "", "/", 0o077, "UTC"), (2, "a passphrase", work, 0o002, "Asia/Seoul"),
    ]:
        home, secret = make_key(work, passphrase)
        target = Path(work, f"packed {number}")
        environment = os.environ | {
            "HOGA_SIGNING_KEY": str(secret), "HOGA_CHANGELOG": str(changelog), "TZ": zone,
        }
        if passphrase:
            (home / "passphrase").write_text(passphrase + "\n", encoding="utf-8")
            environment["HOGA_SIGNING_PASSPHRASE_FILE"] = str(home / "passphrase")
        answer = run([ROOT / "packaging/make-package", program, target],
                     cwd=folder, umask=mask, env=environment)
        expect(answer.returncode == 0, f"packing again, {number}", answer.stdout)
        if answer.returncode != 0:
            continue
        others = (packages.archive.name, packages.sbom.name) if number > 1 else ()
        for path in (packages.deb, *(first / name for name in others)):
            answer = run(["cmp", path, target / path.name])
            expect(answer.returncode == 0, f"equal bytes of {path.name}, {number}", answer.stdout)
        verify = ["gpg", "--homedir", home, "--batch", "--verify", target / "SHA256SUMS.asc",
                  target / "SHA256SUMS"]
        answer = run(verify)
        expect(answer.returncode == 0, f"the signature verifies, {number}", answer.stdout)
        sums = (target / "SHA256SUMS").read_bytes()
        changed = bytes([sums[0] ^ 1]) + sums[1:]
        (target / "SHA256SUMS").write_bytes(changed)
        expect(run(verify).returncode != 0, f"a changed byte is refused, {number}")
    wrong = Path(work, "wrong.md")
    wrong.write_text("# Changelog\n\n## [0.0.1] - 2026-01-31\n", encoding="utf-8")
    answer = run([ROOT / "packaging/make-package", program, Path(work, "none")],
                 env=os.environ | {"HOGA_CHANGELOG": str(wrong)})
    expect(answer.returncode == 1 and "no heading" in answer.stdout,
           "a version that CHANGELOG.md does not have is refused", answer.stdout)
