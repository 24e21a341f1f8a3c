// The blobs of one version, kept for reads that come after the lookup that
// found the references to them.
//
// Threads    Immutable; any.
// Ownership  Holds a state of the family, so that the files stay.
// Errors     Corruption for a reference that names a file that the version does
//            not have; else as BlobSource.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/value/blob_index.h"

namespace ROCKSDB_NAMESPACE {

struct SuperVersion;

// One value, or a part of it, that is to be read.
struct WantedColumn {
  // The stored user key of the record.
  Slice user_key;
  BlobIndex blob;
  // The part of the value that is wanted. It is cut at the value's end; a part
  // that begins behind the end is InvalidArgument.
  uint64_t offset = 0;
  size_t length = 0;
  bool force_verify = false;
  PinnableSlice* result = nullptr;  // fresh or reset
  Status* status = nullptr;
};

class LazyBlobs {
 public:
  LazyBlobs(std::shared_ptr<const SuperVersion> state,
            const ReadOptions& options);
  LazyBlobs(const LazyBlobs&) = delete;
  LazyBlobs& operator=(const LazyBlobs&) = delete;

  // Sets each status; those of one file are read together.
  void Read(std::vector<WantedColumn> wanted) const;

 private:
  void ReadFile(WantedColumn* begin, WantedColumn* end) const;

  const std::shared_ptr<const SuperVersion> state_;
  // Those that say how a blob is read; nothing in it points anywhere.
  const ReadOptions options_;
};

}  // namespace ROCKSDB_NAMESPACE
