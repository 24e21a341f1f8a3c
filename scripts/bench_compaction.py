#!/usr/bin/env python3
"""Measures what compaction costs, ours beside the stock RocksDB's.

Two builds of our db_bench, over our engine and over the installed RocksDB, run
the same cases in alternation (A B, B A, ...), each on databases that it made
itself, with every flag that both know given explicitly. One table shows
medians.

  leveled     write and space amplification of uniform and skewed overwrites
  compact     bytes read by one thread that compacts everything, and its
              processor time, by size of values and codec
  runs        processor time of a merge of 10, and of 100, sorted runs
  universal   write amplification and sorted runs by limit of these; a limit
              other than the trigger is ours alone, as stock has none

usage: bench_compaction.py [--quick] [--rounds N] [--only NAME,...] [OURS]
"""

import argparse
import dataclasses
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import bench
from machine import read_steal, stolen_share
from programs import ProgramError, known_flags

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MIB = 1 << 20
KEY_BYTES = 16

# What a case sets beside bench_cases.SETTINGS. One job at a time, so that a
# processor second is one of compaction and no run depends on the other's.
SETTINGS = {
    "block_size": "4096",
    "disable_wal": "true",
    "max_background_jobs": "2",
    "statistics": "true",
    "subcompactions": "1",
}

# Bytes a second of overwrites where policies are compared. With a backlog,
# which depends on the machine, merges grow wide, and every policy looks alike.
PACE = 16 * MIB

TICKER_LINE = re.compile(r"^(rocksdb\.[\w.]+) COUNT : (\d+)$")
EVENT_LINE = re.compile(r"EVENT_LOG_v1 (\{.*\})")


class CaseError(bench.BenchError):
    """A run that cannot be used, in words for the user."""


@dataclasses.dataclass(frozen=True)
class Step:
    """One run of a program on the case's database."""
    benchmarks: str
    flags: dict
    is_measured: bool = True


@dataclasses.dataclass
class Outcome:
    """What the measured step gave, and what it left."""
    tickers: dict
    seconds: float      # How long its benchmarks took, by db_bench.
    cpu_seconds: float  # Processor time of the whole process.
    table_bytes: int
    runs: float         # Sorted runs, averaged over the time.


@dataclasses.dataclass(frozen=True)
class Case:
    """One database and what is measured on it."""
    name: str
    keys: int
    value_bytes: int
    steps: list
    measures: dict  # Name of a figure -> function of (case, Outcome).
    is_ours_alone: bool = False

    def data_bytes(self):
        """What all keys with one value each take up before they are stored."""
        return self.keys * (KEY_BYTES + self.value_bytes)


def ticker(outcome, name):
    """A count of the engine's; the run is useless without it."""
    if name not in outcome.tickers:
        raise CaseError(f"the program prints no {name}")
    return outcome.tickers[name]


def write_amplification(_, outcome):
    """Bytes written to tables for each byte of the user."""
    written = (ticker(outcome, "rocksdb.flush.write.bytes") +
               ticker(outcome, "rocksdb.compact.write.bytes"))
    return written / max(1, ticker(outcome, "rocksdb.bytes.written"))


def space_amplification(case, outcome):
    """Bytes of tables at the end for each byte that can be read."""
    return outcome.table_bytes / case.data_bytes()


def read_rate(_, outcome):
    """Bytes that compaction read in a second, in MB."""
    read = ticker(outcome, "rocksdb.compact.read.bytes")
    return read / 1e6 / max(outcome.seconds, 1e-9)


def cpu_per_gigabyte(_, outcome):
    """Processor seconds for each GB that compaction read."""
    read = ticker(outcome, "rocksdb.compact.read.bytes")
    return outcome.cpu_seconds / max(1e-9, read / 1e9)


def cpu_per_record(case, outcome):
    """Processor time for each record of the inputs, in microseconds."""
    return outcome.cpu_seconds * 1e6 / case.keys


def average_runs(_, outcome):
    """Sorted runs over the time of the overwrites."""
    return outcome.runs


def overwrite(flags):
    """Overwrites random keys, as many as there are, at a pace that compaction
    keeps up with."""
    return Step("overwrite,flush,waitforcompaction",
                flags | {"use_existing_db": "true",
                         "benchmark_write_rate_limit": str(PACE)})


def leveled_cases(scale):
    """The whole database is overwritten once."""
    keys = max(20_000, int(5_000_000 * scale))
    value_bytes = 400
    data = keys * (KEY_BYTES + value_bytes)
    flags = {
        "compaction_style": "0",
        "write_buffer_size": str(max(MIB // 4, data // 128)),
        "target_file_size_base": str(max(MIB // 4, data // 128)),
        "max_bytes_for_level_base": str(max(MIB, data // 32)),
    }
    cases = []
    for name, skew in (("uniform", "0"), ("zipfian", "0.99")):
        steps = [
            Step("filluniquerandom,flush,waitforcompaction", flags, False),
            overwrite(flags | {"overwrite_skew": skew}),
        ]
        cases.append(Case(f"leveled/{name}", keys, value_bytes, steps,
                          {"write amp": write_amplification,
                           "space amp": space_amplification}))
    return cases


def without_compaction(buffer_bytes):
    """Flags of a database whose level 0 only grows."""
    return {
        "compaction_style": "0",
        "disable_auto_compactions": "true",
        "level0_file_num_compaction_trigger": "1000",
        "level0_slowdown_writes_trigger": "1000",
        "level0_stop_writes_trigger": "1000",
        "write_buffer_size": str(buffer_bytes),
    }


def merge_case(name, shape, runs, more, measures):
    """So many sorted runs, each a random part of the keys, become one."""
    keys, value_bytes = shape
    flags = without_compaction(4 * keys * (KEY_BYTES + value_bytes) // runs +
                               16 * MIB) | more
    fill = ["fillrandom,flush"] + ["overwrite,flush"] * (runs - 1)
    steps = [
        Step(",".join(fill), flags | {"writes": str(keys // runs)}, False),
        Step("compact", flags | {"use_existing_db": "true"}),
    ]
    return Case(name, keys, value_bytes, steps, measures)


def compact_cases(scale):
    """Ten runs of about 1 GB."""
    cases = []
    for label, value_bytes in (("4KiB", 4096), ("100B", 100)):
        keys = max(5000, int(1e9 * scale / (KEY_BYTES + value_bytes)))
        for codec in ("none", "lz4", "zstd"):
            cases.append(merge_case(
                f"compact/{label}/{codec}", (keys, value_bytes), 10,
                {"compression_type": codec},
                {"MB/s": read_rate, "CPU s/GB": cpu_per_gigabyte}))
    return cases


def run_cases(scale):
    """The same records in few runs, and in many."""
    keys = max(20_000, int(5_000_000 * scale))
    return [merge_case(f"runs/{runs}", (keys, 100), runs, {},
                       {"CPU us/record": cpu_per_record})
            for runs in (10, 100)]


def universal_cases(scale):
    """About 4 GB in the last level, overwritten once, with the geometry for
    which nine runs are computed: 108 flushes make a database."""
    keys = max(50_000, int(4_000_000 * scale))
    value_bytes = 1000
    buffer_bytes = max(MIB // 4, keys * (KEY_BYTES + value_bytes) // 108)
    flags = {
        "compaction_style": "1",
        "level0_file_num_compaction_trigger": "5",
        "level0_slowdown_writes_trigger": "40",
        "level0_stop_writes_trigger": "60",
        "target_file_size_base": str(64 * MIB),
        "write_buffer_size": str(buffer_bytes),
    }
    policies = [
        ("limit=5", {"universal_max_read_amp": "-1"}),
        ("automatic", {"universal_max_read_amp": "0"}),
        ("limit=9", {"universal_max_read_amp": "-1",
                     "level0_file_num_compaction_trigger": "9"}),
        ("similar-size", {"universal_max_read_amp": "9",
                          "universal_stop_style": "0",
                          "universal_min_merge_width": "3"}),
    ]
    cases = []
    for name, policy in policies:
        steps = [
            Step("filluniquerandom,flush,compact", flags | policy, False),
            overwrite(flags | policy),
        ]
        cases.append(Case(f"universal/{name}", keys, value_bytes, steps,
                          {"write amp": write_amplification,
                           "runs": average_runs},
                          is_ours_alone=(
                              policy["universal_max_read_amp"] != "-1")))
    return cases


def all_cases(scale):
    """In the order of the table."""
    return (leveled_cases(scale) + compact_cases(scale) + run_cases(scale) +
            universal_cases(scale))


def count_runs(state):
    """The sorted runs of an lsm_state: each file of level 0 is one, and each
    other level that has files."""
    return state[0] + sum(files > 0 for files in state[1:])


def runs_over_time(lines):
    """The average of the runs that the events of a LOG tell of."""
    weighted = span = 0
    before = None  # (time, runs)
    for line in lines:
        match = EVENT_LINE.search(line)
        if match is None:
            continue
        try:
            event = json.loads(match.group(1))
        except json.JSONDecodeError:
            continue
        if "lsm_state" not in event:
            continue
        now = event["time_micros"]
        if before is not None and now > before[0]:
            weighted += before[1] * (now - before[0])
            span += now - before[0]
        before = now, count_runs(event["lsm_state"])
    if before is None:
        return 0.0
    return weighted / span if span > 0 else float(before[1])


def parse_output(text):
    """(tickers, seconds of all benchmarks) of what a program printed."""
    tickers = {}
    seconds = 0.0
    for line in text.splitlines():
        match = TICKER_LINE.match(line)
        if match:
            tickers[match.group(1)] = int(match.group(2))
        match = bench.RESULT_LINE.match(line)
        if match:
            # More digits than "seconds" has; one thread, so the same thing.
            seconds += int(match.group(5)) * float(match.group(2)) / 1e6
    return tickers, seconds


def table_bytes(directory):
    """What the tables of a database take up."""
    return sum(entry.stat().st_size for entry in os.scandir(directory)
               if entry.name.endswith(".sst"))


def run_step(program, arguments, directory):
    """Runs a program to its end; (its output, its processor seconds)."""
    command = [program.path, *arguments, f"--db={directory}"]
    with tempfile.TemporaryFile() as output, \
            tempfile.TemporaryFile() as errors:
        # wait4 below is the one that reaps it, for the child's own usage.
        child = subprocess.Popen(  # pylint: disable=consider-using-with
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
        errors.seek(0)
        error_text = errors.read().decode("utf-8", "replace")
    if child.returncode != 0:
        raise CaseError(
            f"{command[0]} ended with status {child.returncode}; its command "
            f"line:\n{' '.join(command[1:])}\n{text[-2000:]}\n"
            f"{error_text[-2000:]}")
    return text, usage.ru_utime + usage.ru_stime


class CompactionBench:
    """The measurement: programs, cases, and all samples."""

    def __init__(self, options):
        self.options = options
        self.ours = bench.Program("ours", options.ours,
                                  known_flags(options.ours))
        self.stock = bench.Program("stock", options.stock,
                                   known_flags(options.stock))
        self.arguments = [
            f"--{name}={value}" for name, value in
            bench.common_flags(self.ours, self.stock).items()]
        self.samples = {}  # (case, figure, program name) -> list of numbers

    def run(self, program, case):
        """The figures of one run of a case."""
        directory = os.path.join(self.options.directory,
                                 f"{program.name}-{case.name}"
                                 .replace("/", "-"))
        shutil.rmtree(directory, ignore_errors=True)
        outcome = None
        for step in case.steps:
            flags = SETTINGS | {
                "benchmarks": step.benchmarks,
                "num": str(case.keys),
                "value_size": str(case.value_bytes),
            } | step.flags
            # A later flag counts.
            arguments = self.arguments + [
                f"--{name}={value}" for name, value in flags.items()
                if name in program.flags]
            os.sync()
            text, cpu_seconds = run_step(program, arguments, directory)
            if not step.is_measured:
                continue
            tickers, seconds = parse_output(text)
            with open(os.path.join(directory, "LOG"), encoding="utf-8",
                      errors="replace") as log:
                runs = runs_over_time(log)
            outcome = Outcome(tickers, seconds, cpu_seconds,
                              table_bytes(directory), runs)
        shutil.rmtree(directory, ignore_errors=True)
        return {name: measure(case, outcome)
                for name, measure in case.measures.items()}

    def run_undisturbed(self, program, case):
        """The same, again if the host took the processor away."""
        for attempt in range(bench.MOST_RETRIES + 1):
            before = read_steal()
            figures = self.run(program, case)
            steal = stolen_share(before, read_steal())
            if steal <= bench.MOST_STEAL:
                break
            again = ", again" if attempt < bench.MOST_RETRIES else ""
            self.progress(f"{steal:.0%} of the processor was stolen{again}")
        return figures

    @staticmethod
    def progress(text):
        """A line for whoever watches."""
        print(f"  {text}", file=sys.stderr, flush=True)

    def measure(self, cases):
        """All rounds."""
        for index in range(self.options.rounds):
            self.progress(f"round {index + 1} of {self.options.rounds}")
            order = [self.ours, self.stock]
            if index % 2 == 1:
                order.reverse()
            for case in cases:
                for program in order:
                    if case.is_ours_alone and program is self.stock:
                        continue
                    figures = self.run_undisturbed(program, case)
                    texts = []
                    for name, value in figures.items():
                        key = (case.name, name, program.name)
                        self.samples.setdefault(key, []).append(value)
                        texts.append(f"{name} {value:.3g}")
                    self.progress(f"  {case.name:<24} {program.name:<6} "
                                  f"{'   '.join(texts)}")

    def rows(self, cases):
        """The lines of the table."""
        rows = []
        for case in cases:
            for name in case.measures:
                ours = self.samples[case.name, name, "ours"]
                stock = self.samples.get((case.name, name, "stock"))
                row = {"case": case.name, "figure": name,
                       "ours": statistics.median(ours)}
                if stock is not None:
                    ratios = [a / b for a, b in zip(ours, stock) if b > 0]
                    row["stock"] = statistics.median(stock)
                    row["ratio"] = (row["ours"] / row["stock"]
                                    if row["stock"] > 0 else 0.0)
                    row["lowest"] = min(ratios, default=0.0)
                    row["highest"] = max(ratios, default=0.0)
                rows.append(row)
        return rows


def print_table(rows, rounds):
    """The table, for people."""
    print(f"\nMedians of {rounds} rounds.\n")
    print(f"{'case':<24} {'figure':<14} {'ours':>9} {'stock':>9} "
          f"{'ratio':>6} {'(range)':>13}")
    for row in rows:
        line = f"{row['case']:<24} {row['figure']:<14} {row['ours']:>9.2f}"
        if "stock" in row:
            spread = f"({row['lowest']:.2f}-{row['highest']:.2f})"
            line += (f" {row['stock']:>9.2f} {row['ratio']:>6.2f} "
                     f"{spread:>13}")
        print(line)
    by_case = {row["case"]: row for row in rows}
    if "runs/10" in by_case and "runs/100" in by_case:
        for program in ("ours", "stock"):
            few, many = (by_case[f"runs/{runs}"][program]
                         for runs in (10, 100))
            print(f"\n100 runs cost {many / max(few, 1e-9):.2f} times what 10 "
                  f"do, for each record ({program}).", end="")
        print()


def parse_options(arguments):
    """The command line."""
    binaries = os.path.join(ROOT, "build", "release", "bin")
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ours", nargs="?",
                        default=os.path.join(binaries, "db_bench"),
                        help="our db_bench (default: that of the release "
                        "build)")
    parser.add_argument("--stock",
                        default=os.path.join(binaries, "db_bench_stock"),
                        help="the same over the installed RocksDB (default: "
                        "%(default)s)")
    parser.add_argument("--rounds", type=int, default=3,
                        help="rounds (default: %(default)s)")
    parser.add_argument("--scale", type=float, default=1.0,
                        help="part of the data (default: %(default)s)")
    parser.add_argument("--quick", action="store_true",
                        help="one round of a twentieth of the data: a look, "
                        "not a measurement")
    parser.add_argument("--only", default="",
                        help="cases whose names begin so, joined by commas")
    parser.add_argument("--json", metavar="FILE",
                        help="also write rows and samples to FILE")
    parser.add_argument("--directory", default=None,
                        help="where databases are made (default: a new "
                        "directory under $TMPDIR, or /tmp)")
    options = parser.parse_args(arguments)
    if options.quick:
        options.rounds, options.scale = 1, options.scale / 20
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    if not 0 < options.scale <= 100:
        parser.error("--scale must be above 0, and at most 100")
    options.only = [name for name in options.only.split(",") if name]
    return options


def choose_cases(options):
    """Those that are asked for."""
    cases = all_cases(options.scale)
    for name in options.only:
        if not any(case.name.startswith(name) for case in cases):
            raise CaseError(f"--only: no case {name}")
    if not options.only:
        return cases
    return [case for case in cases
            if any(case.name.startswith(name) for name in options.only)]


def main():
    """The program."""
    options = parse_options(sys.argv[1:])
    made = options.directory is None
    if made:
        options.directory = tempfile.mkdtemp(prefix="basalt-bench-")
    else:
        os.makedirs(options.directory, exist_ok=True)
    try:
        measurement = CompactionBench(options)
        cases = choose_cases(options)
        measurement.measure(cases)
        rows = measurement.rows(cases)
        print_table(rows, options.rounds)
        if options.json:
            samples = {"/".join(key): values
                       for key, values in measurement.samples.items()}
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump({"flags": measurement.arguments, "rows": rows,
                           "samples": samples}, file, indent=1)
                file.write("\n")
    except (bench.BenchError, ProgramError) as error:
        print(f"bench_compaction.py: {error}", file=sys.stderr)
        return 1
    finally:
        if made:
            shutil.rmtree(options.directory, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
