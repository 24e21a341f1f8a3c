#!/usr/bin/env python3
"""How much of the parts that must not fail the tests run: scripts/coverage.py

Builds the tests for clang's source-based coverage, runs those that reach
recovery, manifest, log and table readers, and prints what share of these parts'
lines and branches ran. Fails below the shares that a release asks for. With
--lines, the lines that did not run are printed too.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "coverage"
# clang's version, in cmake presets and scripts/install-deps.sh too.
LLVM = "16"
SUITES = ["basalt_db_test", "basalt_table_test", "basalt_fuzz_test"]
# Assertions and what they call may not run: they are no part of what is asked.
LEAST_LINES = 95.0
LEAST_BRANCHES = 85.0
PARTS = {
    "recovery": ["db/impl/db_open.cc", "db/impl/db_replay.cc",
                 "db/impl/db_resume.cc", "db/impl/wal_replay.cc",
                 "db/impl/wal_tail.cc", "db/impl/log_survey.cc",
                 "db/impl/error_handler.cc", "db/impl/prepared_sections.cc",
                 "db/version/best_efforts.cc",
                 "db/version/version_set_recovery.cc"],
    "manifest": ["db/version/manifest_*.cc", "db/version/version_edit*.cc",
                 "db/version/version_builder.cc",
                 "db/version/version_set.cc"],
    "log": ["db/wal/log_*.cc", "db/wal/predecessor_record.cc",
            "db/wal/memtable_inserter.cc", "db/wal/write_batch_iterate.cc",
            "db/impl/wal_files.cc", "db/impl/wal_manager.cc"],
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


def build_and_test():
    run(["cmake", "--preset", "coverage", "--log-level=WARNING"])
    run(["cmake", "--build", BUILD, "--target", *SUITES])
    profiles = BUILD / "profiles"
    shutil.rmtree(profiles, ignore_errors=True)
    profiles.mkdir()
    # Processes add to few files, under locks; a test may end by a signal.
    environment = {**os.environ,
                   "LLVM_PROFILE_FILE": str(profiles / "%4m.profraw")}
    run(["ctest", "--test-dir", BUILD, "-j", os.cpu_count(),
         "-R", "|".join(f"^{suite}\\." for suite in SUITES),
         "--output-on-failure"], env=environment)
    merged = BUILD / "merged.profdata"
    run([f"llvm-profdata-{LLVM}", "merge", "-sparse", "-o", merged,
         *sorted(profiles.iterdir())])
    return merged


def llvm_cov(what, merged, sources, *flags):
    binaries = [BUILD / "bin" / suite for suite in SUITES]
    objects = [part for binary in binaries[1:] for part in ("-object", binary)]
    return run([f"llvm-cov-{LLVM}", what, f"-instr-profile={merged}", *flags,
                binaries[0], *objects, "-sources", *sources],
               stdout=subprocess.PIPE, text=True).stdout


def sources_of(patterns):
    found = [sorted(ROOT.glob(pattern)) for pattern in patterns]
    for pattern, files in zip(patterns, found):
        if not files:
            sys.exit(f"coverage: {pattern} names no file")
    return [file for files in found for file in files]


def share(files, kind):
    total = sum(file["summary"][kind]["count"] for file in files)
    covered = sum(file["summary"][kind]["covered"] for file in files)
    return 100.0 * covered / total


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lines", action="store_true",
                        help="print the lines that did not run")
    arguments = parser.parse_args()
    merged = build_and_test()
    is_enough = True
    print(f"{'part':<14}{'lines, %':>10}{'branches, %':>14}")
    for part, patterns in PARTS.items():
        sources = sources_of(patterns)
        report = json.loads(llvm_cov("export", merged, sources,
                                     "-summary-only"))
        files = report["data"][0]["files"]
        lines, branches = share(files, "lines"), share(files, "branches")
        is_enough &= lines >= LEAST_LINES and branches >= LEAST_BRANCHES
        print(f"{part:<14}{lines:>10.1f}{branches:>14.1f}")
        for file in files if arguments.lines else []:
            name = pathlib.Path(file["filename"]).relative_to(ROOT)
            print(f"  {name}: {file['summary']['lines']['percent']:.1f} "
                  f"{file['summary']['branches']['percent']:.1f}")
        if arguments.lines:
            shown = llvm_cov("show", merged, sources,
                             "-show-line-counts")
            print("\n".join(line for line in shown.splitlines()
                            if "|      0|" in line or line.endswith(".cc:")))
    print(f"asked for: {LEAST_LINES:.0f} % of the lines, "
          f"{LEAST_BRANCHES:.0f} % of the branches: "
          f"{'enough' if is_enough else 'not enough'}")
    return 0 if is_enough else 1


if __name__ == "__main__":
    sys.exit(main())
