"""The raw results: JSON lines, written as they come."""

import json


# What two reports must share for their runs to stand beside each other.
SHARED_SETUP = ("processor", "kernel", "scale", "seconds", "keys",
                "value_size", "memory_bytes", "readers", "write_limit",
                "paced_reads", "filled_by", "more_flags")


class StoreError(Exception):
    """A file that holds no raw results."""


class Store:
    """What was measured. `path` None keeps it in memory alone."""

    def __init__(self, path=None):
        self.setup = {}
        self.runs = []
        self.left_out = []
        self._file = open(path, "w", encoding="utf-8") if path else None

    def add(self, record):
        """Takes a record of one of the three kinds."""
        self._sort_in(record)
        if self._file:
            self._file.write(json.dumps(record, separators=(",", ":")) + "\n")
            self._file.flush()

    def take_over(self, earlier, setup):
        """Begins with the runs of a report that was made under the same
        setup as this one."""
        for name in SHARED_SETUP:
            # What older reports lack was empty.
            before, now = (of.get(name) or None
                           for of in (earlier.setup, setup))
            if before != now:
                raise StoreError(f"the earlier report has {name} {before}, "
                                 f"this one {now}")
        self.add(earlier.setup)
        for run in earlier.runs:
            self.add(run)

    def has_run(self, key):
        """Whether a run of this key is there that counts."""
        return any(not run["discarded"] and
                   all(run.get(name) == value for name, value in key.items())
                   for run in self.runs)

    def failures(self):
        """How many runs ended without a result."""
        return sum(record.get("failed", False) for record in self.left_out)

    def close(self):
        """Ends the file."""
        if self._file:
            self._file.close()

    def _sort_in(self, record):
        kind = record.get("kind")
        if kind == "setup":
            self.setup = record
        elif kind == "run":
            self.runs.append(record)
        elif kind == "left out":
            self.left_out.append(record)
        else:
            raise StoreError(f"a record of kind {kind!r}")


def load(path):
    """The raw results of an earlier report."""
    store = Store()
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                store.add(json.loads(line))
            except (ValueError, AttributeError) as error:
                raise StoreError(f"{path}:{number}: {error}") from error
    if not store.setup:
        raise StoreError(f"{path}: no record of the setup")
    return store
