"""Reads what db_bench prints."""

import csv
import re

RESULT = re.compile(
    r"^(\w+)\s*:\s+([\d.]+) micros/op (\d+) ops/sec ([\d.]+) seconds "
    r"(\d+) operations;", re.M)
FOUND = re.compile(r"\((\d+) of (\d+) found\)")
PERCENTILES = re.compile(
    r"^Percentiles: P50: ([\d.]+) P75: [\d.]+ P99: ([\d.]+) "
    r"P99\.9: ([\d.]+) P99\.99: ([\d.]+)", re.M)
BUCKET = re.compile(r"^[\[(]\s*(\d+),\s*(\d+) [\])]\s+(\d+)\s", re.M)
TICKER = re.compile(r"^([\w.-]+) COUNT : (\d+)\s*$", re.M)
SUMMARY = re.compile(r"^([\w.-]+) P50 : .* COUNT : (\d+) SUM : (\d+)\s*$",
                     re.M)
TABLE = re.compile(r"^\s*(\d+):(\d+)\[.*?\]"
                   r"\['([0-9A-F]*)'.*? \.\. '([0-9A-F]*)'", re.M)


PENDING = re.compile(r"^Pending compaction bytes: (\d+) to (\d+);", re.M)
SERVICE = re.compile(r"^From the begin of each: P50: ([\d.]+) P75: [\d.]+ "
                     r"P99: ([\d.]+) P99\.9: ([\d.]+) P99\.99: ([\d.]+)",
                     re.M)


class OutputError(Exception):
    """Output without the figures that should be in it."""


def parse_run(text, benchmark):
    """The figures of one benchmark, and the statistics behind it."""
    result = next((match for match in RESULT.finditer(text)
                   if match.group(1) == benchmark), None)
    if result is None:
        raise OutputError(f"no result of {benchmark} in:\n{text[-2000:]}")
    section = text[result.end():]
    percentiles = PERCENTILES.search(section)
    if percentiles is None:
        raise OutputError(f"no histogram of {benchmark} in:\n{text[-2000:]}")
    names = ("p50", "p99", "p99.9", "p99.99")
    figures = {
        "ops": int(result.group(3)),
        "seconds": float(result.group(4)),
        "operations": int(result.group(5)),
        "histogram": parse_buckets(section[percentiles.end():]),
    }
    figures.update(zip(names, map(float, percentiles.groups())))
    found = FOUND.search(section.partition("\n")[0])
    figures["found"] = [int(n) for n in found.groups()] if found else None
    return figures


def parse_beside(text):
    """What c_bench tells of the work beside its reads: the bytes that wait for
    compaction, before and after, and the latencies without what a read waited
    for its turn."""
    figures = {}
    pending = PENDING.search(text)
    if pending:
        figures["pending_bytes"] = [int(n) for n in pending.groups()]
    service = SERVICE.search(text)
    if service:
        figures["service"] = [float(n) for n in service.groups()]
    return figures


def parse_buckets(text):
    """[low, high, count] of each line of the first histogram of a text."""
    buckets = []
    for line in text.splitlines():
        match = BUCKET.match(line)
        if match:
            buckets.append([int(field) for field in match.groups()])
        elif buckets:
            break
    return buckets


def parse_statistics(text):
    """Tickers by name, and histograms as name -> (count, sum)."""
    tickers = {name: int(count) for name, count in TICKER.findall(text)}
    sums = {name: (int(count), int(total))
            for name, count, total in SUMMARY.findall(text)}
    return tickers, sums


def parse_tables(text):
    """(number, bytes, smallest key, largest key) of each table file; keys
    without what the engine adds to them."""
    return [(int(number), int(size), bytes.fromhex(low), bytes.fromhex(high))
            for number, size, low, high in TABLE.findall(text)]


def parse_series(lines):
    """The rows of a --report_file: operations a second and, where they were
    asked for, latencies."""
    columns = {"secs_elapsed": "second", "interval_qps": "ops",
               "p50_micros": "p50", "p99_micros": "p99",
               "p99_9_micros": "p99.9", "max_micros": "max"}
    return [{columns[name]: float(value) for name, value in row.items()
             if name in columns and value}
            for row in csv.DictReader(lines)]
