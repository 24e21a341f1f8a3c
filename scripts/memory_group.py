"""A memory cgroup of one's own, where the machine allows to make one.

Works with version 2 and version 1 of the interface. The group is made below
that of this process, so the limits that hold for it hold on; only where that
is impossible is it made at the top.
"""

import os


class MemoryGroup:
    """A group with a limit; used in a `with` statement.

    `path` is None, and `why_not` says why, if no group could be made. Then
    everything else does nothing, and figures are None.
    """

    def __init__(self, name, limit_bytes):
        self.path = None
        self.why_not = "no memory controller is mounted"
        self._is_v2 = False
        for is_v2, mount, own in _hierarchies():
            for parent in dict.fromkeys((mount + own.rstrip("/"), mount)):
                path = os.path.join(parent, f"{name}-{os.getpid()}")
                try:
                    self._make(path, is_v2, limit_bytes)
                    return
                except OSError as error:
                    self.why_not = f"{path}: {error.strerror}"
                    _remove(path)

    def _make(self, path, is_v2, limit_bytes):
        if is_v2:
            _enable_memory(os.path.dirname(path))
        os.mkdir(path)
        name = "memory.max" if is_v2 else "memory.limit_in_bytes"
        _write(os.path.join(path, name), str(limit_bytes))
        self.path = path
        self._is_v2 = is_v2
        # Without swap, what does not fit is page cache that is dropped: the
        # thing that is to be seen.
        off = "memory.swap.max" if is_v2 else "memory.swappiness"
        try:
            _write(os.path.join(path, off), "0")
        except OSError:
            pass  # A kernel without swap has no such file.

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.path is not None:
            _remove(self.path)

    def join(self):
        """Puts the calling process into the group; for a child, before it
        becomes another program."""
        if self.path is not None:
            _write(os.path.join(self.path, "cgroup.procs"), str(os.getpid()))

    def file_refaults(self):
        """How often a page of a file was read again after it was dropped."""
        if self.path is None:
            return None
        with open(os.path.join(self.path, "memory.stat"),
                  encoding="ascii") as stat:
            figures = dict(line.split() for line in stat)
        for name in ("workingset_refault_file", "workingset_refault"):
            if name in figures:
                return int(figures[name])
        return None


def _hierarchies():
    """(is version 2, mount point, path of our own group) of each hierarchy
    that may have a memory controller."""
    own = {}
    try:
        with open("/proc/self/cgroup", encoding="utf-8") as lines:
            for line in lines:
                _, controllers, path = line.rstrip("\n").split(":", 2)
                for controller in controllers.split(","):
                    own[controller] = path
        with open("/proc/mounts", encoding="utf-8") as mounts:
            fields = [line.split() for line in mounts]
    except OSError:
        return
    for _, mount, kind, options, *_ in fields:
        if kind == "cgroup2" and "" in own:
            yield True, mount, own[""]
        elif kind == "cgroup" and "memory" in options.split(","):
            yield False, mount, own.get("memory", "/")


def _enable_memory(parent):
    """Lets groups below `parent` have the memory controller."""
    control = os.path.join(parent, "cgroup.subtree_control")
    with open(control, encoding="ascii") as enabled:
        if "memory" in enabled.read().split():
            return
    _write(control, "+memory")


def _write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _remove(path):
    try:
        os.rmdir(path)
    except OSError:
        pass  # It was never made, or the kernel is not done with it.
