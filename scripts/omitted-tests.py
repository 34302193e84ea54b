#!/usr/bin/env python3
"""Prints the files of tests that a run does not need, separated by commas, for HOGA_OMITTED_TESTS.

usage: scripts/omitted-tests.py TARGET[,TARGET…] FILTER [SKIP]

FILTER and SKIP are those of `swift test`. A file is left out if it declares or extends suites and
the run has none of them. Tests take most of the time to compile.
Exit status: 0 success, 64 wrong usage.
"""

import re
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "Tests"
TYPE = re.compile(
    r"^(?:@MainActor )?(?:final )?(?:struct|class|actor|enum|extension) (\w+)", re.MULTILINE
)


def omitted(target, runs):
    """The paths of a target's files that a run does not need."""
    texts = {path: path.read_text() for path in sorted((TESTS / target).rglob("*.swift"))}
    # The type behind each attribute.
    attributed = (part for text in texts.values() for part in text.split("\n@Suite(")[1:])
    suites = {TYPE.search(part)[1] for part in attributed}
    for path, text in texts.items():
        present = suites.intersection(TYPE.findall(text))
        if present and not any(runs(f"{target}.{suite}/") for suite in present):
            yield path


def main(targets, wanted, skipped="(?!)"):
    def runs(suite):
        return re.search(wanted, suite) and not re.search(skipped, suite)

    paths = [path for target in targets.split(",") for path in omitted(target, runs)]
    print(",".join(str(path.relative_to(TESTS)) for path in paths))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        sys.exit(64)
    main(*sys.argv[1:])
