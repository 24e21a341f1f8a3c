#!/usr/bin/env python3
"""The growth table: what it reads, what it makes of it, in which order it
runs; and what bench.py does with a program that lacks flags."""

import contextlib
import dataclasses
import io
import os
import stat
import sys
import tempfile
import types
import unittest
import unittest.mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(
    os.path.dirname(os.path.abspath(__file__)))), "scripts"))

# pylint: disable=wrong-import-position
import bench  # noqa: E402
import bench_cases  # noqa: E402
import growth  # noqa: E402
import growth_axes  # noqa: E402

OUTPUT = """\
Opened in 12.500 ms, by 100 KiB
readseq      :       0.500 micros/op 2000000 ops/sec 0.005 seconds 10 \
operations;
Microseconds per operation:
Percentiles: P50: 0.40 P75: 0.50 P99: 1.00 P99.9: 2.00 P99.99: 3.00
readrandom   :       2.000 micros/op 500000 ops/sec 0.02 seconds 10 operations;
seekrandom   :       4.000 micros/op 250000 ops/sec 0.04 seconds 10 operations;
Percentiles: P50: 3.50 P75: 4.00 P99: 5.00 P99.9: 6.00 P99.99: 7.00
overwrite    :       8.000 micros/op 125000 ops/sec 0.08 seconds 10 operations;
fillrandom   :       9.000 micros/op 125000 ops/sec 0.08 seconds 10 operations;
seekfirst    :       4.000 micros/op 250000 ops/sec 0.04 seconds 10 operations;
Percentiles: P50: 1.50 P75: 4.00 P99: 5.00 P99.9: 6.00 P99.99: 7.00
Resident: 2048 KiB, at most 4096 KiB
"""


class ParseTest(unittest.TestCase):
    """What c_bench prints."""

    def test_output(self):
        found = growth_axes.parse(OUTPUT)
        self.assertEqual({"micros": 0.5, "per_second": 2e6, "p50": 0.4},
                         found["readseq"])
        self.assertNotIn("p50", found["readrandom"])
        self.assertEqual(3.5, found["seekrandom"]["p50"])
        self.assertEqual((12.5, 2.0), (found["open"], found["memory"]))


class AxesTest(unittest.TestCase):
    """What is run at each point."""

    def test_every_axis_gives_the_figures_that_it_bounds(self):
        for axis in growth_axes.AXES:
            calls = []

            def run(benchmarks, calls=calls, **flags):
                calls.append((benchmarks, flags))
                return growth_axes.parse(OUTPUT)

            # A limit of open files may be lower than the largest points.
            figures = axis.measure(run, axis.points(True)[0])
            self.assertEqual(set(axis.bounds), set(figures), axis.name)
            self.assertIn("fill", calls[0][0])
            for points in (axis.full, axis.quick):
                self.assertEqual(sorted(set(points)), list(points))
                self.assertGreater(len(points), 1)

    def test_bounds(self):
        self.assertEqual(1.0, growth_axes.constant(50))
        self.assertEqual(50, growth_axes.linear(50))
        self.assertAlmostEqual(2.0, growth_axes.logarithm(1000))


class TableTest(unittest.TestCase):
    """Growth, and what grew by too much."""

    AXIS = growth_axes.Axis("things", (1, 10), (1, 2), None,
                            {"get, us": growth_axes.constant,
                             "open, ms": growth_axes.linear})

    def test_rows(self):
        samples = {("things", 1, "get, us", "ours"): [2.0, 1.0, 9.0],
                   ("things", 10, "get, us", "ours"): [3.2],
                   ("things", 1, "open, ms", "ours"): [1.0],
                   ("things", 10, "open, ms", "ours"): [14.0],
                   ("things", 1, "get, us", "other"): [1.0]}
        rows = list(growth.rows(samples, [self.AXIS], ["ours", "other"],
                                False))
        self.assertEqual([[2.0, 3.2], [1.0, 14.0]],
                         [row["values"] for row in rows])
        self.assertEqual([True, False], [row["is_over"] for row in rows])
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            growth.print_table(rows)
        self.assertRegex(printed.getvalue(),
                         r"get, us +ours +2 +3.2 +1.60 +1.00 \*\n")


class RunTest(unittest.TestCase):
    """Programs that are run."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def program(self, name, text):
        """A program that is a script."""
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + text)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def test_programs_alternate_and_leave_nothing(self):
        log = os.path.join(self.folder, "log")
        paths = [self.program(name, f"echo {name} >>{log}\n"
                              f"cat <<'EOF'\n{OUTPUT}EOF\n")
                 for name in ("a", "b")]
        with contextlib.redirect_stdout(io.StringIO()) as printed, \
                contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(0, growth.main(
                ["--quick", "--rounds=2", "--directory", self.folder,
                 "--axes", "tombstones in tables",
                 *(f"{os.path.basename(path)}={path}" for path in paths)]))
        with open(log, encoding="utf-8") as file:
            self.assertEqual("a b a b b a b a", " ".join(file.read().split()))
        self.assertIn("tombstones in tables", printed.getvalue())
        self.assertEqual(["a", "b", "log"], sorted(os.listdir(self.folder)))

    def test_points_without_room_are_left_out(self):
        measured, said = [], []
        axis = growth_axes.Axis("things", (1, 2, 3), (1, 2), None, {},
                                room=lambda point: 10 * point)
        samples = {}

        def measure_point(_path, _axis, point, _directory):
            measured.append(point)
            return {"get, us": 1.0}

        usage = types.SimpleNamespace(free=20)
        with unittest.mock.patch.object(growth, "measure_point",
                                        measure_point), \
                unittest.mock.patch.object(growth.shutil, "disk_usage",
                                           return_value=usage):
            growth.measure_axis(axis, [("ours", "path")], self.folder,
                                (samples, said.append), False)
        self.assertEqual([1, 2], measured)
        self.assertIn("things 3: left out", said[-1])
        rows = list(growth.rows(samples, [dataclasses.replace(
            axis, bounds={"get, us": growth_axes.constant})], ["ours"], False))
        self.assertEqual([["1", "2"]], [row["points"] for row in rows])

    def test_a_program_that_fails_ends_it(self):
        path = self.program("bad", "echo it broke >&2; exit 3\n")
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(1, growth.main(
                ["--quick", "--directory", self.folder, f"bad={path}"]))
        self.assertIn("status 3", errors.getvalue())
        self.assertIn("it broke", errors.getvalue())

    def test_wrong_arguments(self):
        for wrong in (["--axes", "nosuch"], ["--rounds", "0"], ["path"]):
            with self.assertRaises(SystemExit), \
                    contextlib.redirect_stderr(io.StringIO()):
                growth.parse_options(wrong)


class BenchTest(unittest.TestCase):
    """bench.py with programs that lack flags, and with the peer itself."""

    @staticmethod
    def make(flags, is_peer=False):
        """A Bench without programs."""
        made = object.__new__(bench.Bench)
        made.options = types.SimpleNamespace(is_peer=is_peer)
        made.ours = bench.Program("ours", "/ours", dict.fromkeys(flags))
        made.stock = bench.Program("stock", "/stock", dict.fromkeys(flags))
        made.progress = lambda text: None
        return made

    def test_cases_whose_flags_are_missing_are_left_out(self):
        cases = (bench_cases.Case("plain", "a", "a"),
                 bench_cases.Case("with", "a", "a", flags=(("x", "1"),)),
                 bench_cases.Case("base", "a", "a", base="prefix-base"))
        self.assertEqual(["plain"], [case.name for case in self.make(
            []).known_cases(cases)])
        self.assertEqual(cases, tuple(self.make(
            ["x", "prefix_size"]).known_cases(cases)))
        with self.assertRaisesRegex(bench.BenchError, "no case"):
            self.make([]).known_cases(cases[1:])

    def test_no_factor_lies_between_us_and_the_peer(self):
        shape = bench_cases.shapes(1)["100B"]
        case = bench_cases.BASIC[0]
        sample = bench.Sample(100.0, 1.0, 1.0, 1.0, 0.0)
        ratios = []
        for is_peer in (False, True):
            made = self.make([], is_peer)
            made.samples = {(shape.name, case.name, name): [sample]
                            for name in ("ours", "stock")}
            ratios.append(made.row(shape, case)["ratio_to_peer"])
        self.assertEqual([1 / bench_cases.FACTORS["fillseq"], 1.0], ratios)


if __name__ == "__main__":
    unittest.main()
