#!/usr/bin/env python3
"""Compiles the public headers as a user would: strictly, and one by one.

Each header alone must compile as C++17, and all of them together as C++17,
20 and 23, by gcc and by clang where it is installed; rocksdb/c.h as C99 too.
Each must bring along what RocksDB's does: scripts/rocksdb_includes.txt.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"
FLAGS = ["-fsyntax-only", "-Wall", "-Wextra", "-Wshadow", "-Werror",
         f"-I{INCLUDE}"]
# clang 16 spells C++23 so, and gcc 12 knows that name too.
STANDARDS = ["c++17", "c++20", "c++2b"]


# Two names of one header.
C_HEADERS = {"assert.h": "cassert", "stdarg.h": "cstdarg",
             "stddef.h": "cstddef", "stdint.h": "cstdint",
             "stdio.h": "cstdio", "string.h": "cstring"}


def brought_along():
    """What each header has to bring: names, and standard headers."""
    names, standard, header = {}, {}, ""
    facts = ROOT / "scripts/rocksdb_includes.txt"
    for line in facts.read_text().splitlines():
        words = line.split()
        if line.startswith("rocksdb/"):
            header = line
        elif words and words[0] == "names:":
            names.setdefault(header, []).extend(words[1:])
        elif words and words[0] == "std:":
            standard.setdefault(header, set()).update(words[1:])
    return names, standard


def reached(header, seen):
    """All that an include of `header` includes, by the text of our headers."""
    seen.add(C_HEADERS.get(header, header))
    path = INCLUDE / header
    if not path.exists():
        return seen
    for name in re.findall(r'^#\s*include\s+[<"]([^>"]+)', path.read_text(),
                           re.M):
        if C_HEADERS.get(name, name) not in seen:
            reached(name, seen)
    return seen


def missing_standard(header, wanted):
    wanted = {C_HEADERS.get(name, name) for name in wanted}
    missing = sorted(wanted - reached(header, set()))
    return f"{header} does not bring {' '.join(missing)}" if missing else None


def compile_text(job):
    compiler, standard, headers, names = job
    text = "".join(f'#include "{header}"\n' for header in headers)
    text += "".join(f"using rocksdb::{name};\n" for name in names)
    text += "int main(void) { return 0; }\n"
    kind = ["-x", "c++"] if "++" in standard else ["-pedantic", "-x", "c"]
    result = subprocess.run([compiler, f"-std={standard}", *FLAGS, *kind, "-"],
                            input=text, text=True, capture_output=True)
    if result.returncode == 0:
        return None
    which = headers[0] if len(headers) == 1 else "all public headers together"
    return f"{which}, {compiler} -std={standard}:\n{result.stderr}"


def main():
    headers = sorted(str(p.relative_to(INCLUDE)) for p in INCLUDE.rglob("*.h"))
    compilers = [c for c in ("g++", "clang++-16") if shutil.which(c)]
    names, standard = brought_along()
    jobs = [(c, s, headers, []) for c in compilers for s in STANDARDS]
    jobs += [(compilers[0], "c++17", [h], names.get(h, [])) for h in headers]
    jobs += [(c, "c99", ["rocksdb/c.h"], [])
             for c in ("gcc", "clang-16") if shutil.which(c)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [f for f in pool.map(compile_text, jobs) if f]
    failures += [f for f in (missing_standard(h, wanted)
                             for h, wanted in standard.items()) if f]
    for failure in failures:
        print(failure)
    print(f"{len(jobs)} compilations, {len(failures)} failed")
    return 1 if failures or not headers else 0


sys.exit(main())
