#include "table/block_hash_index.h"

#include <cassert>

#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kMaxRestart = 253;
static_assert(kMaxRestart < kBucketCollision);

}  // namespace

BlockHashIndexBuilder::BlockHashIndexBuilder(double util_ratio)
    : buckets_per_entry_(1 / util_ratio) {
  assert(util_ratio > 0);
}

void BlockHashIndexBuilder::Reset() {
  entries_.clear();
  buckets_ = 0;
  is_possible_ = true;
}

void BlockHashIndexBuilder::Add(const Slice& user_key, size_t restart) {
  if (restart > kMaxRestart) {
    is_possible_ = false;
    return;
  }
  entries_.push_back({BlockHashOf(user_key), static_cast<uint8_t>(restart)});
  buckets_ += buckets_per_entry_;
}

uint16_t BlockHashIndexBuilder::BucketCount() const {
  // Where there are more than fit, the block is too large for the index.
  const auto count = static_cast<uint16_t>(
      buckets_ < 65535.0 ? static_cast<uint32_t>(buckets_) : 65535);
  return count | 1;
}

size_t BlockHashIndexBuilder::SizeEstimate() const {
  return is_possible_ ? BucketCount() + sizeof(uint16_t) : 0;
}

bool BlockHashIndexBuilder::AppendTo(size_t block_bytes,
                                     std::string* out) const {
  const uint16_t count = BucketCount();
  if (!is_possible_ || entries_.empty() ||
      block_bytes + count + sizeof(uint16_t) >= kMaxHashIndexedBytes) {
    return false;
  }
  const size_t begin = out->size();
  out->append(count, static_cast<char>(kBucketEmpty));
  auto* buckets = reinterpret_cast<uint8_t*>(out->data() + begin);
  for (const Entry& entry : entries_) {
    uint8_t& bucket = buckets[entry.hash % count];
    if (bucket == kBucketEmpty) {
      bucket = entry.restart;
    } else if (bucket != entry.restart) {
      bucket = kBucketCollision;
    }
  }
  PutFixed16(out, count);
  assert(out->size() == begin + count + sizeof(uint16_t));
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
