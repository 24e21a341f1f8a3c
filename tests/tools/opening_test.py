#!/usr/bin/env python3
"""What options save at opening: what is run, and what the table makes of it."""

import contextlib
import io
import json
import os
import stat
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(
    os.path.dirname(os.path.abspath(__file__)))), "scripts"))

# pylint: disable=wrong-import-position
import opening  # noqa: E402

# Makes a database of one file, knows no fast_sst_open, and is opened in 2 ms
# with open_files_async, in 10 without.
PROGRAM = """\
for flag in "$@"; do
  case "$flag" in
    --db=*) db=${flag#--db=} ;;
    --options=fast_sst_open*) echo "no such option" >&2; exit 1 ;;
    --options=open_files_async*) ms=2.000 ;;
    --benchmarks=*) echo "${flag#--benchmarks=}" >>LOG ;;
  esac
done
mkdir -p "$db"
: >"$db/000001.sst"
echo "Opened in ${ms:-10.000} ms, by 1 KiB"
echo "readrandom   : 5.000 micros/op 200000 ops/sec 0.1 seconds 1 operations;"
"""


class OpeningTest(unittest.TestCase):
    """A program that is a script."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.log = os.path.join(self.folder, "log")
        self.path = os.path.join(self.folder, "program")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + PROGRAM.replace("LOG", self.log))
        os.chmod(self.path, os.stat(self.path).st_mode | stat.S_IXUSR)

    def run_main(self, *arguments):
        """The exit status, and what was printed."""
        with contextlib.redirect_stdout(io.StringIO()) as printed, \
                contextlib.redirect_stderr(io.StringIO()) as errors:
            status = opening.main(["--directory", self.folder, *arguments])
        return status, printed.getvalue(), errors.getvalue()

    def test_each_setting_is_opened_after_a_session(self):
        report = os.path.join(self.folder, "report.json")
        status, printed, errors = self.run_main(
            "--files=3", "--rounds=2", "--cold", "--json", report,
            f"ours={self.path}")
        self.assertEqual(0, status, errors)
        self.assertIn("fast_sst_open: left out: no such option", errors)
        self.assertRegex(printed, r"ours +open_files_async +2\.00 +80%")
        self.assertRegex(printed, r"ours +reuse_manifest_on_open +10\.00 +0%")
        self.assertNotRegex(printed, r"ours +fast_sst_open")
        with open(self.log, encoding="utf-8") as file:
            runs = file.read().split()
        left = len(opening.SETTINGS) - 1
        self.assertEqual(["fillfiles"] + left * ["overwrite,flush"] +
                         left * ["readrandom"] +
                         left * ["overwrite,flush", "readrandom"], runs)
        with open(report, encoding="utf-8") as file:
            samples = json.load(file)["samples"]
        self.assertEqual([10.0, 10.0], samples["ours/none/open, ms"])
        self.assertEqual(["log", "program", "report.json"],
                         sorted(os.listdir(self.folder)))

    def test_a_program_that_fails_ends_it(self):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho it broke >&2; exit 3\n")
        status, _, errors = self.run_main("--files=3", f"ours={self.path}")
        self.assertEqual(1, status)
        self.assertIn("it broke", errors)

    def test_settings(self):
        names = [setting.name for setting in opening.SETTINGS]
        self.assertEqual(len(set(names)), len(names))
        for setting in opening.SETTINGS:
            self.assertIn(setting.base, names)
        for name in ("open_files_async", "fast_sst_open",
                     "optimize_manifest_for_recovery",
                     "reuse_manifest_on_open"):
            self.assertIn(name, names)

    def test_wrong_arguments(self):
        for wrong in (["--files", "0"], ["--rounds", "0"], ["path"]):
            with self.assertRaises(SystemExit), \
                    contextlib.redirect_stderr(io.StringIO()):
                opening.parse_options(wrong)


if __name__ == "__main__":
    unittest.main()
