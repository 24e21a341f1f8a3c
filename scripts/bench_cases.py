"""What bench.py measures: data sets, cases and suites of them."""

import dataclasses

# Throughput of RocksDB 11.9 (release build) over Debian's 7.8.3, measured in
# five interleaved rounds on the reference machine with 2 M keys of 16 bytes
# and values of 100 bytes, without compression, with a block cache of 512 MiB,
# Bloom filters of 10 bits and one thread. The table is in
# docs/benchmarking.md. By the benchmark that counts.
FACTORS = {
    "fillseq": 1.65,
    "fillrandom": 1.45,
    "overwrite": 1.5,
    "readrandom": 1.15,
    "multireadrandom": 1.15,
    "readseq": 1.55,
    "seekrandom": 1.3,
    "compact": 1.25,
}

# The factor of what was not measured: where the processor is the limit, as it
# is with values of 4 KiB in a database that fits into memory, and where the
# device is.
PROCESSOR_FACTOR = 1.3
DEVICE_FACTOR = 1.0

# What both programs are told unless a case says otherwise.
SETTINGS = {
    "bloom_bits": "10",
    "cache_numshardbits": "6",
    "cache_size": str(512 << 20),
    "cache_type": "lru_cache",
    "compression_type": "none",
    "format_version": "5",
    "key_size": "16",
    "optimize_filters_for_memory": "false",
    "progress_reports": "false",
    "seed": "1234567",
    "seek_nexts": "10",
    "threads": "1",
}


@dataclasses.dataclass(frozen=True)
class Shape:
    """A data set."""
    name: str
    num: int
    value_size: int


@dataclasses.dataclass(frozen=True)
class Case:
    """One line of the table: what is run, and on which database."""
    name: str
    benchmarks: str        # All that are run, the measured one among them.
    measured: str          # The one whose result line counts.
    base: str = ""         # On the database that this base run left.
    waits: bool = False    # The wait for compaction counts, too.
    is_changing: bool = False   # It writes, to a copy of the base.
    is_cold: bool = False  # The files' pages are dropped before it.
    by_device: bool = False     # The device limits it, not the processor.
    by_bytes: bool = False  # Long scans end early where the keys do.
    threads: int = 1
    op_share: int = 1      # Operations of a thread are num / op_share.
    flags: tuple = ()      # Pairs that go before SETTINGS.
    shapes: tuple = ("100B", "4KiB")

    def factor(self, shape):
        """How much faster the peer is than stock."""
        if self.by_device:
            return DEVICE_FACTOR
        if shape.value_size != 100:
            return PROCESSOR_FACTOR
        return FACTORS.get(self.measured, PROCESSOR_FACTOR)


def _base(name, **more):
    return Case(name, "filluniquerandom,flush,waitforcompaction",
                "filluniquerandom", **more)


BASES = {case.name: case for case in (
    _base("base"),
    _base("prefix-base", flags=(("prefix_size", "7"),)),
)}

BASIC = (
    Case("fillseq", "fillseq", "fillseq"),
    Case("fillrandom", "fillrandom", "fillrandom"),
    Case("readrandom", "readrandom", "readrandom", base="base"),
    Case("readseq", "readseq", "readseq", base="base"),
    Case("seekrandom", "seekrandom", "seekrandom", base="base", op_share=4),
    Case("compact", "compact", "compact", base="base", is_changing=True),
    Case("overwrite+wait", "overwrite,waitforcompaction", "overwrite",
         base="base", waits=True, is_changing=True),
)

WRITERS = (1, 2, 8)
STATISTICS = "+stats"


def _write_cases():
    for threads in WRITERS:
        share = {"threads": threads, "shapes": ("100B",)}
        for name, benchmark, op_share, more in (
                ("fillseq", "fillseq", threads, {}),
                ("fillrandom", "fillrandom", threads, {}),
                ("fillsync", "fillrandom", 500,
                 {"flags": (("sync", "true"),), "by_device": True}),
                ("fillbatch", "fillbatch", threads, {}),
                ("overwrite", "overwrite", threads,
                 {"base": "base", "is_changing": True}),
                ("readwhilewriting", "readwhilewriting", 2 * threads,
                 {"base": "base", "is_changing": True}),
        ):
            for suffix in ("", STATISTICS):
                flags = more.get("flags", ())
                if suffix:
                    flags += (("statistics", "true"),)
                yield Case(f"{name}/{threads}{suffix}", benchmark, benchmark,
                           op_share=op_share,
                           **{**share, **more, "flags": flags})


# Smaller than any of the databases.
SMALL_CACHE = ("cache_size", str(8 << 20))
DIRECT = ("use_direct_reads", "true")


def _read_cases():
    common = {"base": "base", "shapes": ("100B", "4KiB")}
    yield Case("readrandom/block-cache", "readseq,readrandom", "readrandom",
               **common)
    yield Case("readrandom/page-cache", "readseq,readrandom", "readrandom",
               flags=(SMALL_CACHE,), **common)
    yield Case("readrandom/cold", "readrandom", "readrandom", is_cold=True,
               by_device=True, op_share=50, flags=(SMALL_CACHE,), **common)
    # There are as many seeks as keys, so that readseq, which gets the same
    # --reads, reads all keys.
    yield Case("seekrandom-10/block-cache", "readseq,seekrandom",
               "seekrandom", **common)
    for direct in (False, True):
        flags = (SMALL_CACHE, DIRECT) if direct else (SMALL_CACHE,)
        suffix = "/direct" if direct else ""
        more = {**common, "by_device": direct}
        # Direct reads come from the device, one by one.
        few = 20 if direct else 1
        if direct:
            yield Case("readrandom" + suffix, "readrandom", "readrandom",
                       op_share=20, flags=flags, **more)
        yield Case("multireadrandom-32" + suffix, "multireadrandom",
                   "multireadrandom", op_share=2 * few, flags=flags + (
                       ("batch_size", "32"), ("multiread_batched", "true")),
                   **more)
        for nexts, share in ((0, 4 * few), (10, 4 * few), (10_000, 5_000)):
            yield Case(f"seekrandom-{nexts}{suffix}", "seekrandom",
                       "seekrandom", op_share=share,
                       by_bytes=nexts >= 10_000,
                       flags=flags + (("seek_nexts", str(nexts)),), **more)
        yield Case("readseq" + suffix, "readseq", "readseq", flags=flags,
                   **more)
        yield Case("readreverse" + suffix, "readreverse", "readreverse",
                   flags=flags, **more)
        yield Case("prefix-seeks" + suffix, "seekrandom", "seekrandom",
                   op_share=4 * few, flags=flags + (
                       ("prefix_size", "7"), ("prefix_same_as_start", "true")),
                   **{**more, "base": "prefix-base"})
    yield Case("seekrandom-10000/direct/no-read-ahead", "seekrandom",
               "seekrandom", op_share=5_000, by_device=True, by_bytes=True,
               flags=(
                   SMALL_CACHE, DIRECT, ("seek_nexts", "10000"),
                   ("max_auto_readahead_size", "0")), **common)


SUITES = {
    "basic": BASIC,
    "writes": tuple(_write_cases()),
    "reads": tuple(_read_cases()),
}

# Ratios of our own figures: title, case, over case, bound.
OWN_RATIOS = {
    "basic": (),
    "writes": tuple(
        (f"{case.name} with statistics over without", case.name + STATISTICS,
         case.name, 0.95)
        for case in _write_cases() if not case.name.endswith(STATISTICS)),
    "reads": (
        ("direct scans of 10 000 entries, read-ahead over none",
         "seekrandom-10000/direct", "seekrandom-10000/direct/no-read-ahead",
         4.0),),
}


def shapes(share):
    """The data sets, divided by `share`."""
    return {"100B": Shape("100B", 1_000_000 // share, 100),
            "4KiB": Shape("4KiB", 100_000 // share, 4096)}
