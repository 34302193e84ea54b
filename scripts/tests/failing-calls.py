#!/usr/bin/python3 -B
"""Tests what `make failing-calls` finds, on programs in C that handle a failure well or badly."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts/failing-calls"))
# pylint: disable=wrong-import-position
from runs import Run  # noqa: E402
from world import World  # noqa: E402

PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *first = strdup("first");
    char *second = first == NULL ? NULL : strdup("second");
    if (second == NULL) {
        %s
    }
    free(first);
    free(second);
    return 0;
}
"""
# What becomes of the first text when the second one cannot be had.
WELL = 'fputs("no memory", stderr); free(first); return 70;'


class FailingCallTests(unittest.TestCase):
    """Runs of a program in which no call or its second copy of a text fails."""

    def runs(self, handling):
        """An unfailed run, and one for each call of it."""
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "program")
            subprocess.run(["gcc", "-x", "c", "-fno-builtin", "-o", program, "-"],
                           input=PROGRAM % handling, text=True, check=True)
            (Path(folder) / "world").mkdir()
            world = World(program, Path(folder) / "world")
            measure = self.one(world)
            calls = measure.calls()[0]
            self.assertEqual([call.partition("@")[0] for call in calls], ["strdup"] * 2)
            return measure, [self.one(world, call) for call in calls]

    @staticmethod
    def one(world, call=None):
        run = Run(world, {"FAILING_CALL": call} if call else {})
        run.end(run.start())
        return run

    def test_a_handled_failure_is_no_finding(self):
        measure, failed = self.runs(WELL)
        self.assertEqual(measure.status, 0)
        self.assertEqual([run.status for run in failed], [70, 70])
        self.assertEqual([run.findings for run in [measure, *failed]], [[], [], []])

    def test_finds_memory_that_a_failure_leaks(self):
        measure, (_, second) = self.runs(WELL.replace("free(first);", "first = NULL;"))
        self.assertEqual(measure.findings, [])
        self.assertEqual(len(second.findings), 1)
        self.assertIn("detected memory leaks", second.findings[0])
        self.assertIn("strdup", second.findings[0])

    def test_finds_a_crash_and_a_status_without_words(self):
        _, (_, second) = self.runs('*(volatile char *)second = 0;')
        self.assertIn("ended by SIGSEGV", second.findings[0])
        _, (_, second) = self.runs('free(first); return 70;')
        self.assertIn("without a word", second.findings[0])
        _, (_, second) = self.runs('fputs("no memory", stderr); free(first); return 1;')
        self.assertIn("not documented", second.findings[0])


if __name__ == "__main__":
    unittest.main()
