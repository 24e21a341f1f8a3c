"""What growth.py measures: axes, their points, and the least that costs must
grow by along them."""

import dataclasses
import math
import re
import resource

# Flags of every run.
COMMON = {"histogram": "true", "seed": "1234567", "bloom_bits": "10",
          "cache_size": str(256 << 20), "key_size": "16"}

# Keys that are read: always as many, and in memory, so that a Get costs what
# finding its block costs.
HOT_KEYS = 10_000
READS = 50_000
WRITES = 50_000

RESULT = re.compile(r"^(\w+)\s*:\s+([\d.]+) micros/op (\d+) ops/sec")
PERCENTILES = re.compile(r"^Percentiles: P50: ([\d.]+) ")
OPENED = re.compile(r"^Opened in ([\d.]+) ms")
RESIDENT = re.compile(r"^Resident: (\d+) KiB")


class AxisLeftOut(Exception):
    """An axis that this machine cannot measure."""


def parse(text):
    """What c_bench printed: {benchmark: {"micros", "per_second", "p50"}},
    "open" in ms (the last one) and "memory" in MiB."""
    found, last = {}, None
    for line in text.splitlines():
        result = RESULT.match(line)
        if result:
            last = found.setdefault(result.group(1), {})
            last.update(micros=float(result.group(2)),
                        per_second=float(result.group(3)))
        percentiles = PERCENTILES.match(line)
        if percentiles and last is not None:
            last["p50"] = float(percentiles.group(1))
        opened, resident = OPENED.match(line), RESIDENT.match(line)
        if opened:
            found["open"] = float(opened.group(1))
        if resident:
            found["memory"] = int(resident.group(1)) / 1024
    return found


def constant(_):
    """A cost that need not grow."""
    return 1.0


def linear(ratio):
    """A cost of each of the things that become more."""
    return ratio


def logarithm(ratio):
    """A search among what becomes more, from some thousand on."""
    return 1 + math.log2(max(ratio, 1)) / math.log2(1000)


def _number(point):
    for unit, letter in ((10 ** 9, "G"), (10 ** 6, "M"), (1000, "k")):
        if point >= unit:
            return f"{point / unit:g}{letter}"
    return f"{point:g}"


def _bytes(point):
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if point >= unit:
            return f"{point / unit:g} {name}"
    return f"{point} B"


def _little(_):
    """Room on the disk that is always there."""
    return 0


@dataclasses.dataclass(frozen=True)
class Axis:
    """One thing that grows. `measure` takes what runs c_bench, and a point;
    `bounds` says of each figure what it must grow by if the points' ratio is
    given; `room` is how many bytes of the disk a point may take."""
    name: str
    full: tuple
    quick: tuple
    measure: object
    bounds: dict
    label: object = _number
    room: object = _little

    def points(self, is_quick):
        """Where it is measured."""
        return self.quick if is_quick else self.full


def _use(run, **flags):
    """The costs on a database that is there. Puts come last and by
    themselves, so that nothing is in memory but what was read."""
    existing = {"use_existing_db": "true", **flags}
    hot = min(HOT_KEYS, int(flags["num"]))
    read = run("readseq,readrandom,seekrandom",
               **{**existing, "num": hot, "reads": READS})
    written = run("overwrite", **{**existing, "writes": WRITES})
    return {"get, us": read["readrandom"]["micros"],
            "seek, us": read["seekrandom"]["micros"],
            "put, us": written["overwrite"]["micros"],
            "open, ms": read["open"], "memory, MiB": read["memory"]}


def _bytes_point(run, point):
    shape = {"value_size": 1000, "num": point // 1016}
    run("filluniquerandom,flush,waitforcompaction", disable_wal="true",
        **shape)
    return _use(run, **shape)


def _files_point(run, point):
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if most != resource.RLIM_INFINITY and most < point + 1000:
        raise AxisLeftOut(f"{most} files may be open, {point} must be")
    shape = {"num": 10 * point, "files": point}
    run("fillfiles", **shape)
    return _use(run, **shape)


def _families_point(run, point):
    shape = {"num": 10 * point, "num_column_families": point,
             "write_buffer_size": 1 << 20}
    run("fillrandom", **shape)
    return _use(run, **shape)


def _threads_point(run, point):
    """Time for each operation by the clock: the inverse of all threads' rate."""
    shape = {"num": 100_000, "threads": point}
    run("fillrandom,flush", num=100_000)
    used = run("readseq,readrandom,seekrandom,overwrite",
               use_existing_db="true", reads=max(400_000 // point, 1),
               writes=max(200_000 // point, 1), **shape)
    return {f"{figure}, us": 1e6 / used[name]["per_second"]
            for figure, name in (("get", "readrandom"), ("put", "overwrite"),
                                 ("seek", "seekrandom"))}


def _values_point(run, point):
    count = min(max((256 << 20) // point, 4), 50_000)
    shape = {"value_size": point, "num": count}
    filled = run("fillrandom,flush,waitforcompaction", **shape)
    used = run("readseq,readrandom,seekrandom", use_existing_db="true",
               **shape)
    return {"put, us": filled["fillrandom"]["micros"],
            "get, us": used["readrandom"]["micros"],
            "seek, us": used["seekrandom"]["micros"]}


def _tombstones(in_tables):
    def measure(run, point):
        flush = ",flush" if in_tables else ""
        used = run(f"filluniquerandom,flush,deleteseq{flush},seekfirst",
                   num=point + 1000, deletes=point, reads=200,
                   disable_auto_compactions="true")
        return {"seek, us": used["seekfirst"]["p50"],
                "mean seek, us": used["seekfirst"]["micros"]}
    return measure


_SEARCHES = {"get, us": logarithm, "seek, us": logarithm,
             "put, us": logarithm}

AXES = (
    Axis("bytes", (10 ** 9, 10 ** 10, 10 ** 11), (5 * 10 ** 7, 5 * 10 ** 8),
         _bytes_point, {**_SEARCHES, "open, ms": linear,
                        "memory, MiB": linear},
         # A compaction of everything has it twice.
         room=lambda point: 2 * point),
    Axis("files", (1000, 10_000, 100_000), (100, 1000), _files_point,
         {**_SEARCHES, "open, ms": linear, "memory, MiB": linear}),
    Axis("families", (10, 1000, 10_000), (10, 100), _families_point,
         {"get, us": constant, "seek, us": constant, "put, us": constant,
          "open, ms": linear, "memory, MiB": linear}),
    Axis("threads", (1, 2, 4, 8, 16, 32, 64), (1, 4, 16), _threads_point,
         dict.fromkeys(_SEARCHES, constant)),
    Axis("values", (16, 1 << 10, 1 << 16, 1 << 20, 1 << 24, 1 << 26),
         (16, 1 << 10, 1 << 16, 1 << 20), _values_point,
         dict.fromkeys(_SEARCHES, linear), _bytes),
    Axis("tombstones in the memtable", (1000, 100_000), (1000, 10_000),
         _tombstones(in_tables=False),
         {"seek, us": constant, "mean seek, us": constant}),
    Axis("tombstones in tables", (1000, 100_000), (1000, 10_000),
         _tombstones(in_tables=True),
         {"seek, us": linear, "mean seek, us": linear}),
)
