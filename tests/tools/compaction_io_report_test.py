"""The report on compaction I/O: what it reads, what it makes of it, and in
which order it runs."""

import contextlib
import io
import json
import os
import pathlib
import tempfile
import types
import unittest

from tools.compaction_io_report import (campaign, cli, driver, observe,
                                        output, programs, residency, settings,
                                        store, summary, tables, targets)

OUTPUT = """\
DB path: [/db]
readwhilewriting :      97.318 micros/op 41012 ops/sec 5.002 seconds \
205143 operations;  160.9 MB/s (205143 of 205143 found)
Microseconds per read:
Count: 205143 Average: 97.4106  StdDev: 330.50
Min: 1  Median: 3.0011  Max: 21819
Percentiles: P50: 3.00 P75: 3.75 P99: 1200.99 P99.9: 4000.50 P99.99: 9000.78
------------------------------------------------------
[       0,       1 ]       143   0.070%   0.070%
(       1,       2 ]    195000  95.056%  95.126% ###################
(       2,       3 ]     10000   4.875% 100.000% #

STATISTICS:
rocksdb.compact.read.bytes COUNT : 1000000000
rocksdb.stall.micros COUNT : 1500000
rocksdb.compaction.times.micros P50 : 1.0 P95 : 2.0 P99 : 2.0 P100 : 2.0 \
COUNT : 7 SUM : 2500000
"""


class OutputTest(unittest.TestCase):
    """What db_bench prints."""

    def test_result_and_histogram(self):
        figures = output.parse_run(OUTPUT, "readwhilewriting")
        self.assertEqual(41012, figures["ops"])
        self.assertEqual(205143, figures["operations"])
        self.assertEqual([205143, 205143], figures["found"])
        self.assertEqual((3.0, 1200.99, 4000.5, 9000.78), tuple(
            figures[name] for name in ("p50", "p99", "p99.9", "p99.99")))
        self.assertEqual([[0, 1, 143], [1, 2, 195000], [2, 3, 10000]],
                         figures["histogram"])

    def test_output_without_the_benchmark(self):
        with self.assertRaisesRegex(output.OutputError, "readrandom"):
            output.parse_run(OUTPUT, "readrandom")

    def test_output_without_histogram(self):
        text = OUTPUT.partition("Microseconds")[0]
        with self.assertRaisesRegex(output.OutputError, "histogram"):
            output.parse_run(text, "readwhilewriting")

    def test_statistics(self):
        tickers, sums = output.parse_statistics(OUTPUT)
        self.assertEqual(1_000_000_000, tickers["rocksdb.compact.read.bytes"])
        self.assertEqual((7, 2_500_000),
                         sums["rocksdb.compaction.times.micros"])

    def test_work_beside_reads(self):
        self.assertEqual({}, output.parse_beside(OUTPUT))
        self.assertEqual(
            {"pending_bytes": [10, 2000010], "service": [1.0, 2.5, 3.0, 4.0]},
            output.parse_beside(
                OUTPUT + "From the begin of each: P50: 1.00 P75: 1.20 "
                "P99: 2.50 P99.9: 3.00 P99.99: 4.00\n"
                "Pending compaction bytes: 10 to 2000010; files in level 0: 3"
                "\n"))
        run = make_run(**output.parse_beside(
            "Pending compaction bytes: 10 to 2000010;"))
        self.assertEqual(2.0, summary.METRICS["pending"].take(run))
        self.assertIsNone(summary.METRICS["pending"].take(make_run()))

    def test_tables_of_both_engines(self):
        key = "0000000000000BB73030303030303030"
        ours = f" 10:7878184[3002 .. 6000]['{key}' .. '{key}']\n"
        theirs = (f" 8:12471668[1 .. 3000]['{key}' seq:381, type:1 .. "
                  f"'{key}' seq:1901, type:1](0)\n")
        found = output.parse_tables("--- level 0 ---\n" + ours + theirs)
        self.assertEqual([(10, 7878184), (8, 12471668)],
                         [row[:2] for row in found])
        self.assertEqual([0xBB7] * 4, [residency.key_number(k)
                                       for row in found for k in row[2:]])

    def test_series_with_and_without_latencies(self):
        self.assertEqual([{"second": 1, "ops": 5}], output.parse_series(
            ["secs_elapsed,interval_qps\n", "1,5\n"]))
        self.assertEqual(
            [{"second": 2, "ops": 7, "p50": 1, "p99": 2, "p99.9": 3,
              "max": 4}],
            output.parse_series(
                ["secs_elapsed,interval_qps,p50_micros,p99_micros,"
                 "p99_9_micros,max_micros\n", "2,7,1.00,2.00,3.00,4\n"]))


class ObserveTest(unittest.TestCase):
    """What the kernel prints."""

    def test_pressure(self):
        self.assertEqual({"some": 123, "full": 4}, observe.parse_pressure(
            "some avg10=0.00 avg60=0.00 avg300=0.00 total=123\n"
            "full avg10=0.00 avg60=0.00 avg300=0.00 total=4\n"))
        self.assertEqual({}, observe.parse_pressure(""))

    def test_disk(self):
        text = ("   7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n"
                " 254 0 vda 10 1 2000 30 40 2 6000 70 0 80 90 1 2 3 4\n")
        disk = observe.parse_disk(text, (254, 0))
        self.assertEqual((2000 * 512, 6000 * 512, 80, 90), tuple(
            disk[name] for name in ("read_bytes", "write_bytes", "busy_ms",
                                    "queue_ms")))
        self.assertIsNone(observe.parse_disk(text, (254, 1)))

    def test_thread_with_a_name_of_any_form(self):
        fields = ["S"] + ["0"] * 10 + ["250", "50"] + ["0"] * 20
        name, user, system = observe.parse_thread(
            "42 (a) (b 1) " + " ".join(fields))
        self.assertEqual("a) (b 1", name)
        self.assertEqual((250 / observe.TICKS, 50 / observe.TICKS),
                         (user, system))

    def test_classes(self):
        self.assertEqual("rocksdb:low", observe.class_of("rocksdb:low12"))
        self.assertEqual("db_bench_stock_",
                         observe.own_class("/x/db_bench_stock_new"))


def measure_cached(path, measure, expected):
    """What `measure` gives, as soon as it is `expected`: a machine that is
    short of memory may take pages of the file away at any time."""
    for _ in range(1000):
        pathlib.Path(path).read_bytes()
        found = measure()
        if found == expected:
            break
    return found


class ResidencyTest(unittest.TestCase):
    """The pages of hot keys."""

    def test_hot_part(self):
        page = residency.PAGE
        size = 100 * page
        self.assertEqual(0, residency.hot_part(size, 50, 60, 50))
        self.assertEqual(size, residency.hot_part(size, 0, 49, 50))
        self.assertEqual(size // 2, residency.hot_part(size, 0, 99, 50))
        self.assertEqual(page, residency.hot_part(size, 49, 148, 50))
        self.assertEqual(10, residency.hot_part(10, 0, 0, 50))

    def test_pages_just_written_are_cached(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"x" * (8 * residency.PAGE))
            file.flush()
            size = 8 * residency.PAGE
            self.assertIn(measure_cached(
                file.name, lambda: residency.cached_pages(file.name, size), 8),
                          (8, None))
            # pylint: disable=protected-access
            self.assertEqual(8, measure_cached(
                file.name,
                lambda: residency._by_mincore(file.fileno(), size), 8))

    def test_measure_skips_cold_and_deleted_files(self):
        page = residency.PAGE

        def key(number):
            return number.to_bytes(8, "big") + b"0" * 8

        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory, "000007.sst")
            file.write_bytes(b"x" * (4 * page))
            expected = {"hot_pages": 2, "cached_pages": 2, "share": 1.0}
            found = measure_cached(file, lambda: residency.measure(
                directory, [(7, 4 * page, key(0), key(9)),
                            (8, 4 * page, key(0), key(9)),
                            (9, 4 * page, key(50), key(60))], hot_keys=5),
                                   expected)
        self.assertEqual(expected, found)


class ProgramsTest(unittest.TestCase):
    """What a program says about itself."""

    def test_left_out(self):
        errors = ("--use_direct_io_for_compaction_reads: option "
                  "use_direct_io_for_compaction_reads is not known to this "
                  "engine: left out\n")
        self.assertTrue(programs.is_left_out(
            settings.DIRECT_COMPACTION_READS, errors))
        self.assertFalse(programs.is_left_out(settings.DIRECT_READS, errors))

    def test_a_flag_that_makes_the_run_must_be_known(self):
        workloads = {w.name: w for w in settings.WORKLOADS}
        program = object.__new__(programs.Program)
        program.options = {settings.DIRECT_WRITES}
        program.flags = dict.fromkeys(programs.NEEDED[settings.MAJOR])
        buffered, writes, reads = settings.CONFIGURATIONS[:3]
        major = workloads["major-unthrottled"]
        self.assertEqual("", program.why_not(major, buffered))
        self.assertEqual("", program.why_not(major, writes))
        self.assertIn(settings.DIRECT_COMPACTION_READS,
                      program.why_not(major, reads))
        self.assertIn("rate_limiter_bytes_per_sec", program.why_not(
            workloads["major-throttled"], buffered))
        self.assertIn("bgwriter_num", program.why_not(
            workloads["hot-7500"], buffered))

    def test_engine(self):
        self.assertEqual("RocksDB version 7.8.3", programs.parse_engine(
            "x\nRocksDB:    version 7.8.3\nDate: y\n"))
        self.assertEqual("unknown", programs.parse_engine(""))

    def test_all_direct_needs_no_option_that_it_implies(self):
        everything = {c.name: c for c in settings.CONFIGURATIONS}
        known = {settings.DIRECT_WRITES, settings.DIRECT_READS}
        self.assertEqual([], everything[settings.ALL].missing(known))
        self.assertEqual([settings.DIRECT_COMPACTION_READS],
                         everything[settings.READ_WRITE].missing(known))
        self.assertEqual(
            [f"--{settings.DIRECT_WRITES}=true",
             f"--{settings.DIRECT_READS}=true"],
            everything[settings.ALL].arguments(known))


def make_run(**changes):
    """A raw result."""
    run = {
        "kind": "run", "workload": "hot-7500", "program": "ours",
        "configuration": settings.BUFFERED, "round": 0, "write_limit": 200,
        "discarded": False, "ops": 1000, "seconds": 5.0, "p50": 1.0,
        "p99": 100.0, "p99.9": 400.0, "p99.99": 900.0,
        "histogram": [[0, 1, 90], [1, 2, 9], [2, 3, 1]],
        "write_bytes_per_second": 1e6, "stall_seconds": 0.5,
        "refaults": 1000, "memory_group": True,
        "residency": {"hot_pages": 4, "cached_pages": 2, "share": 0.5},
        "compaction": {"read_bytes": 2e9, "write_bytes": 1e9, "jobs": 3,
                       "job_seconds": 3.0},
        "used": {"user": 1.0, "system": 2.0, "rss_mib": 50.0},
        "own_class": "db_bench",
        "cpu_classes": {
            "db_bench": {"user": 9.0, "system": 9.0, "queued": 0.0},
            "rocksdb:low": {"user": 0.5, "system": 0.1, "queued": 0.0}},
        "pressure_seconds": {"cpu.some": 1.0, "io.some": 2.0,
                             "memory.some": 0.0},
        "disk": {"read_bytes": 1e6, "write_bytes": 2e6, "queue_ms": 3000},
        "wall_seconds": 6.0, "load": 1.0, "steal": 0.0,
        "series": [{"second": 1.0, "ops": 9.0, "p99": 3.0},
                   {"second": 2.0, "ops": 9.0, "p99": 5.0},
                   {"second": 3.0, "ops": 1.0, "p99": 9.0}],
    }
    run.update(changes)
    return run


class SummaryTest(unittest.TestCase):
    """Figures out of raw results."""

    def test_rates_of_compaction(self):
        run = make_run()
        self.assertAlmostEqual(600.0, summary.compaction_rate(run))
        self.assertAlmostEqual(0.3, summary.cpu_per_gigabyte(run))
        major = make_run(write_limit=0)
        self.assertAlmostEqual(1000.0, summary.compaction_rate(major))

    def test_what_was_not_measured_is_none(self):
        run = make_run(disk=None, refaults=None, residency=None,
                       cpu_classes={})
        for name in ("queue", "device_read", "refaults", "resident",
                     "cpu_per_gb"):
            self.assertIsNone(summary.METRICS[name].take(run), name)
            self.assertEqual("n/a", summary.METRICS[name].show(None))

    def test_cells_leave_discarded_runs_out(self):
        runs = [make_run(ops=ops, round=i, discarded=ops == 9)
                for i, ops in enumerate((10, 9, 20, 60))]
        runs.append(make_run(program="peer"))
        cells = summary.cells(runs, "hot-7500")
        self.assertEqual(["ours buffered", "peer buffered"],
                         [cell.label for cell in cells])
        self.assertEqual(20, cells[0].median("ops"))
        self.assertEqual(30, cells[0].mean("ops"))
        self.assertAlmostEqual((700 ** 0.5) / 30, cells[0].variation("ops"))
        self.assertIsNone(cells[1].variation("ops"))

    def test_tail_of_all_rounds(self):
        histogram = summary.merged_histogram([make_run(), make_run()])
        self.assertEqual([(1, 180), (2, 18), (3, 2)], histogram)
        self.assertEqual([(1, 0.1), (2, 0.01), (3, 0.0)],
                         summary.tail(histogram))

    def test_series_without_the_interval_that_was_cut_short(self):
        other = make_run(series=[{"second": 1.0, "ops": 9.0, "p99": 7.0},
                                 {"second": 2.0, "ops": 1.0, "p99": 1.0}])
        self.assertEqual([(1.0, 5.0), (2.0, 5.0)],
                         summary.series([make_run(), other], "p99"))

    def test_ratios_are_taken_round_by_round(self):
        cells = summary.cells(
            [make_run(round=0, p99=10.0), make_run(round=1, p99=30.0),
             make_run(round=0, p99=40.0, program="peer"),
             make_run(round=2, p99=1.0, program="peer")], "hot-7500")
        self.assertEqual([0.25], summary.paired_ratios(*cells, "p99"))


class OverNoneTest(unittest.TestCase):
    """A workload over the same without background."""

    RUNS = [
        make_run(workload="paced-10k-7500-50", p50=11.0, round=0),
        make_run(workload="paced-10k-7500-50", p50=12.0, round=1),
        make_run(workload="paced-10k-7500-alone", p50=10.0, round=0),
        make_run(workload="paced-10k-7500-alone", p50=6.0, round=1),
        make_run(workload="paced-10k-7500-50", program="other", p50=9.0),
        make_run(workload="paced-10k-7500-50", p50=9.0, round=0,
                 configuration=settings.READ_WRITE)]

    def test_every_workload_has_its_baseline(self):
        for workload in settings.WORKLOADS:
            self.assertNotEqual(workload.is_alone, bool(workload.baseline),
                                workload.name)
            if workload.is_alone:
                continue
            alone = settings.BY_NAME[workload.baseline]
            self.assertTrue(alone.is_alone)
            for name in ("kind", "hot_keys", "benchmark", "reads_per_second"):
                self.assertEqual(getattr(workload, name),
                                 getattr(alone, name), workload.name)

    def test_the_same_program_and_setting_is_taken(self):
        workload = settings.BY_NAME["paced-10k-7500-50"]
        pairs = summary.over_baseline(self.RUNS, workload)
        self.assertEqual(["ours buffered"], [p[0].label for p in pairs])
        row = tables.over_none_rows(pairs)[0]
        self.assertEqual(["ours buffered", "2", "11.5", "1.44 (1.10-2.00)"],
                         row[:4])

    def test_text_and_targets(self):
        runs = self.RUNS + [make_run(workload="paced-10k-7500-alone", p50=5.0,
                                     configuration=settings.READ_WRITE)]
        results = store.Store()
        results.runs = runs
        self.assertRegex(
            tables.text_report(results), r"paced-10k-7500-50: background over "
            r"none\n.*over none.*\n.*\n.*read_write +1 +9.0 +1.80 ")
        outcome = next(o for o in targets.outcomes(runs, {}) if
                       "the same in paced-10k-7500-alone" in o.text
                       and "P50" in o.text)
        self.assertEqual((1.8, "<= 1.1", "missed"),
                         (outcome.value, outcome.bound, outcome.verdict))

    def test_targets_of_each_peer(self):
        setup = {"programs": [{"name": name} for name in
                              ("ours", "stock", "newest")]}
        texts = [o.text for o in targets.outcomes([], setup)]
        self.assertEqual(len(texts), len(set(texts)))
        for name in ("stock", "newest"):
            self.assertTrue(any(f"over {name} " in text for text in texts))


class TargetsTest(unittest.TestCase):
    """Met, missed, not measured."""

    def outcome(self, runs, *words):
        """The one whose text has all of the words."""
        found = [o for o in targets.outcomes(runs, {"probe": {
            "read_bytes_per_second": 5e8, "write_bytes_per_second": 5e8}})
                 if all(word in o.text for word in words)]
        self.assertEqual(1, len(found), words)
        return found[0]

    def test_ratio(self):
        runs = [make_run(), make_run(configuration=settings.READ_WRITE,
                                     p99=35.0, refaults=11)]
        words = ("hot-7500", "P99, us", "over ours buffered",
                 settings.READ_WRITE)
        self.assertEqual("met", self.outcome(runs, *words).verdict)
        runs[1]["p99"] = 36.0
        self.assertEqual("missed", self.outcome(runs, *words).verdict)
        self.assertEqual("missed", self.outcome(
            runs, "hot-7500", "refaults", settings.READ_WRITE).verdict)
        self.assertEqual("not measured", self.outcome(
            runs, "hot-7500", "P99, us", "over peer").verdict)

    def test_backups_beside_reads(self):
        both, alone = settings.READ_WRITE, "paced-10k-100000-alone"
        runs = [make_run(workload="backup", configuration=both, p99=120.0,
                         backup_bytes=1_500_000_000),
                make_run(workload=alone, configuration=both, p99=100.0),
                make_run(workload="backup", program="peer",
                         configuration=settings.WRITES_ONLY,
                         backup_bytes=1_000_000_000)]
        quiet = self.outcome(runs, "backup: P99, us", both, alone)
        self.assertEqual(("met", "<= 1.3"), (quiet.verdict, quiet.bound))
        self.assertAlmostEqual(1.2, quiet.value)
        fast = self.outcome(runs, "backup: backup, MB/s", f", {both} over",
                            settings.WRITES_ONLY)
        self.assertEqual(("met", 1.5), (fast.verdict, fast.value))
        runs[0].update(p99=131.0, backup_bytes=990_000_000)
        self.assertEqual(["missed"] * 2, [self.outcome(
            runs, *words).verdict for words in (
                ("backup: P99, us", both, alone),
                ("backup: backup, MB/s", f", {both} over"))])
        # Nothing was told, or there was no backup.
        for changes in ({}, {"backup_bytes": 0}):
            self.assertIsNone(summary.METRICS["backup"].take(
                make_run(**changes)))

    def test_bounds_of_the_device_and_the_processor(self):
        runs = [make_run(workload=name, configuration=settings.READ_WRITE,
                         write_limit=0)
                for name in ("major-unthrottled", "major-two-threads")]
        self.assertEqual("met", self.outcome(runs, "CPU seconds").verdict)
        found = self.outcome(runs, "simultaneous")
        self.assertEqual(("met", 1.0), (found.verdict, found.value))


class SizesTest(unittest.TestCase):
    """What --scale does."""

    def test_full_size(self):
        sizes = settings.Sizes(1.0, 60)
        self.assertEqual(1 << 30, sizes.memory)
        self.assertAlmostEqual(8.6e9, sizes.keys * settings.ENTRY_SIZE,
                               delta=settings.ENTRY_SIZE)
        self.assertEqual([7500, 100_000, 400_000], sorted(
            {sizes.hot_keys(w) for w in settings.WORKLOADS}))
        for workload in settings.WORKLOADS:
            hot = sizes.hot_keys(workload) * settings.ENTRY_SIZE
            self.assertLess(sizes.block_cache, hot)
            self.assertLessEqual(
                sizes.warming_reads(workload) * settings.ENTRY_SIZE,
                sizes.memory)

    def test_small_sizes_stay_possible(self):
        sizes = settings.Sizes(0.0001, 2)
        for workload in settings.WORKLOADS:
            self.assertGreaterEqual(sizes.hot_keys(workload), 100)
            self.assertLessEqual(sizes.hot_keys(workload), sizes.keys)
        self.assertEqual(settings.LEAST_MEMORY_BYTES, sizes.memory)


class FakeDriver:
    """Knows what it would have run."""

    def __init__(self, results=None, is_empty=False):
        self.runs = []
        self.filled = []
        self._results = results or {}
        self._is_empty = is_empty

    def fill(self, kind):
        """Whether a database had to be made."""
        self.filled.append(kind)
        return self._is_empty

    def measure(self, run):
        """A result, or the failure that is asked for."""
        self.runs.append(run)
        changes = self._results.get(run.configuration.name, {})
        if "error" in changes:
            raise driver.RunFailed(changes["error"])
        return {name: value for name, value in make_run(**changes).items()
                if name not in (*run.key(), "kind", "discarded")}


class FakeProgram:
    """A program with some of the options."""

    def __init__(self, name, options):
        self.name = name
        self.options = options

    @staticmethod
    def lacks(workload):
        """What only c_bench has."""
        return ["beside"] if workload.kind == settings.BESIDE else []

    def why_not(self, _, configuration):
        """The options that it lacks, or an empty text."""
        return ", ".join(configuration.missing(self.options))


class CampaignTest(unittest.TestCase):
    """The order of the runs, and which of them count."""

    def do(self, fake, names, rounds=1, max_seconds=0, results=None):
        """Runs workloads against stock's options; the raw results."""
        program = FakeProgram("ours", {settings.DIRECT_WRITES,
                                       settings.DIRECT_READS})
        options = types.SimpleNamespace(
            rounds=rounds, seconds=5, max_seconds=max_seconds,
            configurations=settings.CONFIGURATIONS)
        results = results or store.Store()
        campaign.Campaign(fake, [program], options, results,
                          lambda text: None).run(
            [w for w in settings.WORKLOADS if w.name in names])
        return results

    def test_forth_and_back(self):
        fake = FakeDriver()
        results = self.do(fake, ["hot-7500"], rounds=2)
        names = [run.configuration.name for run in fake.runs]
        order = [settings.BUFFERED, settings.WRITES_ONLY, settings.ALL]
        self.assertEqual(order + order[::-1], names)
        self.assertEqual([settings.MIXED], fake.filled)
        self.assertEqual(2, len(results.left_out))
        self.assertEqual(0, results.failures())

    def test_equal_work_follows_the_slowest(self):
        fake = FakeDriver({
            settings.WRITES_ONLY: {"write_bytes_per_second": 5e5}})
        self.do(fake, ["hot-7500", "hot-7500-equal"])
        self.assertEqual([settings.WRITE_LIMIT] * 3 + [400_000] * 3,
                         [run.write_limit for run in fake.runs])

    def test_equal_work_without_a_measure(self):
        fake = FakeDriver()
        results = self.do(fake, ["hot-7500-equal"])
        self.assertEqual([], fake.runs)
        self.assertIn("hot-7500", results.left_out[-1]["why"])

    def test_stolen_time_is_measured_again(self):
        fake = FakeDriver({settings.BUFFERED: {"steal": 0.06}})
        results = self.do(fake, ["hot-7500"])
        self.assertEqual(2 + 1 + campaign.MOST_RETRIES, len(fake.runs))
        self.assertEqual(1 + campaign.MOST_RETRIES, sum(
            run["discarded"] for run in results.runs))

    def test_a_run_that_fails_does_not_end_the_others(self):
        fake = FakeDriver({settings.BUFFERED: {"error": "status -9"}})
        results = self.do(fake, ["hot-7500"])
        self.assertEqual(2, len(results.runs))
        self.assertEqual(1, results.failures())

    def test_runs_of_an_earlier_report_are_not_made_again(self):
        first = self.do(FakeDriver({settings.ALL: {"steal": 0.9}}),
                        ["hot-7500"])
        setup = {name: 1 for name in store.SHARED_SETUP}
        first.setup = {"kind": "setup", **setup}
        results = store.Store()
        with self.assertRaisesRegex(store.StoreError, "seconds 1.* 2"):
            results.take_over(first, {**setup, "seconds": 2})
        results.take_over(first, setup)
        fake = FakeDriver()
        self.do(fake, ["hot-7500"], results=results)
        self.assertEqual([settings.ALL],
                         [run.configuration.name for run in fake.runs])
        again = FakeDriver()
        self.do(again, ["hot-7500"], results=results)
        self.assertEqual(([], []), (again.runs, again.filled))

    def test_nothing_begins_too_late(self):
        fake = FakeDriver()
        results = self.do(fake, ["hot-7500"], max_seconds=1)
        self.assertEqual([], fake.runs)
        self.assertEqual(2 + 1, len(results.left_out))
        self.assertEqual("3 runs", results.left_out[-1]["what"])

    def test_the_first_run_after_filling_does_not_count(self):
        fake = FakeDriver({settings.BUFFERED: {"error": "status -9"}},
                          is_empty=True)
        results = self.do(fake, ["hot-7500"])
        self.assertEqual([settings.BUFFERED] * 2 +
                         [settings.WRITES_ONLY, settings.ALL],
                         [run.configuration.name for run in fake.runs])
        self.assertEqual((2, 1), (len(results.runs), results.failures()))

    def test_a_workload_and_its_baseline_alternate(self):
        fake = FakeDriver()
        self.do(fake, ["hot-7500", "hot-7500-alone"], rounds=2)
        names = [run.workload.name for run in fake.runs]
        order = ["hot-7500"] * 3 + ["hot-7500-alone"] * 3
        self.assertEqual(order + order[::-1], names)
        self.assertEqual({("hot-7500", settings.WRITE_LIMIT),
                          ("hot-7500-alone", 0)},
                         {(run.workload.name, run.write_limit)
                          for run in fake.runs})

    def test_what_a_program_lacks_for_many_workloads_is_told_once(self):
        fake = FakeDriver()
        results = self.do(fake, ["paced-10k-7500-50", "backup",
                                 "paced-10k-7500-alone"])
        self.assertEqual([], fake.runs)
        self.assertEqual(["cannot set --beside"],
                         [left["why"] for left in results.left_out])


class OptionsTest(unittest.TestCase):
    """The command line."""

    def test_baselines_come_with_their_workloads(self):
        options = cli.parse_options(["--workloads", "backup,scan-5*"])
        self.assertEqual(
            ["paced-10k-100000-alone", "scan-alone", "scan-50", "backup"],
            [w.name for w in options.workloads])
        self.assertEqual(list(settings.WORKLOADS),
                         cli.parse_options([]).workloads)

    def test_a_quick_look_has_the_first_ones(self):
        names = [w.name for w in cli.parse_options(["--quick"]).workloads]
        self.assertEqual(settings.QUICK_COUNT, len(names))
        self.assertFalse([n for n in names if n.endswith("-alone")])

    def test_peers_and_their_names(self):
        options = cli.parse_options(["--peer", "/a/b=c", "--peer", "/d",
                                     "--peer", "new=/e"])
        self.assertEqual([("peer", "/a/b=c"), ("peer2", "/d"),
                          ("new", "/e")], options.peers)
        self.assertEqual({"a": "b=c"}, cli.parse_options(
            ["--with", "a=b=c"]).more_flags)
        for wrong in (["--peer", "ours=/a"], ["--with", "a"], ["--configurations", "x"],
                      ["--peer", "x=/a", "--peer", "x=/b"],
                      ["--workloads", "nothing*"], ["--fill", "peer"]):
            with self.assertRaises(SystemExit, msg=wrong), \
                    contextlib.redirect_stderr(io.StringIO()):
                cli.parse_options(wrong)


class ReportTest(unittest.TestCase):
    """From raw results to the page."""

    def test_background_over_none_is_on_the_page(self):
        results = store.Store(self.raw)
        results.add({"kind": "setup", "quick": False, "probe": None})
        for run in OverNoneTest.RUNS:
            results.add(run)
        results.close()
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(0, cli.main(["--from", self.raw, "--output",
                                          self.folder]))
        page = pathlib.Path(self.folder, "report.html").read_text("utf-8")
        self.assertIn("Background over none", page)
        self.assertIn("<td>1.44 (1.10-2.00)</td>", page)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.raw = os.path.join(self.folder, "raw.jsonl")

    def write_raw(self):
        """Raw results of two settings."""
        results = store.Store(self.raw)
        results.add({"kind": "setup", "quick": True, "probe": None,
                     "programs": [{"name": "ours", "engine": "E <1>",
                                   "path": "/p"}]})
        results.add(make_run())
        results.add(make_run(configuration=settings.READ_WRITE, p99=30.0))
        results.add({"kind": "left out", "what": "x", "why": "y"})
        results.close()

    def test_the_page_is_made_from_raw_results(self):
        self.write_raw()
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.assertEqual(0, cli.main(["--from", self.raw, "--output",
                                          self.folder]))
        page = pathlib.Path(self.folder, "report.html").read_text("utf-8")
        self.assertIn("E &lt;1&gt;", page)
        self.assertGreaterEqual(page.count("data:image/png;base64,"), 6)
        self.assertNotRegex(page, r'(src|href)="(?!data:)')
        picture = pathlib.Path(self.folder, "report.png").read_bytes()
        self.assertEqual(b"\x89PNG", picture[:4])
        text = pathlib.Path(self.folder, "table.txt").read_text("utf-8")
        self.assertRegex(text, r"direct_compaction_read_write over ours "
                         r"buffered +<= 0\.35 +0\.3 ")
        self.assertIn("no measurement", text)
        self.assertIn(text, printed.getvalue())

    def test_bad_raw_results(self):
        for text in ("", "{}\n", "[]\n", "nonsense\n",
                     json.dumps(make_run()) + "\n"):
            pathlib.Path(self.raw).write_text(text, encoding="utf-8")
            with self.assertRaises(store.StoreError, msg=text):
                store.load(self.raw)

    def test_variation_stands_beside_medians(self):
        cells = summary.cells([make_run(ops=90), make_run(ops=110, round=1)],
                              "hot-7500")
        self.assertEqual([["ours buffered", "2", "100 ±14%"]],
                         tables.cell_rows(cells, ["ops"]))


if __name__ == "__main__":
    unittest.main()
