#!/usr/bin/env python3
"""What a release must pass, for many hours, part by part: scripts/soak.py

A part is one suite of the tests of reliability at a hundred times its size, all
tests under ThreadSanitizer, the coverage, one fuzzer for twenty minutes, or ten
minutes of the crash test. What has passed is kept in build/soak/covered.json with
the commit that it passed on; the next call goes on with what is left. Parts that
passed on another commit count as left, and come before those that never ran.
Stop it at any time: the part that was running is done again. --list says what
has been covered, and runs nothing.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "soak"
SUITES = ("CrashClone", "FaultLoop", "FaultScenarios", "ShortSequences",
          "WriteModeCrash", "Metamorphic", "OptionSets", "TimestampSets",
          "TimestampShapes", "MultiScanModel", "FlippedBits",
          "ResumedCompactionFaults", "DirectFaultsTest")
SCALE = 100
# Suites of the test program for utilities/, with their scales: 100 000
# histories over all kinds of transactions, and as many graphs of waits for
# locks.
UTILITY_SUITES = {"HistoriesTest.AreSerialisable": 93, "WaitGraphsTest": 100}
# Its time grows with the square of its size.
SMALLER = {"FamilyVersions": 10}
FUZZ_SECONDS = 1200
CRASH_SECONDS = 600
CRASH_PARTS = 24


def git(*arguments):
    """What git says in one line."""
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True,
                          capture_output=True, text=True).stdout.strip()


def state_of_tree():
    """The commit, and whether anything differs from it."""
    changed = git("status", "--porcelain", "--untracked-files=no")
    return git("rev-parse", "HEAD") + ("+changes" if changed else "")


def fuzzers():
    """Their names, as cmake/Tests.cmake lists them."""
    text = (ROOT / "cmake" / "Tests.cmake").read_text()
    listed = re.search(r"foreach\(name (footer[^)]*)\)", text)
    if listed is None:
        sys.exit("soak: cmake/Tests.cmake has no list of fuzzers")
    return listed.group(1).split()


def parts():
    """Name -> (kind of build that it needs, its targets, command,
    environment)."""
    found = {}
    scales = {"basalt_db_test": {**dict.fromkeys(SUITES, SCALE), **SMALLER},
              "basalt_utilities_test": UTILITY_SUITES}
    for program, suites in scales.items():
        test = str(ROOT / "build" / "check" / "bin" / program)
        for suite, scale in suites.items():
            found[f"{suite} at {scale} times its size"] = (
                "check", [program],
                [test, f"--gtest_filter=*{suite}*", "--gtest_brief=1"],
                {"BASALT_TEST_SCALE": str(scale)})
    found["all tests under ThreadSanitizer"] = (
        None, [], [str(ROOT / "scripts" / "check.py"), "tsan"], {})
    found["coverage"] = (
        None, [], [str(ROOT / "scripts" / "coverage.py")], {})
    for name in fuzzers():
        found[f"fuzzer {name} for {FUZZ_SECONDS} s"] = (
            None, [], [str(ROOT / "scripts" / "fuzz.sh"), str(FUZZ_SECONDS),
                       str(ROOT / "build" / "fuzz" / "corpus"), name], {})
    # The build of `check` registers a tenth; this is the whole.
    stubs = ROOT / "build" / "check" / "bin" / "basalt_c_stubs"
    found["each function of the C interface does nothing once"] = (
        "check", ["basalt_c_stubs"],
        [str(ROOT / "tests" / "c" / "run.sh"), str(stubs),
         str(ROOT / "include" / "rocksdb" / "c.h")], {})
    for number in range(CRASH_PARTS):
        found[f"crash test {number + 1} of {CRASH_PARTS}, "
              f"{CRASH_SECONDS} s"] = (
            "check", ["db_stress", "draw_options"],
            [str(ROOT / "scripts" / "crashtest.sh"), str(CRASH_SECONDS)],
            {})
    return found


class Covered:
    """What has passed on which commit; kept in a file."""

    def __init__(self):
        self._path = FOLDER / "covered.json"
        self._passed = {}
        if self._path.is_file():
            self._passed = json.loads(self._path.read_text())

    def commit_of(self, name):
        """Where a part passed last, or None."""
        return self._passed.get(name)

    def add(self, name, commit):
        """Kept at once, whole or not at all."""
        self._passed[name] = commit
        written = self._path.with_suffix(".new")
        written.write_text(json.dumps(self._passed, indent=1))
        os.replace(written, self._path)


def report(names, covered, commit):
    """What has been covered, in words; true if that is all."""
    done = [name for name in names if covered.commit_of(name) == commit]
    earlier = [name for name in names
               if covered.commit_of(name) not in (None, commit)]
    print(f"== covered on {commit[:12]}: {len(done)} of {len(names)} parts, "
          f"{len(earlier)} of the others on earlier states")
    for name in names:
        was = covered.commit_of(name)
        print(f"  {'passed' if was == commit else 'left  '}  {name}" +
              (f" (passed on {was[:12]})" if was not in (None, commit)
               else ""))
    return len(done) == len(names)


def run(name, part):
    """True if it passed. Its output stays in a file of its own."""
    kind, targets, command, variables = part
    log = FOLDER / (re.sub(r"\W+", "-", name) + ".log")
    print(f"== {name}", flush=True)
    begin = time.monotonic()
    steps = [(command, {**os.environ, **variables})]
    if kind is not None:
        steps = [(["cmake", "--preset", kind, "--log-level=WARNING"], None),
                 (["cmake", "--build", str(ROOT / "build" / kind),
                   "--target", *targets], None)] + steps
    with open(log, "w", encoding="utf-8") as output:
        for step, environment in steps:
            status = subprocess.run(
                step, cwd=ROOT, env=environment, stdout=output,
                stderr=subprocess.STDOUT, check=False).returncode
            if status != 0:
                break
    print(f"  {'passed' if status == 0 else 'failed'} in "
          f"{time.monotonic() - begin:.0f} s; its output: {log}", flush=True)
    if status != 0:
        lines = log.read_text(errors="replace").splitlines()
        print(*("  | " + line for line in lines[-20:]), sep="\n")
    return status == 0


def main():
    """The program."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true",
                        help="what has been covered")
    parser.add_argument("--seconds", type=int,
                        help="begin no part after so long")
    parser.add_argument("--only", default="", metavar="EXPRESSION",
                        help="names of parts")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    chosen = {name: part for name, part in parts().items()
              if re.search(options.only, name)}
    if not chosen:
        parser.error(f"--only={options.only}: no part has such a name")
    commit = state_of_tree()
    covered = Covered()
    if options.list:
        report(chosen, covered, commit)
        return 0
    left = [name for name in chosen if covered.commit_of(name) != commit]
    left.sort(key=lambda name: covered.commit_of(name) is None)
    end = (time.monotonic() + options.seconds if options.seconds is not None
           else None)
    failed = []
    try:
        for name in left:
            if end is not None and time.monotonic() >= end:
                break
            if not run(name, chosen[name]):
                failed.append(name)
            elif state_of_tree() == commit:
                covered.add(name, commit)
    except KeyboardInterrupt:
        print("soak: interrupted; the next call goes on here",
              file=sys.stderr)
    is_whole = report(chosen, covered, commit)
    for name in failed:
        print(f"failed in {name}")
    return 0 if not failed and (is_whole or end is not None) else 1


if __name__ == "__main__":
    sys.exit(main())
