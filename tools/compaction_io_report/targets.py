"""What the engine is to reach, and whether a report shows it."""

import dataclasses
import statistics

from tools.compaction_io_report import settings, summary
from tools.compaction_io_report.summary import OURS, PEER


@dataclasses.dataclass(frozen=True)
class Target:
    """One figure of ours, over one of another cell, and its bound. A bound is
    a least one if `is_least`, otherwise a largest one."""
    workload: str
    metric: str
    ours: str       # Our configuration.
    program: str    # The program of the other cell.
    other: str
    bound: float
    is_least: bool
    other_workload: str = ""    # Where that is not the same.


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How a target came out; `value` is None where it was not measured."""
    text: str
    bound: str
    value: float | None
    low: float | None
    high: float | None
    is_met: bool | None

    @property
    def verdict(self):
        """In a word."""
        return {None: "not measured", True: "met", False: "missed"}[
            self.is_met]


# Both direct, over the same without background: bounds of P50, P99, P99.9.
OVER_NONE = (("paced-10k-{}-50", (1.1, 1.5, 2.0)),
             ("paced-20k-{}-100", (1.2, 2.0, 3.0)))


def _over_none_targets():
    for form, bounds in OVER_NONE:
        for keys in settings.HOT_SETS:
            workload = settings.BY_NAME[form.format(keys)]
            for metric, bound in zip(("p50", "p99", "p99.9"), bounds):
                yield Target(workload.name, metric, settings.READ_WRITE, OURS,
                             settings.READ_WRITE, bound, False,
                             workload.baseline)
    backup = settings.BY_NAME["backup"]
    for setting in (settings.BUFFERED, settings.READ_WRITE):
        yield Target(backup.name, "p99", setting, OURS, setting, 1.3, False,
                     backup.baseline)


def _peer_names(setup):
    """The programs beside ours."""
    names = [program["name"] for program in setup.get("programs", [])]
    return [name for name in names if name != OURS] or [PEER]


def _ratio_targets(peer):
    buffered, writes = settings.BUFFERED, settings.WRITES_ONLY
    read, both = settings.READ_ONLY, settings.READ_WRITE
    small, middle, large = "hot-7500", "hot-100000", "hot-400000"
    for program, other in ((peer, writes), (OURS, buffered)):
        yield Target(small, "p99", both, program, other, 0.35, False)
        yield Target(small, "p99.9", both, program, other, 0.25, False)
        yield Target(middle, "ops", both, program, other, 3.0, True)
        yield Target(middle, "p99", both, program, other, 0.35, False)
    for workload in (small, middle):
        yield Target(workload, "ops", settings.ALL, peer, settings.ALL, 4.0,
                     True)
    for workload in (small, middle, large):
        yield Target(workload, "p99", read, OURS, buffered, 1.0, False)
        yield Target(workload, "refaults", both, OURS, buffered, 0.01, False)
        yield Target(workload, "refaults", settings.ALL, OURS, buffered, 0.01,
                     False)
        yield Target(workload, "compaction", both, OURS, buffered, 1.0, True)
    yield Target("major-unthrottled", "compaction", both, peer, writes, 3.0,
                 True)
    for mine, theirs in ((buffered, buffered), (both, writes)):
        yield Target("backup", "backup", mine, peer, theirs, 1.0, True)


def _find(cells, program, configuration):
    return next((cell for cell in cells if (cell.program, cell.configuration)
                 == (program, configuration)), None)


def _judge(value, bound, is_least):
    if value is None:
        return None
    return value >= bound if is_least else value <= bound


def _ratio_outcome(target, runs):
    cells = summary.cells(runs, target.workload)
    ours = _find(cells, OURS, target.ours)
    if target.other_workload:
        cells = summary.cells(runs, target.other_workload)
    other = _find(cells, target.program, target.other)
    value = low = high = None
    if ours and other:
        value = summary.ratio(ours, other, target.metric)
        if value is not None:
            ratios = summary.paired_ratios(ours, other, target.metric)
            low, high = min(ratios, default=None), max(ratios, default=None)
    title = summary.METRICS[target.metric].title
    return Outcome(
        f"{target.workload}: {title}, {target.ours} over " + (
            f"the same in {target.other_workload}" if target.other_workload
            else f"{target.program} {target.other}"),
        f"{'>=' if target.is_least else '<='} {target.bound:g}",
        value, low, high, _judge(value, target.bound, target.is_least))


def _absolute(text, bound, is_least, values):
    value = statistics.median(values) if values else None
    return Outcome(text, f"{'>=' if is_least else '<='} {bound:g}", value,
                   min(values, default=None), max(values, default=None),
                   _judge(value, bound, is_least))


def _absolute_outcomes(runs, setup):
    cell = _find(summary.cells(runs, "major-unthrottled"), OURS,
                 settings.READ_WRITE)
    yield _absolute(
        "major-unthrottled: background CPU seconds per GB that compaction "
        f"read, {settings.READ_WRITE}", 0.35, False,
        cell.values("cpu_per_gb") if cell else [])
    cell = _find(summary.cells(runs, "major-two-threads"), OURS,
                 settings.READ_WRITE)
    probe = setup.get("probe")
    bound = sum(probe.values()) / 1e6 if probe else 0
    yield _absolute(
        "major-two-threads: compaction over the device's simultaneous read "
        f"and write, {settings.READ_WRITE}", 0.7, True,
        [rate / bound for rate in cell.values("compaction")]
        if cell and bound else [])


def outcomes(runs, setup):
    """Every target, in order."""
    found = {}  # By target: those of ours alone come with each peer.
    for peer in _peer_names(setup):
        for target in _ratio_targets(peer):
            found.setdefault(target, None)
    for target in _over_none_targets():
        found.setdefault(target, None)
    return [_ratio_outcome(target, runs) for target in found] + list(
        _absolute_outcomes(runs, setup))
