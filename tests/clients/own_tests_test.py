#!/usr/bin/env python3
"""The rules of own_tests.py: lists, runs that were stopped, outcomes."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import own_tests  # noqa: E402

PASSED, FAILED, IGNORED = own_tests.PASSED, own_tests.FAILED, own_tests.IGNORED


class Client:
    """A suite whose tests have the outcomes given; it notes which ran."""

    version = "1"

    def __init__(self, outcomes, stop_at=None):
        self.outcomes = outcomes
        self.stop_at = stop_at
        self.ran = []

    def prepare(self, suite, prefix, work):
        pass

    def tests(self):
        for name, outcome in self.outcomes.items():
            def one(name=name, outcome=outcome):
                if name == self.stop_at:
                    raise KeyboardInterrupt
                self.ran.append(name)
                return {name: (outcome, f"{name} said this")}
            yield name, one


class OwnTests(unittest.TestCase):

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        place = pathlib.Path(scratch.name)
        self.prefix = place / "prefix"
        self.prefix.mkdir()
        self.library = self.prefix / "librocksdb.so"
        self.library.write_text("one library")
        self.work = place / "work"
        (place / "may_fail").mkdir()
        self.list = place / "may_fail/suite.txt"
        self.list.write_text("")
        for name, value in (("HERE", place), ("SUITES", {})):
            self.addCleanup(setattr, own_tests, name,
                            getattr(own_tests, name))
            setattr(own_tests, name, value)

    def run_suite(self, client, is_to_shrink=False):
        own_tests.SUITES["suite"] = client
        self.said = io.StringIO()
        with contextlib.redirect_stdout(self.said):
            return own_tests.run_suite("suite", self.prefix, self.work,
                                       is_to_shrink)

    def test_a_failure_is_wrong_unless_it_is_listed(self):
        self.list.write_text("# not built yet\nb\n")
        counts = self.run_suite(Client({"a": PASSED, "b": FAILED}))
        self.assertEqual(counts, (1, 0, 1))
        counts = self.run_suite(Client({"a": FAILED, "b": FAILED}))
        self.assertEqual(counts, (0, 1, 1))
        self.assertIn("a: failed", self.said.getvalue())
        self.assertEqual((self.work / "output/a").read_text(), "a said this")

    def test_a_listed_test_that_passes_is_wrong(self):
        self.list.write_text("# not built yet\na\nb\n")
        counts = self.run_suite(Client({"a": PASSED, "b": FAILED}))
        self.assertEqual(counts, (1, 1, 2))
        self.assertIn("a: passed: take it out of the list",
                      self.said.getvalue())

    def test_a_listed_test_that_is_left_out_or_gone_is_wrong(self):
        self.list.write_text("# not built yet\na\ngone\n")
        self.assertEqual(self.run_suite(Client({"a": IGNORED})), (0, 2, 2))

    def test_what_depends_on_the_machine_may_pass_or_fail(self):
        self.list.write_text("# by the machine: texts\na\n")
        for outcome in (PASSED, FAILED):
            self.assertEqual(self.run_suite(Client({"a": outcome}))[1], 0)

    def test_shrinking_takes_out_what_passes_and_adds_nothing(self):
        self.list.write_text("# one\na\n\n# two\nb\nc\n")
        counts = self.run_suite(
            Client({"a": PASSED, "b": PASSED, "c": FAILED, "d": FAILED}),
            is_to_shrink=True)
        self.assertEqual(self.list.read_text(), "# two\nc\n")
        self.assertEqual(counts, (2, 1, 1))  # `d` remains wrong

    def test_a_list_without_a_reason_or_with_a_name_twice_is_refused(self):
        for text in ("a\n", "# why\na\na\n"):
            self.list.write_text(text)
            with self.assertRaises(SystemExit):
                self.run_suite(Client({"a": FAILED}))

    def test_no_tests_at_all_is_an_error(self):
        with self.assertRaises(SystemExit):
            self.run_suite(Client({}))

    def stop_before_the_last_of_three(self):
        with unittest.mock.patch("os.cpu_count", lambda: 1), \
                self.assertRaises(KeyboardInterrupt):
            self.run_suite(Client({"a": PASSED, "b": FAILED, "c": PASSED},
                                  stop_at="c"))

    def test_a_stopped_run_goes_on_where_it_was(self):
        self.stop_before_the_last_of_three()
        with (self.work / "stopped").open("a") as file:
            file.write('["c", {"c": ["pas')  # stopped in the middle of a line
        client = Client({"a": PASSED, "b": FAILED, "c": PASSED, "d": PASSED},
                        stop_at="d")
        with self.assertRaises(KeyboardInterrupt):
            self.run_suite(client)
        client.stop_at = None
        self.assertEqual(self.run_suite(client), (3, 1, 0))
        self.assertEqual(client.ran, ["c", "d"])
        # A whole run is the end of that: the next begins anew.
        self.run_suite(client)
        self.assertEqual(sorted(client.ran), ["a", "b", "c", "c", "d", "d"])

    def test_a_stopped_run_of_another_library_is_forgotten(self):
        self.stop_before_the_last_of_three()
        self.library.write_text("another library")
        client = Client({"a": PASSED, "b": FAILED, "c": PASSED})
        self.run_suite(client)
        self.assertEqual(sorted(client.ran), ["a", "b", "c"])

    def test_a_program_that_is_killed_or_hangs_has_failed(self):
        is_ok, output = own_tests.run_test(["sh", "-c", "kill -9 $$"])
        self.assertFalse(is_ok)
        self.assertIn("signal 9", output)
        self.addCleanup(setattr, own_tests, "SECONDS", own_tests.SECONDS)
        own_tests.SECONDS = 0.01
        is_ok, output = own_tests.run_test(["sleep", "60"])
        self.assertFalse(is_ok)
        self.assertIn("not done", output)

    def test_the_parts_of_a_go_test_count_and_a_crash_is_a_failure(self):
        module = own_tests.GoModule("module", "1")
        module.env = None
        module.source = self.prefix
        module.program = self.prefix / "tests"
        for said, code, expected in (
                ("--- PASS: T (0s)", 0, {"T": PASSED}),
                ("--- FAIL: T (0s)\n    --- FAIL: T/a (0s)\n"
                 "    --- PASS: T/b (0s)", 1, {"T/a": FAILED, "T/b": PASSED}),
                ("    --- PASS: T/a (0s)\nSIGABRT", 2,
                 {"T/a": PASSED, "T": FAILED}),
                ("--- SKIP: T (0s)", 0, {"T": IGNORED})):
            module.program.write_text(
                f"#!/bin/sh\ncat <<'END'\n{said}\nEND\nexit {code}\n")
            module.program.chmod(0o755)
            found = {name: outcome for name, (outcome, _) in
                     module.outcomes_of("T").items()}
            self.assertEqual(found, expected)


if __name__ == "__main__":
    unittest.main()
