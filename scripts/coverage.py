#!/usr/bin/env python3
"""How much of the parts that must not fail the tests run: scripts/coverage.py

Builds recovery, manifest, log and table readers with gcc's counters, runs the
tests that reach them, and prints what share of these parts' lines and branches
ran. Assertions count for nothing, nor do branches that only an exception takes.
Fails below the shares that a release asks for. With --lines, the lines that did
not run, or not all of whose branches, are printed too.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "coverage"
SUITES = ["basalt_db_test", "basalt_table_test", "basalt_fuzz_test"]
LEAST_LINES = 95.0
LEAST_BRANCHES = 85.0
ASSERTION = re.compile(r"\s*(?:INVARIANT|assert|static_assert)\(")
PARTS = {
    "recovery": ["db/impl/db_open.cc", "db/recovery/log_recovery.cc",
                 "db/intake/resumption.cc", "db/recovery/wal_replay.cc",
                 "db/wal/wal_tail.cc", "db/recovery/log_survey.cc",
                 "db/background/error_handler.cc", "db/wal/prepared_sections.cc",
                 "db/manifest/best_efforts*.cc",
                 "db/manifest/replayed_family.cc",
                 "db/manifest/version_recovery.cc"],
    "manifest": ["db/version/manifest_*.cc", "db/version/version_edit*.cc",
                 "db/version/version_builder.cc",
                 "db/manifest/next_versions.cc",
                 "db/manifest/published_versions.cc",
                 "db/manifest/version_set.cc"],
    "log": ["db/wal/log_*.cc", "db/wal/predecessor_record.cc",
            "db/wal/memtable_inserter.cc", "db/wal/write_batch_iterate.cc",
            "db/wal/wal_files.cc", "db/wal/wal_manager.cc"],
    "table reader": ["table/block.cc", "table/block_based_reader.cc",
                     "table/block_batch.cc", "table/block_cursor.cc",
                     "table/block_fetcher.cc", "table/block_source.cc",
                     "table/index_block.cc", "table/index_cursor.cc",
                     "table/metaindex.cc", "table/point_*.cc",
                     "table/properties_block.cc", "table/saved_block.cc",
                     "table/scan_blocks.cc"],
}


def run(command, **arguments):
    return subprocess.run([str(part) for part in command], check=True,
                          cwd=ROOT, **arguments)


def sources_of(patterns):
    found = [sorted(ROOT.glob(pattern)) for pattern in patterns]
    for pattern, files in zip(patterns, found):
        if not files:
            sys.exit(f"coverage: {pattern} names no file")
    return [str(file.relative_to(ROOT)) for files in found for file in files]


def build_and_test(covered):
    run(["cmake", "--preset", "coverage", "--log-level=WARNING",
         f"-DBASALT_COVERED={';'.join(covered)}"])
    run(["cmake", "--build", BUILD, "--target", *SUITES])
    for counts in BUILD.rglob("*.gcda"):
        counts.unlink()
    run(["ctest", "--test-dir", BUILD, "-j", os.cpu_count(),
         "-R", "|".join(f"^{suite}\\." for suite in SUITES),
         "--output-on-failure"])


def counts_of(covered):
    """What gcovr knows of the lines of each source."""
    report = BUILD / "coverage.json"
    run(["gcovr", "--root", ROOT, "--json", report,
         *(part for source in covered
           for part in ("--filter", re.escape(str(ROOT / source)))), BUILD])
    return {file["file"]: file["lines"]
            for file in json.loads(report.read_text())["files"]}


def assertion_lines(text):
    """The numbers of the lines that assertions take, whole statements."""
    numbers = set()
    depth = 0
    for number, line in enumerate(text.splitlines(), 1):
        if depth == 0 and not ASSERTION.match(line):
            continue
        numbers.add(number)
        depth += line.count("(") - line.count(")")
    return numbers


class Share:
    """Lines and branches, of which some ran; and those that did not."""

    def __init__(self):
        self.lines = self.lines_run = self.branches = self.branches_run = 0
        self.missed = []

    def add(self, source, counted):
        text = (ROOT / source).read_text()
        left_out = assertion_lines(text)
        shown = text.splitlines()
        for line in counted:
            number = line["line_number"]
            if number in left_out or line.get("gcovr/noncode"):
                continue
            branches = [b["count"] > 0 for b in line["branches"]
                        if not b["throw"]]
            self.lines += 1
            self.lines_run += line["count"] > 0
            self.branches += len(branches)
            self.branches_run += sum(branches)
            if line["count"] == 0 or not all(branches):
                how = ("-" if line["count"] == 0
                       else f"{sum(branches)}/{len(branches)}")
                self.missed.append(
                    f"{source}:{number}: {how:>5} {shown[number - 1]}")

    def percent(self):
        return (100 * self.lines_run / self.lines,
                100 * self.branches_run / self.branches)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lines", action="store_true",
                        help="print the lines that did not run")
    arguments = parser.parse_args()
    parts = {part: sources_of(patterns) for part, patterns in PARTS.items()}
    covered = [source for sources in parts.values() for source in sources]
    build_and_test(covered)
    counts = counts_of(covered)
    is_enough = True
    print(f"{'part':<14}{'lines, %':>10}{'branches, %':>14}")
    for part, sources in parts.items():
        share = Share()
        for source in sources:
            share.add(source, counts[source])
        lines, branches = share.percent()
        is_enough &= lines >= LEAST_LINES and branches >= LEAST_BRANCHES
        print(f"{part:<14}{lines:>10.1f}{branches:>14.1f}")
        if arguments.lines:
            print("\n".join(share.missed))
    print(f"asked for: {LEAST_LINES:.0f} % of the lines, "
          f"{LEAST_BRANCHES:.0f} % of the branches: "
          f"{'enough' if is_enough else 'not enough'}")
    return 0 if is_enough else 1


if __name__ == "__main__":
    sys.exit(main())
