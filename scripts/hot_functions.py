#!/usr/bin/env python3
"""Finds the functions of the hot paths, for cmake/hot_functions.txt.

The linker lays these side by side, so that what one operation runs through
does not drive itself out of the processor's instruction cache. Each workload is
counted by cachegrind (the package valgrind); a function belongs to the first
one in which it takes at least LEAST instructions for each operation.

usage: hot_functions.py [--check] [DB_BENCH]
       hot_functions.py --stale LIBRARY

  --check  writes nothing, prints what share of the instructions the present
           list covers in each workload
  --stale  writes nothing, fails if the library lacks too many of the functions
           of the list: then it is time for a new one
"""

import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = os.path.join(ROOT, "cmake", "hot_functions.txt")

KEYS = 300_000
LEAST = 2  # instructions for each operation
# The library must have this share of the list's functions; builds differ in
# what they inline.
LEAST_KNOWN = 0.75

FLAGS = ["--bloom_bits=10", f"--cache_size={512 << 20}", "--key_size=16",
         "--value_size=100", "--compression_type=none", "--seed=1234567",
         "--threads=1", f"--num={KEYS}", "--cache_type=lru_cache"]

# (benchmarks, operations, more flags), the most frequent operations first.
WORKLOADS = (
    ("readrandom,readrandom", 300_000, ["--reads=150000"]),
    ("multireadrandom,multireadrandom", 100_000,
     ["--reads=50000", "--batch_size=32"]),
    ("seekrandom,seekrandom", 60_000, ["--reads=30000", "--seek_nexts=10"]),
    ("readseq", KEYS, []),
    ("overwrite", KEYS, []),
    ("compact", KEYS, []),
    ("readrandom,readrandom", 300_000,
     ["--reads=150000", "--cache_type=hyper_clock_cache"]),
)

HEADER = """\
# What the linker lays side by side; made by scripts/hot_functions.py.
"""


def run(arguments):
    """Runs it quietly; its words are shown if it fails."""
    done = subprocess.run(arguments, capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: {done.stdout}{done.stderr}")


def count_instructions(db_bench, workload, directory):
    """Instructions of each function of the engine, by its mangled name."""
    benchmarks, _, flags = workload
    database = os.path.join(directory, "db")
    counts = os.path.join(directory, "counts")
    run([db_bench, f"--db={database}", *FLAGS,
         "--benchmarks=filluniquerandom,flush,waitforcompaction"])
    run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--demangle=no",
         f"--cachegrind-out-file={counts}", db_bench, f"--db={database}",
         "--use_existing_db=true", f"--benchmarks={benchmarks}", *FLAGS,
         *flags])
    result = collections.Counter()
    name = ""
    with open(counts, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("fn="):
                name = line[3:].strip()
            elif line[0].isdigit():
                result[name] += int(line.split()[1])
    return result


def is_of_engine(name):
    """Neither the C library's nor the benchmark's own."""
    return "7rocksdb" in name and not re.match(r"_ZNK?7rocksdb5bench", name)


def read_list():
    """The names that are in the list now."""
    with open(LIST, encoding="utf-8") as lines:
        return [line.strip() for line in lines if not line.startswith("#")]


def check_stale(library):
    """The exit code: are most functions of the list in the library?"""
    known = subprocess.run(["nm", library], capture_output=True, text=True,
                           check=True).stdout
    there = {line.split()[-1] for line in known.splitlines() if line}
    names = read_list()
    missing = [name for name in names if name not in there]
    if len(missing) <= (1 - LEAST_KNOWN) * len(names):
        return 0
    print(f"cmake/hot_functions.txt: {len(missing)} of {len(names)} are not in "
          f"{library} (first {missing[0]}): run scripts/hot_functions.py")
    return 1


def main():
    """Writes the list, or says what the present one covers."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--stale", metavar="LIBRARY")
    parser.add_argument("db_bench", nargs="?", default=os.path.join(
        ROOT, "build", "release", "bin", "db_bench"))
    options = parser.parse_args()
    if options.stale:
        return check_stale(options.stale)
    if shutil.which("valgrind") is None:
        sys.exit("hot_functions: needs valgrind, a package of that name")
    names = dict.fromkeys(read_list()) if options.check else {}
    for workload in WORKLOADS:
        with tempfile.TemporaryDirectory() as directory:
            counts = count_instructions(options.db_bench, workload, directory)
        ours = {name: n for name, n in counts.items() if is_of_engine(name)}
        if options.check:
            share = sum(n for name, n in ours.items() if name in names)
            print(f"{workload[0]}: {share / sum(ours.values()):.3f}")
            continue
        names.update(dict.fromkeys(sorted(
            name for name, n in ours.items() if n >= LEAST * workload[1])))
    if not options.check:
        with open(LIST, "w", encoding="utf-8") as file:
            file.write(HEADER + "\n".join(names) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
