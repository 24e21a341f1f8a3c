#include "db/tables/fresh_stage.h"

#include <algorithm>
#include <utility>

#include "rocksdb/write_buffer_manager.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

FreshStage::FreshStage(uint64_t max_bytes,
                       std::shared_ptr<WriteBufferManager> manager)
    : max_bytes_(max_bytes), manager_(std::move(manager)) {}

FreshStage::~FreshStage() { DropAll(); }

std::shared_ptr<FreshImage> FreshStage::Begin(uint64_t expected_bytes) const {
  if (max_bytes_ == 0 || expected_bytes > max_bytes_ ||
      !HasRoomAtManager(expected_bytes)) {
    return nullptr;
  }
  return std::make_shared<FreshImage>();
}

bool FreshStage::HasRoomAtManager(uint64_t bytes) const {
  return manager_ == nullptr || !manager_->enabled() ||
         manager_->memory_usage() + bytes <= manager_->buffer_size();
}

bool FreshStage::Keep(uint64_t number,
                      std::shared_ptr<const FreshImage> image) {
  INVARIANT(image != nullptr);
  const uint64_t size = image->size();
  MutexLock lock(&mutex_);
  if (size > max_bytes_) return false;
  while (bytes_ + size > max_bytes_) DropOldest();
  while (!kept_.empty() && !HasRoomAtManager(size)) DropOldest();
  if (!HasRoomAtManager(size)) return false;
  if (manager_ != nullptr) {
    // Not of a memtable that could be flushed.
    manager_->ReserveMem(size);
    manager_->ScheduleFreeMem(size);
  }
  bytes_ += size;
  kept_.push_back({number, std::move(image)});
  INVARIANT(bytes_ <= max_bytes_);
  return true;
}

std::shared_ptr<const FreshImage> FreshStage::Find(uint64_t number) const {
  MutexLock lock(&mutex_);
  for (const Kept& kept : kept_) {
    if (kept.number == number) return kept.image;
  }
  return nullptr;
}

void FreshStage::Drop(uint64_t number) {
  MutexLock lock(&mutex_);
  const auto found = std::find_if(
      kept_.begin(), kept_.end(),
      [number](const Kept& kept) { return kept.number == number; });
  if (found == kept_.end()) return;
  Uncharge(found->image->size());
  kept_.erase(found);
}

void FreshStage::DropAll() {
  MutexLock lock(&mutex_);
  while (!kept_.empty()) DropOldest();
  INVARIANT(bytes_ == 0);
}

void FreshStage::DropOldest() {
  INVARIANT(!kept_.empty());
  Uncharge(kept_.front().image->size());
  kept_.pop_front();
}

void FreshStage::Uncharge(uint64_t bytes) {
  INVARIANT(bytes_ >= bytes);
  bytes_ -= bytes;
  if (manager_ != nullptr) manager_->FreeMem(bytes);
}

uint64_t FreshStage::bytes() const {
  MutexLock lock(&mutex_);
  return bytes_;
}

}  // namespace ROCKSDB_NAMESPACE
