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

MIXED = "mixed"
MAJOR = "major"


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


# Those that matter most come first, in case time runs out.
WORKLOADS = (
    Workload("hot-7500", "hot set of 7 500 keys (30 MB)", MIXED, 7_500),
    Workload("hot-100000", "hot set of 100 000 keys (400 MB)", MIXED,
             100_000),
    Workload("hot-400000", "hot set larger than the cache (1.6 GB)", MIXED,
             400_000),
    Workload("hot-100000-equal", "100 000 keys, equal work", MIXED, 100_000,
             equal_to="hot-100000"),
    Workload("major-unthrottled", "major compaction, unthrottled", MAJOR,
             100_000),
    Workload("major-throttled", "major compaction, throttled", MAJOR,
             100_000, is_throttled=True),
    Workload("major-two-threads", "major compaction, two threads", MAJOR,
             100_000, subcompactions=2, only=(READ_WRITE,)),
    Workload("hot-7500-equal", "7 500 keys, equal work", MIXED, 7_500,
             equal_to="hot-7500"),
)


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
    def major_rate(self):
        """The limit of a throttled major compaction, so that it takes the
        whole time of a run."""
        return max(2 * self.run_keys * ENTRY_SIZE // self.seconds, 1)
