#!/usr/bin/env python3
"""Looks at the native library in a jar.

  check_library.py JAR

Fails unless each native method that a class of the jar declares is exported,
and nothing else is; the library is small and without debug data; and it asks
for little memory for each thread at once: a virtual machine that has started
has some 1,500 bytes left for all libraries that are loaded later.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

MOST_BYTES = 10 << 20
MOST_THREAD_BYTES = 1024


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout


def declared_natives(jar):
    classes = [name[:-len(".class")].replace("/", ".")
               for name in zipfile.ZipFile(jar).namelist()
               if name.startswith("org/rocksdb/") and name.endswith(".class")]
    natives, owner = set(), None
    for line in output_of("javap", "-private", "-cp", jar,
                          *classes).splitlines():
        declared = re.match(r"\S.*?\b(?:class|interface) (org\.rocksdb\.[\w.$]+)",
                            line)
        if declared:
            owner = declared[1]
        native = re.search(r"\bnative\b.* (\w+)\(", line)
        if native:
            plain = f"{owner}.{native[1]}".replace("_", "_1")
            natives.add("Java_" + plain.replace(".", "_").replace("$", "_00024"))
    return natives


def thread_bytes(library):
    for line in output_of("readelf", "-lW", library).splitlines():
        fields = line.split()
        if fields and fields[0] == "TLS":
            return int(fields[5], 16)
    return 0


def main():
    jar = sys.argv[1]
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        names = [name for name in zipfile.ZipFile(jar).namelist()
                 if re.fullmatch(r"librocksdbjni-[\w-]+\.so", name)]
        if len(names) != 1:
            sys.exit(f"one library was expected at the root, not {names}")
        library = zipfile.ZipFile(jar).extract(names[0], folder)
        symbols = {line.split()[-1] for line in output_of(
            "nm", "-D", "--defined-only", library).splitlines()}
        natives = declared_natives(jar)
        for name in sorted(natives - symbols):
            failures.append(f"{name} is declared and not there")
        for name in sorted(symbols - natives - {"JNI_OnLoad", "JNI_OnUnload"}):
            failures.append(f"{name} is exported and nobody declares it")
        size = pathlib.Path(library).stat().st_size
        if size > MOST_BYTES:
            failures.append(f"the library has {size} bytes")
        if ".debug_info" in output_of("readelf", "-SW", library):
            failures.append("the library has debug data")
        if thread_bytes(library) > MOST_THREAD_BYTES:
            failures.append(f"{thread_bytes(library)} bytes for each thread")
        print("\n".join(failures) or
              f"{len(natives)} native methods, {size} bytes, "
              f"{thread_bytes(library)} for each thread")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
