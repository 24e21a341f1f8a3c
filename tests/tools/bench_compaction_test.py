"""Tests of scripts/bench_compaction.py: what it reads and what it counts."""

import os
import sys
import unittest
import unittest.mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "scripts"))

import bench_cases  # pylint: disable=wrong-import-position
import bench_compaction as bench  # pylint: disable=wrong-import-position


def event(micros, state):
    """A line of a LOG."""
    return (f'2026/01/01-00:00:00.000000 1 EVENT_LOG_v1 {{"time_micros": '
            f'{micros}, "event": "flush_finished", "lsm_state": {state}}}\n')


class RunsTest(unittest.TestCase):
    """Sorted runs over the time."""

    def test_each_file_of_level_0_and_each_other_level_is_one(self):
        self.assertEqual(bench.count_runs([0, 0, 0]), 0)
        self.assertEqual(bench.count_runs([3, 0, 7]), 4)

    def test_the_average_is_weighted_by_time(self):
        lines = [event(100, [1, 0, 1]), "noise\n", event(400, [3, 0, 1]),
                 event(500, [0, 0, 1])]
        self.assertAlmostEqual(bench.runs_over_time(lines),
                               (2 * 300 + 4 * 100) / 400)

    def test_logs_that_say_little(self):
        self.assertEqual(bench.runs_over_time([]), 0)
        self.assertEqual(bench.runs_over_time(["EVENT_LOG_v1 {broken"]), 0)
        self.assertEqual(bench.runs_over_time([event(7, [2, 1])]), 3)


class OutputTest(unittest.TestCase):
    """What db_bench prints."""

    def test_tickers_and_seconds(self):
        tickers, seconds = bench.parse_output(
            "overwrite    :       2.500 micros/op 400000 ops/sec 0.500 seconds "
            "200000 operations;   44.2 MB/s\n"
            "rocksdb.compact.write.bytes COUNT : 300\n"
            "rocksdb.db.get.micros P50 : 0.0 P95 : 0.0 COUNT : 0 SUM : 0\n")
        self.assertEqual(tickers, {"rocksdb.compact.write.bytes": 300})
        self.assertAlmostEqual(seconds, 0.5)


class FiguresTest(unittest.TestCase):
    """What is made of it."""

    def setUp(self):
        self.case = bench.Case("x", 1000, 84, [], {})
        self.outcome = bench.Outcome(
            {"rocksdb.flush.write.bytes": 100,
             "rocksdb.compact.write.bytes": 300,
             "rocksdb.compact.read.bytes": 2_000_000_000,
             "rocksdb.bytes.written": 200}, 4.0, 3.0, 150_000, 5.5)

    def test_figures(self):
        for measure, expected in (
                (bench.write_amplification, 2.0),
                (bench.space_amplification, 1.5),
                (bench.read_rate, 500.0),
                (bench.cpu_per_gigabyte, 1.5),
                (bench.cpu_per_record, 3000.0),
                (bench.average_runs, 5.5)):
            self.assertAlmostEqual(measure(self.case, self.outcome), expected)

    def test_a_figure_that_is_not_there(self):
        self.outcome.tickers.clear()
        with self.assertRaises(bench.CaseError):
            bench.write_amplification(self.case, self.outcome)


class ArgumentsTest(unittest.TestCase):
    """What both programs are given."""

    def test_all_that_both_know_but_what_a_run_sets(self):
        known = bench_cases.SETTINGS | {"db": "", "new_flag": "7"}
        flags = iter([known | {"ours_alone": "1"}, known])
        with unittest.mock.patch.object(bench, "known_flags",
                                        lambda path: next(flags)):
            measurement = bench.CompactionBench(bench.parse_options([]))
        given = measurement.arguments
        self.assertIn("--new_flag=7", given)
        for name, value in bench_cases.SETTINGS.items():
            self.assertIn(f"--{name}={value}", given)
        for argument in given:
            self.assertNotRegex(argument, "^--(db|ours_alone)=")


class CasesTest(unittest.TestCase):
    """What is run."""

    def test_names_differ_and_one_step_counts(self):
        cases = bench.all_cases(0.001)
        self.assertEqual(len({case.name for case in cases}), len(cases))
        for case in cases:
            measured = [step.is_measured for step in case.steps]
            self.assertEqual(measured, [False, True], case.name)

    def test_as_many_runs_as_the_name_says(self):
        for case in bench.run_cases(0.001):
            fill = case.steps[0].benchmarks.split(",")
            self.assertEqual(fill.count("flush"),
                             int(case.name.split("/")[1]))

    def test_a_case_that_is_not_there(self):
        with self.assertRaises(bench.CaseError):
            bench.choose_cases(bench.parse_options(["--only", "nothing"]))
        chosen = bench.choose_cases(
            bench.parse_options(["--only", "runs,leveled/zipf", "--quick"]))
        self.assertEqual([case.name for case in chosen],
                         ["leveled/zipfian", "runs/10", "runs/100"])


if __name__ == "__main__":
    unittest.main()
