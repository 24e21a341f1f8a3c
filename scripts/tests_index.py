#!/usr/bin/env python3
"""Writes docs/tests.md: what each test file proves, and how many tests it has.

  tests_index.py           writes what stands behind the page's marker anew
  tests_index.py --check   says what is not current, and fails if anything is

What a file proves is the first paragraph of the comment that it begins with;
what a folder proves stands in scripts/tests_folders.txt. Above the marker the
page is written by hand: each path in `code` there must be in the tree.
"""

import ast
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
DATA = TESTS / "testdata"
FOLDERS = ROOT / "scripts/tests_folders.txt"
PAGE = ROOT / "docs/tests.md"
MARKER = "<!-- What follows is written by scripts/tests_index.py. -->\n"
RUNNER = "tests/testing/script.h"

INCLUDE = re.compile(r'^#include "(tests/[^"]+)"', re.M)
# In C, tests are functions.
TEST = {".cc": re.compile(r"^TEST(?:_F|_P)?\(", re.M),
        ".c": re.compile(r"^(?:static )?void Test\w+\([^;{]*\{", re.M),
        ".py": re.compile(r"^ +def test_", re.M)}
CASE = re.compile(rb"^----$", re.M)
# A script, or a folder of them that is run as a whole.
NAMES = re.compile(r'(?:RunScripts\(\s*(?=")|(?="[\w./]+\.txt"))"([\w./]+)"')


def first_comment(path, text):
    """The comment at the top of a file, its lines without the marks."""
    if path.suffix == ".py":
        return ast.get_docstring(ast.parse(text)) or ""
    if path.suffix == ".c":
        found = re.match(r"/\*(.*?)\*/", text, re.S)
        mark = r"^   ?"
    else:
        found = re.match(r"((?://.*\n)+)", text)
        mark = r"^// ?"
    return re.sub(mark, "", found.group(1), flags=re.M) if found else ""


def first_paragraph(comment):
    """Up to an empty line, or one of a list or an example."""
    lines = []
    for line in comment.strip().splitlines():
        if not line or line.startswith(" ") or re.match(r"[-*] ", line):
            break
        lines.append(line.strip())
    return re.sub(r":$", ".", " ".join(lines))


@functools.cache
def runs_scripts(file):
    """Whether a file includes the runner of scripts, directly or not; a header
    does if its source does."""
    paths = [ROOT / file]
    if file.endswith(".h"):
        paths.append(paths[0].with_suffix(".cc"))
    return file == RUNNER or any(
        runs_scripts(f) for path in paths if path.is_file()
        for f in INCLUDE.findall(path.read_text()) if f != file)


@functools.cache
def cases_in(script):
    return len(CASE.findall(script.read_bytes()))


@functools.cache
def scripts_at(name):
    """The scripts that a string in a test names: one file, or a folder."""
    path = DATA / name
    if not path.exists():
        return ()
    files = sorted(path.glob("*.txt")) if path.is_dir() else [path]
    return tuple(f for f in files if cases_in(f))


class TestFile:
    def __init__(self, path):
        text = path.read_text()
        self.path = path
        self.folder = str(path.parent.relative_to(ROOT))
        self.proves = first_paragraph(first_comment(path, text))
        self.tests = (len(TEST[path.suffix].findall(text)) or
                      len(TEST[".c"].findall(text)))
        names = (set(NAMES.findall(text))
                 if runs_scripts(f"{self.folder}/{path.name}") else ())
        self.scripts = {f for name in names for f in scripts_at(name)}
        self.cases = sum(cases_in(f) for f in self.scripts)

    def row(self):
        proves = re.sub(r"([|*<])", r"\\\1", self.proves)
        # Without tests of its own it has cases of another file's.
        count = str(self.tests or "-")
        if self.cases:
            count += f", {self.cases} cases"
        return f"| `{self.path.name}` | {proves} | {count} |\n"


def test_files():
    return [TestFile(path) for path in sorted(TESTS.rglob("*_test.*"))
            if path.suffix in TEST and DATA not in path.parents]


def folder_sentences():
    sentences = {}
    for line in FOLDERS.read_text().splitlines():
        if not line.startswith("#"):
            folder, _, sentence = line.partition("  ")
            sentences[folder] = sentence
    return sentences


def written(files, sentences):
    """What stands behind the marker."""
    text = "\n## File by file\n"
    for folder in sorted({f.folder for f in files}):
        text += (f"\n### {folder}\n\n{sentences.get(folder, '')}\n\n"
                 "| file | what it proves | tests |\n| --- | --- | --- |\n")
        text += "".join(f.row() for f in files if f.folder == folder)
    scripted = [f for f in files if f.cases]
    return text + (
        f"\nTogether {sum(f.tests for f in files)} tests in {len(files)} "
        f"files; {len(scripted)} of these also run "
        f"{sum(f.cases for f in scripted)} cases of scripts.\n")


def lost_paths(text):
    """Paths that the hand-written part names and the tree lacks."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for name in re.findall(r"`([^`\s]*/[^`\s]*)`", prose):
        if not any(ROOT.glob(name.rstrip("/"))):
            yield name


def errors_in(files, sentences, by_hand):
    folders = {f.folder for f in files}
    used = {script for f in files for script in f.scripts}
    for file in files:
        if not file.proves:
            yield f"{file.folder}/{file.path.name}: says not what it proves"
    for folder in sorted(folders - {f for f in sentences if sentences[f]}):
        yield f"{FOLDERS.name}: nothing says what {folder} proves"
    for folder in sorted(set(sentences) - folders):
        yield f"{FOLDERS.name}: {folder} has no tests"
    for script in sorted(DATA.rglob("*.txt")):
        if script not in used and cases_in(script):
            yield f"{script.relative_to(ROOT)}: no test names this script"
    for name in lost_paths(by_hand):
        yield f"{PAGE.relative_to(ROOT)}: there is no {name}"


def main():
    is_check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not is_check:
        sys.exit(__doc__)
    page = PAGE.read_text()
    by_hand, marker, before = page.partition(MARKER)
    if not marker:
        sys.exit(f"{PAGE.relative_to(ROOT)} has lost its marker: {MARKER}")
    files = test_files()
    sentences = folder_sentences()
    errors = list(errors_in(files, sentences, by_hand))
    text = written(files, sentences)
    if is_check and text != before:
        errors.append(f"{PAGE.relative_to(ROOT)} is stale: run "
                      "scripts/tests_index.py")
    elif not is_check:
        PAGE.write_text(by_hand + marker + text)
    for error in errors:
        print(error)
    print(f"{len(files)} test files, {len(errors)} errors")
    return 1 if errors or not files else 0


if __name__ == "__main__":
    sys.exit(main())
