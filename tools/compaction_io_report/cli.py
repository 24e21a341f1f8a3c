"""Measures what readers notice of compaction, and writes a page about it.

One database is filled and every run starts from a copy of it, in a memory
group, with the page cache emptied and the hot set warmed. The configurations
of direct I/O run in turn, ours and the peer's, forth in one round and back in
the next. Raw results, a table, a page and a PNG are written to --output.
"""

import argparse
import fnmatch
import os
import platform
import sys
import time

from scripts.programs import ProgramError
from tools.compaction_io_report import probe, settings, store, tables
from tools.compaction_io_report.campaign import Campaign
from tools.compaction_io_report.driver import Driver, DriverError
from tools.compaction_io_report.output import OutputError
from tools.compaction_io_report.programs import Program

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))

# (full, quick) values of the options that --quick changes.
DEFAULTS = {"scale": (1.0, 0.1), "seconds": (60, 4), "rounds": (5, 1),
            "max_seconds": (0, 260)}

START = time.monotonic()


def say(text):
    """A line of progress."""
    print(f"[{time.monotonic() - START:6.0f} s] {text}", flush=True)


def _add_size_options(parser):
    parser.add_argument("--quick", action="store_true",
                        help="a small scale and one round, within five "
                        "minutes: a look, not a measurement")
    parser.add_argument("--scale", type=float,
                        help="size of everything (default: 1, quick 0.1)")
    parser.add_argument("--seconds", type=int,
                        help="of each run (default: 60, quick 4)")
    parser.add_argument("--rounds", type=int, help="default: 5, quick 1")
    parser.add_argument("--max-seconds", type=int,
                        help="leave out what would begin later than that "
                        "(default: no limit, quick 260)")
    parser.add_argument("--workloads", metavar="NAME,...", help="some of " +
                        ", ".join(w.name for w in settings.WORKLOADS) +
                        "; a name may end in *; the baseline of each comes "
                        "with it (default: all, quick: the "
                        "first few)")
    parser.add_argument("--configurations", metavar="NAME,...",
                        help="some of " + ", ".join(
                            c.name for c in settings.CONFIGURATIONS))


def parse_options(arguments):
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="compaction_io_report", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db_bench", metavar="PATH", default=os.path.join(
        ROOT, "build", "release", "bin", "db_bench"),
        help="ours, or our c_bench, which has more workloads (default: that "
        "of the release build)")
    parser.add_argument("--peer", metavar="[NAME=]PATH", action="append",
                        default=[], dest="peers",
                        help="another one to run beside it; may be given "
                        "several times")
    parser.add_argument("--fill", choices=("ours", "peer"), default="ours",
                        help="which of them fills, the first peer where there "
                        "are several (default: %(default)s)")
    parser.add_argument("--with", metavar="FLAG=VALUE", action="append",
                        default=[], dest="more_flags",
                        help="a flag of the measured runs, for experiments; "
                        "a program that does not know it goes without")
    _add_size_options(parser)
    parser.add_argument("--directory", default=os.path.join(ROOT, "build"),
                        help="where databases are made (default: %(default)s)")
    parser.add_argument("--output", metavar="DIR", default=os.path.join(
        ROOT, "build", "compaction_io_report"), help="default: %(default)s")
    parser.add_argument("--brief", action="store_true",
                        help="print no table: it is in the page")
    parser.add_argument("--from", metavar="RAW", dest="raw",
                        help="render the raw results of an earlier report")
    parser.add_argument("--resume", metavar="RAW",
                        help="take over the runs of an earlier report that "
                        "ended early, and do those that it lacks")
    options = parser.parse_args(arguments)
    for name, (full, quick) in DEFAULTS.items():
        if getattr(options, name) is None:
            setattr(options, name, quick if options.quick else full)
    _check(parser, options)
    return options


def _check(parser, options):
    if options.scale <= 0:
        parser.error("--scale must be above 0")
    if options.seconds < 2 or options.rounds < 1 or options.max_seconds < 0:
        parser.error("--seconds must be at least 2, --rounds at least 1, "
                     "--max-seconds at least 0")
    if options.raw and options.resume:
        parser.error("--from and --resume exclude each other")
    if options.fill == "peer" and not options.peers:
        parser.error("--fill=peer needs --peer")
    options.peers = name_peers(options.peers)
    if len({name for name, _ in options.peers} | {"ours"}) != (
            len(options.peers) + 1):
        parser.error("--peer: each needs a name of its own")
    if any("=" not in text for text in options.more_flags):
        parser.error("--with: FLAG=VALUE is expected")
    options.more_flags = dict(text.split("=", 1)
                              for text in options.more_flags)
    options.configurations = _chosen(
        parser, "--configurations", options.configurations,
        settings.CONFIGURATIONS)
    chosen = _chosen(parser, "--workloads", options.workloads,
                     settings.WORKLOADS)
    if options.quick and not options.workloads:
        options.workloads = chosen[:settings.QUICK_COUNT]
    else:
        options.workloads = with_baselines(chosen)


def _chosen(parser, flag, text, known):
    """Those of `known` that a list of names asks for; all without one."""
    names = text.split(",") if text else ["*"]
    for name in names:
        if not any(fnmatch.fnmatchcase(k.name, name) for k in known):
            parser.error(f"{flag}: there is no {name}")
    return [k for k in known
            if any(fnmatch.fnmatchcase(k.name, name) for name in names)]


def with_baselines(workloads):
    """The same, with the baseline of each behind them."""
    wanted = {w.name for w in workloads} | {w.baseline for w in workloads}
    return [w for w in settings.WORKLOADS if w.name in wanted]


def name_peers(texts):
    """(name, path) of each --peer: those without a name are peer, peer2..."""
    peers = []
    for text in texts:
        name, equal, path = text.partition("=")
        if not equal or "/" in name:
            number = len(peers) + 1
            name, path = "peer" if number == 1 else f"peer{number}", text
        peers.append((name, path))
    return peers


def _processor():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def describe_setup(options, sizes, programs):
    """The first record of the raw results."""
    return {
        "kind": "setup", "date": time.strftime("%Y-%m-%d %H:%M:%S %z"),
        "processor": _processor(), "processors": os.cpu_count(),
        "kernel": platform.release(), "quick": options.quick,
        "scale": options.scale, "seconds": options.seconds,
        "rounds": options.rounds, "keys": sizes.keys,
        "value_size": settings.VALUE_SIZE, "memory_bytes": sizes.memory,
        "readers": settings.READERS, "write_limit": settings.WRITE_LIMIT,
        "paced_reads": settings.PACED_READS, "filled_by": options.fill,
        "more_flags": options.more_flags,
        "probe": probe.measure(options.directory),
        "programs": [program.describe() for program in programs],
    }


def measure(options):
    """Runs everything; returns the raw results."""
    os.makedirs(options.directory, exist_ok=True)
    programs = [Program(name, path, options.directory) for name, path in
                [("ours", options.db_bench), *options.peers]]
    sizes = settings.Sizes(options.scale, options.seconds)
    driver = Driver(options.directory, sizes,
                    programs[1 if options.fill == "peer" else 0],
                    options.more_flags)
    earlier = store.load(options.resume) if options.resume else None
    results = store.Store(os.path.join(options.output, "raw.jsonl"))
    try:
        driver.check_space(options.workloads)
        setup = describe_setup(options, sizes, programs)
        if earlier:
            results.take_over(earlier, setup)
        else:
            results.add(setup)
        Campaign(driver, programs, options, results, say).run(
            options.workloads)
    finally:
        results.close()
        driver.remove()
    return results


def write(results, output, is_brief):
    """The table, the page and the picture."""
    # matplotlib is slow to load, and of no use before.
    from tools.compaction_io_report import page  # pylint: disable=C0415
    text = tables.text_report(results)
    html, picture = page.render(results)
    for name, data in (("table.txt", text.encode()),
                       ("report.html", html.encode()),
                       ("report.png", picture)):
        with open(os.path.join(output, name), "wb") as file:
            file.write(data)
    if not is_brief:
        print(f"\n{text}")
    say(f"the page: {os.path.join(output, 'report.html')}")


def main(arguments):
    """The program."""
    options = parse_options(arguments)
    try:
        os.makedirs(options.output, exist_ok=True)
        results = store.load(options.raw) if options.raw else measure(options)
        if not any(not run["discarded"] for run in results.runs):
            raise DriverError("there is no run that counts")
        write(results, options.output, options.brief)
        if results.failures():
            raise DriverError(f"{results.failures()} runs failed")
    except (DriverError, OutputError, ProgramError, store.StoreError,
            OSError) as error:
        print(f"compaction_io_report: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("compaction_io_report: interrupted", file=sys.stderr)
        return 130
    return 0
