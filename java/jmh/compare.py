#!/usr/bin/env python3
"""Times two jars of org.rocksdb with JMH, and prints the table of docs/java.md.

    compare.py JAR OTHER OUT [--rounds N] [--only NAME,...]

Each operation is timed with the one jar and the other by turns, each time in a
virtual machine of its own, so that what the machine does beside it meets both.
Figures are medians of all iterations. OUT is what run.sh has of JMH. It takes
about seven minutes; on a machine with other work the figures say nothing
(run.sh --cpu is for those).
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys

OPERATIONS = {
    "get": "`get(options, key)`",
    "getIntoArray": "`get(options, key, array)`",
    "getBuffers": "`get(options, buffer, buffer)`",
    "multiGet": "`multiGetAsList` of 100, for a key",
    "iterate": "step of an iterator, key and value to buffers",
    "put": "`put(options, key, value)`",
    "writeBatch": "`WriteBatch` of 100 and its write, for a put",
}
SIZES = (100, 4096)
JMH = "-f 1 -wi 2 -w 1 -i 3 -r 1".split()


def time_once(jar, out, operation, size):
    """Nanoseconds for an operation, one for each iteration."""
    result = out / "result.json"
    libraries = sorted((out / "libraries").glob("*.jar"))
    path = ":".join(str(p) for p in [out / "classes", jar, *libraries])
    run = subprocess.run(
        ["java", "-cp", path, "org.openjdk.jmh.Main", *JMH,
         "-p", f"valueSize={size}", "-rf", "json", "-rff", result,
         rf"DatabaseBenchmarks\.{operation}$"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = json.loads(result.read_text()) if run.returncode == 0 else []
    if len(found) != 1:
        sys.exit(f"{jar.name}, {operation}:\n{run.stdout}")
    return [time for fork in found[0]["primaryMetric"]["rawData"]
            for time in fork]


def version_of(jar):
    found = re.search(r"rocksdbjni-([0-9.]*[0-9])", jar.name)
    return found.group(1) if found else jar.stem


def print_table(jars, times):
    ours, other = (version_of(jar) for jar in jars)
    heads = [f"{'100 B' if size == 100 else '4 KiB'}: {ours} | {other} | ratio"
             for size in SIZES]
    print(f"| operation | {' | '.join(heads)} |")
    print("| --- |" + " --- |" * 3 * len(SIZES))
    for operation, name in OPERATIONS.items():
        cells = []
        for size in SIZES:
            if (operation, size, jars[0]) not in times:
                continue
            mine, theirs = (statistics.median(times[operation, size, jar])
                            for jar in jars)
            cells += [f"{mine:,.0f}", f"{theirs:,.0f}", f"{theirs / mine:.1f}"]
        if cells:
            print(f"| {name} | {' | '.join(cells)} |")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("jar", type=pathlib.Path)
    parser.add_argument("other", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", default=",".join(OPERATIONS))
    arguments = parser.parse_args()
    jars = [arguments.jar.resolve(), arguments.other.resolve()]
    out = arguments.out.resolve()
    # Any of the jars will do to compile against; -l lists, and times nothing.
    here = pathlib.Path(__file__).resolve().parent
    subprocess.run([here / "run.sh", jars[0], out, "-l"], check=True,
                   stdout=subprocess.DEVNULL)
    times = {}
    for operation in arguments.only.split(","):
        for size in SIZES:
            for _ in range(arguments.rounds):
                for jar in jars:
                    times.setdefault((operation, size, jar), []).extend(
                        time_once(jar, out, operation, size))
            mine, theirs = (statistics.median(times[operation, size, jar])
                            for jar in jars)
            print(f"{operation}, {size} B: {mine:,.0f} and {theirs:,.0f} ns",
                  file=sys.stderr, flush=True)
    print_table(jars, times)


if __name__ == "__main__":
    main()
