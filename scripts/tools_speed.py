#!/usr/bin/env python3
"""Measures ldb and sst_dump beside the stock RocksDB's on the same files.

The stock db_bench makes a database once. Then both programs run in alternation
(A B, B A, ...) on it, with none of its pages in the page cache, and with all
of them there. Last, paced reads of other files that just fit into a memory
cgroup count how many of their pages a run of each tool pushes out.

  ratio      stock's time over ours
  left MB    of the database in the page cache behind a run that found none
  refaults   pages of the hot file that were read again beside a tool

usage: tools_speed.py [--gb N] [--rounds N] [--stock DIR] [--work DIR] [OURS]

OURS and --stock are directories with ldb and sst_dump; --stock has db_bench,
too.
"""

import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import time

from memory_group import MemoryGroup

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VALUE_BYTES = 1000
KEY_BYTES = 16
PAGE = 4096

# The hot file and its group: the file fits, but not much beside it.
HOT_BYTES = 256 << 20
GROUP_BYTES = 400 << 20
PACED_READS = 10000
READS_PER_SECOND = 1000

PASSES = ("cold", "warm")
LEAST_RATIO = 2.0
MOST_REFAULTS = 1.05


def commands(programs, database):
    """What is measured, by name."""
    sst_dump = os.path.join(programs, "sst_dump")
    ldb = os.path.join(programs, "ldb")
    return {
        "verify": [sst_dump, f"--file={database}", "--command=verify",
                   "--verify_checksum"],
        "check": [sst_dump, f"--file={database}", "--command=check"],
        "dump": [ldb, f"--db={database}", "dump"],
        "count": [ldb, f"--db={database}", "dump", "--count_only"],
    }


def make_database(stock, path, size):
    """Fills a database once, so that all its files are of one generation."""
    if os.path.exists(os.path.join(path, "CURRENT")):
        return
    subprocess.run(
        [os.path.join(stock, "db_bench"), f"--db={path}",
         "--benchmarks=fillseq,waitforcompaction",
         f"--num={size // (VALUE_BYTES + KEY_BYTES)}",
         f"--value_size={VALUE_BYTES}", f"--key_size={KEY_BYTES}",
         "--compression_type=none", "--disable_wal=1",
         "--target_file_size_base=67108864", "--max_background_jobs=2"],
        stdout=subprocess.DEVNULL, check=True)


def table_files(database):
    return [os.path.join(database, name) for name in sorted(
        os.listdir(database)) if name.endswith(".sst")]


def drop(paths):
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def load(paths):
    for path in paths:
        with open(path, "rb", buffering=0) as file:
            while file.read(1 << 20):
                pass


def resident_bytes(paths):
    done = subprocess.run(["fincore", "-b", "-n", "-o", "RES", *paths],
                          stdout=subprocess.PIPE, check=False, text=True)
    return sum(int(line) for line in done.stdout.split())


def run(command):
    """Seconds, and processor seconds."""
    before = os.times()
    start = time.monotonic()
    with open(os.devnull, "wb") as nothing:
        subprocess.run(command, stdout=nothing, check=True)
    seconds = time.monotonic() - start
    after = os.times()
    return seconds, (after.children_user - before.children_user
                     + after.children_system - before.children_system)


def measure_speed(options, database):
    tools = {"ours": commands(options.ours, database),
             "stock": commands(options.stock, database)}
    paths = table_files(database)
    megabytes = sum(os.path.getsize(path) for path in paths) / 1e6
    print(f"{len(paths)} tables of {megabytes:.0f} MB in all")
    print(f"{'':<8}{'pages':<6}{'ours MB/s':>10}{'stock MB/s':>11}"
          f"{'ratio':>7}{'ours cpu s':>11}{'stock cpu s':>12}"
          f"{'left MB':>9}{'stock left':>11}")
    for name in options.only or tools["ours"]:
        for pages in PASSES:
            times = {"ours": [], "stock": []}
            processor = {"ours": [], "stock": []}
            left = {"ours": [], "stock": []}
            for turn in range(options.rounds):
                order = ["ours", "stock"] if turn % 2 == 0 else [
                    "stock", "ours"]
                for who in order:
                    if pages == "cold":
                        drop(paths)
                    else:
                        load(paths)
                    seconds, cpu = run(tools[who][name])
                    times[who].append(seconds)
                    processor[who].append(cpu)
                    left[who].append(resident_bytes(paths) / 1e6)
            middle = {who: statistics.median(times[who]) for who in times}
            cpu = {who: statistics.median(processor[who]) for who in times}
            rest = {who: statistics.median(left[who]) for who in times}
            ratio = middle["stock"] / middle["ours"]
            verdict = ""
            if pages == "cold" and name in ("verify", "dump"):
                verdict = "  met" if ratio >= LEAST_RATIO else "  MISSED"
            print(f"{name:<8}{pages:<6}{megabytes / middle['ours']:>10.0f}"
                  f"{megabytes / middle['stock']:>11.0f}{ratio:>7.2f}"
                  f"{cpu['ours']:>11.2f}{cpu['stock']:>12.2f}"
                  f"{rest['ours']:>9.1f}{rest['stock']:>11.1f}{verdict}",
                  flush=True)


def paced_reads(path, command, group):
    """The group's refaults during paced reads of the hot file beside
    `command`, which starts anew as long as they go on; None: beside none."""
    drop([path])
    reader = subprocess.Popen(
        [sys.executable, os.path.abspath(__file__), "--paced-reads", path],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        preexec_fn=group.join)
    reader.stdout.readline()  # It has read all of the file.
    before = group.file_refaults()
    reader.stdin.write("go\n")
    reader.stdin.flush()
    while reader.poll() is None:
        if command is None:
            time.sleep(0.1)
            continue
        with open(os.devnull, "wb") as nothing:
            tool = subprocess.Popen(command, stdout=nothing,
                                    preexec_fn=group.join)
        while tool.poll() is None and reader.poll() is None:
            time.sleep(0.05)
        if tool.poll() is None:
            tool.terminate()
            tool.wait()
    return group.file_refaults() - before


def read_paced(path):
    """The reader's process: all of the file, then single pages at a pace."""
    descriptor = os.open(path, os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_RANDOM)
    for _ in range(2):
        for offset in range(0, HOT_BYTES, 1 << 20):
            os.pread(descriptor, 1 << 20, offset)
    print("ready", flush=True)
    sys.stdin.readline()
    draw = random.Random(1)
    start = time.monotonic()
    for i in range(PACED_READS):
        pause = start + i / READS_PER_SECOND - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        os.pread(descriptor, PAGE, draw.randrange(HOT_BYTES // PAGE) * PAGE)


def measure_refaults(options, database):
    hot = os.path.join(options.work, "hot")
    if not os.path.exists(hot) or os.path.getsize(hot) != HOT_BYTES:
        with open(hot, "wb") as file:
            for _ in range(HOT_BYTES >> 20):
                file.write(os.urandom(1 << 20))
    paths = table_files(database)
    rows = [("none", None)]
    for name in ("verify", "dump"):
        for who, programs in (("ours", options.ours),
                              ("stock", options.stock)):
            rows.append((f"{name} {who}",
                         commands(programs, database)[name]))
    base = None
    print(f"{PACED_READS} paced reads of {HOT_BYTES >> 20} MiB in a group of "
          f"{GROUP_BYTES >> 20} MiB beside:")
    for name, command in rows:
        drop(paths)
        with MemoryGroup("tools-speed", GROUP_BYTES) as group:
            if group.path is None:
                print(f"no memory group: {group.why_not}")
                return
            refaults = paced_reads(hot, command, group)
        if base is None:
            base = refaults
        # A read costs one page; what was pushed out costs one more.
        cost = (PACED_READS + refaults) / (PACED_READS + base)
        verdict = ""
        if name.endswith("ours"):
            verdict = "  met" if cost <= MOST_REFAULTS else "  MISSED"
        print(f"  {name:<14}refaults {refaults:>7}  of none {cost:>6.2f}"
              f"{verdict}", flush=True)


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("ours", nargs="?",
                        default=os.path.join(ROOT, "build", "release", "bin"))
    parser.add_argument("--stock", default="/usr/bin")
    parser.add_argument("--work",
                        default=os.path.join(ROOT, "build", "tools_speed"))
    parser.add_argument("--gb", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", type=lambda text: re.split(",", text))
    parser.add_argument("--no-refaults", action="store_true")
    parser.add_argument("--paced-reads", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = parse_options()
    if options.paced_reads is not None:
        read_paced(options.paced_reads)
        return
    for programs in (options.ours, options.stock):
        for name in ("ldb", "sst_dump"):
            if not os.access(os.path.join(programs, name), os.X_OK):
                sys.exit(f"{os.path.join(programs, name)}: no such program")
    os.makedirs(options.work, exist_ok=True)
    database = os.path.join(options.work, "db")
    make_database(options.stock, database, int(options.gb * 1e9))
    measure_speed(options, database)
    if not options.no_refaults:
        measure_refaults(options, database)


if __name__ == "__main__":
    main()
