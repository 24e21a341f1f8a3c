#!/usr/bin/env python3
"""Fails on an #include that points up from a floor, or at nothing.

The floors stand in scripts/floors.txt. Run from anywhere; prints each
violation as file:line and exits with 1 if there is one.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLOORS = [line.split() for line
          in (ROOT / "scripts/floors.txt").read_text().splitlines()
          if not line.startswith("#")]
LEVELS = {folder: level for level, row in enumerate(FLOORS) for folder in row}
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


def folder_of(path):
    parts = pathlib.PurePath(path).parts
    return "/".join(parts[:2]) if parts[0] == "db" else parts[0]


def complaint(file, target):
    if not (ROOT / target).is_file():
        return f'includes "{target}", which is not in the tree'
    here, there = folder_of(file), folder_of(target)
    if there not in LEVELS:
        return f'includes "{target}", which lies on no floor'
    if here == there or LEVELS[there] < LEVELS[here]:
        return None
    return f'includes "{target}", which is not below {here}'


def main():
    count = 0
    for path in sorted(p for folder in {f.split("/")[0] for f in LEVELS}
                       for p in (ROOT / folder).rglob("*")
                       if p.suffix in (".h", ".cc")):
        file = path.relative_to(ROOT)
        if folder_of(file) not in LEVELS:
            print(f"{file}:1: lies on no floor")
            count += 1
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            target = match.group(1)
            if target.startswith("rocksdb/"):
                target = "include/" + target
            if text := complaint(file, target):
                print(f"{file}:{number}: {text}")
                count += 1
    return 1 if count else 0


sys.exit(main())
