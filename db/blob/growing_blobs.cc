#include "db/blob/growing_blobs.h"

#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void GrowingBlobs::Add(BlobFileRef file) {
  INVARIANT(file != nullptr && file->pinned_reader.load() != nullptr);
  const uint64_t number = file->record.number;
  MutexLock lock(&mutex_);
  Listed& listed = files_[number];
  INVARIANT(listed.user_count == 0);
  listed.state.file = std::move(file);
  listed.user_count = 1;
  // release: pairs with the acquire in Find().
  count_.store(files_.size(), std::memory_order_release);
}

BlobFileRef GrowingBlobs::AddUser(uint64_t number) {
  MutexLock lock(&mutex_);
  const auto found = files_.find(number);
  if (found == files_.end()) return nullptr;
  ++found->second.user_count;
  return found->second.state.file;
}

void GrowingBlobs::RemoveUser(uint64_t number) {
  MutexLock lock(&mutex_);
  const auto found = files_.find(number);
  INVARIANT(found != files_.end() && found->second.user_count > 0);
  if (--found->second.user_count > 0) return;
  files_.erase(found);
  count_.store(files_.size(), std::memory_order_release);
}

const BlobFileState* GrowingBlobs::FindListed(uint64_t number) const {
  MutexLock lock(&mutex_);
  const auto found = files_.find(number);
  return found != files_.end() ? &found->second.state : nullptr;
}

}  // namespace ROCKSDB_NAMESPACE
