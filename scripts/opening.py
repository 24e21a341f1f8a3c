#!/usr/bin/env python3
"""What the options for opening save: one table.

c_bench makes a database of many small tables. Each setting gets a copy of it,
lives through one session there (writes, a flush, a close), and is then opened
as often as there are rounds, in turn with the others, forth in one round and
back in the next. Between two opens it lives through another session, so that
each open has a session to follow. The table has medians of

  open       until the call returns
  first get  of the first key that is read then
  in all     from the start of the program to its end, with open, get and close

and how much less each is than without the option.

usage: opening.py [--files N] [--rounds N] [--cold] [--json FILE]
                  [NAME=C_BENCH ...]
"""

import argparse
import dataclasses
import json
import os
import resource
import shutil
import statistics
import sys
import tempfile
import time

import growth
from database_files import clone_database, drop_cached_pages

# The keys of each file are enough for one block.
KEYS_OF_FILE = 10
SESSION_WRITES = 1000
FIGURES = ("open, ms", "first get, us", "in all, ms")


@dataclasses.dataclass(frozen=True)
class Setting:
    """Options, and the setting that is the same without what is measured."""
    name: str
    options: tuple = ()
    base: str = "none"

    def text(self):
        """The options in the form that c_bench takes."""
        return ";".join(f"{name}=true" for name in self.options)


NO_STATS = "skip_stats_update_on_db_open"
SETTINGS = (
    Setting("none"),
    # open_files_async is refused without it.
    Setting(NO_STATS, (NO_STATS,)),
    Setting("open_files_async", ("open_files_async", NO_STATS), NO_STATS),
    Setting("fast_sst_open", ("fast_sst_open",)),
    Setting("optimize_manifest_for_recovery",
            ("optimize_manifest_for_recovery",)),
    Setting("reuse_manifest_on_open", ("reuse_manifest_on_open",)),
    Setting("all of them", ("open_files_async", NO_STATS, "fast_sst_open",
                            "optimize_manifest_for_recovery",
                            "reuse_manifest_on_open")),
)


class Database:
    """The copy of one program and setting."""

    def __init__(self, runner, setting, shape):
        self._run = runner
        self._flags = {**shape, "use_existing_db": "true",
                       "disable_auto_compactions": "true"}
        if setting.options:
            self._flags["options"] = setting.text()

    def live(self):
        """A session that leaves its data in a table."""
        self._run("overwrite,flush", writes=SESSION_WRITES, **self._flags)

    def open(self, is_cold):
        """The figures of one open."""
        if is_cold:
            drop_cached_pages(os.path.join(self._run.directory, "db"))
        begin = time.monotonic()
        found = self._run("readrandom", reads=1, **self._flags)
        took = time.monotonic() - begin
        return dict(zip(FIGURES, (found["open"],
                                  found["readrandom"]["micros"],
                                  1000 * took)))


def shape_of(files):
    """The flags that say how large the database is."""
    return {"num": KEYS_OF_FILE * files, "files": files, "value_size": 100}


def prepare(path, options, directory, say):
    """The databases of a program: [(setting, database)], of those settings
    that it knows."""
    base = growth.Runner(path, os.path.join(directory, "base"))
    os.makedirs(base.directory)
    shape = shape_of(options.files)
    base("fillfiles", **shape)
    databases = []
    for number, setting in enumerate(SETTINGS):
        runner = growth.Runner(path, os.path.join(directory, str(number)))
        os.makedirs(runner.directory)
        clone_database(os.path.join(base.directory, "db"),
                       os.path.join(runner.directory, "db"))
        database = Database(runner, setting, shape)
        try:
            database.live()
        except growth.GrowthError as error:
            if not setting.options:
                raise
            say(f"{setting.name}: left out: {str(error).splitlines()[-1]}")
            continue
        databases.append((setting, database))
    return databases


def measure(options, programs, say):
    """{(program, setting, figure): [values]}."""
    samples = {}
    scratch = tempfile.mkdtemp(prefix="basalt-opening-",
                               dir=options.directory)
    try:
        for name, path in programs:
            databases = prepare(path, options, os.path.join(scratch, name),
                                say)
            for number in range(options.rounds):
                order = databases if number % 2 == 0 else databases[::-1]
                for setting, database in order:
                    if number > 0:
                        database.live()
                    figures = database.open(options.cold)
                    say(f"{name}, {setting.name}: " + "  ".join(
                        f"{figure} {value:.3f}"
                        for figure, value in figures.items()))
                    for figure, value in figures.items():
                        samples.setdefault((name, setting.name, figure),
                                           []).append(value)
            shutil.rmtree(os.path.join(scratch, name), ignore_errors=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return samples


def rows(samples, names):
    """The lines of the table: medians, and over those of the base."""
    for name in names:
        for setting in SETTINGS:
            if (name, setting.name, FIGURES[0]) not in samples:
                continue
            values = [statistics.median(samples[name, setting.name, figure])
                      for figure in FIGURES]
            bases = [statistics.median(samples[name, setting.base, figure])
                     for figure in FIGURES]
            yield {"program": name, "setting": setting.name,
                   "base": setting.base, "values": values,
                   "saved": [1 - value / base if base else 0.0
                             for value, base in zip(values, bases)]}


def print_table(table, files):
    """For people."""
    print(f"\nof a database of {files} files\n{'':<41}" +
          "".join(f"{figure:>15} {'saved':>6}" for figure in FIGURES))
    for row in table:
        cells = "".join(f"{value:>15.2f} {saved:>6.0%}" for value, saved in
                        zip(row["values"], row["saved"]))
        print(f"{row['program']:<9} {row['setting']:<31}{cells}")


def parse_options(arguments):
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="NAME=C_BENCH",
                        help="what is measured (default: ours of the release "
                        "build)")
    parser.add_argument("--files", type=int, default=20_000,
                        help="tables of the database (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5,
                        help="opens of each setting (default: %(default)s)")
    parser.add_argument("--cold", action="store_true",
                        help="nothing of the database is in the page cache "
                        "when it is opened")
    parser.add_argument("--json", metavar="FILE",
                        help="also write rows and samples to FILE")
    parser.add_argument("--directory", default=None,
                        help="where databases are made (default: $TMPDIR, or "
                        "/tmp)")
    options = parser.parse_args(arguments)
    if options.files < 1 or options.rounds < 1:
        parser.error("--files and --rounds must be at least 1")
    for text in options.programs:
        if "=" not in text:
            parser.error(f"{text}: NAME=PATH is expected")
    return options


def allow_open_files(files):
    """All tables are open at once."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if most != resource.RLIM_INFINITY and most < files + 1000:
        raise growth.GrowthError(f"{most} files may be open, {files} must be")


def main(arguments):
    """The program."""
    options = parse_options(arguments)
    try:
        allow_open_files(options.files)
        programs = ([tuple(text.split("=", 1)) for text in options.programs] or
                    list(growth.DEFAULT_PROGRAMS[:1]))
        samples = measure(options, programs, lambda text: print(
            f"  {text}", file=sys.stderr, flush=True))
        table = list(rows(samples, [name for name, _ in programs]))
        print_table(table, options.files)
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump({"files": options.files, "cold": options.cold,
                           "rows": table, "samples": {
                               "/".join(key): values
                               for key, values in samples.items()}},
                          file, indent=1)
                file.write("\n")
    except (growth.GrowthError, OSError) as error:
        print(f"opening.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
