"""What the device moves when it reads and writes at once: the bound of what
compaction can reach."""

import mmap
import os
import threading
import time

REQUEST = 256 << 10
FILE_BYTES = 256 << 20
IN_FLIGHT = 2


def measure(directory, seconds=2.0):
    """Bytes a second read and written side by side with direct requests of
    256 KiB, two in flight each way; None where the file system has no direct
    I/O."""
    paths = [os.path.join(directory, f"probe-{kind}-{os.getpid()}")
             for kind in ("read", "write")]
    try:
        return _measure(paths, seconds)
    except OSError:
        return None
    finally:
        for path in paths:
            if os.path.exists(path):
                os.unlink(path)


def _measure(paths, seconds):
    for path in paths:
        _make_file(path)
    moved = [0] * (2 * IN_FLIGHT)
    errors = []
    end = time.monotonic() + seconds

    def move(slot):
        path, is_read = paths[slot % 2], slot % 2 == 0
        try:
            moved[slot] = _move(path, is_read, slot // 2, end)
        except OSError as error:
            errors.append(error)

    threads = [threading.Thread(target=move, args=(slot,))
               for slot in range(len(moved))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return {"read_bytes_per_second": sum(moved[0::2]) / seconds,
            "write_bytes_per_second": sum(moved[1::2]) / seconds}


def _make_file(path):
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC
                         | os.O_DIRECT, 0o600)
    try:
        with mmap.mmap(-1, REQUEST) as buffer:
            for offset in range(0, FILE_BYTES, REQUEST):
                os.pwritev(descriptor, [buffer], offset)
    finally:
        os.close(descriptor)


def _move(path, is_read, part, end):
    """Moves one half of a file, over and over, until the end."""
    share = FILE_BYTES // IN_FLIGHT
    call = os.preadv if is_read else os.pwritev
    descriptor = os.open(path, os.O_RDWR | os.O_DIRECT)
    total = 0
    try:
        with mmap.mmap(-1, REQUEST) as buffer:
            while time.monotonic() < end:
                total += call(descriptor, [buffer],
                              part * share + total % share)
    finally:
        os.close(descriptor)
    return total
