"""Runs all checks of scripts/check-package. Started by it, beside a podman of its own.

usage: trial.py FOLDER WORK

FOLDER holds the packages, WORK is a temporary folder with the roots. Exit status: 0 or 1.
"""

import sys
from pathlib import Path

import container
from archive import check_archive, make_certificates
from container import expect, run
from debian import check_bare, next_version
from files import Packages, check_builds, check_files, check_sbom, check_sums
from service import check_service


def main():
    packages, work = Packages(sys.argv[1]), Path(sys.argv[2])
    for suite in ("bookworm", "trixie", "noble"):
        tar = work / f"{suite}.tar"
        answer = run(["podman", "import", "--quiet", tar, f"localhost/{suite}:1"])
        expect(answer.returncode == 0, f"podman imports {suite}", answer.stdout)
        tar.unlink()
    check_files(packages, work)
    check_sums(packages)
    check_sbom(packages)
    later = next_version(packages, work)
    check_bare(packages, later, work)
    check_service(packages, later, work)
    make_certificates(work)
    for suite in ("trixie", "noble"):
        check_archive(packages, suite, work)
    check_builds(packages, work)
    failed = len(container.failures)
    if failed:
        print(f"scripts/check-package: {failed} of {container.checks} checks failed:",
              file=sys.stderr)
        for sentence in container.failures:
            print(f"    {sentence}", file=sys.stderr)
        sys.exit(1)
    print(f"scripts/check-package: {container.checks} checks")


main()
