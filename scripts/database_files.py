"""Copies of databases, and their pages in the page cache."""

import os
import shutil


def drop_cached_pages(directory):
    """Writes a directory's files back and takes them out of the page cache,
    so that no run starts with what the one before has read."""
    for name in os.listdir(directory):
        descriptor = os.open(os.path.join(directory, name), os.O_RDONLY)
        try:
            os.fsync(descriptor)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(descriptor)


def clone_database(source, target):
    """Makes `target` a copy whose table files, which never change, are shared
    with `source`."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(
        source, target,
        copy_function=lambda old, new:
            (os.link if old.endswith(".sst") else shutil.copy2)(old, new))


def tree_size(directory):
    """Bytes of the files in a directory."""
    return sum(entry.stat().st_size for entry in os.scandir(directory))
