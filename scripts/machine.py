"""Figures of the machine that measurements share."""


def read_steal():
    """Clock ticks of all processors: (stolen by the host, all)."""
    try:
        with open("/proc/stat", encoding="ascii") as stat:
            ticks = [int(field) for field in stat.readline().split()[1:9]]
    except OSError:
        return 0, 1
    return ticks[7], sum(ticks)


def stolen_share(before, after):
    """The part of the processors' time between two readings of read_steal()
    that the host took."""
    return (after[0] - before[0]) / max(1, after[1] - before[1])
