#!/usr/bin/env python3
"""Measures ldb and sst_dump beside the stock RocksDB's on the same files.

The stock db_bench makes a database once. Then both programs run in alternation
(A B, B A, ...) on it, with none of its pages in the page cache, and with all
of them there. Last, 10 000 paced reads a second of another file count refaults
in a memory cgroup that has the tool too, with and without it: of a file that
fits into the group, and of one that does not, whose reads have refaults of their
own; of each, the run in the middle of all rounds counts. Without a group they are
counted on the whole machine and not judged.

  ratio      stock's time over ours
  left MB    of the database in the page cache behind a run that found none
  reads/s    of the paced reader: below 10 000, the device could not follow
  refaults   pages that were read again after they had been dropped
  of none    refaults over those without a tool; where the file fits, and there
             are next to none, reads and refaults over the same without a tool

usage: tools_speed.py [--gb N] [--rounds N] [--seconds N] [--stock DIR]
                      [--work DIR] [--only NAME,...] [--no-speed]
                      [--no-refaults] [OURS]

OURS and --stock are directories with ldb and sst_dump; --stock has db_bench,
too.
"""

import argparse
import json
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

# The files that are read at a pace, and the group: one fits, but not much beside
# it; of the other about a quarter does not.
HOT_BYTES = {"fits": 256 << 20, "does not fit": 512 << 20}
GROUP_BYTES = 400 << 20
READS_PER_SECOND = 10000

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
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


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


def machine_refaults():
    """Refaults of file pages on the whole machine since it was started; None:
    the system does not tell."""
    with open("/proc/vmstat", encoding="ascii") as lines:
        figures = dict(line.split() for line in lines)
    for name in ("workingset_refault_file", "workingset_refault"):
        if name in figures:
            return int(figures[name])
    return None


def refault_count(group):
    count = group.file_refaults()
    return machine_refaults() if count is None else count


def paced_reads(path, command, group, seconds):
    """The refaults during paced reads of `path` beside `command`, which starts
    anew as long as they go on (None: beside nothing), how many reads there were
    and how many in a second."""
    drop([path])
    with subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), "--paced-reads", path,
             "--seconds", str(seconds)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            preexec_fn=group.join) as reader:
        reader.stdout.readline()  # It has read enough of the file.
        before = refault_count(group)
        reader.stdin.write("go\n")
        reader.stdin.flush()
        while reader.poll() is None:
            if command is None:
                time.sleep(0.1)
                continue
            with subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                  preexec_fn=group.join) as tool:
                while tool.poll() is None and reader.poll() is None:
                    time.sleep(0.05)
                if tool.poll() is None:
                    tool.terminate()
        refaults = refault_count(group) - before
        done = json.loads(reader.stdout.readline())
    return refaults, done["reads"], done["reads"] / done["seconds"]


def read_paced(path, seconds):
    """The reader's process: all of the file in order, and twice as many pages
    as it has by chance, so that the cache has settled; then pages by chance at
    a pace. Those that are due are read together: a sleep is not that exact."""
    descriptor = os.open(path, os.O_RDONLY)
    size = os.fstat(descriptor).st_size
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_RANDOM)
    draw = random.Random(1)

    def read_page():
        os.pread(descriptor, PAGE, draw.randrange(size // PAGE) * PAGE)

    for offset in range(0, size, 1 << 20):
        os.pread(descriptor, 1 << 20, offset)
    for _ in range(2 * size // PAGE):
        read_page()
    print("ready", flush=True)
    sys.stdin.readline()
    start = time.monotonic()
    paced = reads = 0
    while (now := time.monotonic() - start) < seconds:
        due = int(now * READS_PER_SECOND) + 1
        # What it could not do in a tenth of a second is left out.
        paced = max(paced, due - READS_PER_SECOND // 10)
        reads += due - paced
        while paced < due:
            read_page()
            paced += 1
        time.sleep(0.0005)
    print(json.dumps({"reads": reads, "seconds": time.monotonic() - start}),
          flush=True)


def make_hot_file(path, size):
    if os.path.exists(path) and os.path.getsize(path) == size:
        return
    with open(path, "wb") as file:
        for _ in range(size >> 20):
            file.write(os.urandom(1 << 20))


def of_none(kind, base, now):
    """How (refaults, reads) compare with those beside nothing."""
    if kind == "fits":
        # A read costs one page; what was pushed out costs one more.
        return (1 + now[0] / now[1]) / (1 + base[0] / base[1])
    return (now[0] / now[1]) / (base[0] / base[1]) if base[0] else 1.0


def measure_refaults(options, database):
    rows = {"none": None}
    for name in ("verify", "dump"):
        for who, programs in (("ours", options.ours),
                              ("stock", options.stock)):
            rows[f"{name} {who}"] = commands(programs, database)[name]
    paths = table_files(database)
    for kind, size in HOT_BYTES.items():
        hot = os.path.join(options.work, f"hot_{size >> 20}")
        make_hot_file(hot, size)
        print(f"{READS_PER_SECOND} paced reads a second for {options.seconds:g} "
              f"s of {size >> 20} MiB in a group of {GROUP_BYTES >> 20} MiB, "
              f"{options.rounds} rounds: the file {kind}", flush=True)
        runs = {name: [] for name in rows}
        for turn in range(options.rounds):
            names = list(rows) if turn % 2 == 0 else list(rows)[::-1]
            for name in names:
                drop(paths)
                with MemoryGroup("tools-speed", GROUP_BYTES) as group:
                    runs[name].append(paced_reads(hot, rows[name], group,
                                                  options.seconds))
                    has_group, why_not = group.path is not None, group.why_not
        if not has_group:
            print(f"  no memory group ({why_not}): refaults are those of the "
                  "whole machine")
        # The run in the middle, so that its figures belong to each other.
        middle = {name: sorted(done, key=lambda run: run[0] / run[1])[
            len(done) // 2] for name, done in runs.items()}
        for name, (refaults, reads, rate) in middle.items():
            cost = of_none(kind, middle["none"], (refaults, reads))
            verdict = ""
            if has_group and name.endswith("ours"):
                verdict = "  met" if cost <= MOST_REFAULTS else "  MISSED"
            print(f"  {name:<14}reads/s {rate:>6.0f}  refaults {refaults:>8}  "
                  f"of none {cost:>6.3f}{verdict}", flush=True)


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
    parser.add_argument("--seconds", type=float, default=20,
                        help="of paced reads, for each figure")
    parser.add_argument("--no-speed", action="store_true")
    parser.add_argument("--no-refaults", action="store_true")
    parser.add_argument("--paced-reads", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = parse_options()
    if options.paced_reads is not None:
        read_paced(options.paced_reads, options.seconds)
        return
    for programs in (options.ours, options.stock):
        for name in ("ldb", "sst_dump"):
            if not os.access(os.path.join(programs, name), os.X_OK):
                sys.exit(f"{os.path.join(programs, name)}: no such program")
    os.makedirs(options.work, exist_ok=True)
    database = os.path.join(options.work, "db")
    make_database(options.stock, database, int(options.gb * 1e9))
    if not options.no_speed:
        measure_speed(options, database)
    if not options.no_refaults:
        measure_refaults(options, database)


if __name__ == "__main__":
    main()
