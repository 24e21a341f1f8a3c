"""What the kernel tells about a run: processor, pressure, device, threads."""

import os
import threading

from scripts.machine import read_steal, stolen_share

TICKS = os.sysconf("SC_CLK_TCK")
SECTOR = 512
SAMPLE_SECONDS = 0.25


def read_text(path):
    """A file's text, or an empty one."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def parse_pressure(text):
    """Microseconds of stall since boot: {"some": n, "full": n}."""
    totals = {}
    for line in text.splitlines():
        kind, *fields = line.split()
        for field in fields:
            name, _, value = field.partition("=")
            if name == "total":
                totals[kind] = int(value)
    return totals


def parse_disk(text, device):
    """The figures of one device, given as (major, minor), in
    /proc/diskstats; None if it is not there."""
    for line in text.splitlines():
        fields = line.split()
        if len(fields) < 14 or (int(fields[0]), int(fields[1])) != device:
            continue
        numbers = [int(field) for field in fields[3:14]]
        return {
            "reads": numbers[0], "read_bytes": numbers[2] * SECTOR,
            "read_ms": numbers[3],
            "writes": numbers[4], "write_bytes": numbers[6] * SECTOR,
            "write_ms": numbers[7],
            "busy_ms": numbers[9], "queue_ms": numbers[10],
        }
    return None


def parse_thread(text):
    """(name, user seconds, system seconds) of a /proc/.../stat."""
    name = text[text.index("(") + 1:text.rindex(")")]
    fields = text[text.rindex(")") + 2:].split()
    return name, int(fields[11]) / TICKS, int(fields[12]) / TICKS


def class_of(name):
    """Threads that differ by a number at the end are one class."""
    return name.rstrip("0123456789")


def own_class(path):
    """The class of the threads that a program has not named; the kernel keeps
    15 characters."""
    return class_of(os.path.basename(path)[:15])


class Machine:
    """Readings of the whole machine, and their differences."""

    def __init__(self, directory):
        number = os.stat(directory).st_dev
        self._device = os.major(number), os.minor(number)

    def read(self, group):
        """One reading; `group` is the memory group of the run."""
        return {
            "steal": read_steal(),
            "pressure": {kind: parse_pressure(
                read_text(f"/proc/pressure/{kind}"))
                for kind in ("cpu", "io", "memory")},
            "disk": parse_disk(read_text("/proc/diskstats"), self._device),
            "refaults": group.file_refaults(),
        }

    @staticmethod
    def difference(before, after):
        """What happened between two readings."""
        disk = None
        if before["disk"] and after["disk"]:
            disk = {name: after["disk"][name] - value
                    for name, value in before["disk"].items()}
        refaults = None
        if before["refaults"] is not None:
            refaults = after["refaults"] - before["refaults"]
        return {
            "steal": stolen_share(before["steal"], after["steal"]),
            "load": os.getloadavg()[0],
            "pressure_seconds": {
                f"{kind}.{degree}": (total - before["pressure"][kind].get(
                    degree, 0)) / 1e6
                for kind, totals in after["pressure"].items()
                for degree, total in totals.items()},
            "disk": disk,
            "refaults": refaults,
        }


class ThreadWatch:
    """Follows the threads of a process until stopped, and adds up what each
    class of them used: processor time, and waits for a processor."""

    def __init__(self, pid):
        self._folder = f"/proc/{pid}/task"
        self._threads = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self):
        """Ends it, and returns class -> figures in seconds. What a thread
        used after the last look at it is missing."""
        self._stop.set()
        self._thread.join()
        classes = {}
        for name, user, system, wait in self._threads.values():
            total = classes.setdefault(
                class_of(name), {"user": 0.0, "system": 0.0, "queued": 0.0})
            total["user"] += user
            total["system"] += system
            total["queued"] += wait
        return classes

    def _run(self):
        while not self._stop.wait(SAMPLE_SECONDS):
            self._look()

    def _look(self):
        try:
            numbers = os.listdir(self._folder)
        except OSError:
            return  # The process has ended.
        for number in numbers:
            stat = read_text(f"{self._folder}/{number}/stat")
            queue = read_text(f"{self._folder}/{number}/schedstat").split()
            if stat:
                wait = int(queue[1]) / 1e9 if len(queue) > 1 else 0.0
                self._threads[number] = (*parse_thread(stat), wait)
