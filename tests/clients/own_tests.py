#!/usr/bin/env python3
"""Runs the clients' own test suites against an installed library.

  own_tests.py [--shrink] PREFIX WORK [SUITE...]

PREFIX  where the library is installed
WORK    what is downloaded, built and remembered stays here, so that running
        it again is quick; a run that was stopped goes on where it was
SUITE   rocksdb and rust-rocksdb (crates.io), grocksdb (Go module proxy);
        all of them when none is named
--shrink  takes the tests that pass, or are gone, out of the lists

The sources come from the registries by the languages' own tools and are built
in WORK. Each test runs in a process of its own: one that ends its process
fails alone. Packages' unit tests, integration tests and documentation's
examples are run, as far as the package that is published has them
(rust-rocksdb publishes no integration tests).

tests/clients/may_fail/SUITE.txt names the tests that may fail, under a line
`# why` for those below it. A test that fails and is not in the list is an
error; so is one in the list that passes or is not there: take it out. Only
below `# by the machine: why` a test may pass, too.

The last line is "N passed, N failed, N listed".
"""

import concurrent.futures
import contextlib
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 600  # no test takes a minute, on a busy machine
PASSED, FAILED, IGNORED = "passed", "failed", "ignored"
EITHER_WAY = "by the machine:"


def run(command, **more):
    """The finished process; its output, both kinds together, as text."""
    return subprocess.run(command, stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.STDOUT, errors="replace",
                          stdin=subprocess.DEVNULL, check=False, **more)


def must(command, **more):
    done = run(command, **more)
    if done.returncode != 0:
        # Without the messages of cargo that are for programs.
        output = re.sub(r"^\{.*\n", "", done.stdout, flags=re.M)
        sys.exit(f"{output}\n{' '.join(map(str, command))}: failed")
    return done.stdout


def run_test(command, **more):
    """True and the output if `command` ends with 0 in time."""
    try:
        done = run(command, timeout=SECONDS, **more)
    except subprocess.TimeoutExpired:
        return False, f"not done after {SECONDS} s"
    if done.returncode < 0:
        return False, f"{done.stdout}\nended by signal {-done.returncode}"
    return done.returncode == 0, done.stdout


def copy_of(source, target, leave_out):
    """A copy that may be written to: registries' own are shared."""
    if target.exists():
        return
    half = target.with_name(target.name + ".half")
    shutil.rmtree(half, ignore_errors=True)
    shutil.copytree(source, half, ignore=shutil.ignore_patterns(*leave_out))
    for path in [half, *half.rglob("*")]:
        path.chmod(path.stat().st_mode | 0o200)
    half.rename(target)


class Crate:
    """A crate of crates.io, and others of its dependencies to be tested."""

    def __init__(self, version, *parts):
        self.version = version
        self.parts = parts

    def prepare(self, suite, prefix, work):
        self.work = work
        libdir = library_of(prefix).parent
        self.env = dict(
            os.environ, LD_LIBRARY_PATH=str(libdir),
            ROCKSDB_LIB_DIR=str(libdir),
            ROCKSDB_INCLUDE_DIR=str(prefix / "include"),
            CARGO_TARGET_DIR=str(work / "target"), CARGO_PROFILE_DEV_DEBUG="0",
            # The codecs and libclang are the machine's. There is no use in
            # building them: the library that is tested has its own.
            ZSTD_SYS_USE_PKG_CONFIG="1",
            SNAPPY_LIB_DIR=str(snappy_directory(work)),
            LIBCLANG_PATH=os.environ.get("LIBCLANG_PATH",
                                         "/usr/lib/llvm-16/lib"))
        self.sources = {name: self.source(place)
                        for name, place in self.places(suite).items()}
        self.forget_old_headers(prefix)

    def places(self, suite):
        """Where cargo keeps the sources of the crate and its parts."""
        project = self.work / "project"
        (project / "src").mkdir(parents=True, exist_ok=True)
        (project / "src/lib.rs").write_text("")
        (project / "Cargo.toml").write_text(
            '[package]\nname = "project"\nversion = "0.1.0"\n'
            'edition = "2021"\n[workspace]\n[dependencies.' + suite + "]\n"
            f'version = "={self.version}"\ndefault-features = false\n')
        told = run(["cargo", "metadata", "--format-version=1", "--quiet"],
                   cwd=project, env=self.env)
        if told.returncode != 0:
            sys.exit(f"{told.stdout}\ncrates.io cannot be reached")
        packages = json.loads(told.stdout[told.stdout.index("{"):])["packages"]
        return {package["name"]: pathlib.Path(package["manifest_path"]).parent
                for package in packages
                if package["name"] in (suite, *self.parts)}

    def source(self, place):
        copy = self.work / place.name
        # The toolchain is the one that is here.
        copy_of(place, copy, ["rust-toolchain.toml"])
        return copy

    def forget_old_headers(self, prefix):
        """Makes cargo read the header again after it has changed."""
        header = (prefix / "include/rocksdb/c.h").read_bytes()
        mark = self.work / "header"
        if not mark.exists() or mark.read_bytes() != header:
            if (self.work / "target").exists():
                must(["cargo", "clean", "--quiet"], env=self.env,
                     cwd=next(iter(self.sources.values())))
            mark.write_bytes(header)

    def tests(self):
        """Functions that give {name: (outcome, output)}, to be run apart."""
        for name, source in self.sources.items():
            for target, program in self.programs(source):
                prefix = target if len(self.sources) == 1 or \
                    name not in self.parts else f"{name}::{target}"
                yield from self.tests_of(prefix, program, source)
            yield f"{name} examples", self.examples_of(name, source)

    def programs(self, source):
        output = must(["cargo", "test", "--no-run", "--locked", "--quiet",
                       "--message-format=json"], cwd=source, env=self.env)
        for line in output.splitlines():
            message = json.loads(line) if line.startswith("{") else {}
            if message.get("executable") and message["profile"]["test"]:
                yield message["target"]["name"], message["executable"]

    def tests_of(self, prefix, program, source):
        def names(*flags):
            output = must([program, "--list", *flags], cwd=source,
                          env=self.env)
            return re.findall(r"^(.*): test$", output, re.M)

        ignored = names("--ignored")
        for test in names():
            name = f"{prefix}::{test}"
            if test in ignored:
                yield name, lambda name=name: {name: (IGNORED, "")}
                continue

            def one(name=name, test=test):
                is_ok, output = run_test([program, "--exact", test],
                                         cwd=source, env=self.env)
                # A name that the program does not know is no test passed.
                is_ok = is_ok and "test result: ok. 1 passed" in output
                return {name: (PASSED if is_ok else FAILED, output)}
            yield name, one

    def examples_of(self, name, source):
        line = re.compile(r"^test (\S+) - (.*) \.\.\. (ok|FAILED|ignored)$",
                          re.M)

        def all_of_them():
            output = run(["cargo", "test", "--doc", "--locked", "--quiet",
                          "--", "--format=pretty"],
                         cwd=source, env=self.env, timeout=3600).stdout
            outcomes = {"ok": PASSED, "FAILED": FAILED, "ignored": IGNORED}
            found = {f"{name} example {file} {what}":
                     (outcomes[outcome], output)
                     for file, what, outcome in line.findall(output)}
            if not found and "running 0 tests" not in output:
                found[f"{name} examples"] = (FAILED, output)
            return found
        return all_of_them


class GoModule:
    """A module of the Go module proxy."""

    def __init__(self, module, version):
        self.module = module
        self.version = version

    def prepare(self, suite, prefix, work):
        libdir = library_of(prefix).parent
        # Go does not see that a header elsewhere has changed; it sees this.
        header = hashlib.sha256((prefix / "include/rocksdb/c.h").read_bytes())
        self.env = dict(os.environ, LD_LIBRARY_PATH=str(libdir),
                        CGO_CFLAGS=f"-I{prefix}/include "
                                   f"-DHEADER_{header.hexdigest()}",
                        CGO_LDFLAGS=f"-L{libdir} -lrocksdb")
        told = run(["go", "mod", "download", "-json",
                    f"{self.module}@v{self.version}"], cwd=work)
        if told.returncode != 0:
            sys.exit(f"{told.stdout}\nthe Go module proxy cannot be reached")
        self.source = work / f"{suite}-{self.version}"
        copy_of(json.loads(told.stdout)["Dir"], self.source, [])
        self.program = work / "tests"

    def tests(self):
        must(["go", "test", "-c", "-tags", "grocksdb_no_link", "-o",
              str(self.program), "."], cwd=self.source, env=self.env)
        output = must([self.program, "-test.list", "."], cwd=self.source,
                      env=self.env)
        for test in re.findall(r"^(Test\S*)$", output, re.M):
            yield test, lambda test=test: self.outcomes_of(test)

    def outcomes_of(self, test):
        """{name: (outcome, output)} of each part of a test; of the test itself
        if it has no parts."""
        is_ok, output = run_test([self.program, "-test.v", "-test.run",
                                  f"^{test}$"], cwd=self.source, env=self.env)
        said = dict((name, word) for word, name in re.findall(
            r"^ *--- (PASS|FAIL|SKIP): (\S+)", output, re.M))
        words = {"PASS": PASSED, "FAIL": FAILED, "SKIP": IGNORED}
        found = {name: (words[word], output) for name, word in said.items()
                 if not any(other.startswith(name + "/") for other in said)}
        if not is_ok and FAILED not in (outcome for outcome, _ in
                                        found.values()):
            found[test] = (FAILED, output)
        return found


SUITES = {
    "rocksdb": Crate("0.25.0", "librocksdb-sys"),
    "rust-rocksdb": Crate("0.54.0"),
    "grocksdb": GoModule("github.com/linxGnu/grocksdb", "1.11.1"),
}


def library_of(prefix):
    found = sorted(prefix.rglob("librocksdb.so"))
    return found[0] if found else sys.exit(f"no librocksdb.so in {prefix}")


def snappy_directory(work):
    """A folder of its own for the codec: the linker looks there before it
    looks for ours, and the machine's may have another librocksdb."""
    done = run(["pkg-config", "--variable=libdir", "snappy"])
    place = pathlib.Path(done.stdout.strip() or "/usr/lib/x86_64-linux-gnu")
    folder = work / "snappy"
    folder.mkdir(parents=True, exist_ok=True)
    for library in place.glob("libsnappy.*"):
        link = folder / library.name
        if not link.exists():
            link.symlink_to(library)
    return folder


def list_of(suite):
    return HERE / f"may_fail/{suite}.txt"


def listed(suite):
    """{name: why it may fail}, of the list that is checked in."""
    reasons = {}
    why = None
    for line in list_of(suite).read_text().splitlines():
        if line.startswith("#"):
            why = line[1:].strip()
        elif line.strip():
            if not why:
                sys.exit(f"{suite}.txt: {line}: stands under no reason")
            if line in reasons:
                sys.exit(f"{suite}.txt: {line}: is there twice")
            reasons[line] = why
    return reasons


class Memory:
    """The outcomes of a run that was stopped, for the one that goes on.

    They are those of one library and one version of the client; a whole run
    forgets them. keep() may be called by several threads.
    """

    def __init__(self, path, key):
        self.lock = threading.Lock()
        self.path = path
        self.known = {}
        lines = path.read_text().splitlines() if path.exists() else []
        for line in lines[1:] if lines[:1] == [key] else []:
            with contextlib.suppress(ValueError):  # the half of a line
                name, found = json.loads(line)
                self.known[name] = found
        path.write_text(key + "\n")
        for name, found in self.known.items():
            self.write(name, found)

    def keep(self, name, found):
        with self.lock:
            self.known[name] = found
            self.write(name, found)

    def write(self, name, found):
        with self.path.open("a") as file:
            file.write(json.dumps([name, found]) + "\n")

    def forget(self):
        self.path.unlink()


def outcomes_of(suite, prefix, work):
    """{name: (outcome, output)} of all tests of a suite."""
    client = SUITES[suite]
    client.prepare(suite, prefix, work)
    library = hashlib.sha256(library_of(prefix).read_bytes()).hexdigest()
    memory = Memory(work / "stopped", f"{client.version} {library}")
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    known = set(memory.known)

    def run_and_keep(name, test):
        # At once: whatever stops the run, what is done is not done again.
        memory.keep(name, test())

    try:
        running = [pool.submit(run_and_keep, name, test)
                   for name, test in client.tests() if name not in known]
        for done in concurrent.futures.as_completed(running):
            done.result()
    finally:
        pool.shutdown(cancel_futures=True)
    memory.forget()
    return {name: outcome for found in memory.known.values()
            for name, outcome in found.items()}


def wrong_in(found, may_fail):
    """{name: what is wrong with the outcome of this test}."""
    wrong = {}
    for name, (outcome, _) in sorted(found.items()):
        if outcome == FAILED and name not in may_fail:
            wrong[name] = "failed"
        elif outcome != FAILED and name in may_fail and \
                not may_fail[name].startswith(EITHER_WAY):
            wrong[name] = f"{outcome}: take it out of the list"
    for name in may_fail:
        if name not in found:
            wrong[name] = "there is no such test: take it out of the list"
    return wrong


def keep_output(found, place):
    """Writes what the tests that failed said, a file each."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for name, (outcome, output) in found.items():
        if outcome == FAILED:
            (place / re.sub(r"[^\w.-]+", "_", name)).write_text(output)


def report(suite, found, wrong, may_fail):
    """Prints what is wrong, and the counts, which it gives back."""
    for name, what in wrong.items():
        print(f"  {name}: {what}")
    outcomes = [outcome for outcome, _ in found.values()]
    if not outcomes:
        sys.exit(f"{suite}: no tests")
    failed = outcomes.count(FAILED)
    in_list = failed - list(wrong.values()).count("failed")
    print(f"{suite} {SUITES[suite].version}: {outcomes.count(PASSED)} passed, "
          f"{failed} failed ({in_list} of {len(may_fail)} listed), "
          f"{outcomes.count(IGNORED)} left out by the suite itself",
          flush=True)
    return outcomes.count(PASSED), len(wrong), len(may_fail)


def shrink(suite, wrong):
    """Takes out of the list what needs not be there."""
    parts = []
    for part in list_of(suite).read_text().strip().split("\n\n"):
        why, *names = part.splitlines()
        names = [name for name in names if name not in wrong]
        if names:
            parts.append("\n".join([why, *names]) + "\n")
    list_of(suite).write_text("\n".join(parts))


def run_suite(suite, prefix, work, is_to_shrink):
    """Runs one suite; gives the counts passed, wrong and listed."""
    may_fail = listed(suite)
    work.mkdir(parents=True, exist_ok=True)
    # The suites leave databases behind; on the file system of the build,
    # since memory has no direct I/O.
    with tempfile.TemporaryDirectory(dir=work) as scratch:
        os.environ["TMPDIR"] = scratch
        found = outcomes_of(suite, prefix, work)
    keep_output(found, work / "output")
    wrong = wrong_in(found, may_fail)
    if is_to_shrink:
        shrink(suite, wrong)
        may_fail = listed(suite)
        wrong = wrong_in(found, may_fail)
    counts = report(suite, found, wrong, may_fail)
    if counts[1]:
        print(f"  what they said is in {work / 'output'}")
    return counts


def main():
    words = [word for word in sys.argv[1:] if word != "--shrink"]
    if len(words) < 2:
        sys.exit(__doc__)
    prefix, work = (pathlib.Path(word).resolve() for word in words[:2])
    counts = []
    for suite in words[2:] or list(SUITES):
        if suite not in SUITES:
            sys.exit(f"no such suite: {suite}; there are {', '.join(SUITES)}")
        counts.append(run_suite(suite, prefix, work / suite,
                                "--shrink" in sys.argv))
    passed, failed, may_fail = (sum(column) for column in zip(*counts))
    print(f"clients' own tests: {passed} passed, {failed} failed, "
          f"{may_fail} listed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
