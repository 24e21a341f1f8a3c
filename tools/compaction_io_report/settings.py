"""What is measured: configurations, workloads, sizes."""

import dataclasses

KIB = 1 << 10
MIB = 1 << 20
GIB = 1 << 30

KEY_SIZE = 16
VALUE_SIZE = 4096
ENTRY_SIZE = KEY_SIZE + VALUE_SIZE

# At full size; --scale makes all of it smaller.
DATABASE_BYTES = 8_600_000_000
MEMORY_BYTES = GIB
SORTED_RUN_BYTES = 2 * GIB
INGEST_BYTES = 2_000_000_000
WRITE_BUFFER_BYTES = 64 * MIB
LEVEL_BASE_BYTES = 256 * MIB
# Smaller than any hot set: the page cache is what is shown.
BLOCK_CACHE_BYTES = 8 * MIB

# Less does not hold the program itself, which takes some 150 MiB at worst.
LEAST_MEMORY_BYTES = 256 * MIB
LEAST_WRITE_BUFFER_BYTES = 4 * MIB
LEAST_BLOCK_CACHE_BYTES = 128 * KIB

READERS = 4
WRITE_LIMIT = 200 * 1000 * 1000  # Bytes a second.
EQUAL_WORK_SHARE = 0.8
PACED_READS = 10_000  # A second.

DIRECT_WRITES = "use_direct_io_for_flush_and_compaction"
DIRECT_COMPACTION_READS = "use_direct_io_for_compaction_reads"
DIRECT_READS = "use_direct_reads"
SWITCHES = (DIRECT_WRITES, DIRECT_COMPACTION_READS, DIRECT_READS)


@dataclasses.dataclass(frozen=True)
class Configuration:
    """One setting of the switches. A program that lacks an option of `needs`
    cannot run it; `wishes` are set where they are known."""
    name: str
    needs: tuple = ()
    wishes: tuple = ()

    def arguments(self, known):
        """The flags for a program that knows the options `known`."""
        chosen = self.needs + self.wishes
        return [f"--{switch}={'true' if switch in chosen else 'false'}"
                for switch in SWITCHES if switch in known]

    def missing(self, known):
        """What it needs and the program does not have."""
        return [switch for switch in self.needs if switch not in known]


BUFFERED = "buffered"
WRITES_ONLY = "direct_compaction_writes_only"
READ_ONLY = "direct_compaction_read_only"
READ_WRITE = "direct_compaction_read_write"
ALL = "direct_all"

CONFIGURATIONS = (
    Configuration(BUFFERED),
    Configuration(WRITES_ONLY, (DIRECT_WRITES,)),
    Configuration(READ_ONLY, (DIRECT_COMPACTION_READS,)),
    Configuration(READ_WRITE, (DIRECT_COMPACTION_READS, DIRECT_WRITES)),
    # Where all reads are direct, those of compaction are, too.
    Configuration(ALL, (DIRECT_READS, DIRECT_WRITES),
                  (DIRECT_COMPACTION_READS,)),
)

# A writer, or nothing, beside reads without a pause; a major compaction beside
# paced ones; and whatever there is beside paced reads of all kinds, which only
# c_bench has.
MIXED = "mixed"
MAJOR = "major"
BESIDE = "beside"

NOTHING = "none"
WRITER = "writer"


@dataclasses.dataclass(frozen=True)
class Workload:
    """What readers and background do."""
    name: str
    title: str
    kind: str
    hot_keys: int            # At full size.
    equal_to: str = ""       # Throttled by what this workload showed.
    is_throttled: bool = False
    subcompactions: int = 1
    only: tuple = ()         # Names of configurations; empty for all.
    baseline: str = ""       # The workload that is this without background.
    beside: str = WRITER     # What goes on beside the reads.
    benchmark: str = "readbeside"  # What reads, if the kind is BESIDE.
    reads_per_second: int = 0      # All readers together; 0: no pause.
    write_limit: int = WRITE_LIMIT

    @property
    def is_alone(self):
        """Whether nothing goes on in the background."""
        return self.beside == NOTHING


PACED_RATES = (10_000, 20_000)          # Reads a second.
PACED_WRITERS = (50, 100)               # MB a second.
HOT_SETS = (7_500, 100_000, 400_000)    # Keys.
BATCHES = 1_000                         # Scans, or MultiGets, a second.
KEYS_OF_BATCH = 32
STEPS_OF_SCAN = 100
MEGA = 1_000_000

# Where a paced workload shows what it has to: without any switch, with the one
# that every release has, and with both.
PACED_CONFIGURATIONS = (BUFFERED, WRITES_ONLY, READ_WRITE)

JOBS = {"checkpoint": "checkpoints, one after another",
        "backup": "a backup of everything",
        "ingestion": "an ingestion of 2 GB",
        "compaction": "CompactRange() of everything"}


def _grouped(text):
    """A number with its digits in groups of three."""
    return f"{text:,}".replace(",", " ")


def _with_writers(name, title, writers, **common):
    """Paced reads alone, and beside each of the writers."""
    alone = f"{name}-alone"
    yield Workload(alone, f"{title}, alone", BESIDE, beside=NOTHING,
                   only=PACED_CONFIGURATIONS, **common)
    for rate in writers:
        yield Workload(f"{name}-{rate}", f"{title}, writer {rate} MB/s",
                       BESIDE, only=PACED_CONFIGURATIONS, baseline=alone,
                       write_limit=rate * MEGA, **common)


def _paced_workloads():
    for reads in PACED_RATES:
        for keys in HOT_SETS:
            yield from _with_writers(
                f"paced-{reads // 1000}k-{keys}",
                f"{_grouped(reads)} reads a second of {_grouped(keys)} keys",
                PACED_WRITERS, hot_keys=keys, reads_per_second=reads)
    common = {"hot_keys": 100_000, "reads_per_second": BATCHES}
    yield from _with_writers(
        "scan", f"{BATCHES} scans a second of {STEPS_OF_SCAN} keys",
        PACED_WRITERS[:1], benchmark="seekbeside", **common)
    yield from _with_writers(
        "multiget", f"{BATCHES} MultiGets a second of {KEYS_OF_BATCH} keys",
        PACED_WRITERS[:1], benchmark="multireadbeside", **common)
    for job, title in JOBS.items():
        yield Workload(job, f"10 000 reads a second beside {title}", BESIDE,
                       100_000, only=PACED_CONFIGURATIONS, beside=job,
                       baseline="paced-10k-100000-alone",
                       reads_per_second=10_000)


# Those that matter most come first, in case time runs out.
WORKLOADS = (
    Workload("hot-7500", "hot set of 7 500 keys (30 MB)", MIXED, 7_500,
             baseline="hot-7500-alone"),
    Workload("hot-100000", "hot set of 100 000 keys (400 MB)", MIXED,
             100_000, baseline="hot-100000-alone"),
    Workload("hot-400000", "hot set larger than the cache (1.6 GB)", MIXED,
             400_000, baseline="hot-400000-alone"),
    Workload("hot-100000-equal", "100 000 keys, equal work", MIXED, 100_000,
             equal_to="hot-100000", baseline="hot-100000-alone"),
    Workload("major-unthrottled", "major compaction, unthrottled", MAJOR,
             100_000, baseline="major-alone"),
    Workload("major-throttled", "major compaction, throttled", MAJOR,
             100_000, is_throttled=True, baseline="major-alone"),
    Workload("major-two-threads", "major compaction, two threads", MAJOR,
             100_000, subcompactions=2, only=(READ_WRITE,),
             baseline="major-alone"),
    Workload("hot-7500-equal", "7 500 keys, equal work", MIXED, 7_500,
             equal_to="hot-7500", baseline="hot-7500-alone"),
    *(Workload(f"hot-{keys}-alone", f"{_grouped(keys)} keys, alone", MIXED,
               keys, beside=NOTHING) for keys in HOT_SETS),
    Workload("major-alone", "two sorted runs that stay, alone", MAJOR,
             100_000, beside=NOTHING),
    *_paced_workloads(),
)
BY_NAME = {workload.name: workload for workload in WORKLOADS}
QUICK_COUNT = 8  # A quick look runs so many of the first workloads.


def groups(workloads):
    """The workloads, those together that have a baseline in common: their
    runs alternate. What follows from another's results has its own group."""
    found = {}
    for workload in workloads:
        key = (workload.name if workload.equal_to
               else workload.baseline or workload.name)
        found.setdefault(key, []).append(workload)
    return list(found.values())


@dataclasses.dataclass(frozen=True)
class Sizes:
    """The sizes of a run at a scale."""
    scale: float
    seconds: int

    def _scaled(self, size, least=1):
        return max(int(size * self.scale), least)

    @property
    def keys(self):
        """Keys of the database."""
        return self._scaled(DATABASE_BYTES / ENTRY_SIZE, 1000)

    @property
    def run_keys(self):
        """Keys written for one of the two sorted runs."""
        return self._scaled(SORTED_RUN_BYTES / ENTRY_SIZE, 1000)

    @property
    def memory(self):
        """The limit of the memory group."""
        return self._scaled(MEMORY_BYTES, LEAST_MEMORY_BYTES)

    @property
    def write_buffer(self):
        """Bytes of a memtable."""
        return self._scaled(WRITE_BUFFER_BYTES, LEAST_WRITE_BUFFER_BYTES)

    @property
    def block_cache(self):
        """Bytes of the engine's own cache."""
        return self._scaled(BLOCK_CACHE_BYTES, LEAST_BLOCK_CACHE_BYTES)

    @property
    def level_base(self):
        """Bytes of level 1."""
        return self._scaled(LEVEL_BASE_BYTES, 4 * LEAST_WRITE_BUFFER_BYTES)

    def hot_keys(self, workload):
        """Keys that are read."""
        most = self.run_keys if workload.kind == MAJOR else self.keys
        return min(self._scaled(workload.hot_keys, 100), most)

    def warming_reads(self, workload):
        """Reads that warm the hot set: each key once in order, and as many
        at random; no more than fit into memory."""
        return min(self.hot_keys(workload), self.memory // ENTRY_SIZE)

    @property
    def ingest_bytes(self):
        """Bytes of the tables that are ingested."""
        return self._scaled(INGEST_BYTES, ENTRY_SIZE)

    @property
    def major_rate(self):
        """The limit of a throttled major compaction, so that it takes the
        whole time of a run."""
        return max(2 * self.run_keys * ENTRY_SIZE // self.seconds, 1)
