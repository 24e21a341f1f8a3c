// One blob file as the version state knows it: what the manifest says about
// it, and what this process has learned since.
//
// Threads    BlobFile is constant once a Version lists it, but for the reader,
//            which is set once. BlobFileState is a value.
// Ownership  BlobFile is shared by every Version that lists it. When the last
//            one lets go, the destructor reports it to the BlobFileSink, which
//            is how blob files get deleted.
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class BlobFileReader;
class Cache;

// Records of the manifest (db-format.md 4.6).
struct BlobFileAddition {
  uint64_t number = 0, total_count = 0, total_bytes = 0;
  std::string checksum_method, checksum_value;
};
struct BlobFileGarbage {
  uint64_t number = 0, garbage_count = 0, garbage_bytes = 0;
};

// Where a blob file goes when no Version lists it any more.
class BlobFileSink {
 public:
  virtual ~BlobFileSink() = default;
  // Called from any thread, with or without the DB mutex: must not take it.
  // The file goes if nothing else stands for it.
  virtual void OnBlobUnreferenced(const std::string& path, uint64_t number,
                                  uint64_t size_bytes) = 0;
};

struct BlobFile {
  explicit BlobFile(BlobFileAddition addition) : record(std::move(addition)) {}
  BlobFile(const BlobFile&) = delete;
  BlobFile& operator=(const BlobFile&) = delete;
  ~BlobFile();

  // Header, records, footer (db-format.md 7.1).
  static constexpr uint64_t kFrameBytes = 30 + 32;
  uint64_t size_bytes() const { return record.total_bytes + kFrameBytes; }

  const BlobFileAddition record;
  // Set when the file first enters an installed Version.
  std::string path;
  std::shared_ptr<BlobFileSink> sink;
  // It is being written, and no version lists it; its reader is pinned.
  bool is_growing = false;
  // Where its reader may be; null: pinned below.
  std::shared_ptr<Cache> readers;

  // The reader that stays open as long as the file lives (max_open_files =
  // -1). release/acquire: a reader that sees it sees it whole.
  mutable std::atomic<const BlobFileReader*> pinned_reader{nullptr};
  mutable std::shared_ptr<const BlobFileReader> pinned_owner;
};

// The key of a file's reader among those that a database has open.
std::string BlobReaderKey(uint64_t number);

using BlobFileRef = std::shared_ptr<BlobFile>;

// A blob file in one Version.
struct BlobFileState {
  BlobFileRef file;
  uint64_t garbage_count = 0;
  uint64_t garbage_bytes = 0;
  // Tables of the Version whose oldest reference is to this file.
  size_t linked_table_count = 0;

  uint64_t number() const { return file->record.number; }
  bool IsAllGarbage() const {
    assert(garbage_count <= file->record.total_count);
    return garbage_count >= file->record.total_count;
  }
};

// The blob files of one Version, by ascending number.
using BlobFileList = std::vector<BlobFileState>;

// The file with that number; null: the list has none.
inline const BlobFileState* FindBlobFile(const BlobFileList& list,
                                         uint64_t number) {
  const auto found = std::lower_bound(
      list.begin(), list.end(), number,
      [](const BlobFileState& f, uint64_t n) { return f.number() < n; });
  if (found == list.end() || found->number() != number) return nullptr;
  assert(found->file != nullptr);
  return &*found;
}

}  // namespace ROCKSDB_NAMESPACE
