// Internal keys, as SstFileReader::NewTableIterator() shows and takes them: to
// make one to seek with, and to take one apart.
//
// Threads  Every call from any thread.
// Errors   InvalidArgument for null pointers; the result is then untouched.
#pragma once

#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

// Puts into *buf the key that stands before all entries of `user_key`, which
// has no timestamp: a target for Seek().
Status GetInternalKeyForSeek(const Slice& user_key,
                             const Comparator* comparator, std::string* buf);

// The key that stands behind all of them: a target for SeekForPrev().
Status GetInternalKeyForSeekForPrev(const Slice& user_key,
                                    const Comparator* comparator,
                                    std::string* buf);

// Takes an internal key apart. The slices of *parsed_entry point into it.
// InvalidArgument if it is too short, or its type is none that is stored.
Status ParseEntry(const Slice& internal_key, const Comparator* comparator,
                  ParsedEntryInfo* parsed_entry);

}  // namespace ROCKSDB_NAMESPACE
