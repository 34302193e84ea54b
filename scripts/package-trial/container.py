"""Checks that are counted, and containers in which they run."""

import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from fcntl import ioctl
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
failures = []
checks = 0


def expect(holds, sentence, details=""):
    """Counts a check, and records its sentence if it fails."""
    global checks
    checks += 1
    if not holds:
        failures.append(sentence)
        print(f"scripts/check-package: FAILED: {sentence}", file=sys.stderr)
        if details:
            print("    " + details.strip()[-1500:].replace("\n", "\n    "), file=sys.stderr)


def note(sentence):
    print(f"scripts/check-package: {sentence}", flush=True)


def run(words, **options):
    """Runs a command and returns its result with all output as text, whatever its exit status."""
    return subprocess.run(
        [str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", check=False, stdin=subprocess.DEVNULL, **options,
    )


def as_user(user):
    """Options of `podman exec` for an account, in its home."""
    home = f"/home/{user}" if user else "/root"
    options = ["--env", "LC_ALL=C.UTF-8", "--env", f"HOME={home}", "--workdir", home]
    return [*options, "--user", user] if user else options


class Container:
    """A container of a bare system that lives as long as the `with` block."""

    def __init__(self, name, suite, *options, command=("sleep", "infinity")):
        self.name = name
        words = ["podman", "run", "--detach", "--name", name, *options,
                 f"localhost/{suite}:1", *command]
        started = run(words)
        if started.returncode != 0:
            sys.exit(f"scripts/check-package: podman: {started.stdout}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        run(["podman", "rm", "--force", "--time", "0", self.name])

    def run(self, script, user=None):
        """Runs a script of bash as root or another user, in that user's home."""
        return run(["podman", "exec", *as_user(user), self.name, "bash", "-c", script])

    def expect(self, sentence, script, contains="", user=None):
        """Expects a script to end with 0 and its output to match; returns the output."""
        result = self.run(script, user)
        holds = result.returncode == 0 and re.search(contains, result.stdout) is not None
        expect(holds, f"{self.name}: {sentence}", f"status {result.returncode}\n{result.stdout}")
        return result.stdout

    def wait(self, sentence, script, seconds=30):
        """Expects a script to end with 0 before the time is up."""
        end = time.monotonic() + seconds
        while self.run(script).returncode != 0 and time.monotonic() < end:
            time.sleep(0.2)
        self.expect(sentence, script)

    def expect_terminal(self, command, awaited, keys, user):
        """Runs a command on a terminal, types keys once the text is there; expects status 0.

        The terminal receives only the characters that differ from those before, so the text may
        never come whole: until it has come, Ctrl+L redraws the screen every five seconds.
        """
        main, side = pty.openpty()
        ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        words = ["podman", "exec", "--interactive", "--tty", "--env", "TERM=xterm-256color",
                 *as_user(user), self.name, "bash", "-c", command]
        with subprocess.Popen(words, stdin=side, stdout=side, stderr=side) as process:
            os.close(side)
            seen, typed = b"", False
            begin = time.monotonic()
            end, redraw = begin + 120, begin + 5
            while time.monotonic() < end:
                if not typed and time.monotonic() > redraw:
                    os.write(main, b"\x0c")
                    redraw += 5
                if select.select([main], [], [], 0.2)[0]:
                    try:
                        seen += os.read(main, 65536)
                    except OSError:
                        break
                if not typed and awaited.encode() in seen:
                    os.write(main, keys.encode())
                    typed = True
                if process.poll() is not None:
                    break
            if process.poll() is None:
                process.kill()
        os.close(main)
        expect(typed and process.returncode == 0,
               f"{self.name}: a terminal shows {awaited} and ends by {keys}",
               f"typed: {typed}, status: {process.returncode}, shown: {seen[-1200:]!r}")
