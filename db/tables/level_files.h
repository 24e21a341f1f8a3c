// The table files of one level >= 1: sorted by smallest key, none overlapping.
//
// Point lookups and compaction picking ask the same question, "which file can
// hold this key?", and both get their answer here. Bounds are kept in one flat
// array with an 8-byte big-endian prefix of each largest user key, so that the
// search touches few cache lines (bytewise order; others compare keys).
//
// Invariant  files[i].largest < files[i + 1].smallest in internal-key order.
// Threads    Immutable after Build(); any thread may read without a lock.
// Ownership  Shares each FileMeta with the other versions that list it.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "db/tables/file_meta.h"
#include "rocksdb/status.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class LevelFiles {
 public:
  LevelFiles() = default;

  // `files` sorted by smallest. Corruption, naming both files, if any overlap
  // and `check_consistency`.
  [[nodiscard]] static Status Build(std::vector<FileRef> files,
                                    const InternalKeyComparator& order,
                                    bool check_consistency, LevelFiles* result);

  size_t size() const { return files_.size(); }
  bool empty() const { return files_.empty(); }
  const FileRef& at(size_t index) const {
    assert(index < files_.size());
    return files_[index];
  }
  const std::vector<FileRef>& files() const { return files_; }

  // The index of the first file whose largest key is >= `internal_key`;
  // size() if there is none. Cost: O(log n).
  size_t FirstEndingAtOrAfter(const Slice& internal_key) const;

 private:
  std::vector<FileRef> files_;
  std::vector<uint64_t> largest_prefixes_;
  const InternalKeyComparator* order_ = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE
