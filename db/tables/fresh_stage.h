// Images of level-0 table files that were written lately, kept in memory until
// a compaction has read them: what a flush has just written need not come back
// from the device.
//
// Bounds     The bytes given; where a new image does not fit, the oldest go.
//            Images are charged to the write buffer manager, and none is kept
//            where it has no room: memtables come first.
// Threads    Any.
// Ownership  Whoever reads an image holds it; the stage lets go of it at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "file/fresh_image.h"
#include "util/mutex.h"
#include "util/thread_annotations.h"

namespace ROCKSDB_NAMESPACE {

class WriteBufferManager;

class FreshStage {
 public:
  // 0 bytes: keeps nothing. A null manager is charged nothing.
  FreshStage(uint64_t max_bytes, std::shared_ptr<WriteBufferManager> manager);
  ~FreshStage();
  FreshStage(const FreshStage&) = delete;
  FreshStage& operator=(const FreshStage&) = delete;

  // An image to be filled with a file of about so many bytes; null where it
  // would not be kept.
  std::shared_ptr<FreshImage> Begin(uint64_t expected_bytes) const;
  // The complete image of file `number`. False: there is no room.
  bool Keep(uint64_t number, std::shared_ptr<const FreshImage> image);

  std::shared_ptr<const FreshImage> Find(uint64_t number) const;
  void Drop(uint64_t number);
  // Memory is needed elsewhere.
  void DropAll();

  uint64_t bytes() const;

 private:
  struct Kept {
    uint64_t number;
    std::shared_ptr<const FreshImage> image;
  };
  bool HasRoomAtManager(uint64_t bytes) const;
  void DropOldest() REQUIRES(mutex_);
  void Uncharge(uint64_t bytes) REQUIRES(mutex_);

  const uint64_t max_bytes_;
  const std::shared_ptr<WriteBufferManager> manager_;
  mutable Mutex mutex_;
  std::deque<Kept> kept_ GUARDED_BY(mutex_);  // oldest first
  uint64_t bytes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
