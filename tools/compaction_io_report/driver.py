"""Runs the programs: fills databases, copies them, measures."""

import os
import shutil
import subprocess
import time

from scripts.database_files import (clone_database, drop_cached_pages,
                                    tree_size)
from scripts.memory_group import MemoryGroup
from tools.compaction_io_report import output, residency, settings
from tools.compaction_io_report.observe import (Machine, ThreadWatch,
                                                own_class)

BASES = {settings.MIXED: "base", settings.BESIDE: "base",
         settings.MAJOR: "runs"}

# Space that the report takes, in sizes of the database: itself, the copy that
# is rewritten, what compaction has not deleted yet, and the sorted runs.
SPACE_FACTOR = 4.0
# What a backup, or an ingestion and its source, take beside that.
JOB_SPACE_FACTOR = 1.2


class DriverError(Exception):
    """Something that ends the report, in words for the user."""


class RunFailed(DriverError):
    """A program that ended badly: the other runs go on."""


def drop_caches(directories):
    """Empties the page cache: of these directories and, where that is
    allowed, of the machine."""
    for directory in directories:
        drop_cached_pages(directory)
    try:
        with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as file:
            file.write("1")
    except OSError:
        pass  # Not root.


def finish(command, child, log):
    """Waits for a program, and tells what it used."""
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise RunFailed(
            f"{' '.join(command)}\nended with status {child.returncode}\n"
            f"{read_end(log['out'])}\n{read_end(log['err'])}")
    return {"user": usage.ru_utime, "system": usage.ru_stime,
            "rss_mib": usage.ru_maxrss / 1024}


def read_end(file, most=2000):
    """The end of what was written to a file."""
    file.seek(0)
    return file.read()[-most:]


class Driver:
    """The databases of a report, and runs on them."""

    def __init__(self, directory, sizes, filler, more_flags):
        self._directory = os.path.join(
            directory, f"compaction-io-report-{os.getpid()}")
        self._sizes = sizes
        self._filler = filler
        self._more_flags = more_flags
        os.makedirs(self._directory)
        self._machine = Machine(self._directory)

    def remove(self):
        """Removes everything that was made."""
        shutil.rmtree(self._directory, ignore_errors=True)

    def check_space(self, workloads):
        """Ends the report now rather than in the middle."""
        factor = SPACE_FACTOR
        if any(w.beside in ("backup", "ingestion") for w in workloads):
            factor += JOB_SPACE_FACTOR
        needed = factor * self._sizes.keys * settings.ENTRY_SIZE
        free = shutil.disk_usage(self._directory).free
        if free < needed:
            raise DriverError(
                f"{self._directory}: {needed / 1e9:.1f} GB are needed, "
                f"{free / 1e9:.1f} GB are free; --directory=DIR takes another")

    def path(self, name):
        """A path below the report's directory."""
        return os.path.join(self._directory, name)

    def _call(self, command, group=None, watch=False):
        """Runs a program to its end: its output, what it used, and what each
        class of its threads used, if that is watched."""
        with open(self.path("stdout"), "w+", encoding="utf-8",
                  errors="replace") as out, \
             open(self.path("stderr"), "w+", encoding="utf-8",
                  errors="replace") as err:
            child = subprocess.Popen(  # pylint: disable=consider-using-with
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                cwd=self._directory,
                preexec_fn=group.join if group else None)
            threads = ThreadWatch(child.pid) if watch else None
            try:
                used = finish(command, child, {"out": out, "err": err})
            except BaseException:
                if child.returncode is None:
                    child.kill()
                    child.wait()
                raise
            finally:
                classes = threads.stop() if threads else {}
            out.seek(0)
            return out.read(), used, classes

    def _common(self):
        """Flags of every run."""
        sizes = self._sizes
        return {
            "key_size": settings.KEY_SIZE,
            "value_size": settings.VALUE_SIZE,
            "compression_type": "none",
            "bloom_bits": 10,
            "cache_type": "lru_cache",
            "cache_size": sizes.block_cache,
            # Bits that suit so small a cache.
            "cache_numshardbits": 2,
            "max_background_jobs": 4,
            "write_buffer_size": sizes.write_buffer,
            "target_file_size_base": sizes.write_buffer,
            "max_bytes_for_level_base": sizes.level_base,
            "open_files": -1,
            "format_version": 5,
            "seed": 42,
            "progress_reports": "false",
            "stats_dump_period_sec": 0,
        }

    def _fill_flags(self, kind):
        if kind != settings.MAJOR:
            return {"benchmarks": "filluniquerandom,flush,waitforcompaction",
                    "num": self._sizes.keys}
        # Each run is one memtable that is flushed whole into one file.
        run_bytes = self._sizes.run_keys * settings.ENTRY_SIZE
        return {"benchmarks": "filluniquerandom,flush,overwrite,flush",
                "num": self._sizes.run_keys,
                "disable_auto_compactions": "true",
                "write_buffer_size": max(2 * run_bytes, 64 * settings.MIB)}

    def fill(self, kind):
        """Makes the database that runs of a kind start from; whether it had
        to be made."""
        path = self.path(BASES[kind])
        if os.path.exists(path):
            return False
        flags = {**self._common(), **self._fill_flags(kind), "db": path,
                 "disable_wal": "true"}
        self._call([self._filler.path, *self._filler.arguments(flags)])
        if kind == settings.MAJOR:
            tables = self._tables(self._filler, path)
            if len(tables) != 2:
                raise DriverError(f"{path}: {len(tables)} table files where "
                                  "two sorted runs should be")
        return True

    def _tables(self, program, path):
        """The table files of a database."""
        flags = {"benchmarks": "sstables", "db": path, "num": 1,
                 "use_existing_db": "true", "readonly": "true"}
        text, _, _ = self._call([program.path, *program.arguments(flags)])
        return output.parse_tables(text)

    def _warm(self, run, base_flags, group):
        reads = self._sizes.warming_reads(run.workload)
        flags = {**base_flags, "benchmarks": "readseq,readrandom",
                 "readonly": "true", "reads": reads, "threads": 1}
        self._call([run.program.path, *run.program.arguments(flags),
                    *run.switches()], group)

    def _measured_flags(self, run):
        sizes = self._sizes
        flags = {
            "threads": settings.READERS, "duration": sizes.seconds,
            "histogram": "true", "statistics": "true",
            "report_interval_seconds": 1,
            "report_file": self.path("series.csv"),
            "report_latencies": "true",
            # Every workload ends by time, so the time is checked often.
            "ops_between_duration_checks": 100,
        }
        workload = run.workload
        if workload.kind == settings.BESIDE:
            return {**flags, **self._flags_beside(run)}
        if workload.kind == settings.MIXED:
            if workload.is_alone:
                return {**flags, "benchmarks": "readrandom"}
            return {**flags, "benchmarks": "readwhilewriting",
                    "bgwriter_num": sizes.keys,
                    "benchmark_write_rate_limit": run.write_limit}
        flags["benchmark_read_rate_limit"] = settings.PACED_READS
        if workload.is_alone:
            return {**flags, "benchmarks": "readrandom",
                    "disable_auto_compactions": "true"}
        flags.update({
            "benchmarks": "readrandom,waitforcompaction",
            # Both runs are compacted as soon as the database is open, and
            # what comes of it is left as it is.
            "level0_file_num_compaction_trigger": 2,
            "max_bytes_for_level_base": 1 << 50,
            "subcompactions": run.workload.subcompactions,
        })
        if run.workload.is_throttled:
            flags["rate_limiter_bytes_per_sec"] = sizes.major_rate
        return flags

    def _flags_beside(self, run):
        """Paced reads of one kind, beside one thing."""
        workload = run.workload
        return {
            "benchmarks": workload.benchmark, "beside": workload.beside,
            "benchmark_read_rate_limit": workload.reads_per_second,
            "bgwriter_num": self._sizes.keys,
            "benchmark_write_rate_limit": run.write_limit,
            "batch_size": settings.KEYS_OF_BATCH,
            "seek_nexts": settings.STEPS_OF_SCAN,
            "ingest_dir": self.path("ingest"),
        }

    def _prepare_ingestion(self, run):
        """Makes the tables that every run of an ingestion brings in."""
        if run.workload.beside != "ingestion" or os.path.exists(
                self.path("ingest")):
            return
        flags = {**self._common(), "benchmarks": "prepareingestion",
                 "db": self.path("none"), "num": self._sizes.keys,
                 "ingest_dir": self.path("ingest"),
                 "ingest_bytes": self._sizes.ingest_bytes}
        self._call([run.program.path, *run.program.arguments(flags)])

    def measure(self, run):
        """One run, from a copy of its database; its figures."""
        path = self.path("db")
        self._prepare_ingestion(run)
        clone_database(self.path(BASES[run.workload.kind]), path)
        drop_caches([path, *(p for p in [self.path("ingest")]
                             if os.path.exists(p))])
        hot_keys = self._sizes.hot_keys(run.workload)
        base_flags = {**self._common(), "db": path, "num": hot_keys,
                      "use_existing_db": "true"}
        with MemoryGroup("compaction-io-report",
                         self._sizes.memory) as group:
            self._warm(run, base_flags, group)
            command = [run.program.path,
                       *run.program.arguments(
                           {**base_flags, **self._measured_flags(run),
                            **self._more_flags}),
                       *run.switches()]
            before = self._machine.read(group)
            start = time.monotonic()
            text, used, classes = self._call(command, group, watch=True)
            wall = time.monotonic() - start
            figures = self._machine.difference(before,
                                               self._machine.read(group))
            figures["memory_group"] = group.path is not None
            tables = self._tables(run.program, path)
            figures["residency"] = residency.measure(path, tables, hot_keys)
            figures["bytes_on_disk"] = tree_size(path)
        shutil.rmtree(path)
        figures.update({"wall_seconds": wall, "used": used,
                        "cpu_classes": classes,
                        "own_class": own_class(run.program.path)})
        self._add_output(figures, text, run)
        return figures

    def _add_output(self, figures, text, run):
        """What the program itself says."""
        workload = run.workload
        benchmark = "readrandom"
        if workload.kind == settings.BESIDE:
            benchmark = workload.benchmark
        elif workload.kind == settings.MIXED and not workload.is_alone:
            benchmark = "readwhilewriting"
        figures.update(output.parse_run(text, benchmark))
        figures.update(output.parse_beside(text))
        tickers, sums = output.parse_statistics(text)
        found = figures["found"]
        if found and found[0] != found[1]:
            raise DriverError(f"{run}: {found[0]} of {found[1]} reads found "
                              "their key; all should")
        seconds = figures["seconds"]
        jobs, micros = sums.get("rocksdb.compaction.times.micros", (0, 0))
        figures.update({
            "write_bytes_per_second":
                tickers.get("rocksdb.number.keys.written", 0) *
                settings.ENTRY_SIZE / seconds,
            "stall_seconds": tickers.get("rocksdb.stall.micros", 0) / 1e6,
            "compaction": {
                "read_bytes": tickers.get("rocksdb.compact.read.bytes", 0),
                "write_bytes": tickers.get("rocksdb.compact.write.bytes", 0),
                "jobs": jobs, "job_seconds": micros / 1e6,
            },
            "flush_bytes": tickers.get("rocksdb.flush.write.bytes", 0),
            "backup_bytes": tickers.get("rocksdb.backup.write.bytes", 0),
            "series": self._series(),
        })

    def _series(self):
        try:
            with open(self.path("series.csv"), encoding="utf-8") as lines:
                rows = output.parse_series(lines)
        except OSError:
            return []
        os.unlink(self.path("series.csv"))
        return rows
