#!/usr/bin/env python3
"""Builds kinds of build and runs their tests: scripts/check.py KIND...

The last line of the output is "N passed, N failed", summed over all kinds; a
kind that does not build counts as one failure. A ctest entry that is a gtest
shard counts its tests one by one, any other entry counts as one. The exit
status is 0 only if something passed and nothing failed. With --build-only,
nothing is run, and no count is printed.

The kind `asan` runs every test. The kind `check`, by gcc, runs what needs no
test program of ours (installation, clients, examples, stock tools, checks of
the tree) and a tenth of the tests, another tenth each day of the year; with
--all it runs every test, too.
"""

import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Into how many parts the tests of a kind are divided, of which one is run.
PARTS = {"check": 10}
SLOWEST_SHOWN = 10


def part_of(kind, is_all):
    """K/N for the part of the tests that is due today, or all of them."""
    parts = 1 if is_all else PARTS.get(kind, 1)
    if parts == 1:
        return ""
    return f"{time.localtime().tm_yday % parts + 1}/{parts}"


def build(kind, part):
    """Builds all of a kind; false if anything does not build."""
    configure = ["cmake", "--preset", kind, "--log-level=WARNING",
                 f"-DBASALT_TEST_PART={part}"]
    return (subprocess.run(configure, cwd=ROOT, check=False).returncode == 0
            # -k 0: one broken file does not hide the errors in others.
            and subprocess.run(
                ["cmake", "--build", ROOT / "build" / kind, "--", "-k", "0"],
                check=False).returncode == 0)


def run_ctest(folder):
    """The ctest entries that ran, each with whether it passed."""
    report = folder / "test-results" / "ctest.xml"
    shutil.rmtree(report.parent, ignore_errors=True)
    report.parent.mkdir(parents=True)
    # One more than there are processors, since tests wait for the disk.
    subprocess.run(["ctest", "--test-dir", folder,
                    "-j", str(os.cpu_count() + 1),
                    "--output-on-failure", "--output-junit", report],
                   check=False)
    if not report.is_file():
        return []
    cases = xml.etree.ElementTree.parse(report).iter("testcase")
    # An entry may say that it has nothing to run here; it does not count.
    return [(c.get("name"), c.get("status") == "run") for c in cases
            if not any("SKIP_RETURN_CODE" in skipped.get("message", "")
                       for skipped in c.iter("skipped"))]


def cases_of(folder, name):
    """The tests of a ctest entry that is a gtest shard, or None: it is not
    one, or it crashed."""
    details = folder / "test-results" / f"{name}.json"
    if not details.is_file():
        return None
    return [case for suite in json.loads(details.read_text())["testsuites"]
            for case in suite["testsuite"]]


def results(folder, name, is_passed):
    """How many tests of one ctest entry passed, and which failed."""
    cases = cases_of(folder, name)
    if cases is None:
        return (1, []) if is_passed else (0, [name])
    failed = [f"{case['classname']}.{case['name']}" for case in cases
              if "failures" in case]
    ran = sum(case["result"] == "COMPLETED" for case in cases)
    passed = ran - len(failed)
    if not failed and not is_passed:
        failed = [f"{name}, outside of its tests (such as a leak at exit)"]
    return passed, failed


def slowest(folder, names):
    """The suites that took longest, in words."""
    seconds = collections.Counter()
    for name in names:
        for case in cases_of(folder, name) or []:
            seconds[case["classname"]] += float(case["time"].rstrip("s"))
    return ", ".join(f"{suite} {time_taken:.0f} s" for suite, time_taken
                     in seconds.most_common(SLOWEST_SHOWN))


class Check:
    """What came of the kinds so far."""

    def __init__(self):
        self.passed = 0
        self.failed = []
        self.times = []

    def run(self, kind, is_all, is_build_only):
        """Builds one kind and, unless told otherwise, runs its tests."""
        part = part_of(kind, is_all)
        print(f"== {kind}" + (f", part {part} of its tests" if part else ""),
              flush=True)
        begin = time.monotonic()
        is_built = build(kind, part)
        built = time.monotonic()
        self.times.append(f"{kind}: built in {built - begin:.0f} s")
        if not is_built:
            self.failed.append(f"{kind}: does not build")
        elif not is_build_only:
            self._test(kind, built)

    def _test(self, kind, begin):
        folder = ROOT / "build" / kind
        entries = run_ctest(folder)
        for name, is_passed in entries:
            passed, failed = results(folder, name, is_passed)
            self.passed += passed
            self.failed += [f"{kind}: {test}" for test in failed]
        self.times[-1] += (
            f", tested in {time.monotonic() - begin:.0f} s; slowest: "
            f"{slowest(folder, [name for name, _ in entries])}")


def main():
    """The program."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", default=["check"])
    parser.add_argument("--all", action="store_true",
                        help="every test, not a part of them")
    parser.add_argument("--build-only", action="store_true")
    options = parser.parse_args()
    check = Check()
    for kind in options.kinds:
        check.run(kind, options.all, options.build_only)
    print(*check.times, sep="\n")
    for test in check.failed:
        print(f"failed in {test}")
    if options.build_only:
        return 1 if check.failed else 0
    print(f"{check.passed} passed, {len(check.failed)} failed", flush=True)
    return 0 if check.passed and not check.failed else 1


if __name__ == "__main__":
    sys.exit(main())
