#!/usr/bin/env python3
"""Writes cmake/exported.map: what the shared library shows to programs.

  exported_symbols.py                  writes the map
  exported_symbols.py --check          fails if the map is not current
  exported_symbols.py --check LIBRARY  also checks what LIBRARY exports

Programs may use the C interface and what the public headers declare: their
classes with all members, type information and virtual tables (programs derive
from them), their functions and variables. All else is local to the library,
and is called without the detour that a name takes that others may replace.

The map holds mangled names, in which each part is preceded by its length: a
pattern therefore stops at the end of a name by itself.
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ROOT / "include/rocksdb"
MAP = ROOT / "cmake/exported.map"
HEAD = """\
# What librocksdb.so shows to programs: see scripts/exported_symbols.py, which
# writes this file.
{
global:
  rocksdb_*;
"""
OPERATORS = {"==": "eq", "!=": "ne", "<<": "ls", ">>": "rs", "<": "lt",
             ">": "gt", "<=": "le", ">=": "ge", "|": "or", "&": "an",
             "^": "eo", "~": "co", "+": "pl", "-": "mi", "|=": "oR",
             "&=": "aN", "!": "nt"}
# Declared by a contract that is no header of ours.
FIXED = ["_ZN7rocksdb6crc32c6ExtendEjPKcm"]

CLASS = re.compile(r"(?:template\s*<.*>\s*)?(?:class|struct|union)\s+"
                   r"(?:(?:\[\[\w+\]\]|alignas\([^)]*\)|[A-Z_]+\([^)]*\)|"
                   r"ROCKSDB_\w+)\s+)*(\w+)(?:\s+final)?\s*(?::[^:].*)?$",
                   re.S)
FUNCTION = re.compile(r"(operator\s*[^\s\w(]+|\w+)\s*\(")
VARIABLE = re.compile(r"^(?:extern|inline|const|constexpr)\b.*?(\w+)\s*"
                      r"(?:\[[^\]]*\])?\s*(?:=.*)?$", re.S)


def without_comments(text):
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    text = re.sub(r"'(?:\\.|[^'\\\n])'", "' '", text)
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)


def behind_braces(text, at):
    """The place behind the brace that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "{") - (text[i] == "}")
        if depth == 0:
            return i + 1
    return len(text)


def declared(text):
    """(kind, namespaces, name) of what stands in namespaces of a header."""
    scopes, start, at = [], 0, 0
    while at < len(text):
        char = text[at]
        if char == "}":
            if scopes:
                scopes.pop()
            at += 1
            start = at
            continue
        if char not in "{;":
            at += 1
            continue
        said = text[start:at].strip()
        inside = re.match(r"(?:inline\s+)?namespace\s*([\w:]*)\s*$", said)
        if char == "{" and inside:
            scopes.append(inside.group(1).split("::"))
            at += 1
            start = at
            continue
        found = what_is(said, char == "{")
        if found:
            yield (found[0], [n for s in scopes for n in s], found[1])
        is_value = char == "{" and found and found[0] == "variable"
        at = behind_braces(text, at) if char == "{" else at + 1
        start = start if is_value else at


def what_is(said, has_body):
    head = said.split("=", 1)[0] if "operator" not in said else said
    if re.match(r"(using|typedef|static_assert|friend|enum|extern \"\")\b",
                said):
        return None
    match = CLASS.match(said)
    if match and has_body:
        return ("class", match.group(1))
    if "(" in head:
        match = FUNCTION.search(re.sub(r"^template\s*<[^()]*>", "", head))
        if match and head[:match.start()].endswith("::"):
            return None  # A member, defined outside its class.
        return ("function", match.group(1).strip()) if match else None
    match = VARIABLE.match(said)
    return ("variable", match.group(1)) if match else None


def mangled(namespaces, name):
    if name.startswith("operator"):
        last = OPERATORS[name[len("operator"):].strip()]
    else:
        last = f"{len(name)}{name}"
    return "".join(f"{len(n)}{n}" for n in namespaces) + last


def patterns():
    result = {"class": set(), "function": set(), "variable": set()}
    for path in sorted(HEADERS.rglob("*.h")):
        if path.name == "c.h":
            continue
        text = without_comments(path.read_text())
        for kind, namespaces, name in declared(text):
            if namespaces[:1] != ["ROCKSDB_NAMESPACE"]:
                continue
            names = ["rocksdb"] + namespaces[1:]
            result[kind].add(mangled(names, name))
    return result


def map_text():
    lines = []
    found = patterns()
    for name in sorted(found["class"]):
        lines += [f"_ZN{name}*", f"_ZNK{name}*", f"_ZT?N{name}*",
                  f"_ZTh*_N{name}*", f"_ZTh*_NK{name}*", f"_ZGV*N{name}*",
                  f"_ZZN{name}*", f"_ZZNK{name}*"]
    for name in sorted(found["function"]):
        lines += [f"_ZN{name}E*", f"_ZN{name}B5cxx11E*", f"_ZN{name}I*",
                  f"_ZZN{name}E*", f"_ZGVZN{name}E*"]
    for name in sorted(found["variable"]):
        lines += [f"_ZN{name}E", f"_ZN{name}B5cxx11E", f"_ZGVN{name}E"]
    lines += FIXED
    body = "".join(f"  {line};\n" for line in lines)
    return HEAD + body + "local:\n  *;\n};\n"


def leaks(library):
    """Names of the namespace that are exported and not declared."""
    names = subprocess.run(["nm", "-D", "--defined-only", library],
                           capture_output=True, text=True,
                           check=True).stdout.split("\n")
    names = [line.split()[-1] for line in names if line]
    found = patterns()
    classes = found["class"]
    rest = found["function"] | found["variable"]
    for name in names:
        # Versions of symbols follow an @.
        name = name.split("@")[0]
        if name.startswith("rocksdb_") or name in FIXED:
            continue
        match = re.match(r"_Z(?:T[A-Z]|Th\w*?_|GV)?Z?NK?(7rocksdb.*)", name)
        if not match:
            yield name
            continue
        if not any(match.group(1).startswith(n) for n in prefixes(
                match.group(1), classes | rest)):
            yield name


def prefixes(name, known):
    """The known names that `name` begins with."""
    for length in range(len("7rocksdb"), len(name) + 1):
        if name[:length] in known:
            yield name[:length]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", nargs="?", const="", metavar="LIBRARY")
    arguments = parser.parse_args()
    text = map_text()
    if arguments.check is None:
        MAP.write_text(text)
        return 0
    status = 0
    if not MAP.is_file() or MAP.read_text() != text:
        print("cmake/exported.map: run scripts/exported_symbols.py")
        status = 1
    if arguments.check:
        for name in leaks(arguments.check):
            print(f"{name} is exported, and no public header declares it")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
