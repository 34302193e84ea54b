#!/usr/bin/env python3
"""Prints which test suites a run has: those with a tag, or the files that it does not need.

usage: scripts/test-suites.py filter TAG
       scripts/test-suites.py targets TAG
       scripts/test-suites.py omitted TARGET[,TARGET…] FILTER [SKIP]
  filter   the suites with a tag, as a regular expression for `swift test --filter`
  targets  the test targets that have them, separated by commas, for HOGA_TEST_TARGETS
  omitted  the files that declare or extend suites none of which FILTER and SKIP of `swift test`
           choose, separated by commas, for HOGA_OMITTED_TESTS: tests take most of the time to
           compile

A suite has a tag if `.tags(.TAG)` stands in its @Suite attribute. Tests without a suite are not
found: ArchitectureTests rejects them. Exit status: 0 success, 1 no suite has the tag, 64 wrong
usage.
"""

import re
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "Tests"
TYPE = re.compile(
    r"^(?:@MainActor )?(?:final )?(?:struct|class|actor|enum|extension) (\w+)", re.MULTILINE
)


def texts(target):
    """The text of each file of a target, by path."""
    return {path: path.read_text() for path in sorted((TESTS / target).rglob("*.swift"))}


def suites(files):
    """The attribute of each suite in these files, by the suite's name."""
    parts = (part for text in files.values() for part in text.split("\n@Suite(")[1:])
    return {match[1]: part[:match.start()] for part in parts if (match := TYPE.search(part))}


def tagged(tag):
    """The targets with suites that have a tag, and the names of those."""
    found = {}
    for target in sorted(path.name for path in TESTS.iterdir() if path.is_dir()):
        names = [name for name, attribute in suites(texts(target)).items()
                 if re.search(rf"\.tags\(.*\.{tag}\b", attribute)]
        if names:
            found[target] = names
    if not found:
        sys.exit(f"test-suites.py: no suite has the tag {tag}")
    return found


def omitted(targets, wanted, skipped="(?!)"):
    """The paths of the files that a run does not need."""
    for target in targets.split(","):
        files = texts(target)
        declared = suites(files).keys()
        for path, text in files.items():
            present = declared & set(TYPE.findall(text))
            names = [f"{target}.{suite}/" for suite in present]
            if present and not any(re.search(wanted, name) and not re.search(skipped, name)
                                   for name in names):
                yield str(path.relative_to(TESTS))


def main(arguments):
    match arguments:
        case ["filter", tag]:
            names = (rf"{target}\.{name}" for target, names in tagged(tag).items()
                     for name in names)
            print(f"^({'|'.join(names)})/")
        case ["targets", tag]:
            print(",".join(tagged(tag)))
        case ["omitted", targets, wanted, *skipped] if len(skipped) < 2:
            print(",".join(omitted(targets, wanted, *skipped)))
        case _:
            print(__doc__.split("\n\n")[1], file=sys.stderr)
            sys.exit(64)


if __name__ == "__main__":
    main(sys.argv[1:])
