#!/usr/bin/env python3
"""Finds tests that fail now and then: scripts/flaky.py SECONDS

Repeats the tests of a build for a time, in twice as many processes as there are
processors. Each process runs one part of one test program in an order of its
own; every other one draws its options and operations from a fresh seed. Prints
each failure with the command that repeats it, and ends with the line
"N passed, N failed". The exit status is 0 only if nothing failed.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# About how many tests one process runs.
TESTS_EACH = 25
PASSED = re.compile(r"^\[  PASSED  \] (\d+) tests?", re.M)
FAILED = re.compile(r"^\[  FAILED  \] ([\w./]+)(?:,.*)? \(\d+ ms\)$", re.M)
# A part that takes longer hangs.
MOST_SECONDS = 3600


def parts_of(program):
    """How many parts make runs of about TESTS_EACH tests."""
    listed = subprocess.run([program, "--gtest_list_tests"], check=True,
                            capture_output=True, text=True).stdout
    count = sum(line.startswith("  ") for line in listed.splitlines())
    return max(count // TESTS_EACH, 1)


class Flaky:
    """The runs, from several threads."""

    def __init__(self, options):
        self._options = options
        self._logs = ROOT / "build" / options.kind / "flaky"
        self._logs.mkdir(exist_ok=True)
        self._end = time.monotonic() + options.seconds
        self._draw = random.Random(options.seed)
        self._lock = threading.Lock()
        self._queue = []
        self.passed = 0
        self.failed = []
        folder = ROOT / "build" / options.kind / "bin"
        self._programs = {
            program: parts_of(program)
            for program in sorted(folder.glob("basalt_*_test"))
            if re.search(options.only, program.name)}
        if not self._programs:
            sys.exit(f"flaky: no test programs in {folder}; "
                     f"make check KINDS={options.kind} builds them")

    def _next(self):
        """The command and the environment of the next run. All parts of all
        programs come before any of them comes again."""
        with self._lock:
            if not self._queue:
                self._queue = [
                    (program, part, parts)
                    for program, parts in self._programs.items()
                    for part in range(parts)]
                self._draw.shuffle(self._queue)
            program, part, parts = self._queue.pop()
            variables = {"GTEST_TOTAL_SHARDS": str(parts),
                         "GTEST_SHARD_INDEX": str(part),
                         "BASALT_TEST_SHARE": str(self._options.share)}
            if self._draw.random() < 0.5:
                variables["BASALT_TEST_SEED"] = str(self._draw.getrandbits(45))
            order = self._draw.randrange(1, 99999)
        return [str(program), "--gtest_shuffle",
                f"--gtest_random_seed={order}"], variables

    def work(self):
        """One process after another until the time is over."""
        while time.monotonic() < self._end:
            command, variables = self._next()
            try:
                done = subprocess.run(
                    command, env={**os.environ, **variables}, check=False,
                    timeout=MOST_SECONDS, stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT, text=True, errors="replace")
                status, output = done.returncode, done.stdout
            except subprocess.TimeoutExpired as error:
                status = "none after an hour"
                output = (error.stdout or b"").decode(errors="replace")
            self._note(command, variables, status, output)

    def _note(self, command, variables, status, output):
        with self._lock:
            self.passed += sum(map(int, PASSED.findall(output)))
            if status == 0:
                return
            again = " ".join([*(f"{name}={value}" for name, value
                                in variables.items()), shlex.join(command)])
            tests = sorted(set(FAILED.findall(output))) or ["(no test named)"]
            log = self._logs / f"failure-{os.getpid()}-{len(self.failed)}.log"
            log.write_text(f"{again}\n{output}")
            self.failed += tests
            print(f"failed: {', '.join(tests)} (exit status {status})\n"
                  f"  its output: {log}\n  again: {again}", flush=True)


def main():
    """The program."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", type=int, metavar="SECONDS")
    parser.add_argument("--kind", default="asan",
                        help="of build (default: %(default)s)")
    parser.add_argument("--only", default="", metavar="EXPRESSION",
                        help="names of the test programs")
    parser.add_argument("--processes", type=int, default=2 * os.cpu_count(),
                        help="default: %(default)s")
    parser.add_argument("--share", type=int, default=5,
                        help="of the longest tests, one case in so many "
                        "(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=random.getrandbits(32),
                        help="of the order of the runs (default: drawn)")
    options = parser.parse_args()
    flaky = Flaky(options)
    print(f"== {options.seconds} s, {options.processes} processes, seed "
          f"{options.seed}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(options.processes) as pool:
        for done in [pool.submit(flaky.work)
                     for _ in range(options.processes)]:
            done.result()
    print(f"{flaky.passed} passed, {len(flaky.failed)} failed", flush=True)
    return 0 if flaky.passed and not flaky.failed else 1


if __name__ == "__main__":
    sys.exit(main())
