#!/usr/bin/env python3
"""Fails if a public or protected member of the Java interface, constants of
enumerations among them, has no documentation.

  check_docs.py JAVAC
"""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent
FOLDERS = ("src/main/java", "generated")
UNDOCUMENTED = "warning: no comment"


def undocumented(javac, sources):
    """Where members are without a comment: a line of the compiler for each."""
    with tempfile.TemporaryDirectory() as out:
        ran = subprocess.run(
            [javac, "-J-Duser.language=en", "--release", "8",
             "-Xlint:-options", "-proc:none", "-encoding", "UTF-8",
             "-Xdoclint:missing/protected", "-Xmaxwarns", "1000000",
             "-d", out] + sources,
            capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(ran.stderr)
    return [line for line in ran.stderr.splitlines() if UNDOCUMENTED in line]


def main():
    sources = sorted(str(path) for folder in FOLDERS
                     for path in (ROOT / folder).rglob("*.java"))
    found = undocumented(sys.argv[1], sources)
    for line in found:
        print(line)
    print(f"{len(found)} members without documentation in {len(sources)} files")
    return 1 if found or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
