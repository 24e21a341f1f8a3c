"""The figures of the page, drawn with matplotlib."""

import io
import math

import matplotlib

matplotlib.use("Agg")

# pylint: disable=wrong-import-position
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import MaxNLocator

from tools.compaction_io_report import settings, summary

COLOURS = dict(zip((c.name for c in settings.CONFIGURATIONS),
                   ("#4c4c4c", "#e08214", "#8073ac", "#1b7837", "#2166ac")))
COLUMNS = 2

# Each line: what a figure shows, and the metrics side by side in it.
BARS = (
    ("Reads", ("ops", "p99")),
    ("Refaults and resident hot pages", ("refaults", "resident")),
    ("Stalls: seconds of pressure", ("psi_io", "psi_memory", "psi_cpu")),
    ("Writer", ("writer", "stall")),
    ("Device: queue and bytes", ("queue", "device_read", "device_write")),
    ("Compaction", ("compaction", "cpu_per_gb")),
)


# Programs differ by their lines, ours first and the peers by their names.
LINES = ("-", "--", ":", "-.")


def _style(cell, programs):
    """How the lines of a cell look."""
    line = LINES[programs.index(cell.program) % len(LINES)]
    return {"color": COLOURS[cell.configuration], "linestyle": line,
            "label": cell.label}


def _programs(store):
    """Ours, then the peers."""
    names = {run["program"] for run in store.runs}
    return sorted(names, key=lambda name: (name != summary.OURS, name))


def _grid(count, width=5.5, height=3.6):
    """Axes for `count` plots, those too many taken away."""
    rows = math.ceil(count / COLUMNS)
    figure, axes = plt.subplots(
        rows, COLUMNS, squeeze=False,
        figsize=(width * COLUMNS, height * rows))
    flat = list(axes.flat)
    for unused in flat[count:]:
        unused.remove()
    return figure, flat[:count]


def _legend(figure, axes):
    """One legend for all plots of a figure."""
    labelled = {}
    for plot in axes:
        for handle, label in zip(*plot.get_legend_handles_labels()):
            labelled.setdefault(label, handle)
    if labelled:
        figure.legend(labelled.values(), labelled.keys(), fontsize=8, ncol=3,
                      loc="lower center", bbox_to_anchor=(0.5, 1.0))
    figure.tight_layout()


def latency_distributions(store):
    """For each workload, the share of reads that take longer than x."""
    found = summary.workloads(store.runs)
    figure, axes = _grid(len(found))
    programs = _programs(store)
    for plot, workload in zip(axes, found):
        for cell in summary.cells(store.runs, workload.name):
            points = summary.tail(summary.merged_histogram(cell.runs))
            limits, shares = zip(*points)
            # The last share is 0, which a logarithm does not show.
            plot.step(limits[:-1], shares[:-1], where="post",
                      **_style(cell, programs))
        plot.set(title=workload.title, xscale="log", yscale="log",
                 xlabel="microseconds", ylabel="share of slower reads",
                 ylim=(1e-5, 1))
        plot.grid(alpha=0.3)
    _legend(figure, axes)
    return figure


def p99_over_time(store):
    """For each workload, P99 of each second, median over the rounds."""
    found = [w for w in summary.workloads(store.runs)
             if any(summary.series(cell.runs, "p99")
                    for cell in summary.cells(store.runs, w.name))]
    if not found:
        return None
    figure, axes = _grid(len(found))
    programs = _programs(store)
    for plot, workload in zip(axes, found):
        for cell in summary.cells(store.runs, workload.name):
            points = summary.series(cell.runs, "p99")
            if points:
                plot.plot(*zip(*points), marker=".",
                          **_style(cell, programs))
        plot.set(title=workload.title, yscale="log", xlabel="seconds",
                 ylabel="P99, microseconds")
        plot.grid(alpha=0.3)
    _legend(figure, axes)
    return figure


def short_number(value):
    """The number as "20k" or "1.5M", which fits below a small plot."""
    for unit, letter in ((1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:g}{letter}"
    return f"{value:g}"


def _draw_bars(plot, labels, cells, metric):
    """Means, with a line from the least to the largest value. What a cell
    lacks leaves its place empty."""
    for cell in cells:
        values = cell.values(metric)
        if not values:
            continue
        mean = cell.mean(metric)
        is_ours = cell.program == summary.OURS
        plot.barh(labels.index(cell.label), mean,
                  xerr=[[max(mean - min(values), 0)],
                        [max(max(values) - mean, 0)]],
                  color=COLOURS[cell.configuration], capsize=2,
                  hatch="" if is_ours else "//", alpha=1 if is_ours else 0.6)
    plot.set_ylim(len(labels) - 0.5, -0.5)
    plot.set_yticks(range(len(labels)), labels)
    plot.tick_params(labelsize=7)
    plot.xaxis.set_major_locator(MaxNLocator(3))
    plot.xaxis.set_major_formatter(lambda value, _: short_number(value))
    plot.set_xlim(left=0)
    plot.grid(axis="x", alpha=0.3)


def bars(store, metrics):
    """A row for each metric, a column for each workload."""
    found = [(w, summary.cells(store.runs, w.name))
             for w in summary.workloads(store.runs)]
    labels = list(dict.fromkeys(
        cell.label for _, cells in found for cell in cells))
    figure, axes = plt.subplots(
        len(metrics), len(found), squeeze=False, sharey=True,
        figsize=(2.5 + 1.4 * len(found),
                 len(metrics) * (0.8 + 0.18 * len(labels))))
    for row, metric in zip(axes, metrics):
        for plot, (workload, cells) in zip(row, found):
            _draw_bars(plot, labels, cells, metric)
            plot.set_title(workload.name, fontsize=8)
        row[0].annotate(summary.METRICS[metric].title, (0, 1.12),
                        xycoords="axes fraction", ha="right", weight="bold",
                        fontsize=9)
    figure.tight_layout()
    return figure


def figures(store):
    """(title, figure) of everything there is to show."""
    yield "Latency distributions", latency_distributions(store)
    yield "P99 over time", p99_over_time(store)
    for title, metrics in BARS:
        yield title, bars(store, metrics)


def stack(pictures):
    """PNG pictures below each other, as one."""
    arrays = [plt.imread(io.BytesIO(data))[:, :, :3] for data in pictures]
    width = max(array.shape[1] for array in arrays)
    rows = [np.pad(array, ((0, 20), (0, width - array.shape[1]), (0, 0)),
                   constant_values=1.0) for array in arrays]
    data = io.BytesIO()
    plt.imsave(data, np.concatenate(rows), format="png")
    return data.getvalue()


def png(figure, dpi=90):
    """A figure as bytes; it is closed."""
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=dpi, bbox_inches="tight")
    plt.close(figure)
    return data.getvalue()
