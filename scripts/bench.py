#!/usr/bin/env python3
"""Measures our db_bench beside the stock RocksDB's, and prints the ratios.

Both programs run the same benchmarks in alternation (A B, B A, A B, ...), each
on databases that it made itself, with every flag that both know given
explicitly, so that no default can differ. The table shows medians.

  ratio     our throughput over stock's; of long scans, in MB a second
  factor    how much faster the peer, RocksDB 11.9, is than stock
  to peer   ratio / factor
  memory    our peak resident set over stock's

usage: bench.py [--suite NAME] [--quick] [--rounds N] [--only NAME,...]
                [--json FILE] [OURS]
"""

import argparse
import dataclasses
import fnmatch
import json
import os
import pty
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import bench_cases
from machine import read_steal, stolen_share
from programs import ProgramError, known_flags

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# What a ratio to the peer, and a ratio of memory to stock's, should reach.
LEAST_TO_PEER = 0.8
MOST_MEMORY = 1.2

# A run that lost more processor time than this to the host is done again.
MOST_STEAL = 0.05
MOST_RETRIES = 2

# Flags that a run sets itself.
RUN_FLAGS = {"benchmarks", "db", "num", "reads", "value_size",
             "use_existing_db", "histogram"}

PERCENTILES = re.compile(r"^Percentiles:.* P99\.9: ([\d.]+) ")
RESULT_LINE = re.compile(
    r"^(\w+)\s*:\s+([\d.]+) micros/op (\d+) ops/sec ([\d.]+) seconds "
    r"(\d+) operations;(?:\s+([\d.]+) MB/s)?")
WAIT_FINISHED = re.compile(r"^waitforcompaction\(.*\): finished")
JOB_FINISHED = re.compile(r'"time_micros": (\d+).*'
                          r'"event": "(?:flush|compaction)_finished"')


@dataclasses.dataclass
class Sample:
    """What one run gave."""
    ops_per_second: float
    p999_micros: float
    rss_mib: float
    cpu_seconds: float
    steal: float


@dataclasses.dataclass
class Program:
    """One of the two sides."""
    name: str
    path: str
    flags: dict  # All flags that it knows, with their defaults.


class BenchError(Exception):
    """Something that ends the measurement, in words for the user."""


def common_flags(ours, stock):
    """Every flag that both know: our default, or that of SETTINGS."""
    for name in bench_cases.SETTINGS:
        for program in (ours, stock):
            if name not in program.flags:
                raise BenchError(f"{program.path} has no flag --{name}")
    return {name: bench_cases.SETTINGS.get(name, default)
            for name, default in sorted(ours.flags.items())
            if name in stock.flags and name not in RUN_FLAGS}


def drop_pages(directory):
    """The files' pages leave the page cache."""
    for folder, _, names in os.walk(directory):
        for name in names:
            descriptor = os.open(os.path.join(folder, name), os.O_RDONLY)
            try:
                os.fsync(descriptor)
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(descriptor)


def read_lines(descriptor):
    """Yields (time, line) from a terminal until its other side is closed."""
    pending = b""
    while True:
        try:
            piece = os.read(descriptor, 65536)
        except OSError:  # How Linux tells the end of a terminal.
            piece = b""
        now = time.time()
        if not piece:
            break
        *lines, pending = (pending + piece).split(b"\n")
        for line in lines:
            yield now, line.decode("utf-8", "replace").rstrip("\r")
    if pending:
        yield now, pending.decode("utf-8", "replace")


def last_job_time(directory):
    """When the last flush or compaction ended, as RocksDB's LOG file has it;
    0 if there was none."""
    try:
        with open(os.path.join(directory, "LOG"), encoding="utf-8",
                  errors="replace") as log:
            times = [int(match.group(1)) for match in
                     map(JOB_FINISHED.search, log) if match]
    except OSError as error:
        raise BenchError(f"{directory}/LOG: {error.strerror}") from error
    return max(times, default=0) / 1e6


@dataclasses.dataclass
class Measured:
    """What the output says."""
    operations: float = 0  # MB, where these are what counts.
    seconds: float = 0.0
    p999_micros: float = 0.0


def read_output(case, lines, stock_directory):
    """What the measured benchmark did; None if it is not there.

    The stock program sleeps for seconds before it looks whether compaction
    is done, so what counts there is when its last job ended."""
    result = None
    is_measured = False
    result_time = wait_time = None
    for when, line in lines:
        match = RESULT_LINE.match(line)
        if match:
            is_measured = match.group(1) == case.measured
        if match and is_measured:
            operations = int(match.group(5))
            # More digits than "seconds" has, and of one thread.
            seconds = (operations / case.threads
                       * float(match.group(2)) / 1e6)
            if case.by_bytes:
                operations = float(match.group(6) or 0) * seconds
            result = Measured(operations, seconds)
            result_time = when
        percentiles = PERCENTILES.match(line)
        if percentiles and is_measured and result is not None:
            result.p999_micros = float(percentiles.group(1))
        if WAIT_FINISHED.match(line):
            wait_time = when
    if result is None or (case.waits and wait_time is None):
        return None
    if case.waits:
        if stock_directory is not None:
            wait_time = min(wait_time, last_job_time(stock_directory))
        result.seconds += max(0.0, wait_time - result_time)
    return result


def run_once(command, case, stock_directory):
    """Runs a program; its lines are timed, so they come by a terminal, to
    which a program writes line by line."""
    reader, writer = pty.openpty()
    steal_before = read_steal()
    with tempfile.TemporaryFile() as errors:
        # wait4 below is the one that reaps it, for the child's own usage.
        child = subprocess.Popen(  # pylint: disable=consider-using-with
            command, stdin=subprocess.DEVNULL, stdout=writer, stderr=errors)
        os.close(writer)
        lines = list(read_lines(reader))
        os.close(reader)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        error_text = errors.read().decode("utf-8", "replace")
    steal_after = read_steal()
    measured = read_output(case, lines, stock_directory)
    if child.returncode != 0 or measured is None:
        output = "\n".join(line for _, line in lines[-15:])
        raise BenchError(
            f"{command[0]} ended with status {child.returncode}; its command "
            f"line:\n{' '.join(command[1:])}\n"
            f"{output}\n{error_text[-2000:]}")
    return Sample(
        ops_per_second=measured.operations / max(measured.seconds, 1e-9),
        p999_micros=measured.p999_micros,
        rss_mib=usage.ru_maxrss / 1024,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        steal=stolen_share(steal_before, steal_after))


class Bench:
    """The measurement: programs, data sets, and all samples."""

    def __init__(self, options):
        self.options = options
        self.ours = Program("ours", options.ours, known_flags(options.ours))
        self.stock = Program("stock", options.stock,
                             known_flags(options.stock))
        self.flags = common_flags(self.ours, self.stock)
        self.samples = {}  # (shape, case, program name) -> list of Sample

    def known_cases(self, cases):
        """Those whose flags and benchmarks both programs have; c_bench lacks
        some."""
        known = []
        for case in cases:
            bases = [bench_cases.BASES[case.base]] if case.base else []
            missing = sorted({name for one in [case, *bases]
                              for name, _ in one.flags
                              for program in (self.ours, self.stock)
                              if name not in program.flags})
            if missing:
                self.progress(f"left out: {case.name}: one of the programs "
                              f"has no --{', --'.join(missing)}")
            else:
                known.append(case)
        if not known:
            raise BenchError("no case is left")
        return known

    def command(self, program, shape, case, directory):
        """The command line of one run."""
        flags = {**self.flags, **dict(case.flags),
                 "threads": str(case.threads)}
        operations = max(1, shape.num // case.op_share)
        return [
            program.path,
            *(f"--{name}={value}" for name, value in flags.items()),
            "--histogram=true",
            f"--benchmarks={case.benchmarks}",
            f"--db={directory}",
            f"--num={shape.num}",
            f"--reads={operations}",
            f"--writes={operations}",
            f"--value_size={shape.value_size}",
            f"--use_existing_db={'true' if case.base else 'false'}",
        ]

    def run(self, program, shape, case):
        """One sample; runs that the host disturbed are repeated."""
        is_base = case.name in bench_cases.BASES
        base = os.path.join(
            self.options.directory,
            f"{program.name}-{shape.name}-"
            f"{case.name if is_base else case.base or 'own'}")
        directory = f"{base}-changed" if case.is_changing else base
        for attempt in range(MOST_RETRIES + 1):
            if not case.base or case.is_changing:
                shutil.rmtree(directory, ignore_errors=True)
            if case.is_changing:
                shutil.copytree(base, directory)
            os.sync()
            if case.is_cold:
                drop_pages(directory)
            sample = run_once(
                self.command(program, shape, case, directory), case,
                directory if program is self.stock else None)
            if sample.steal <= MOST_STEAL:
                break
            self.progress(f"{sample.steal:.0%} of the processor was stolen"
                          f"{', again' if attempt < MOST_RETRIES else ''}")
        if case.is_changing or not (case.base or is_base):
            shutil.rmtree(directory, ignore_errors=True)
        return sample

    @staticmethod
    def progress(text):
        """A line for whoever watches."""
        print(f"  {text}", file=sys.stderr, flush=True)

    def measure(self, shapes, cases):
        """All rounds."""
        for index in range(self.options.rounds):
            order = [self.ours, self.stock]
            if index % 2 == 1:
                order.reverse()
            for shape in shapes:
                self.progress(f"round {index + 1} of {self.options.rounds}, "
                              f"{shape.name}")
                here = [case for case in cases if shape.name in case.shapes]
                bases = {case.base for case in here if case.base}
                for base in sorted(bases):
                    for program in order:
                        self.run(program, shape, bench_cases.BASES[base])
                for case in here:
                    self.measure_case(order, shape, case)

    def measure_case(self, order, shape, case):
        """One benchmark on both sides."""
        texts = []
        for program in order:
            sample = self.run(program, shape, case)
            key = (shape.name, case.name, program.name)
            self.samples.setdefault(key, []).append(sample)
            texts.append(f"{program.name} {sample.ops_per_second:,.1f}/s")
        self.progress(f"  {case.name:<16} {'   '.join(texts)}")

    def row(self, shape, case):
        """The figures of one line of the table."""
        def median(program, field):
            return statistics.median(
                getattr(sample, field) for sample in
                self.samples[shape.name, case.name, program.name])

        ours = median(self.ours, "ops_per_second")
        stock = median(self.stock, "ops_per_second")
        factor = 1.0 if self.options.is_peer else case.factor(shape)
        ratios = [a.ops_per_second / b.ops_per_second for a, b in zip(
            self.samples[shape.name, case.name, "ours"],
            self.samples[shape.name, case.name, "stock"])]
        ours_rss = median(self.ours, "rss_mib")
        stock_rss = median(self.stock, "rss_mib")
        return {
            "values": shape.name, "benchmark": case.name,
            "ours_per_second": ours, "stock_per_second": stock,
            "ratio": ours / stock,
            "ratio_lowest": min(ratios), "ratio_highest": max(ratios),
            "factor": factor, "ratio_to_peer": ours / stock / factor,
            "ours_p999_micros": median(self.ours, "p999_micros"),
            "stock_p999_micros": median(self.stock, "p999_micros"),
            "ours_rss_mib": ours_rss, "stock_rss_mib": stock_rss,
            "rss_ratio": ours_rss / stock_rss,
            "ours_cpu_seconds": median(self.ours, "cpu_seconds"),
            "stock_cpu_seconds": median(self.stock, "cpu_seconds"),
        }


def print_table(rows, rounds):
    """The table, for people."""
    width = max(len(row["benchmark"]) for row in rows)
    print(f"\nMedians of {rounds} rounds; operations per second, P99.9 in "
          "microseconds.\n")
    print(f"{'values':<7} {'benchmark':<{width}} {'ours':>11} {'stock':>11} "
          f"{'ratio':>6} {'(range)':>13} {'factor':>6} {'to peer':>7} "
          f"{'P99.9':>8} {'stock':>8} "
          f"{'MiB ours':>8} {'stock':>7} {'memory':>6} {'CPU s':>6} "
          f"{'stock':>6}")
    for row in rows:
        spread = f"({row['ratio_lowest']:.2f}-{row['ratio_highest']:.2f})"
        print(f"{row['values']:<7} {row['benchmark']:<{width}} "
              f"{row['ours_per_second']:>11,.1f} "
              f"{row['stock_per_second']:>11,.1f} "
              f"{row['ratio']:>6.2f} {spread:>13} {row['factor']:>6.2f} "
              f"{row['ratio_to_peer']:>7.2f} "
              f"{row['ours_p999_micros']:>8.1f} "
              f"{row['stock_p999_micros']:>8.1f} "
              f"{row['ours_rss_mib']:>8.0f} "
              f"{row['stock_rss_mib']:>7.0f} {row['rss_ratio']:>6.2f} "
              f"{row['ours_cpu_seconds']:>6.1f} "
              f"{row['stock_cpu_seconds']:>6.1f}")
    fast = sum(row["ratio_to_peer"] >= LEAST_TO_PEER for row in rows)
    small = sum(row["rss_ratio"] <= MOST_MEMORY for row in rows)
    print(f"\nAt least {LEAST_TO_PEER} times the peer: {fast} of {len(rows)}. "
          f"At most {MOST_MEMORY} times stock's memory: {small} of "
          f"{len(rows)}.")


def print_own_ratios(rows, suite):
    """What our figures of two cases are to each other."""
    figures = {(row["values"], row["benchmark"]): row["ours_per_second"]
               for row in rows}
    for title, case, other, bound in bench_cases.OWN_RATIOS[suite]:
        for values in sorted({values for values, _ in figures}):
            pair = [figures.get((values, name)) for name in (case, other)]
            if None not in pair:
                print(f"{values}: {title}: {pair[0] / pair[1]:.2f} "
                      f"(at least {bound:g})")


def parse_options(arguments):
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ours", nargs="?", default=os.path.join(
        ROOT, "build", "release", "bin", "db_bench"),
        help="our db_bench (default: that of the release build)")
    parser.add_argument("--stock", default="/usr/bin/db_bench",
                        help="the other one (default: %(default)s)")
    parser.add_argument("--is-peer", action="store_true",
                        help="--stock is the peer itself, so that no factor "
                        "lies between them: c_bench over another release")
    parser.add_argument("--rounds", type=int, default=None,
                        help="rounds (default: 5, with --quick 2)")
    parser.add_argument("--quick", action="store_true",
                        help="a fifth of the data: a look, not a measurement")
    parser.add_argument("--suite", default="basic",
                        choices=sorted(bench_cases.SUITES),
                        help="which cases (default: %(default)s)")
    parser.add_argument("--only", default="",
                        help="some cases of the suite, by name, or by the "
                        "beginning of names that ends in *")
    parser.add_argument("--values", default="100B,4KiB",
                        help="some of 100B,4KiB (default: %(default)s)")
    parser.add_argument("--json", metavar="FILE",
                        help="also write rows and samples to FILE")
    parser.add_argument("--directory", default=None,
                        help="where databases are made (default: a new "
                        "directory under $TMPDIR, or /tmp)")
    options = parser.parse_args(arguments)
    if options.rounds is None:
        options.rounds = 2 if options.quick else 5
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    wanted = [name for name in options.only.split(",") if name] or ["*"]
    cases = bench_cases.SUITES[options.suite]
    options.cases = [case for case in cases if any(
        fnmatch.fnmatchcase(case.name, name) for name in wanted)]
    for name in wanted:
        if not any(fnmatch.fnmatchcase(case.name, name) for case in cases):
            parser.error(f"--only: no case {name} in {options.suite}")
    return options


def choose_shapes(options):
    """The data sets that are asked for."""
    shapes = bench_cases.shapes(5 if options.quick else 1)
    try:
        return [shapes[name] for name in options.values.split(",") if name]
    except KeyError as error:
        raise BenchError(f"--values: no data set {error}") from error


def write_json(bench, rows, path):
    """Everything, for programs."""
    samples = {"/".join(key): [dataclasses.asdict(s) for s in values]
               for key, values in bench.samples.items()}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"flags": bench.flags, "rows": rows,
                   "samples": samples}, file, indent=1)
        file.write("\n")


def main():
    """The program."""
    options = parse_options(sys.argv[1:])
    made = options.directory is None
    if made:
        options.directory = tempfile.mkdtemp(prefix="basalt-bench-")
    else:
        os.makedirs(options.directory, exist_ok=True)
    try:
        bench = Bench(options)
        options.cases = bench.known_cases(options.cases)
        shapes = choose_shapes(options)
        bench.measure(shapes, options.cases)
        rows = [bench.row(shape, case) for shape in shapes
                for case in options.cases if shape.name in case.shapes]
        print_table(rows, options.rounds)
        print_own_ratios(rows, options.suite)
        if options.json:
            write_json(bench, rows, options.json)
    except (BenchError, ProgramError) as error:
        print(f"bench.py: {error}", file=sys.stderr)
        return 1
    finally:
        if made:
            shutil.rmtree(options.directory, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
