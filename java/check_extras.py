#!/usr/bin/env python3
"""Looks at what lies beside the jar for Maven's repositories.

  check_extras.py JAR OUT VERSION

Fails unless the jar of sources has the file of each class of the jar, the jar of
documentation a page for each public one, and the pom the jar's coordinates.
"""

import pathlib
import re
import subprocess
import sys
import zipfile


def top_classes(jar):
    """The classes of the jar that are not nested, as paths without suffix."""
    return sorted(name[:-len(".class")]
                  for name in zipfile.ZipFile(jar).namelist()
                  if re.fullmatch(r"org/rocksdb/(util/)?\w+\.class", name))


def is_public(jar, path):
    text = subprocess.run(["javap", "-cp", jar, path.replace("/", ".")],
                          check=True, capture_output=True, text=True).stdout
    return re.search(r"^public ", text, re.M) is not None


def main():
    jar, out, version = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    classes = top_classes(jar)
    sources = set(zipfile.ZipFile(
        out / f"rocksdbjni-{version}-sources.jar").namelist())
    pages = set(zipfile.ZipFile(
        out / f"rocksdbjni-{version}-javadoc.jar").namelist())
    pom = (out / f"rocksdbjni-{version}.pom").read_text()
    failures = [f"{path}.java is not in the jar of sources"
                for path in classes if path + ".java" not in sources]
    failures += [f"{path} has no page" for path in classes
                 if path + ".html" not in pages and is_public(jar, path)]
    for wanted in ("<artifactId>rocksdbjni</artifactId>",
                   f"<version>{version}</version>"):
        if wanted not in pom:
            failures.append(f"{wanted} is not in the pom")
    print("\n".join(failures) or f"{len(classes)} classes with their sources")
    return 1 if failures or not classes else 0


if __name__ == "__main__":
    sys.exit(main())
