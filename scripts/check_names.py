#!/usr/bin/env python3
"""Holds the names of the public headers in namespace rocksdb against RocksDB's.

A name that RocksDB lacks may be one that an application defines there itself:
a helper of its own, or an operator. scripts/rocksdb_names.txt lists what
RocksDB 11.9 declares, scripts/own_names.txt what only our headers declare, with
the reason. A name of neither list, an overload that RocksDB lacks, a reason
whose name is gone, and a macro without our prefix or RocksDB's are errors.

  check_names.py [INCLUDE_DIR]

Exit status 77: no clang.
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "scripts"
NAMESPACE = "rocksdb"
DECLARES = ("FunctionDecl", "FunctionTemplateDecl", "CXXRecordDecl", "VarDecl",
            "EnumDecl", "TypeAliasDecl", "TypeAliasTemplateDecl", "TypedefDecl",
            "ClassTemplateDecl", "VarTemplateDecl", "ConceptDecl")


def entries(path):
    """Lines of a list: each up to '#', which begins a remark."""
    for line in path.read_text().splitlines():
        name, _, remark = line.partition("#")
        if name.strip():
            yield name.strip(), remark.strip()


def spaceless(text):
    """Types written alike: no blank but between two words."""
    return re.sub(r"\s*([^\w\s])\s*", r"\1", text.strip())


def name_of(line):
    """The declared name of a line of clang's tree, with a function's types."""
    kind = re.match(r"\w+", line).group()
    if kind not in DECLARES:
        return None
    if kind.endswith("TemplateDecl") or kind == "ConceptDecl":
        return line.split()[-1]
    if kind == "FunctionDecl":
        found = re.search(r"\s(operator[^\w\s']+|\w+) '([^']*)'", line)
        parameters = re.search(r"\((?:[^()]|\([^()]*\))*\)[^()]*$",
                               found.group(2)).group()
        return spaceless(found.group(1) + parameters.rpartition(")")[0] + ")")
    if kind in ("CXXRecordDecl", "EnumDecl"):
        found = re.search(r" (?:class|struct|union)? ?(\w+)(?: definition)?"
                          r"(?: '[^']*')?(?::'[^']*')?$", line)
        return found.group(1) if found else None
    found = re.search(r"\s(\w+) '", line)
    return found.group(1) if found else None


def declared(tree):
    """Names at namespace scope in clang's tree of declarations."""
    names = set()
    lines = tree.splitlines()
    at = 0
    while at < len(lines):
        title = re.match(rf"Dumping {NAMESPACE}::(.*):$", lines[at])
        at += 1
        if not title or at == len(lines):
            continue
        begin = at
        while at < len(lines) and not lines[at].startswith("Dumping "):
            at += 1
        body = lines[begin:at]
        if body[0].startswith("NamespaceDecl"):
            names.add(title.group(1))
            names |= members(body)
        elif "::" not in title.group(1):
            # members() wants the children of a tree: this is the only one.
            names |= members(["|-" + body[0]] + ["| " + b for b in body[1:]])
    return names


def members(body):
    """Names that the children of a tree declare, enumerators included."""
    names = set()
    unscoped = False
    for line in body:
        child = re.match(r"[|`]-(\w.*)$", line)
        if child:
            line = child.group(1)
            unscoped = (line.startswith("EnumDecl") and
                        not re.search(r" (class|struct) \w+ ", line))
            name = name_of(line)
            if name and not re.search(r"\bimplicit\b", line):
                names.add(name)
        elif unscoped:
            constant = re.match(r"[| ] [|`]-EnumConstantDecl .*?(\w+) '", line)
            if constant:
                names.add(constant.group(1))
    return names


def clang():
    for name in ("clang++-16", "clang++"):
        if shutil.which(name):
            return name
    sys.exit(77)


def own_macros(headers):
    """Macros that are still defined behind a header."""
    for header in headers:
        text = header.read_text()
        for name in re.findall(r"^\s*#\s*define\s+(\w+)", text, re.M):
            if not re.search(rf"^\s*#\s*undef\s+{name}\b", text, re.M):
                yield name


def main():
    include = pathlib.Path(sys.argv[1] if len(sys.argv) > 1
                           else ROOT / "include")
    headers = [h for h in sorted(include.rglob("*.h")) if h.name != "c.h"]
    text = "".join(f'#include "{h.relative_to(include)}"\n' for h in headers)
    compiler = clang()
    tree = subprocess.run(
        [compiler, "-std=c++20", "-fsyntax-only", f"-I{include}",
         "-fno-color-diagnostics", "-Xclang", "-ast-dump",
         "-Xclang", f"-ast-dump-filter={NAMESPACE}::", "-x", "c++", "-"],
        input=text, text=True, capture_output=True, check=True).stdout
    ours = declared(tree)
    theirs = {name for name, _ in entries(SCRIPTS / "rocksdb_names.txt")}
    reasons = dict(entries(SCRIPTS / "own_names.txt"))
    errors = [f"only our headers declare {name}"
              for name in sorted(ours - theirs - set(reasons))]
    errors += [f"own_names.txt: {name} is not declared, or is RocksDB's"
               for name in sorted(set(reasons) - (ours - theirs))]
    errors += [f"own_names.txt: {name} has no reason"
               for name, reason in sorted(reasons.items()) if not reason]
    errors += [f"macro {name} has no prefix ROCKSDB_ or BASALT_"
               for name in own_macros(headers)
               if not name.startswith(("ROCKSDB_", "BASALT_"))]
    for error in errors:
        print(error)
    print(f"{len(ours)} names, {len(reasons)} of our own, {len(errors)} errors")
    return 1 if errors or not ours else 0


if __name__ == "__main__":
    sys.exit(main())
