#!/usr/bin/env python3
"""The demo: user reads while compaction runs, buffered and direct.

1. The stock db_bench writes a database of about 1 GB.
2. Basalt opens a copy, reads a small hot set and meanwhile overwrites the
   whole key space, with compaction, under a memory limit; then another copy
   with direct I/O in compaction and flush.
3. The stock tools read what Basalt left, key by key.
4. The report on compaction I/O, in short: all ways of direct I/O.
5. One table and one sentence compare the two ways of step 2.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import threading
import time

from database_files import clone_database, drop_cached_pages, tree_size
from memory_group import MemoryGroup

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BIN = os.path.join(ROOT, "build", "release", "bin")

REPORT = os.path.join(ROOT, "tools", "compaction_io_report", "run")
REPORT_SECONDS = 90
REPORT_FOLDER = os.path.join(ROOT, "build", "demo-report")

# The names of tickers in the output of --statistics.
DIRECT_OPENS_TICKER = "basalt.compaction.direct.read.opens"
COMPACTION_TICKERS = ("rocksdb.compact.read.bytes",
                      "rocksdb.compact.write.bytes")

MIB = 1 << 20
VALUE_SIZE = 4096
KEY_SIZE = 16

# What stock 7.8 and Basalt must agree on, and what makes the two runs alike.
COMMON_FLAGS = [
    f"--key_size={KEY_SIZE}",
    f"--value_size={VALUE_SIZE}",
    "--compression_type=none",
    "--bloom_bits=10",
    "--cache_type=lru_cache",
    "--cache_size=8388608",  # Small: the page cache is what is shown.
    "--max_background_jobs=2",
    "--write_buffer_size=33554432",
    "--target_file_size_base=33554432",
    "--max_bytes_for_level_base=134217728",
    "--open_files=-1",
    "--seed=42",
    "--progress_reports=false",
    "--stats_interval_seconds=5",
]

MODES = {
    "buffered": [
        "--use_direct_io_for_compaction_reads=false",
        "--use_direct_io_for_flush_and_compaction=false",
    ],
    "direct": [
        "--use_direct_io_for_compaction_reads=true",
        "--use_direct_io_for_flush_and_compaction=true",
    ],
}

RESULT_LINE = re.compile(
    r"^readwhilewriting\s*:\s+[\d.]+ micros/op (\d+) ops/sec ([\d.]+) seconds "
    r"(\d+) operations;.*\((\d+) of (\d+) found\)", re.M)
PERCENTILES = re.compile(
    r"^Microseconds per read:.*?^Percentiles: P50: ([\d.]+) P75: [\d.]+ "
    r"P99: ([\d.]+) P99.9: ([\d.]+) P99.99: ([\d.]+)", re.M | re.S)
INTERVAL = re.compile(
    r"\.\.\. thread 0: \(\d+,(\d+)\) ops and \(([\d.]+),[\d.]+\) ops/second "
    r"in \([\d.]+,([\d.]+)\) seconds")

START = time.monotonic()


class DemoError(Exception):
    """Something that ends the demo, in words for the user."""


def say(text):
    """A line of progress."""
    print(f"[{time.monotonic() - START:5.0f} s] {text}", flush=True)


def note_interval(line):
    """Shows a progress line of db_bench, if it is one."""
    match = INTERVAL.search(line)
    if match:
        done, rate, seconds = match.groups()
        say(f"    {float(seconds):4.0f} s: {int(done):,} operations of "
            f"thread 0, {float(rate):,.0f} a second now")
    return match is not None


def run(command, group=None):
    """Runs a program to its end and returns its output; shows progress."""
    errors = []
    try:
        with subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True, errors="replace",
                preexec_fn=group.join if group else None) as child:
            def drain():
                for line in child.stderr:
                    if not note_interval(line):
                        errors.append(line)
            thread = threading.Thread(target=drain)
            thread.start()
            output = child.stdout.read()
            thread.join()
    except OSError as error:
        raise DemoError(f"{command[0]}: {error.strerror}") from error
    if child.returncode != 0:
        raise DemoError(
            f"{' '.join(command)}\nended with status {child.returncode}\n"
            f"{output[-1500:]}{''.join(errors)[-1500:]}")
    for line in errors:
        if "left out" in line or "not in this engine" in line:
            say(f"    {line.strip()}")
    return output


def find_programs(options):
    """The paths of what the demo needs, or an error that lists what is not
    there."""
    programs = {"db_bench": options.db_bench, "kvdump": options.kvdump,
                "stock db_bench": options.stock_db_bench,
                "ldb": "ldb", "sst_dump": "sst_dump"}
    missing = []
    for name, path in programs.items():
        programs[name] = shutil.which(path)
        if programs[name] is None:
            missing.append(f"{name} ({path})")
    if missing:
        raise DemoError("missing: " + ", ".join(missing) +
                        "; make release builds ours, make deps installs the "
                        "stock ones (package rocksdb-tools)")
    return programs


class Demo:
    """The demo's settings and steps."""

    def __init__(self, options):
        self.options = options
        self.programs = find_programs(options)
        self.directory = os.path.join(options.directory, f"demo-{os.getpid()}")
        self.keys = options.megabytes * MIB // (KEY_SIZE + VALUE_SIZE)
        self.hot_keys = max(1, options.hot_megabytes * MIB //
                            (KEY_SIZE + VALUE_SIZE))

    def path(self, name):
        """The path of a database of the demo."""
        return os.path.join(self.directory, name)

    def check_space(self):
        """Ends the demo now rather than in the middle."""
        os.makedirs(self.directory)
        needed = 5 * self.options.megabytes * MIB
        free = shutil.disk_usage(self.directory).free
        if free < needed:
            raise DemoError(
                f"{self.directory}: {needed // MIB} MiB are needed, "
                f"{free // MIB} MiB are free; --directory=DIR takes another")

    def write_database(self):
        """Step 1."""
        say(f"stock db_bench writes {self.keys:,} keys with values of "
            f"{VALUE_SIZE} bytes ({self.options.megabytes} MiB)")
        path = self.path("stock")
        run([self.programs["stock db_bench"], *COMMON_FLAGS,
             "--benchmarks=filluniquerandom,waitforcompaction",
             f"--db={path}", f"--num={self.keys}", "--format_version=5"])
        say(f"  {tree_size(path) / 1e9:.2f} GB on disk")

    def bench(self, name, benchmarks, group, extra):
        """Runs our db_bench on a database of the demo."""
        return run(
            [self.programs["db_bench"], *COMMON_FLAGS,
             f"--benchmarks={benchmarks}", f"--db={self.path(name)}",
             "--use_existing_db=true", "--format_version=5",
             f"--num={self.hot_keys}", f"--bgwriter_num={self.keys}",
             *MODES[name], *extra], group)

    def measure(self, name):
        """Step 2, for one mode: a row of the table."""
        say(f"{name}: a copy of the database, not cached")
        shutil.copytree(self.path("stock"), self.path(name))
        drop_cached_pages(self.path("stock"))
        drop_cached_pages(self.path(name))
        limit = self.options.limit_megabytes
        with MemoryGroup("basalt-demo", limit * MIB) as group:
            if group.path is None:
                say(f"  no memory limit here ({group.why_not}); going on "
                    "without one")
            else:
                say(f"  memory limit {limit} MiB")
            say(f"  warming up: reads of the hot {self.hot_keys:,} keys "
                f"({self.options.hot_megabytes} MiB)")
            self.bench(name, "readrandom", group,
                       [f"--reads={4 * self.hot_keys}", "--threads=1"])
            say(f"  {self.options.seconds} s of hot reads while all "
                f"{self.keys:,} keys are overwritten at random")
            before = group.file_refaults()
            output = self.bench(
                name, "readwhilewriting", group,
                [f"--duration={self.options.seconds}",
                 f"--threads={self.options.threads}", "--histogram=true",
                 "--statistics=true",
                 f"--benchmark_write_rate_limit="
                 f"{self.options.write_megabytes * MIB}"])
            after = group.file_refaults()
        refaults = None if before is None else after - before
        return self.row(name, output, refaults)

    def row(self, name, output, refaults):
        """The figures of one mode, out of the program's output."""
        result = RESULT_LINE.search(output)
        percentiles = PERCENTILES.search(output)
        if result is None or percentiles is None:
            raise DemoError(f"{name}: no result in this output:\n"
                            f"{output[-3000:]}")
        rate, seconds, operations, found, total = result.groups()
        if found != total:
            raise DemoError(f"{name}: {found} of {total} reads found their "
                            "key; all should")

        def ticker(text):
            match = re.search(re.escape(text) + r" COUNT : (\d+)", output)
            return int(match.group(1)) if match else None

        compacted = sum(ticker(text) or 0 for text in COMPACTION_TICKERS)
        say(f"  {name}: {int(operations):,} reads, every key was found")
        return {
            "mode": name,
            "reads/s": int(rate),
            **dict(zip(("P50", "P99", "P99.9", "P99.99"),
                       map(float, percentiles.groups()))),
            "file refaults": refaults,
            "compaction MB/s": compacted / 1e6 / float(seconds),
            "direct opens": ticker(DIRECT_OPENS_TICKER),
        }

    def finish_writes(self, name):
        """Leaves nothing in the log, and all compactions done."""
        say(f"{name}: flush, and wait for compaction")
        self.bench(name, "flush,waitforcompaction", None, [])

    def verify_tables(self, name):
        """Step 3: every block of every table file, by the stock tool."""
        say(f"{name}: stock sst_dump verifies every table file")
        output = run([self.programs["sst_dump"],
                      f"--file={self.path(name)}", "--command=verify"])
        good = output.count("The file is ok")
        tables = sum(entry.name.endswith(".sst")
                     for entry in os.scandir(self.path(name)))
        if good != tables:
            raise DemoError(f"sst_dump: {good} of {tables} files are good\n"
                            f"{output[-2000:]}")
        return f"{good} of {tables} table files are good"

    def clone(self, name):
        """A copy whose table files are shared, so that a tool that opens the
        database for writing cannot change what is compared with it."""
        clone = self.path(name + "-clone")
        clone_database(self.path(name), clone)
        return clone

    def compare_keys(self, name):
        """Step 3: what ldb reads against what Basalt reads, key by key."""
        say(f"{name}: stock ldb and Basalt read all keys")
        clone = self.clone(name)
        with Reader([self.programs["kvdump"], self.path(name)],
                    parse_kvdump) as ours, \
             Reader([self.programs["ldb"], f"--db={clone}",
                     "--ignore_unknown_options", "scan", "--hex"],
                    parse_ldb) as stock:
            counts = compare(ours, stock)
        shutil.rmtree(clone)
        if counts["equal"] == 0 or sum(counts.values()) != counts["equal"]:
            raise DemoError(f"{name}: the contents differ: {counts}")
        return f"{counts['equal']:,} keys, all equal"

    def run(self):
        """All steps."""
        self.check_space()
        self.write_database()
        rows = [self.measure(name) for name in MODES]
        for name in MODES:
            self.finish_writes(name)
        checks = [(name, self.verify_tables(name), self.compare_keys(name))
                  for name in MODES]
        self.report()
        print_table(rows)
        print(f"\n{sentence(*rows)}\n\n"
              "Stock RocksDB reads what Basalt left:")
        for name, tables, keys in checks:
            print(f"  {name:<9} sst_dump: {tables}; "
                  f"ldb against Basalt: {keys}")
        print(f"The demo took {time.monotonic() - START:.0f} s. Pictures: "
              f"{os.path.join(REPORT_FOLDER, 'report.html')}")

    def report(self):
        """Step 4, in a program of its own; its page stays."""
        say("the report on compaction I/O, at a small scale")
        done = subprocess.run(
            [REPORT, "--quick", f"--max-seconds={REPORT_SECONDS}",
             f"--db_bench={self.programs['db_bench']}",
             f"--directory={self.directory}",
             f"--output={REPORT_FOLDER}", "--brief"],
            check=False)
        if done.returncode != 0:
            raise DemoError("the report failed")


class Reader:
    """The keys and values that a program prints, one line each."""

    def __init__(self, command, parse):
        self.command = command
        self._parse = parse
        self._child = None

    def __enter__(self):
        # Left by __exit__, which waits for it.
        self._child = subprocess.Popen(  # pylint: disable=consider-using-with
            self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            self._child.kill()
        self._child.stdout.close()
        status = self._child.wait()
        if kind is None and status != 0:
            raise DemoError(f"{' '.join(self.command)}\nended with status "
                            f"{status}")

    def next(self):
        """(key, value) in hex, or None at the end."""
        for line in self._child.stdout:
            entry = self._parse(line)
            if entry is not None:
                return entry
        return None


def parse_kvdump(line):
    """family TAB key TAB value"""
    _, key, value = line.rstrip(b"\n").split(b"\t")
    return key, value


def parse_ldb(line):
    """0xKEY : 0xVALUE, among lines of other kinds"""
    if not line.startswith(b"0x"):
        return None
    key, _, value = line.rstrip(b"\n").partition(b" : ")
    return key[2:], value[2:]


def compare(ours, stock):
    """Walks both in step, and counts keys by what is found."""
    counts = {"equal": 0, "other value": 0, "only ours": 0, "only stock": 0}
    left, right = ours.next(), stock.next()
    shown = 0
    while left is not None or right is not None:
        if right is None or (left is not None and left[0] < right[0]):
            counts["only ours"] += 1
            left = ours.next()
            continue
        if left is None or right[0] < left[0]:
            counts["only stock"] += 1
            right = stock.next()
            continue
        counts["equal" if left[1] == right[1] else "other value"] += 1
        left, right = ours.next(), stock.next()
        if sum(counts.values()) - shown >= 100000:
            shown = sum(counts.values())
            say(f"    {shown:,} keys compared")
    return counts


def shown(value):
    """A figure for people."""
    if value is None:
        return "n/a"
    if isinstance(value, float):
        return f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else value


def print_table(rows):
    """The table, with latencies in microseconds."""
    print("\nReads of the hot set while the database is overwritten; "
          "latencies in microseconds.\n")
    columns = list(rows[0])
    lines = [columns] + [[shown(row[column]) for column in columns]
                         for row in rows]
    widths = [max(map(len, cells)) for cells in zip(*lines)]
    for line in lines:
        print("  ".join(cell.rjust(width)
                        for cell, width in zip(line, widths)))


def sentence(buffered, direct):
    """What direct I/O in compaction and flush changed, in words."""
    said = (f"With direct I/O in compaction and flush, the reads' P99.9 went "
            f"from {shown(buffered['P99.9'])} to {shown(direct['P99.9'])} us")
    if None not in (buffered["file refaults"], direct["file refaults"]):
        said += (f", pages that had to be read again (file refaults) from "
                 f"{shown(buffered['file refaults'])} to "
                 f"{shown(direct['file refaults'])}")
    if buffered["compaction MB/s"]:
        times = direct["compaction MB/s"] / buffered["compaction MB/s"]
        said += f", and compaction was {times:.1f} times as fast"
    return said + "."


def parse_options(arguments):
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    positive = {"type": int, "help": "default: %(default)s"}
    parser.add_argument("--megabytes", default=1000, **positive)
    parser.add_argument("--hot-megabytes", default=120, **positive)
    parser.add_argument("--limit-megabytes", default=400, **positive)
    parser.add_argument("--write-megabytes", default=25, **positive)
    parser.add_argument("--seconds", default=45, **positive)
    parser.add_argument("--threads", default=2, **positive)
    parser.add_argument("--directory", default=os.path.join(ROOT, "build"),
                        help="where databases are made (default: %(default)s)")
    parser.add_argument("--db_bench", default=os.path.join(BIN, "db_bench"))
    parser.add_argument("--kvdump", default=os.path.join(BIN, "kvdump"))
    parser.add_argument("--stock_db_bench", default="/usr/bin/db_bench")
    options = parser.parse_args(arguments)
    for name in ("megabytes", "hot_megabytes", "limit_megabytes",
                 "write_megabytes", "seconds", "threads"):
        if getattr(options, name) < 1:
            parser.error(f"--{name.replace('_', '-')} must be at least 1")
    if options.hot_megabytes > options.megabytes:
        parser.error("--hot-megabytes is more than --megabytes")
    return options


def main():
    """The program."""
    demo = None
    try:
        demo = Demo(parse_options(sys.argv[1:]))
        demo.run()
    except DemoError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("demo: interrupted", file=sys.stderr)
        return 130
    finally:
        if demo is not None:
            shutil.rmtree(demo.directory, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
