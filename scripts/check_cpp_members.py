#!/usr/bin/env python3
"""Holds the public headers against every public member of RocksDB 11.9's.

  check_cpp_members.py [--list] [--header NAME] [INCLUDE_DIR]

scripts/cpp_members.tsv.xz has a row for each member: header, kind, name,
description, and a line of C++ that compiles where the member is there with the
same parameters, default arguments, result, type, base or virtual signature. All
lines are compiled at once; a header that is absent is never taken from the
system.

Prints a line for each header that lacks something, then "N of M members
missing"; --list names them. Exit status: 1 where something else is missing or
a header does not compile, 77 without clang.
"""

import argparse
import collections
import lzma
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "scripts"
COMPILER = "clang++-16"
FLAGS = ["-std=c++20", "-fsyntax-only", "-ferror-limit=0", "-Wno-everything",
         "-fno-caret-diagnostics", "-fno-color-diagnostics"]

Member = collections.namedtuple("Member", "header kind name description code")


def members(header):
    with lzma.open(SCRIPTS / "cpp_members.tsv.xz", "rt") as facts:
        next(facts)  # the titles of the columns
        rows = [Member(*line.rstrip("\n").split("\t")) for line in facts]
    return [row for row in rows if header in (None, row.header)]


def errors(source, diagnostics):
    """{line of `source`: text} of clang's errors.

    One inside a header counts for the line that the notes behind it lead to;
    where none does, the header itself does not compile.
    """
    found, elsewhere = {}, None
    for line in diagnostics.splitlines():
        parts = re.match(r"(.*?):(\d+):\d+: (?:fatal )?(error|note): (.*)$",
                         line)
        if not parts:
            continue
        where, number, what, text = parts.groups()
        if what == "error" and elsewhere:
            break
        if what == "error" and where != source:
            elsewhere = f"{where}:{number}: {text}"
            continue
        if what == "note":
            if not elsewhere or where != source:
                continue
            text, elsewhere = elsewhere, None
        found.setdefault(int(number), text)
    if elsewhere:
        sys.exit("a header does not compile: " + elsewhere)
    return found


def missing_of(rows, include):
    """[(member, the compiler's reason)] of those that are not there."""
    have = sorted(str(p.relative_to(include)) for p in include.rglob("*.h"))
    head = ["#include <type_traits>", "#include <utility>"]
    head += [f'#include "{name}"' for name in have]
    with tempfile.TemporaryDirectory() as directory:
        source = pathlib.Path(directory) / "members.cc"
        lines = head + [row.code for row in rows]
        source.write_text("\n".join(lines) + "\n")
        result = subprocess.run(
            [COMPILER, *FLAGS, f"-I{include}", str(source)],
            capture_output=True, text=True)
        found = errors(str(source), result.stderr)
    for number, text in found.items():
        if number <= len(head):
            sys.exit(f"{head[number - 1]}: {text}")
    if result.returncode != 0 and not found:
        sys.exit(result.stderr)
    return [(rows[n - len(head) - 1], found[n]) for n in sorted(found)]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("include", nargs="?", type=pathlib.Path,
                        default=ROOT / "include")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--header")
    arguments = parser.parse_args()
    if not shutil.which(COMPILER):
        return 77
    rows = members(arguments.header)
    if not rows:
        sys.exit(f"no member of {arguments.header} is known")
    missing = missing_of(rows, arguments.include.resolve())
    if arguments.list:
        for row, reason in missing:
            print("\t".join((*row[:4], reason)))
    total = collections.Counter(row.header for row in rows)
    lacking = collections.Counter(row.header for row, _ in missing)
    for header, count in lacking.most_common():
        print(f"{count:5} of {total[header]:5}  {header}")
    print(f"{len(missing)} of {len(rows)} members missing")
    return 1 if missing else 0


sys.exit(main())
