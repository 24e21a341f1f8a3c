#!/usr/bin/env python3
"""Plants the faults of docs/reliability.md, and demands that tests fail by them.

  planted_faults.py [--only CLASS,...] [BUILD]   plants each fault in this tree,
                           builds one test program, runs the tests that are to
                           meet the fault, and takes it out again
  planted_faults.py --check   says where the table of faults does not fit the
                           tree or the document, and fails if it does not

The faults stand in scripts/planted_faults_table.py. BUILD is build/check unless
another one is named. Files with changes of their own are not touched, and
whatever ends the run, each file is as it was. The exit status is 0 only if
every fault was seen by a test.
"""

import argparse
import contextlib
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile

from planted_faults_table import NOT_PLANTED, PLANTS

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs/reliability.md"
HEADING = "## Faults by class"
ROW = re.compile(r"^\| (\d+) \|(.*)$", re.MULTILINE)
NAME = re.compile(r"(\w+)\.(\w*)")
RUN = re.compile(r"^\[ RUN      \] (\S+)", re.MULTILINE)
FAILED = re.compile(r"^\[  FAILED  \] ([\w./]+)(?:,.*)?(?: \(\d+ ms\))?$",
                    re.MULTILINE)
MOST_NAMED = 4


# ---- the table itself

def rows_of_document():
    """What the document says of each class, by its number."""
    section = DOCUMENT.read_text().split(HEADING)[1].split("\n## ")[0]
    return {int(number): text for number, text in ROW.findall(section)}


def tests_of(program):
    """The suites of a program, each with the names of its tests."""
    folder = ROOT / "tests" / program[len("basalt_"):-len("_test")]
    suites = {}
    for path in folder.rglob("*.cc"):
        for suite, test in re.findall(r"^TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)",
                                      path.read_text(), re.MULTILINE):
            suites.setdefault(suite, set()).add(test)
    return suites


def complaints_about(plant, suites, row):
    path = ROOT / plant.source
    count = path.read_text().count(plant.old) if path.is_file() else 0
    if count != 1:
        yield f"{plant.source} has the text {count} times, not once"
    if plant.old == plant.new:
        yield "changes nothing"
    for suite, test in NAME.findall(plant.tests):
        if not any(known.startswith(test) for known in suites.get(suite, ())):
            yield f"{plant.program} has no test {suite}.{test}"
    if not any(suite in row for suite, _ in NAME.findall(plant.tests)):
        yield f"{DOCUMENT.name} names none of the tests"


def check():
    rows = rows_of_document()
    listed = set(rows)
    suites = {program: tests_of(program)
              for program in {plant.program for plant in PLANTS}}
    wrong = [f"class {plant.number}, {plant.name}: {text}" for plant in PLANTS
             for text in complaints_about(plant, suites[plant.program],
                                          rows.get(plant.number, ""))]
    planted = {plant.number for plant in PLANTS}
    wrong += [f"class {number} has no plant, and no reason why"
              for number in sorted(listed - planted - set(NOT_PLANTED))]
    wrong += [f"class {number} is not in {DOCUMENT.relative_to(ROOT)}"
              for number in sorted((planted | set(NOT_PLANTED)) - listed)]
    wrong += [f"class {number} has both a plant and a reason for none"
              for number in sorted(planted & set(NOT_PLANTED))]
    for text in wrong:
        print(text)
    return 1 if wrong else 0


# ---- planting

@contextlib.contextmanager
def planted(plant):
    """The fault is in its source, as long as this is entered."""
    path = ROOT / plant.source
    text = path.read_text()
    if text.count(plant.old) != 1:
        sys.exit(f"planted_faults: {plant.source} has changed: see --check")
    try:
        path.write_text(text.replace(plant.old, plant.new))
        yield
    finally:
        path.write_text(text)


def refuse_changed_sources(plants):
    sources = sorted({plant.source for plant in plants})
    changed = subprocess.run(
        ["git", "-C", ROOT, "status", "--porcelain", "--", *sources],
        check=True, capture_output=True, text=True).stdout
    if changed:
        sys.exit("planted_faults: not with changes in\n" + changed.rstrip())


def build(folder, programs):
    """What the compiler said against it; empty if it builds."""
    done = subprocess.run(["cmake", "--build", folder, "--target", *programs],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    return done.stdout if done.returncode != 0 else ""


def end_of(status, output):
    """Whether tests ran to their end and passed, and what is said of it."""
    failed = list(dict.fromkeys(FAILED.findall(output)))
    started = RUN.findall(output)
    if status == 0:
        return True, f"{len(started)} tests passed"
    if len(failed) > MOST_NAMED:
        rest = len(failed) - MOST_NAMED
        failed = failed[:MOST_NAMED] + [f"and {rest} more"]
    if status is None or status < 0:
        how = "does not end" if status is None else "crashes"
        failed.append(f"{started[-1] if started else 'the program'} {how}")
    return False, ", ".join(failed) or f"exit status {status}"


def run_tests(folder, plant):
    """The exit status, None where time ran out, and the output."""
    with tempfile.TemporaryDirectory(prefix="planted-") as scratch:
        command = ["env", f"TMPDIR={scratch}", folder / "bin" / plant.program,
                   f"--gtest_filter={plant.tests}", "--gtest_color=no"]
        try:
            done = subprocess.run(
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                timeout=plant.seconds, check=False,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE,
                                                      (0, 0)))
        except subprocess.TimeoutExpired as late:
            return None, (late.stdout or b"").decode(errors="replace")
    return done.returncode, done.stdout.decode(errors="replace")


def demand_sound_tests(folder, plants):
    programs = sorted({plant.program for plant in plants})
    if said := build(folder, programs):
        sys.exit(f"planted_faults: without a fault\n{said}")
    for plant in {(p.program, p.tests): p for p in plants}.values():
        status, output = run_tests(folder, plant)
        passed, said = end_of(status, output)
        if not passed or not RUN.search(output):
            sys.exit(f"planted_faults: without a fault {plant.tests}: {said}")


def is_seen(folder, plant):
    label = f"{plant.number:>2}  {plant.name}"
    with planted(plant):
        if said := build(folder, [plant.program]):
            print(f"{label}: NOT SEEN, does not build\n{said}", flush=True)
            return False
        passed, said = end_of(*run_tests(folder, plant))
    print(f"{label}: {'NOT SEEN' if passed else 'seen to fail'}: {said}",
          flush=True)
    return not passed


def run_all(folder, plants):
    refuse_changed_sources(plants)
    demand_sound_tests(folder, plants)
    try:
        seen = sum([is_seen(folder, plant) for plant in plants])
    finally:
        # No program is left with a fault in it.
        build(folder, sorted({plant.program for plant in plants}))
    print(f"{seen} of {len(plants)} faults were seen")
    return 0 if seen == len(plants) else 1


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", metavar="CLASS,...")
    parser.add_argument("build", nargs="?", default=ROOT / "build" / "check",
                        type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.check:
        return check()
    plants = PLANTS
    if arguments.only:
        numbers = {int(number) for number in arguments.only.split(",")}
        plants = [plant for plant in PLANTS if plant.number in numbers]
    if not plants:
        sys.exit("planted_faults: no such class")
    # An end by a signal is one like any other: the source is mended first.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    return run_all(arguments.build.resolve(), plants)


if __name__ == "__main__":
    sys.exit(main())
