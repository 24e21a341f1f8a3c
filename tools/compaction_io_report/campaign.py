"""The order of the runs, and which of them count."""

import dataclasses
import time

from tools.compaction_io_report import settings, summary
from tools.compaction_io_report.driver import RunFailed
from tools.compaction_io_report.programs import Program

# A run that lost more processor time than this to the host is done again.
MOST_STEAL = 0.05
MOST_RETRIES = 2

# What a run takes beside its seconds: a copy, warming, opening, closing.
OVERHEAD_SECONDS = 4


@dataclasses.dataclass(frozen=True)
class Run:
    """One run of one program."""
    workload: settings.Workload
    program: Program
    configuration: settings.Configuration
    round: int
    write_limit: int

    def switches(self):
        """The flags of its configuration."""
        return self.configuration.arguments(self.program.options)

    def key(self):
        """What its record is found by."""
        return {"workload": self.workload.name, "program": self.program.name,
                "configuration": self.configuration.name,
                "round": self.round, "write_limit": self.write_limit}

    def __str__(self):
        return (f"{self.workload.name} {self.program.name} "
                f"{self.configuration.name}")


def in_round(cells, number):
    """Forth in one round and back in the next: A B, B A, ..."""
    return list(cells) if number % 2 == 0 else list(reversed(cells))


class Campaign:
    """All runs of a report; what comes of them goes to `store`."""

    def __init__(self, driver, programs, options, store, say):
        self._driver = driver
        self._programs = programs
        self._options = options
        self._store = store
        self._say = say
        self._end = (time.monotonic() + options.max_seconds
                     if options.max_seconds else None)
        self._too_late = 0
        self._told = set()

    def run(self, workloads):
        """Fills what is needed, and does all runs."""
        for group in settings.groups(workloads):
            self._run_group(group)
        if self._too_late:
            self._leave_out(f"{self._too_late} runs", "no time was left; "
                            "without --quick and --max-seconds all are done")

    def _run_group(self, workloads):
        """Workloads side by side: each round goes through all of them."""
        cells = []  # (workload, program, configuration, write limit)
        for workload in workloads:
            cells += self._cells_with_limit(workload)
        if not cells:
            return
        if self._is_late():
            self._too_late += len(cells) * self._options.rounds
            return
        self._say(f"{', '.join(w.name for w in workloads)}: {len(cells)} "
                  f"settings, {self._options.rounds} rounds")
        runs = [Run(workload, program, configuration, number, limit)
                for number in range(self._options.rounds)
                for workload, program, configuration, limit in
                in_round(cells, number)]
        # Some may be there from an earlier report.
        runs = [run for run in runs if not self._store.has_run(run.key())]
        for kind in sorted({run.workload.kind for run in runs}):
            if self._driver.fill(kind):
                self._settle(next(run for run in runs
                                  if run.workload.kind == kind))
        for run in runs:
            self._do(run)

    def _settle(self, run):
        """A run that does not count: a device is still busy with what filling
        has written, which only the first run would meet."""
        if self._is_late():
            return
        try:
            self._driver.measure(run)
        except RunFailed:
            pass  # The run that counts tells of it.

    def _cells_with_limit(self, workload):
        """Those of a workload, if its writer's rate is known."""
        cells = self._cells(workload)
        limit = self._write_limit(workload)
        if cells and limit is None:
            self._leave_out(workload.name, "its writer's rate comes from "
                            f"{workload.equal_to}, which did not run")
            return []
        return [(workload, *cell, limit) for cell in cells]

    def _cells(self, workload):
        """(program, configuration) of everything that can run."""
        able = [program for program in self._programs
                if self._is_able(program, workload)]
        cells = []
        for configuration in self._options.configurations:
            if workload.only and configuration.name not in workload.only:
                continue
            for program in able:
                reason = program.why_not(workload, configuration)
                if reason:
                    self._leave_out(f"{workload.name} {program.name} "
                                    f"{configuration.name}", reason)
                else:
                    cells.append((program, configuration))
        return cells

    def _is_able(self, program, workload):
        """Whether a program has the flags of a workload. What it lacks for
        many of them is told once."""
        missing = program.lacks(workload)
        if missing and (program.name, *missing) not in self._told:
            self._told.add((program.name, *missing))
            self._leave_out(
                f"{workload.name} and its like, {program.name}",
                "cannot set " + ", ".join(f"--{name}" for name in missing))
        return not missing

    def _write_limit(self, workload):
        """Bytes a second that the writer may write; 0 where none writes."""
        if workload.kind == settings.MAJOR or (
                workload.beside != settings.WRITER):
            return 0
        if not workload.equal_to:
            return workload.write_limit
        rates = [cell.median("write_rate") for cell in
                 summary.cells(self._store.runs, workload.equal_to)]
        if not rates:
            return None
        return max(int(min(rates) * settings.EQUAL_WORK_SHARE), 1)

    def _leave_out(self, what, why, failed=False):
        self._say(f"  left out: {what}: {why}")
        self._store.add({"kind": "left out", "what": what, "why": why,
                         "failed": failed})

    def _is_late(self):
        """Would another run end too late?"""
        return self._end is not None and (
            time.monotonic() + self._options.seconds + OVERHEAD_SECONDS >
            self._end)

    def _do(self, run):
        """One run, again if the host took the processor away."""
        for retry in range(MOST_RETRIES + 1):
            if self._is_late():
                self._too_late += retry == 0
                return
            try:
                figures = self._driver.measure(run)
            except RunFailed as error:
                self._leave_out(str(run), str(error), failed=True)
                return
            discarded = figures["steal"] > MOST_STEAL
            self._store.add({"kind": "run", **run.key(),
                             "discarded": discarded, **figures})
            self._say(
                f"  {run}: {figures['ops']:,} reads/s, P99 "
                f"{figures['p99']:,.0f} us, writer "
                f"{figures['write_bytes_per_second'] / 1e6:.1f} MB/s" +
                (f"; discarded: {figures['steal']:.0%} of the processor was "
                 "stolen" if discarded else ""))
            if not discarded:
                return
