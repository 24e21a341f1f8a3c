#!/usr/bin/env python3
"""Compiles the public headers as a user would: strictly, and one by one.

Each header alone must compile as C++17, and all of them together as C++17,
20 and 23, by gcc and by clang where it is installed; rocksdb/c.h as C99 too.
"""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"
FLAGS = ["-fsyntax-only", "-Wall", "-Wextra", "-Wshadow", "-Werror",
         f"-I{INCLUDE}"]
# clang 16 spells C++23 so, and gcc 12 knows that name too.
STANDARDS = ["c++17", "c++20", "c++2b"]


def compile_text(job):
    compiler, standard, headers = job
    text = "".join(f'#include "{header}"\n' for header in headers)
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
    jobs = [(c, s, headers) for c in compilers for s in STANDARDS]
    jobs += [(compilers[0], "c++17", [h]) for h in headers]
    jobs += [(c, "c99", ["rocksdb/c.h"])
             for c in ("gcc", "clang-16") if shutil.which(c)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [f for f in pool.map(compile_text, jobs) if f]
    for failure in failures:
        print(failure)
    print(f"{len(jobs)} compilations, {len(failures)} failed")
    return 1 if failures or not headers else 0


sys.exit(main())
