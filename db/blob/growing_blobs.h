// The blob files of one family that entries of memtables refer to, as readers
// find them: no version lists them yet.
//
// A file is listed here from its opening until the last memtable goes whose
// entries refer to it, which is after a version lists the file. So whoever has
// come by a reference finds the file in one of both: that of a memtable here,
// as long as it holds the memtable; that of a table in the table's version.
//
// Threads    Any.
// Ownership  Shares the files. What Find() gives lasts as long as the memtable.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>

#include "db/blob/blob_file.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class GrowingBlobs {
 public:
  GrowingBlobs() = default;
  GrowingBlobs(const GrowingBlobs&) = delete;
  GrowingBlobs& operator=(const GrowingBlobs&) = delete;

  // Its reader is pinned. The number is not listed.
  void Add(BlobFileRef file);
  // One more memtable needs the file that is listed; null: none is.
  BlobFileRef AddUser(uint64_t number);
  // A memtable that needed it is gone.
  void RemoveUser(uint64_t number);

  // Null: there is none.
  const BlobFileState* Find(uint64_t number) const {
    // Most families never have any. acquire: pairs with the release in Add(),
    // which is before anybody has a reference to the file.
    if (count_.load(std::memory_order_acquire) == 0) return nullptr;
    return FindListed(number);
  }

 private:
  const BlobFileState* FindListed(uint64_t number) const;

  std::atomic<size_t> count_{0};
  mutable Mutex mutex_;
  struct Listed {
    BlobFileState state;
    size_t user_count = 0;
  };
  // Elements stay where they are while others come and go.
  std::map<uint64_t, Listed> files_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
