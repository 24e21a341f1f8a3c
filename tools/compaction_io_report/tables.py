"""The tables: as text, and as rows for the page."""

from tools.compaction_io_report import summary, targets

COLUMNS = ("ops", "p50", "p99", "p99.9", "p99.99", "writer", "stall",
           "pending", "refaults", "resident", "compaction", "backup",
           "cpu_per_gb", "cpu_user", "cpu_system", "rss", "psi_cpu", "psi_io",
           "psi_memory", "device_read", "device_write", "queue", "load",
           "steal")

# The columns that fit on a terminal; the page has all of them.
TEXT_COLUMNS = {
    "ops": "reads/s", "p50": "P50", "p99": "P99", "p99.9": "P99.9",
    "p99.99": "P99.99", "writer": "write MB/s", "stall": "stall s",
    "refaults": "refaults", "resident": "resident",
    "compaction": "comp MB/s", "backup": "backup MB/s",
    "cpu_per_gb": "CPU s/GB",
}


def cell_rows(cells, columns=COLUMNS):
    """A list of texts for each cell: its label, and each median, with its
    variation where there are several rounds."""
    rows = []
    for cell in cells:
        row = [cell.label, str(len(cell.runs))]
        for name in columns:
            text = summary.METRICS[name].show(cell.median(name))
            variation = cell.variation(name)
            row.append(text if variation is None
                       else f"{text} ±{variation:.0%}")
        rows.append(row)
    return rows


LATENCIES = ("p50", "p99", "p99.9", "p99.99")
OVER_NONE_HEADINGS = ["", "rounds", *(
    text for name in LATENCIES for text in (name.upper(), "over none"))]


def over_none_rows(pairs):
    """A list of texts for each pair of a cell and its baseline: a latency
    beside the background, and over the same without; with the range of the
    rounds where there are several."""
    rows = []
    for cell, alone in pairs:
        row = [cell.label, str(len(cell.runs))]
        for name in LATENCIES:
            row.append(summary.METRICS[name].show(cell.median(name)))
            value = summary.ratio(cell, alone, name)
            found = summary.paired_ratios(cell, alone, name)
            text = "n/a" if value is None else f"{value:.2f}"
            if len(found) > 1:
                text += f" ({min(found):.2f}-{max(found):.2f})"
            row.append(text)
        rows.append(row)
    return rows


def over_none(runs):
    """(workload, rows) of all that have a baseline and were run."""
    for workload in summary.workloads(runs):
        rows = over_none_rows(summary.over_baseline(runs, workload))
        if rows:
            yield workload, rows


def target_rows(outcomes):
    """A list of texts for each target."""
    def number(value):
        return "n/a" if value is None else f"{value:.3g}"
    return [[o.text, o.bound, number(o.value),
             f"{number(o.low)} - {number(o.high)}", o.verdict]
            for o in outcomes]


TARGET_HEADINGS = ["target", "bound", "median", "range", "verdict"]


def format_table(headings, rows):
    """Columns of equal width; the first one to the left."""
    widths = [max(len(row[i]) for row in [headings, *rows])
              for i in range(len(headings))]
    return "\n".join(
        "  ".join(text.ljust(width) if i == 0 else text.rjust(width)
                  for i, (text, width) in enumerate(zip(row, widths))).rstrip()
        for row in [headings, *rows])


def text_report(store):
    """All of the plain text."""
    parts = ["Medians of the rounds, with the standard deviation in parts of "
             "the mean; latencies in microseconds."]
    for workload in summary.workloads(store.runs):
        cells = summary.cells(store.runs, workload.name)
        parts.append(f"{workload.name}: {workload.title}\n" + format_table(
            ["", "rounds", *TEXT_COLUMNS.values()],
            cell_rows(cells, TEXT_COLUMNS)))
    for workload, rows in over_none(store.runs):
        parts.append(f"{workload.name}: background over none\n" +
                     format_table(OVER_NONE_HEADINGS, rows))
    outcomes = targets.outcomes(store.runs, store.setup)
    parts.append("Ratios and targets, as far as measured\n" + format_table(
        TARGET_HEADINGS,
        target_rows(o for o in outcomes if o.is_met is not None)))
    verdicts = [outcome.verdict for outcome in outcomes]
    parts.append(", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict
                           in ("met", "missed", "not measured")) + ".")
    discarded = sum(run["discarded"] for run in store.runs)
    if discarded:
        parts.append(f"{discarded} runs were discarded, as the host took more "
                     "than 5 % of the processor.")
    if store.setup.get("quick"):
        parts.append("A quick look at a small scale: its ratios are no "
                     "measurement.")
    if not all(run["memory_group"] for run in store.runs):
        parts.append("No memory group could be made: the runs had no limit.")
    return "\n\n".join(parts) + "\n"
