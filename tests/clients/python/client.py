#!/usr/bin/env python3
"""The C interface of an installed Basalt through ctypes: opens, writes in two
column families, iterates, merges with a callback, compacts with direct reads,
and counts the keys of a golden database where one is given.

  client.py LIBRARY DIRECTORY [GOLDEN DEFAULT_COUNT SECOND_COUNT]
"""

import ctypes
import sys
from ctypes import (POINTER, byref, c_char_p, c_int, c_size_t, c_ubyte,
                    c_void_p)

libc = ctypes.CDLL(None)
libc.malloc.restype = c_void_p
libc.malloc.argtypes = [c_size_t]

BYTES = [c_void_p, c_size_t]
FULL_MERGE = ctypes.CFUNCTYPE(
    c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_size_t,
    POINTER(c_void_p), POINTER(c_size_t), c_int, POINTER(c_ubyte),
    POINTER(c_size_t))
PARTIAL_MERGE = ctypes.CFUNCTYPE(
    c_void_p, c_void_p, c_void_p, c_size_t, POINTER(c_void_p),
    POINTER(c_size_t), c_int, POINTER(c_ubyte), POINTER(c_size_t))
NAME = ctypes.CFUNCTYPE(c_void_p, c_void_p)
JOIN = ctypes.create_string_buffer(b"join")

# name: (result, parameters); "err" stands for the error channel at the end.
FUNCTIONS = {
    "options_create": (c_void_p, []),
    "options_destroy": (None, [c_void_p]),
    "options_set_create_if_missing": (None, [c_void_p, c_ubyte]),
    "options_set_create_missing_column_families": (None, [c_void_p, c_ubyte]),
    "options_set_merge_operator": (None, [c_void_p, c_void_p]),
    "options_set_use_direct_io_for_compaction_reads":
        (None, [c_void_p, c_ubyte]),
    "mergeoperator_create":
        (c_void_p, [c_void_p, c_void_p, FULL_MERGE, PARTIAL_MERGE, c_void_p,
                    NAME]),
    "readoptions_create": (c_void_p, []),
    "writeoptions_create": (c_void_p, []),
    "flushoptions_create": (c_void_p, []),
    "open": (c_void_p, [c_void_p, c_char_p, "err"]),
    "open_column_families":
        (c_void_p, [c_void_p, c_char_p, c_int, POINTER(c_char_p),
                    POINTER(c_void_p), POINTER(c_void_p), "err"]),
    "open_for_read_only_column_families":
        (c_void_p, [c_void_p, c_char_p, c_int, POINTER(c_char_p),
                    POINTER(c_void_p), POINTER(c_void_p), c_ubyte, "err"]),
    "close": (None, [c_void_p]),
    "column_family_handle_destroy": (None, [c_void_p]),
    "put_cf": (None, [c_void_p, c_void_p, c_void_p] + BYTES * 2 + ["err"]),
    "merge_cf": (None, [c_void_p, c_void_p, c_void_p] + BYTES * 2 + ["err"]),
    "get_cf": (c_void_p, [c_void_p, c_void_p, c_void_p] + BYTES +
               [POINTER(c_size_t), "err"]),
    "flush_cf": (None, [c_void_p, c_void_p, c_void_p, "err"]),
    "compact_range_cf": (None, [c_void_p, c_void_p] + BYTES * 2),
    "create_iterator_cf": (c_void_p, [c_void_p] * 3),
    "iter_seek_to_first": (None, [c_void_p]),
    "iter_valid": (c_ubyte, [c_void_p]),
    "iter_next": (None, [c_void_p]),
    "iter_get_error": (None, [c_void_p, "err"]),
    "iter_destroy": (None, [c_void_p]),
    "free": (None, [c_void_p]),
}


class Library:
    """The functions above, without their prefix; errors are raised."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        for name, (result, parameters) in FUNCTIONS.items():
            function = self.library["rocksdb_" + name]
            function.restype = result
            function.argtypes = [POINTER(c_void_p) if p == "err" else p
                                 for p in parameters]
            fails = bool(parameters) and parameters[-1] == "err"
            setattr(self, name, self.raising(function) if fails else function)

    def raising(self, function):
        def call(*arguments):
            error = c_void_p()
            result = function(*arguments, byref(error))
            if error:
                text = ctypes.string_at(error).decode()
                self.free(error)
                raise OSError(text)
            return result
        return call


def joined(parts, success, size):
    """Bytes from malloc, which the library frees."""
    value = b",".join(parts)
    success[0] = 1
    size[0] = len(value)
    memory = libc.malloc(len(value) + 1)
    ctypes.memmove(memory, value, len(value))
    return memory


def operands_of(operands, sizes, count):
    return [ctypes.string_at(operands[i], sizes[i]) for i in range(count)]


@FULL_MERGE
def full_merge(_state, _key, _key_size, value, value_size, operands, sizes,
               count, success, size):
    first = [ctypes.string_at(value, value_size)] if value else []
    return joined(first + operands_of(operands, sizes, count), success, size)


@PARTIAL_MERGE
def partial_merge(_state, _key, _key_size, operands, sizes, count, success,
                  size):
    return joined(operands_of(operands, sizes, count), success, size)


@NAME
def merge_name(_state):
    return ctypes.addressof(JOIN)


class Database:
    """An open database of several families, all with the merge operator."""

    def __init__(self, library, path, families, read_only=False):
        self.library, self.names = library, families
        self.options = [self.new_options(not read_only)
                        for _ in range(len(families) + 1)]
        self.read = library.readoptions_create()
        self.write = library.writeoptions_create()
        handles = (c_void_p * len(families))()
        arguments = [self.options[-1], path.encode(), len(families),
                     (c_char_p * len(families))(*map(str.encode, families)),
                     (c_void_p * len(families))(*self.options[:-1]), handles]
        self.db = (library.open_for_read_only_column_families(*arguments, 0)
                   if read_only else library.open_column_families(*arguments))
        self.handles = dict(zip(families, handles))

    def new_options(self, can_create):
        options = self.library.options_create()
        self.library.options_set_create_if_missing(options, can_create)
        self.library.options_set_create_missing_column_families(options,
                                                                can_create)
        self.library.options_set_use_direct_io_for_compaction_reads(
            options, can_create)
        operator = self.library.mergeoperator_create(
            None, None, full_merge,
            partial_merge, None, merge_name)
        self.library.options_set_merge_operator(options, operator)
        return options

    def put(self, family, key, value):
        self.library.put_cf(self.db, self.write, self.handles[family], key,
                            len(key), value, len(value))

    def merge(self, family, key, value):
        self.library.merge_cf(self.db, self.write, self.handles[family], key,
                              len(key), value, len(value))

    def get(self, family, key):
        size = c_size_t()
        value = self.library.get_cf(self.db, self.read, self.handles[family],
                                    key, len(key), byref(size))
        if value is None:
            return None
        text = ctypes.string_at(value, size.value)
        self.library.free(value)
        return text

    def flush_and_compact(self, family, between=lambda: None):
        self.library.flush_cf(self.db, self.library.flushoptions_create(),
                              self.handles[family])
        between()
        self.library.compact_range_cf(self.db, self.handles[family], None, 0,
                                      None, 0)

    def count(self, family):
        iterator = self.library.create_iterator_cf(self.db, self.read,
                                                   self.handles[family])
        self.library.iter_seek_to_first(iterator)
        count = 0
        while self.library.iter_valid(iterator):
            count += 1
            self.library.iter_next(iterator)
        self.library.iter_get_error(iterator)
        self.library.iter_destroy(iterator)
        return count

    def close(self):
        for handle in self.handles.values():
            self.library.column_family_handle_destroy(handle)
        self.library.close(self.db)
        for options in self.options:
            self.library.options_destroy(options)


def expect(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def write_and_read(library, path):
    db = Database(library, path, ["default", "other"])
    for i in range(1000):
        db.put("default", b"key%04d" % i, b"value%d" % i)
        db.put("other", b"other%04d" % i, b"x")
    db.merge("other", b"list", b"a")
    db.merge("other", b"list", b"b")
    db.flush_and_compact("default")
    db.flush_and_compact("other", lambda: db.merge("other", b"list", b"c"))
    expect(db.get("other", b"list") == b"a,b,c", "merged by the callback")
    expect(db.get("default", b"key0500") == b"value500", "read back")
    expect(db.get("default", b"none") is None, "an absent key")
    expect(db.count("default") == 1000, "1000 keys")
    expect(db.count("other") == 1001, "1001 other keys")
    db.close()
    try:
        library.open(library.options_create(), (path + "/no/no").encode())
        expect(False, "opening what is not there fails")
    except OSError as error:
        expect(str(error), "an error says what is wrong")


def read_golden(library, path, default_count, second_count):
    db = Database(library, path, ["default", "second cf"], read_only=True)
    expect(db.count("default") == default_count, "the golden default family")
    expect(db.count("second cf") == second_count, "the golden second family")
    db.close()


def main():
    library = Library(sys.argv[1])
    write_and_read(library, sys.argv[2])
    if len(sys.argv) == 6:
        read_golden(library, sys.argv[3], *map(int, sys.argv[4:]))
    print("python: ok")


main()
