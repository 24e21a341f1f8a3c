#include "utilities/fault_injection/fault_file_state.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

FaultFileState::FaultFileState(uint64_t size_bytes, std::string tail)
    : size_(size_bytes), durable_size_(size_bytes), tail_(std::move(tail)) {
  INVARIANT(tail_.size() == size_bytes % kBlockBytes);
}

uint64_t FaultFileState::size() const {
  MutexLock lock(&mutex_);
  return size_;
}

void FaultFileState::NoteWrite(uint64_t offset, const Slice& data,
                               const ReadOld& read_old) {
  if (data.empty()) return;
  MutexLock lock(&mutex_);
  const bool is_append = offset == size_;
  const uint64_t end = offset + data.size();
  for (uint64_t b = offset / kBlockBytes; b * kBlockBytes < end; ++b) {
    if (blocks_.count(b) != 0) continue;
    Block block;
    const uint64_t start = b * kBlockBytes;
    if (start < durable_size_) {
      const size_t n =
          static_cast<size_t>(std::min(kBlockBytes, durable_size_ - start));
      block.durable = is_append ? tail_.substr(0, n) : read_old(start, n);
      block.durable.resize(n, '\0');  // In space that is reserved.
    }
    blocks_.emplace(b, std::move(block));
  }
  if (is_append) {
    tail_.append(data.data(), data.size());
    tail_.erase(0, tail_.size() - end % kBlockBytes);
    size_ = end;
    return;
  }
  if (end <= size_ / kBlockBytes * kBlockBytes) return;
  // The tail changes: put the new bytes over the old ones.
  const uint64_t new_size = std::max(size_, end);
  const uint64_t new_start = new_size / kBlockBytes * kBlockBytes;
  std::string tail(static_cast<size_t>(new_size - new_start), '\0');
  if (new_start == size_ / kBlockBytes * kBlockBytes) {
    std::copy(tail_.begin(), tail_.end(), tail.begin());
  }
  const uint64_t from = std::max(offset, new_start);
  if (from < end) {
    std::copy(data.data() + (from - offset), data.data() + data.size(),
              tail.begin() + static_cast<ptrdiff_t>(from - new_start));
  }
  tail_ = std::move(tail);
  size_ = new_size;
}

void FaultFileState::NoteTruncate(uint64_t size_bytes, std::string tail) {
  MutexLock lock(&mutex_);
  INVARIANT(tail.size() == size_bytes % kBlockBytes);
  size_ = size_bytes;
  durable_size_ = std::min(durable_size_, size_bytes);
  reserved_end_ = 0;
  is_cut_ = false;
  tail_ = std::move(tail);
  const uint64_t block_count = (size_bytes + kBlockBytes - 1) / kBlockBytes;
  blocks_.erase(blocks_.lower_bound(block_count), blocks_.end());
  if (blocks_.empty()) return;
  auto& [index, last] = *blocks_.rbegin();
  const uint64_t start = index * kBlockBytes;
  last.durable.resize(std::min<uint64_t>(
      last.durable.size(), durable_size_ - std::min(start, durable_size_)));
}

void FaultFileState::NoteReserved(uint64_t end) {
  MutexLock lock(&mutex_);
  INVARIANT(end >= size_);
  reserved_end_ = end;
  is_cut_ = false;
}

void FaultFileState::NoteCut() {
  MutexLock lock(&mutex_);
  INVARIANT(reserved_end_ > 0);
  is_cut_ = true;
}

void FaultFileState::NoteSync() {
  MutexLock lock(&mutex_);
  for (auto block = blocks_.begin(); block != blocks_.end();) {
    block =
        block->second.is_abandoned ? std::next(block) : blocks_.erase(block);
  }
  // With abandoned blocks left, the length stands but their bytes may not.
  if (is_cut_) reserved_end_ = 0;
  is_cut_ = false;
  durable_size_ = std::max(size_, reserved_end_);
}

void FaultFileState::NoteFailedSync() {
  MutexLock lock(&mutex_);
  for (auto& [index, block] : blocks_) block.is_abandoned = true;
}

bool FaultFileState::HasUnsynced() const {
  MutexLock lock(&mutex_);
  return !blocks_.empty() || size_ != durable_size_;
}

FaultFileState::Remains FaultFileState::Tear(const std::string& old,
                                             const std::string& now,
                                             Random64* random) {
  const bool is_at_sector = random->OneIn(2);
  const uint64_t unit = is_at_sector ? kSectorBytes : 1;
  const auto cut =
      static_cast<size_t>(random->Uniform(now.size() / unit + 1) * unit);
  // The length may be with the device before the sectors are.
  const bool is_longer = is_at_sector && random->OneIn(2);
  return {.bytes = now.substr(0, cut) + old.substr(cut),
          .end = is_longer ? now.size() : cut};
}

FaultFileState::Remains FaultFileState::Survive(const std::string& old,
                                                const std::string& now,
                                                int survival_percent,
                                                Random64* random) {
  const bool is_by_chance = survival_percent > 0 && survival_percent < 100;
  if (is_by_chance && random->OneIn(4)) return Tear(old, now, random);
  if (static_cast<int>(random->Uniform(100)) < survival_percent) {
    return {.bytes = now, .end = now.size()};
  }
  return {.bytes = old};
}

std::string FaultFileState::Crash(std::string bytes, int survival_percent,
                                  Random64* random) {
  MutexLock lock(&mutex_);
  bytes.resize(std::max<uint64_t>(bytes.size(), reserved_end_));
  uint64_t length = std::min<uint64_t>(durable_size_, bytes.size());
  for (const auto& [index, block] : blocks_) {
    const uint64_t start = index * kBlockBytes;
    if (start >= bytes.size()) continue;
    const size_t n = static_cast<size_t>(
        std::min<uint64_t>(kBlockBytes, bytes.size() - start));
    // Bytes that were never written to the device read as zeros.
    std::string old = block.durable;
    old.resize(n, '\0');
    const Remains remains =
        Survive(old, bytes.substr(static_cast<size_t>(start), n),
                survival_percent, random);
    if (remains.end > 0) {
      length = std::max<uint64_t>(length, start + remains.end);
    }
    bytes.replace(static_cast<size_t>(start), n, remains.bytes);
  }
  if (reserved_end_ > 0 &&
      static_cast<int>(random->Uniform(100)) < survival_percent) {
    length = is_cut_ ? size_ : std::max(length, reserved_end_);
  }
  bytes.resize(static_cast<size_t>(length));
  blocks_.clear();
  reserved_end_ = 0;
  is_cut_ = false;
  size_ = durable_size_ = bytes.size();
  tail_ = bytes.substr(bytes.size() / kBlockBytes * kBlockBytes);
  return bytes;
}

void FaultFileState::AddWriter(int change) {
  MutexLock lock(&mutex_);
  writer_count_ += change;
  INVARIANT(writer_count_ >= 0);
}

bool FaultFileState::HasWriters() const {
  MutexLock lock(&mutex_);
  return writer_count_ > 0;
}

}  // namespace ROCKSDB_NAMESPACE
