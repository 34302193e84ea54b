"""Runs podman and podman-compose, and tells the steps of the drill."""

import json
import subprocess
import sys
import time


class DrillFailure(Exception):
    """A step that could not be done."""


def run(*words, text_in=None, seconds=600, check=True, quiet=False, cwd=None):
    """Runs a command and returns its standard output; raises DrillFailure with what it said."""
    answer = subprocess.run(
        [str(word) for word in words], input=text_in, stdout=subprocess.PIPE, cwd=cwd,
        stderr=subprocess.DEVNULL if quiet else subprocess.PIPE, text=True, timeout=seconds,
        check=False)
    if check and answer.returncode != 0:
        said = (answer.stdout + (answer.stderr or "")).splitlines()[-40:]
        raise DrillFailure("\n".join([f"{' '.join(map(str, words))}: {answer.returncode}", *said]))
    return answer.stdout


def podman(*words, **options):
    """Runs podman."""
    return run("podman", *words, **options)


class Compose:
    """The services of a checkout's docker-compose.yml, with what the drill adds."""

    def __init__(self, folder, addition):
        self.words = ["podman-compose", "--in-pod", "false", "--project-name", "hoga",
                      "--file", folder / "docker-compose.yml", "--file", addition]
        self.folder = folder

    def __call__(self, *words, **options):
        return run(*self.words, *words, cwd=self.folder, **options)

    def up(self, *services):
        """Starts services, again if their image or options have changed."""
        self("up", "--detach", "--no-deps", "--no-build", *services)

    def replace(self, service):
        """Ends a service as the compose file says, and starts it from today's image."""
        name = container(service)
        if podman("ps", "--all", "--quiet", "--filter", f"name={name}"):
            self("stop", service)
            podman("rm", name)
        self.up(service)


def container(service):
    """The name of a service's container."""
    return f"hoga_{service}_1"


def inspected(service):
    """What podman knows of a service's container."""
    return json.loads(podman("inspect", container(service)))[0]


def is_healthy(service):
    """Runs the health check of the compose file in the container, once."""
    answer = subprocess.run(["podman", "healthcheck", "run", container(service)],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return answer.returncode == 0


def wait_for(sentence, condition, seconds=60):
    """Waits until a condition holds; returns the seconds it took."""
    start = time.monotonic()
    while not condition():
        if time.monotonic() - start > seconds:
            raise DrillFailure(f"{sentence}: not within {seconds} s")
        time.sleep(0.1)
    return time.monotonic() - start


class Report:
    """The lines of the drill, and what did not hold."""

    def __init__(self):
        self.failures = []
        self.checks = 0
        self.start = time.monotonic()

    def expect(self, holds, sentence):
        """Counts a check, and tells its sentence if it does not hold."""
        self.checks += 1
        if not holds:
            self.failures.append(sentence)
            print(f"FAIL {sentence}", file=sys.stderr, flush=True)

    def step(self, sentence, work, *words):
        """Does a step and prints its line; the step's result, if it is text, follows it."""
        start = time.monotonic()
        note = work(*words)
        seconds = time.monotonic() - start
        told = f": {note}" if isinstance(note, str) else ""
        print(f"{seconds:6.1f} s  {sentence}{told}", flush=True)
        return note
