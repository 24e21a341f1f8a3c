#include "db/blob/growing_blobs.h"

#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void GrowingBlobs::Add(BlobFileRef file) {
  INVARIANT(file != nullptr && file->pinned_reader.load() != nullptr);
  const uint64_t number = file->record.number;
  MutexLock lock(&mutex_);
  BlobFileState& state = files_[number];
  INVARIANT(state.file == nullptr);
  state.file = std::move(file);
  // release: pairs with the acquire in Find().
  count_.store(files_.size(), std::memory_order_release);
}

void GrowingBlobs::Remove(uint64_t number) {
  MutexLock lock(&mutex_);
  const size_t removed = files_.erase(number);
  INVARIANT(removed == 1);
  count_.store(files_.size(), std::memory_order_release);
}

const BlobFileState* GrowingBlobs::FindListed(uint64_t number) const {
  MutexLock lock(&mutex_);
  const auto found = files_.find(number);
  return found != files_.end() ? &found->second : nullptr;
}

}  // namespace ROCKSDB_NAMESPACE
