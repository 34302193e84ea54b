"""Makes the images of the drill: bases of Debian's packages, hoga by its Dockerfile, 0.1.0."""

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

from engine import DrillFailure, podman, run

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
FORMER_VERSION = "0.1.0"
FORMER_COMMIT = "69fff01"
# Where the build finds the certificates of this machine.
CERTIFICATES = "/run/machine-certificates.crt"
# The image may add so much to its base.
ADDED_MEGABYTES_MAX = 60


def base(work):
    """Debian 12 without more, which the slim image stands for too."""
    archive = work / "base.tar"
    run(ROOT / "scripts/base-root", "bookworm", archive)
    podman("import", "--quiet", archive, "localhost/debian:12-slim")
    archive.unlink()
    return digest("debian:12-slim")


def toolchain():
    """The folder of this machine's Swift toolchain, which contains bin/swift."""
    program = shutil.which("swift")
    if not program:
        raise DrillFailure("no swift on PATH")
    # A manager of toolchains puts a program of its own there.
    info = json.loads(run("swift", "-print-target-info"))
    return Path(info["paths"]["runtimeResourcePath"]).resolve().parents[1]


def swift(work):
    """A base whose PATH has the toolchain, which is mounted while it builds."""
    folder = work / "swift"
    folder.mkdir()
    (folder / "Dockerfile").write_text(
        "FROM localhost/debian:12-slim\n"
        f"ENV PIP_CERT={CERTIFICATES}\n"
        f"ENV PATH={toolchain()}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        "\n")
    podman("build", "--format", "docker", "--tag", "localhost/swift:6.3-bookworm", folder)


def checkout(work):
    """Copies the files of git, as a clone would have them; returns the folder and the commit."""
    folder = work / "checkout"
    folder.mkdir()
    names = run("git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    # A deleted file is listed until its deletion is staged.
    names = "\0".join(name for name in names.split("\0") if name and (ROOT / name).exists())
    subprocess.run(
        ["xargs", "--null", "cp", "--preserve=mode,timestamps", "--parents", "--target-directory",
         str(folder)], input=names.encode(), cwd=ROOT, check=True)
    described = run("git", "-C", ROOT, "describe", "--always", "--exclude=*", "--abbrev=12",
                    "--dirty=+changes")
    return folder, described.strip()


def hoga(compose, commit):
    """Builds the image by the Dockerfile and the compose file's arguments."""
    folder = toolchain()
    os.environ["HOGA_COMMIT"] = commit
    # The toolchain, and whom this machine trusts: a mirror may have an authority of its own.
    volumes = [f"{folder}:{folder}:ro", f"/etc/ssl/certs/ca-certificates.crt:{CERTIFICATES}:ro"]
    words = ["--format docker", *(f"--volume {volume}" for volume in volumes)]
    compose(f"--podman-build-args={' '.join(words)}", "build", "hoga-1", seconds=1500)
    podman("tag", "localhost/hoga:latest", "localhost/hoga:new")


def packages(folder):
    """Copies what the image's first stage made."""
    images = json.loads(podman("images", "--all", "--format", "json"))
    for image in images:
        history = json.loads(podman("inspect", image["Id"]))[0]["History"]
        if any("make package" in (layer.get("created_by") or "") for layer in history[-1:]):
            folder.mkdir(parents=True, exist_ok=True)
            name = podman("create", image["Id"], "true").strip()
            podman("cp", f"{name}:/hoga/dist/.", folder)
            podman("rm", name)
            return f"{len(list(folder.iterdir()))} files"
    raise DrillFailure("no image with the packages")


def former(work):
    """The image with the program of 0.1.0 in the place of today's; kept in the user's cache."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "hoga"
    kept = cache / f"hoga-{FORMER_VERSION}"
    if not kept.exists():
        sources = work / "former"
        sources.mkdir()
        archive = subprocess.run(["git", "-C", str(ROOT), "archive", FORMER_COMMIT],
                                 stdout=subprocess.PIPE, check=False)
        if archive.returncode != 0:
            raise DrillFailure(f"the clone lacks commit {FORMER_COMMIT}: git fetch --unshallow")
        subprocess.run(["tar", "-x", "-C", str(sources)], input=archive.stdout, check=True)
        # Without optimization it is built in half the time, and behaves alike.
        run("swift", "build", "--product", "hoga", "--static-swift-stdlib", "-Xswiftc", "-gnone",
            cwd=sources, seconds=1500)
        run("strip", sources / ".build/debug/hoga")
        cache.mkdir(parents=True, exist_ok=True)
        # Complete or absent, also if the drill is stopped.
        shutil.copy(sources / ".build/debug/hoga", cache / f"hoga-{FORMER_VERSION}.new")
        (cache / f"hoga-{FORMER_VERSION}.new").rename(kept)
        shutil.rmtree(sources)
    folder = work / "former-image"
    folder.mkdir()
    shutil.copy(kept, folder / "hoga")
    (folder / "Dockerfile").write_text(
        "FROM localhost/hoga:new\nCOPY --chmod=755 hoga /usr/bin/hoga\n")
    podman("build", "--format", "docker", "--tag", "localhost/hoga:former", folder)
    return hashlib.sha256(kept.read_bytes()).hexdigest()[:12]


def postgresql():
    """The stand-in for PostgreSQL's image."""
    podman("build", "--format", "docker", "--build-arg", "BASE_IMAGE=localhost/debian:12-slim",
           "--tag", "localhost/postgres:15", "--file", HERE / "postgresql/image.Dockerfile",
           HERE / "postgresql")
    return digest("postgres:15")


def nginx(work):
    """nginx of Debian as the proxy."""
    folder = work / "nginx"
    folder.mkdir()
    (folder / "Dockerfile").write_text(
        "FROM localhost/debian:12-slim\n"
        "RUN apt-get update && apt-get install --yes --no-install-recommends nginx-light\n"
        'CMD ["nginx", "-g", "daemon off;"]\n')
    podman("build", "--format", "docker", "--tag", "localhost/nginx", folder)
    return digest("nginx")


def digest(name):
    """The first digits of an image's digest."""
    return json.loads(podman("inspect", f"localhost/{name}"))[0]["Digest"].split(":")[1][:12]


def megabytes_added():
    """What the image adds to its base, in megabytes of 1,000,000 bytes."""
    sizes = [json.loads(podman("inspect", f"localhost/{name}"))[0]["Size"]
             for name in ("hoga:new", "debian:12-slim")]
    return (sizes[0] - sizes[1]) / 1e6


def check_files(report):
    """Expects that hoga's user can change nothing, and that nothing changes its user."""
    def found(image, user, *words):
        # find tells of folders that its user cannot enter by its status.
        text = podman("run", "--rm", "--network", "none", "--user", user, "--entrypoint", "find",
                      image, "/", "-xdev", *words, check=user == "0", quiet=True)
        return set(text.split())

    writable = ["(", "-path", "/proc", "-o", "-path", "/dev", "-o", "-path", "/sys", ")",
                "-prune", "-o", "-writable", "!", "-type", "l", "-print"]
    ours = found("localhost/hoga:new", "10001:10001", *writable)
    report.expect("/tmp" in ours, "the search finds what is writable")
    report.expect(ours <= {"/tmp", "/var/tmp", "/run/lock"}, f"writable in the image: {ours}")
    special = found("localhost/hoga:new", "0", "-type", "f", "-perm", "/6000", "-print")
    report.expect(not special, f"setuid or setgid in the image: {special}")
    report.expect(found("localhost/debian:12-slim", "0", "-type", "f", "-perm", "/6000", "-print"),
                  "the search finds setuid programs in the base")
    added = megabytes_added()
    report.expect(added <= ADDED_MEGABYTES_MAX, f"the image adds {added:.1f} MB to its base")
    return f"{added:.1f} MB more than its base"
