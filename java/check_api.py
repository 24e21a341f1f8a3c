#!/usr/bin/env python3
"""Compares the public interface of a jar with java/api/members.tsv.

  check_api.py JAR [--list] [--missing-at-most N]

Prints how many of the members are missing; with --list, which. Exit status 1 if
there are more than N. What the jar has beyond the table is no fault. Types are
compared as javap prints them: names, results, arguments, exceptions, constants.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "generate"))

import api  # noqa: E402: from the folder beside this file.


def plain(text):
    """A declaration without what differs between two ways to print it."""
    text = text.strip().rstrip(";{ ").replace("org.rocksdb.", "")
    text = re.sub(r"java\.lang\.(?=[A-Z])", "", text)
    text = re.sub(r"java\.lang\.(?=annotation)", "", text)
    # Whether a member is native or locked is each implementation's matter.
    text = re.sub(r"\b(native|synchronized|volatile|transient) ", "", text)
    text = re.sub(r"^public interface", "public interface", text)
    return re.sub(r"\s+", " ", text)


def members_of(jar):
    names = [name for name in zipfile.ZipFile(jar).namelist()
             if name.startswith("org/rocksdb/") and name.endswith(".class")]
    classes = [name[:-len(".class")].replace("/", ".") for name in names]
    output = subprocess.run(
        ["javap", "-protected", "-constants", "-cp", jar] + classes,
        check=True, capture_output=True, text=True).stdout
    found, owner = {}, None
    for line in output.splitlines():
        declared = re.match(r"\S.*?\b(?:class|interface) (org\.rocksdb\.[\w.$]+)",
                            line)
        if declared:
            owner = plain(declared[1])
            found[owner] = {plain(line)}
        elif owner and line.startswith("  "):
            found[owner].add(plain(line))
    return found


def is_there(wanted, members):
    text = plain(wanted)
    # A locked, native or abstract method may be the one that is asked for.
    return text in members or text.replace("abstract ", "") in members


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("jar")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--missing-at-most", type=int, default=0)
    arguments = parser.parse_args()
    found = members_of(arguments.jar)
    total, missing, types = 0, [], set()
    for owner, (head, members) in api.types().items():
        if owner not in found:
            types.add(owner)
        for member in [head] + members:
            total += 1
            if not is_there(member, found.get(owner, set())):
                missing.append(f"{owner}: {member}")
    if arguments.list:
        print("\n".join(missing))
    print(f"{len(missing)} of {total} members are missing, among them "
          f"{len(types)} of {len(api.types())} types: "
          f"{' '.join(sorted(types))}")
    return 1 if len(missing) > arguments.missing_at_most else 0


if __name__ == "__main__":
    sys.exit(main())
