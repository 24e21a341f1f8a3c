#!/usr/bin/env python3
"""How costs grow: one table, ours beside other engines.

For each axis (bytes, files, families, threads, sizes of values, tombstones in
the way) c_bench makes a database at each point and tells what a Get, a Put, a
Seek, the opening and the resident memory cost there. The programs run in turn,
forth in one round and back in the next; the table has medians.

  growth    the last point over the first
  bound     what the cost must grow by at least; a figure that grows by more
            than one and a half times that is marked with *

usage: growth.py [--quick] [--axes NAME,...] [--rounds N] [--json FILE]
                 [NAME=C_BENCH ...]
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

import growth_axes
from growth_axes import AXES, AxisLeftOut

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BINARIES = os.path.join(ROOT, "build", "release", "bin")

# Those of them that are there run if the command line names none.
DEFAULT_PROGRAMS = (
    ("ours", os.path.join(BINARIES, "c_bench")),
    ("stock", os.path.join(BINARIES, "c_bench_stock")),
    ("peer", os.path.join(ROOT, "build", "peer", "c_bench_peer")),
)

MOST_OVER_BOUND = 1.5


class GrowthError(Exception):
    """Something that ends the measurement, in words for the user."""


class Runner:
    """Runs one program on databases below one directory."""

    def __init__(self, path, directory):
        self._path = path
        self.directory = directory

    def __call__(self, benchmarks, **flags):
        """What the program printed; `flags` go before those of every run."""
        chosen = {**growth_axes.COMMON, **flags, "benchmarks": benchmarks,
                  "db": os.path.join(self.directory, "db")}
        command = [self._path, *(f"--{name}={value}"
                                 for name, value in chosen.items())]
        done = subprocess.run(command, capture_output=True, text=True,
                              errors="replace", check=False)
        if done.returncode != 0:
            raise GrowthError(f"{' '.join(command)}\nended with status "
                              f"{done.returncode}\n{done.stdout[-500:]}"
                              f"{done.stderr[-2000:]}")
        return growth_axes.parse(done.stdout)


def measure_point(path, axis, point, directory):
    """The figures of one program at one point, from an empty directory."""
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    try:
        return axis.measure(Runner(path, directory), point)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def measure(options, programs, say):
    """{(axis, point, figure, program): [values]} of all rounds."""
    samples = {}
    scratch = tempfile.mkdtemp(prefix="basalt-growth-", dir=options.directory)
    try:
        for number in range(options.rounds):
            order = programs if number % 2 == 0 else programs[::-1]
            for axis in options.axes:
                try:
                    measure_axis(axis, order, scratch, (samples, say),
                                 options.quick)
                except AxisLeftOut as error:
                    say(f"{axis.name}: left out: {error}")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return samples


def measure_axis(axis, order, scratch, sinks, is_quick):
    """One round of an axis."""
    samples, say = sinks
    for point in axis.points(is_quick):
        free = shutil.disk_usage(scratch).free
        if axis.room(point) > free:
            say(f"{axis.name} {axis.label(point)}: left out: it may take "
                f"{axis.room(point) / 1e9:.0f} GB of the disk, and "
                f"{free / 1e9:.0f} GB are free")
            continue
        for name, path in order:
            figures = measure_point(path, axis, point,
                                    os.path.join(scratch, name))
            say(f"{axis.name} {axis.label(point)} {name}: " + "  ".join(
                f"{figure} {value:.3g}" for figure, value in figures.items()))
            for figure, value in figures.items():
                samples.setdefault((axis.name, point, figure, name),
                                   []).append(value)


def rows(samples, axes, names, is_quick):
    """The lines of the table: a line for each figure and program."""
    for axis in axes:
        points = [point for point in axis.points(is_quick)
                  if any(key[:2] == (axis.name, point) for key in samples)]
        if not points:
            continue
        for figure, bound in axis.bounds.items():
            for name in names:
                values = [statistics.median(samples[key]) if key in samples
                          else None for key in
                          ((axis.name, point, figure, name)
                           for point in points)]
                if None in values:
                    continue
                least = bound(points[-1] / points[0])
                growth = values[-1] / values[0] if values[0] else None
                yield {"axis": axis.name, "figure": figure, "program": name,
                       "points": [axis.label(point) for point in points],
                       "values": values, "growth": growth, "bound": least,
                       "is_over": growth is not None and
                       growth > MOST_OVER_BOUND * least}


def format_row(row):
    """A line of an axis' table."""
    growth = "n/a" if row["growth"] is None else f"{row['growth']:.2f}"
    return (f"{row['figure']:<14} {row['program']:<8}" +
            "".join(f" {value:>10.4g}" for value in row["values"]) +
            f" {growth:>8} {row['bound']:>8.2f}" +
            (" *" if row["is_over"] else ""))


def print_table(table):
    """The tables of all axes, for people."""
    axis = None
    for row in table:
        if row["axis"] != axis:
            axis = row["axis"]
            print(f"\n{axis}\n{'':<23}" +
                  "".join(f" {label:>10}" for label in row["points"]) +
                  f" {'growth':>8} {'bound':>8}")
        print(format_row(row))


def parse_options(arguments):
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="NAME=C_BENCH",
                        help="what is measured (default: what the builds "
                        "have of ours, stock, peer)")
    parser.add_argument("--quick", action="store_true",
                        help="small sizes: a look within a few minutes")
    parser.add_argument("--axes", default=",".join(a.name for a in AXES),
                        help="some of %(default)s")
    parser.add_argument("--rounds", type=int, default=None,
                        help="rounds (default: 3, with --quick 1)")
    parser.add_argument("--json", metavar="FILE",
                        help="also write rows and samples to FILE")
    parser.add_argument("--directory", default=None,
                        help="where databases are made (default: $TMPDIR, or "
                        "/tmp)")
    options = parser.parse_args(arguments)
    if options.rounds is None:
        options.rounds = 1 if options.quick else 3
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    known = {axis.name: axis for axis in AXES}
    for name in options.axes.split(","):
        if name not in known:
            parser.error(f"--axes: no axis {name}")
    options.axes = [axis for name, axis in known.items()
                    if name in options.axes.split(",")]
    for text in options.programs:
        if "=" not in text:
            parser.error(f"{text}: NAME=PATH is expected")
    return options


def choose_programs(options):
    """(name, path) of each."""
    if options.programs:
        return [tuple(text.split("=", 1)) for text in options.programs]
    found = [(name, path) for name, path in DEFAULT_PROGRAMS
             if os.path.exists(path)]
    if not found:
        raise GrowthError(f"there is no {DEFAULT_PROGRAMS[0][1]}")
    return found


def main(arguments):
    """The program."""
    options = parse_options(arguments)
    # A database of 100 000 files holds all of them open.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    try:
        programs = choose_programs(options)
        samples = measure(options, programs, lambda text: print(
            f"  {text}", file=sys.stderr, flush=True))
        table = list(rows(samples, options.axes,
                          [name for name, _ in programs], options.quick))
        print_table(table)
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump({"rows": table, "samples": {
                    "/".join(map(str, key)): values
                    for key, values in samples.items()}}, file, indent=1)
                file.write("\n")
    except (GrowthError, OSError) as error:
        print(f"growth.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
