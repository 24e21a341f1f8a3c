// What of one file would survive a crash: the model behind
// FaultInjectionFileSystem.
//
// A file is a durable image plus blocks of 4 KiB that were written since the
// last sync. For each such block the durable bytes are kept, so that it can be
// lost by itself, or torn: only its first sectors or bytes are new. A failed
// sync abandons the blocks of that moment: as in a kernel, no later sync makes
// them durable. Behind the data there may be zeros, in space that is reserved
// for a mapping.
//
// Threads    Safe for concurrent use.
// Ownership  Shared by the names and the open handles of the file.
// Errors     None of its own; it does no I/O.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "rocksdb/slice.h"
#include "util/mutex.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

class FaultFileState {
 public:
  static constexpr uint64_t kBlockBytes = 4096;
  static constexpr uint64_t kSectorBytes = 512;

  // Reads durable bytes [offset, offset + n) of the file before they are
  // overwritten; shorter at its end.
  using ReadOld = std::function<std::string(uint64_t offset, size_t n)>;

  // A file whose `size_bytes` are all durable; `tail` are those behind the last
  // whole block.
  FaultFileState(uint64_t size_bytes, std::string tail);

  uint64_t size() const EXCLUDES(mutex_);

  // Before `data` is written at `offset`.
  void NoteWrite(uint64_t offset, const Slice& data, const ReadOld& read_old)
      EXCLUDES(mutex_);
  // The file now has `size_bytes`; `tail` as in the constructor.
  void NoteTruncate(uint64_t size_bytes, std::string tail) EXCLUDES(mutex_);
  // The file is longer than its data, by zeros up to `end`.
  void NoteReserved(uint64_t end) EXCLUDES(mutex_);
  // It ends with its data again; a crash may bring the zeros back.
  void NoteCut() EXCLUDES(mutex_);
  void NoteSync() EXCLUDES(mutex_);
  void NoteFailedSync() EXCLUDES(mutex_);

  // Is there anything that a crash could take?
  bool HasUnsynced() const EXCLUDES(mutex_);

  // The file after a crash, from its present `bytes`; every unsynced block
  // survives with a chance of `survival_percent`, and unless that is 0 or 100
  // some are torn. All of it is durable then.
  std::string Crash(std::string bytes, int survival_percent, Random64* random)
      EXCLUDES(mutex_);

  // Handles that are open for writing. A stale one may still change the file
  // when it is closed.
  void AddWriter(int change) EXCLUDES(mutex_);
  bool HasWriters() const EXCLUDES(mutex_);

 private:
  struct Block {
    std::string durable;
    bool is_abandoned = false;
  };

  // What the device has of an unsynced block, of which `now` was written over
  // `old`, of the same size; and how far the file reaches by it.
  struct Remains {
    std::string bytes;
    size_t end = 0;
  };
  static Remains Tear(const std::string& old, const std::string& now,
                      Random64* random);
  static Remains Survive(const std::string& old, const std::string& now,
                         int survival_percent, Random64* random);

  mutable Mutex mutex_;
  uint64_t size_ GUARDED_BY(mutex_);
  uint64_t durable_size_ GUARDED_BY(mutex_);
  // Bytes from the last block boundary to the end.
  std::string tail_ GUARDED_BY(mutex_);
  // Where reserved space ends; 0 if there is none behind the data.
  uint64_t reserved_end_ GUARDED_BY(mutex_) = 0;
  bool is_cut_ GUARDED_BY(mutex_) = false;
  // Unsynced blocks by index.
  std::map<uint64_t, Block> blocks_ GUARDED_BY(mutex_);
  int writer_count_ GUARDED_BY(mutex_) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
