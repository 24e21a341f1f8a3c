"""The db_bench programs, and what each of them can run."""

import os
import subprocess
import tempfile

from scripts.programs import ProgramError, known_flags
from tools.compaction_io_report import settings

# Flags without which a run would be another one; the rest is left out where a
# program does not know it.
NEEDED = {
    # A writer with a key space of its own, so that the whole database is
    # rewritten and compacted while a hot set is read.
    settings.MIXED: ("bgwriter_num", "benchmark_write_rate_limit"),
    settings.MAJOR: ("benchmark_read_rate_limit", "subcompactions",
                     "level0_file_num_compaction_trigger"),
    settings.BESIDE: ("beside", "bgwriter_num", "benchmark_read_rate_limit",
                      "benchmark_write_rate_limit", "ingest_dir"),
}
NEEDED_TO_THROTTLE = "rate_limiter_bytes_per_sec"


def parse_engine(text):
    """The engine's names and versions, as db_bench prints them."""
    names = [" ".join(line.replace(":", " ").split())
             for line in text.splitlines()
             if line.startswith(("RocksDB:", "Basalt:"))]
    return ", ".join(names) or "unknown"


def is_left_out(switch, errors):
    """Whether db_bench said that it does not hand on a flag."""
    return any(line.startswith(f"--{switch}:") and "left out" in line
               for line in errors.splitlines())


class Program:
    """A db_bench: its flags, the options of its engine, its name."""

    def __init__(self, name, path, directory):
        """`directory` is where its databases will be: what the file system
        refuses there, it cannot run."""
        self.name = name
        self.path = os.path.abspath(path)
        self.flags = known_flags(self.path)
        done = self._try_flags([], directory)
        if done.returncode != 0:
            raise ProgramError(f"{self.path}: {done.stderr[-500:]}")
        self.engine = parse_engine(done.stdout + done.stderr)
        self.options = {
            switch for switch in settings.SWITCHES
            if switch in self.flags and self._can_set(switch, directory)}

    def _try_flags(self, arguments, directory):
        """What the program says to flags, on an empty database."""
        with tempfile.TemporaryDirectory(dir=directory) as scratch:
            return subprocess.run(
                [self.path, "--benchmarks=fillseq", "--num=1",
                 f"--db={scratch}/db", *arguments],
                stdin=subprocess.DEVNULL, capture_output=True, text=True,
                errors="replace", check=False)

    def _can_set(self, switch, directory):
        """Whether its engine takes the option, too: our db_bench leaves out,
        by name, what the engine that it was linked with does not know."""
        done = self._try_flags([f"--{switch}=true"], directory)
        return done.returncode == 0 and not is_left_out(switch, done.stderr)

    def lacks(self, workload):
        """The flags that a workload needs in every configuration and that it
        does not know."""
        needed = list(NEEDED[workload.kind])
        if workload.is_throttled:
            needed.append(NEEDED_TO_THROTTLE)
        return [flag for flag in needed if flag not in self.flags]

    def why_not(self, workload, configuration):
        """Why it cannot run this, or an empty text."""
        missing = configuration.missing(self.options) + self.lacks(workload)
        if missing:
            return "cannot set " + ", ".join(f"--{name}" for name in missing)
        return ""

    def arguments(self, flags):
        """Those of the flags (a dictionary) that the program knows."""
        return [f"--{name}={value}" for name, value in flags.items()
                if name in self.flags]

    def describe(self):
        """For the raw results."""
        return {"name": self.name, "path": self.path, "engine": self.engine,
                "options": sorted(self.options)}
