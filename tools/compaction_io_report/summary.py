"""Figures out of raw results: medians, variation, ratios, targets."""

import dataclasses
import statistics

from tools.compaction_io_report import settings

OURS = "ours"
PEER = "peer"
GIGA = 1e9


def compaction_seconds(run):
    """How long its compactions had: all of a run with a writer; where there
    is one compaction, that one's time."""
    if run["write_limit"]:
        return run["seconds"]
    return run["compaction"]["job_seconds"]


def compaction_rate(run):
    """MB read and written by compaction in a second."""
    compaction = run["compaction"]
    seconds = compaction_seconds(run)
    moved = compaction["read_bytes"] + compaction["write_bytes"]
    return moved / 1e6 / seconds if seconds else None


def background_cpu(run):
    """Processor seconds of all threads but those that db_bench itself made,
    or None if their names do not tell them apart."""
    seconds = [figures["user"] + figures["system"]
               for name, figures in run["cpu_classes"].items()
               if name != run["own_class"]]
    return sum(seconds) if seconds else None


def cpu_per_gigabyte(run):
    """Processor seconds of the background for each GB that compaction read."""
    cpu = background_cpu(run)
    read = run["compaction"]["read_bytes"]
    return cpu / (read / GIGA) if cpu is not None and read else None


def _disk(name, divisor):
    return lambda run: run["disk"][name] / divisor if run["disk"] else None


def _queue(run):
    """Requests at the device, on average over the run."""
    return (run["disk"]["queue_ms"] / 1e3 / run["wall_seconds"]
            if run["disk"] else None)


def _resident(run):
    residency = run["residency"]
    return residency["share"] if residency else None


def _pending_growth(run):
    """By how much the bytes that wait for compaction grew, in MB."""
    pending = run.get("pending_bytes")
    return (pending[1] - pending[0]) / 1e6 if pending else None


def backup_rate(run):
    """MB of backups written in a second: a run ends with its backup."""
    written = run.get("backup_bytes")
    return written / 1e6 / run["seconds"] if written else None


@dataclasses.dataclass(frozen=True)
class Metric:
    """A figure of a run: how it is taken and shown."""
    title: str
    take: object
    form: str = ",.0f"

    def show(self, value):
        """For people."""
        return "n/a" if value is None else format(value, self.form)


METRICS = {
    "ops": Metric("reads a second", lambda run: run["ops"]),
    "p50": Metric("P50, us", lambda run: run["p50"], ",.1f"),
    "p99": Metric("P99, us", lambda run: run["p99"]),
    "p99.9": Metric("P99.9, us", lambda run: run["p99.9"]),
    "p99.99": Metric("P99.99, us", lambda run: run["p99.99"]),
    "write_rate": Metric("writer, bytes a second",
                         lambda run: run["write_bytes_per_second"]),
    "writer": Metric("writer, MB/s",
                     lambda run: run["write_bytes_per_second"] / 1e6, ",.1f"),
    "stall": Metric("writer stalled, s", lambda run: run["stall_seconds"],
                    ".1f"),
    "pending": Metric("bytes that wait for compaction, growth in MB",
                      _pending_growth),
    "refaults": Metric("file refaults", lambda run: run["refaults"]),
    "resident": Metric("hot pages resident", _resident, ".0%"),
    "compaction": Metric("compaction, MB/s", compaction_rate, ",.1f"),
    "backup": Metric("backup, MB/s", backup_rate, ",.1f"),
    "cpu_per_gb": Metric("background CPU s per GB that compaction read",
                         cpu_per_gigabyte, ".2f"),
    "cpu_user": Metric("CPU user, s", lambda run: run["used"]["user"], ".1f"),
    "cpu_system": Metric("CPU system, s", lambda run: run["used"]["system"],
                         ".1f"),
    "rss": Metric("peak resident, MiB", lambda run: run["used"]["rss_mib"]),
    "psi_io": Metric("PSI io, some, s",
                     lambda run: run["pressure_seconds"].get("io.some"),
                     ".1f"),
    "psi_memory": Metric(
        "PSI memory, some, s",
        lambda run: run["pressure_seconds"].get("memory.some"), ".1f"),
    "psi_cpu": Metric("PSI cpu, some, s",
                      lambda run: run["pressure_seconds"].get("cpu.some"),
                      ".1f"),
    "device_read": Metric("device read, MB", _disk("read_bytes", 1e6)),
    "device_write": Metric("device written, MB", _disk("write_bytes", 1e6)),
    "queue": Metric("requests at the device", _queue, ".1f"),
    "load": Metric("load", lambda run: run["load"], ".1f"),
    "steal": Metric("steal", lambda run: run["steal"], ".1%"),
}


class Cell:
    """The runs of one program in one configuration under one workload."""

    def __init__(self, workload, program, configuration, runs):
        self.workload = workload
        self.program = program
        self.configuration = configuration
        self.runs = runs

    @property
    def label(self):
        """For a row or a bar."""
        return f"{self.program} {self.configuration}"

    def values(self, metric):
        """The figure of each run that has it."""
        taken = (METRICS[metric].take(run) for run in self.runs)
        return [value for value in taken if value is not None]

    def median(self, metric):
        """The middle one, or None."""
        values = self.values(metric)
        return statistics.median(values) if values else None

    def mean(self, metric):
        """Their mean, or None."""
        values = self.values(metric)
        return statistics.fmean(values) if values else None

    def variation(self, metric):
        """Their standard deviation over their mean, or None."""
        values = self.values(metric)
        mean = self.mean(metric)
        if len(values) < 2 or not mean:
            return None
        return statistics.stdev(values) / mean


def cells(runs, workload):
    """The cells of a workload that have runs that count, in the order of the
    configurations, ours first."""
    groups = {}
    for run in runs:
        if run["workload"] == workload and not run["discarded"]:
            groups.setdefault((run["program"], run["configuration"]),
                              []).append(run)
    order = [c.name for c in settings.CONFIGURATIONS]
    return [Cell(workload, program, configuration, found)
            for (program, configuration), found in sorted(
                groups.items(),
                key=lambda item: (item[0][0] != OURS, item[0][0],
                                  order.index(item[0][1])))]


def workloads(runs):
    """The workloads that have runs that count, in their order."""
    present = {run["workload"] for run in runs if not run["discarded"]}
    return [w for w in settings.WORKLOADS if w.name in present]


def merged_histogram(runs):
    """[(upper limit, count)] over all runs, by limit."""
    counts = {}
    for run in runs:
        for _, high, count in run["histogram"]:
            counts[high] = counts.get(high, 0) + count
    return sorted(counts.items())


def tail(histogram):
    """(limit, share of operations that took longer), to draw."""
    total = sum(count for _, count in histogram)
    left, points = total, []
    for high, count in histogram:
        left -= count
        points.append((high, left / total))
    return points


def series(runs, metric):
    """(second, median over the rounds) of a figure over time."""
    by_second = {}
    for run in runs:
        # The last line is of an interval that was cut short.
        for row in run["series"][:-1]:
            if metric in row and row.get("ops"):
                by_second.setdefault(row["second"], []).append(row[metric])
    return [(second, statistics.median(values))
            for second, values in sorted(by_second.items())]


def over_baseline(runs, workload):
    """[(cell, the same program and configuration without background)] of a
    workload that has a baseline, as far as both were run."""
    alone = {(cell.program, cell.configuration): cell
             for cell in cells(runs, workload.baseline)}
    return [(cell, alone[cell.program, cell.configuration])
            for cell in cells(runs, workload.name)
            if (cell.program, cell.configuration) in alone]


def ratio(cell, other, metric):
    """Median over median, or None."""
    top, bottom = cell.median(metric), other.median(metric)
    return top / bottom if top is not None and bottom else None


def paired_ratios(cell, other, metric):
    """The ratio in each round that both have."""
    take = METRICS[metric].take
    others = {run["round"]: take(run) for run in other.runs}
    return [take(run) / others[run["round"]] for run in cell.runs
            if take(run) is not None and others.get(run["round"])]
