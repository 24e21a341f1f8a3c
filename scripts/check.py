#!/usr/bin/env python3
"""Builds kinds of build and runs their tests: scripts/check.py KIND...

The last line of the output is "N passed, N failed", summed over all kinds; a
kind that does not build counts as one failure. A ctest entry that is a gtest
shard counts its tests one by one, any other entry counts as one. The exit
status is 0 only if something passed and nothing failed.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent


def build(kind):
    configure = ["cmake", "--preset", kind, "--log-level=WARNING"]
    return (subprocess.run(configure, cwd=ROOT).returncode == 0 and
            # -k 0: one broken file does not hide the errors in others.
            subprocess.run(["cmake", "--build", ROOT / "build" / kind,
                            "--", "-k", "0"]).returncode == 0)


def run_ctest(folder):
    """The ctest entries that ran, each with whether it passed."""
    report = folder / "test-results" / "ctest.xml"
    shutil.rmtree(report.parent, ignore_errors=True)
    report.parent.mkdir(parents=True)
    subprocess.run(["ctest", "--test-dir", folder, "-j", str(os.cpu_count()),
                    "--output-on-failure", "--output-junit", report])
    if not report.is_file():
        return []
    cases = xml.etree.ElementTree.parse(report).iter("testcase")
    # An entry may say that it has nothing to run here; it does not count.
    return [(c.get("name"), c.get("status") == "run") for c in cases
            if not any("SKIP_RETURN_CODE" in skipped.get("message", "")
                       for skipped in c.iter("skipped"))]


def results(folder, name, is_passed):
    """Of one ctest entry: how many tests passed, and which failed."""
    details = folder / "test-results" / f"{name}.json"
    if not details.is_file():  # Not a gtest shard, or one that crashed.
        return (1, []) if is_passed else (0, [name])
    result = json.loads(details.read_text())
    cases = [case for suite in result["testsuites"]
             for case in suite["testsuite"]]
    failed = [f"{case['classname']}.{case['name']}" for case in cases
              if "failures" in case]
    ran = sum(case["result"] == "COMPLETED" for case in cases)
    passed = ran - len(failed)
    if not failed and not is_passed:
        failed = [f"{name}, outside of its tests (such as a leak at exit)"]
    return passed, failed


def main(kinds):
    passed = 0
    failed = []
    times = []
    for kind in kinds:
        print(f"== {kind}", flush=True)
        begin = time.monotonic()
        is_built = build(kind)
        built = time.monotonic()
        times.append(f"{kind}: built in {built - begin:.0f} s")
        if not is_built:
            failed.append(f"{kind}: does not build")
            continue
        folder = ROOT / "build" / kind
        for name, is_passed in run_ctest(folder):
            more_passed, more_failed = results(folder, name, is_passed)
            passed += more_passed
            failed += [f"{kind}: {test}" for test in more_failed]
        times[-1] += f", tested in {time.monotonic() - built:.0f} s"
    print(*times, sep="\n")
    for test in failed:
        print(f"failed in {test}")
    print(f"{passed} passed, {len(failed)} failed", flush=True)
    return 0 if passed and not failed else 1


sys.exit(main(sys.argv[1:] or ["check"]))
