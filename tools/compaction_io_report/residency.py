"""How much of the hot keys' data is in the page cache.

Hot keys are the first of the key space, so what holds them in a table file is
its first part, in proportion to the keys.
"""

import ctypes
import mmap
import os

SYS_CACHESTAT = 451
PAGE = mmap.PAGESIZE

_LIBC = ctypes.CDLL(None, use_errno=True)


class _Range(ctypes.Structure):
    _fields_ = [("offset", ctypes.c_uint64), ("length", ctypes.c_uint64)]


class _CacheStat(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in (
        "cached", "dirty", "writeback", "evicted", "recently_evicted")]


def key_number(key):
    """db_bench writes the number of a key into its first eight bytes."""
    return int.from_bytes(key[:8].ljust(8, b"\0"), "big")


def hot_part(size, low, high, hot_keys):
    """How many of a file's first bytes hold keys below `hot_keys`; `low` and
    `high` are the numbers of its first and last key."""
    if low >= hot_keys:
        return 0
    share = (min(high, hot_keys - 1) - low + 1) / (high - low + 1)
    return min(size, -(-int(size * share) // PAGE) * PAGE)


def cached_pages(path, length):
    """Pages of the first `length` bytes of a file that are in the cache, or
    None if the kernel does not tell."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        cached = _by_cachestat(descriptor, length)
        return _by_mincore(descriptor, length) if cached is None else cached
    finally:
        os.close(descriptor)


def _by_cachestat(descriptor, length):
    wanted, stat = _Range(0, length), _CacheStat()
    status = _LIBC.syscall(SYS_CACHESTAT, descriptor, ctypes.byref(wanted),
                           ctypes.byref(stat), 0)
    return stat.cached if status == 0 else None


def _by_mincore(descriptor, length):
    # A private writable mapping, as ctypes cannot take the address of another;
    # nothing is written to it.
    with mmap.mmap(descriptor, length, mmap.MAP_PRIVATE,
                   mmap.PROT_READ | mmap.PROT_WRITE) as view:
        anchor = ctypes.c_char.from_buffer(view)
        try:
            pages = (ctypes.c_ubyte * (-(-length // PAGE)))()
            status = _LIBC.mincore(
                ctypes.c_void_p(ctypes.addressof(anchor)),
                ctypes.c_size_t(length), pages)
        finally:
            del anchor
    return sum(page & 1 for page in pages) if status == 0 else None


def measure(directory, tables, hot_keys):
    """Pages that hold hot keys, and those of them that are cached."""
    total = cached = 0
    for number, size, low, high in tables:
        path = os.path.join(directory, f"{number:06}.sst")
        length = hot_part(size, key_number(low), key_number(high), hot_keys)
        if length == 0:
            continue
        try:
            found = cached_pages(path, length)
        except (OSError, ValueError):
            continue  # Deleted since the list was made.
        if found is None:
            return None
        total += -(-length // PAGE)
        cached += found
    return {"hot_pages": total, "cached_pages": cached,
            "share": cached / total if total else None}
