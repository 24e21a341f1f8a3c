// Entities of which columns are in blob files, and whole entries, as reads see
// them.
//
// Threads  As the fetcher's.
// Errors   Corruption for an entity that does not add up, NotSupported without
//          a fetcher; else the fetcher's.
#pragma once

#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class BlobFetcher;

// Puts the values into the places of the references to them; does nothing to
// an entity without any. `user_key` is the stored one. `blobs` may be null.
Status InlineBlobs(const BlobFetcher* blobs, const Slice& user_key,
                   std::string* entity);

// The same for an entry of any type: *value is the stored one, then what it
// stands for, of that *type.
Status InlineBlobs(const BlobFetcher* blobs, const Slice& user_key,
                   ValueType* type, std::string* value);

// The value of the default column alone; empty if the entity has none.
Status FetchDefaultColumn(const BlobFetcher* blobs, const Slice& user_key,
                          const Slice& entity, PinnableSlice* value);

}  // namespace ROCKSDB_NAMESPACE
