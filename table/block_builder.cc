#include "table/block_builder.h"

#include <algorithm>
#include <limits>

#include "table/block.h"
#include "table/common_prefix.h"
#include "util/invariant.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

BlockBuilder::BlockBuilder(const Options& options)
    : restart_interval_(
          static_cast<uint32_t>(std::max(options.restart_interval, 1))),
      use_delta_encoding_(options.use_delta_encoding),
      separates_values_(options.separates_values),
      has_extras_(options.separates_values || options.hash_util_ratio > 0) {
  if (options.hash_util_ratio > 0) {
    hash_index_.emplace(options.hash_util_ratio);
  }
  Reset();
}

void BlockBuilder::MarkUniform() {
  INVARIANT(is_finished_ && size_ >= sizeof(uint32_t));
  char* const last = buffer_.get() + size_ - sizeof(uint32_t);
  EncodeFixed32(last, DecodeFixed32(last) | BlockLayout::kUniformBit);
}

void BlockBuilder::Reset() {
  size_ = 0;
  restarts_.assign(1, 0);
  in_interval_ = 0;
  is_finished_ = false;
  values_.clear();
  if (hash_index_.has_value()) hash_index_->Reset();
  extra_bytes_ = separates_values_ ? sizeof(uint32_t) : 0;
}

void BlockBuilder::Grow(size_t bytes) {
  const size_t capacity =
      std::max<size_t>({2 * capacity_, size_ + bytes, 4096});
  INVARIANT(capacity >= size_ + bytes);
  auto grown = std::make_unique_for_overwrite<char[]>(capacity);
  if (size_ != 0) memcpy(grown.get(), buffer_.get(), size_);
  buffer_ = std::move(grown);
  capacity_ = capacity;
}

void BlockBuilder::RememberKey(const Slice& key, size_t shared) {
  assert(shared <= key.size() && shared <= last_key_size_);
  if (key.size() > last_key_capacity_) {
    last_key_capacity_ = std::max<size_t>(2 * key.size(), 64);
    last_key_ = std::make_unique_for_overwrite<char[]>(last_key_capacity_);
    shared = 0;
  }
  if (key.size() > shared) {
    memcpy(last_key_.get() + shared, key.data() + shared, key.size() - shared);
  }
  last_key_size_ = key.size();
}

size_t BlockBuilder::NextShared(const Slice& key, bool must_be_full) {
  assert(!is_finished_);
  assert(in_interval_ <= restart_interval_);
  size_t shared = 0;
  if (in_interval_ >= restart_interval_) {
    INVARIANT(size_ <= std::numeric_limits<uint32_t>::max());
    restarts_.push_back(static_cast<uint32_t>(size_));
    in_interval_ = 0;
  } else if (use_delta_encoding_ && in_interval_ != 0 && !must_be_full) {
    shared = CommonPrefix(key.data(), last_key_.get(),
                          std::min(key.size(), last_key_size_));
  }
  ++in_interval_;
  return shared;
}

void BlockBuilder::Append(const Slice& bytes) {
  memcpy(Room(bytes.size()), bytes.data(), bytes.size());
  size_ += bytes.size();
  assert(size_ <= capacity_);
}

void BlockBuilder::NoteExtras(const Slice& key) {
  extra_bytes_ = separates_values_ ? sizeof(uint32_t) + values_.size() : 0;
  if (!hash_index_.has_value()) return;
  assert(key.size() >= kInternalKeyTrailerBytes);
  hash_index_->Add(ExtractUserKey(key), restarts_.size() - 1);
  extra_bytes_ += hash_index_->SizeEstimate();
}

void BlockBuilder::AddSeparated(const Slice& key, const Slice& value) {
  const size_t shared = NextShared(key, false);
  const size_t tail = key.size() - shared;
  assert(shared <= key.size());
  const bool is_restart = in_interval_ == 1;
  char* const begin = Room(4 * kMaxVarint32Length + tail);
  char* p = EncodeVarint32(begin, static_cast<uint32_t>(shared));
  p = EncodeVarint32(p, static_cast<uint32_t>(tail));
  p = EncodeVarint32(p, static_cast<uint32_t>(value.size()));
  if (is_restart) {
    p = EncodeVarint32(p, static_cast<uint32_t>(values_.size()));
  }
  memcpy(p, key.data() + shared, tail);
  size_ += static_cast<size_t>(p + tail - begin);
  values_.append(value.data(), value.size());
  RememberKey(key, shared);
}

void BlockBuilder::Add(const Slice& key, const Slice& value) {
  if (has_extras_) [[unlikely]] {
    if (separates_values_) {
      AddSeparated(key, value);
      NoteExtras(key);
      return;
    }
  }
  const size_t shared = NextShared(key, false);
  const size_t tail = key.size() - shared;
  char* const begin = Room(3 * kMaxVarint32Length + tail + value.size());
  char* p = begin;
  if ((shared | tail | value.size()) < 128) {
    *p++ = static_cast<char>(shared);
    *p++ = static_cast<char>(tail);
    *p++ = static_cast<char>(value.size());
  } else {
    p = EncodeVarint32(p, static_cast<uint32_t>(shared));
    p = EncodeVarint32(p, static_cast<uint32_t>(tail));
    p = EncodeVarint32(p, static_cast<uint32_t>(value.size()));
  }
  assert(shared <= key.size());
  memcpy(p, key.data() + shared, tail);
  p += tail;
  memcpy(p, value.data(), value.size());
  p += value.size();
  size_ += static_cast<size_t>(p - begin);
  assert(size_ <= capacity_);
  RememberKey(key, shared);
  if (has_extras_) [[unlikely]]
    NoteExtras(key);
}

void BlockBuilder::AddIndexEntry(const Slice& key, const IndexValue& value) {
  const size_t shared = NextShared(key, value.must_be_full);
  const size_t tail = key.size() - shared;
  const Slice stored = shared == 0 ? value.value : value.delta;
  assert(!value.must_be_full || shared == 0);
  char* const begin = Room(2 * kMaxVarint32Length + tail + stored.size());
  char* p = EncodeVarint32(begin, static_cast<uint32_t>(shared));
  p = EncodeVarint32(p, static_cast<uint32_t>(tail));
  memcpy(p, key.data() + shared, tail);
  p += tail;
  memcpy(p, stored.data(), stored.size());
  p += stored.size();
  size_ += static_cast<size_t>(p - begin);
  RememberKey(key, shared);
}

Slice BlockBuilder::Finish() {
  INVARIANT(!is_finished_);
  INVARIANT(restarts_.size() <= BlockLayout::kRestartCountMask);
  is_finished_ = true;
  assert(restarts_.front() == 0);
  const size_t values_offset = size_;
  if (separates_values_) Append(values_);
  char* p = Room(restarts_.size() * sizeof(uint32_t));
  for (const uint32_t restart : restarts_) {
    EncodeFixed32(p, restart);
    p += sizeof(uint32_t);
  }
  size_ += restarts_.size() * sizeof(uint32_t);
  uint32_t packed = static_cast<uint32_t>(restarts_.size());
  std::string extras;
  if (hash_index_.has_value() && hash_index_->AppendTo(size_, &extras)) {
    packed |= BlockLayout::kHashIndexBit;
  }
  if (separates_values_) {
    INVARIANT(values_offset <= std::numeric_limits<uint32_t>::max());
    PutFixed32(&extras, static_cast<uint32_t>(values_offset));
    packed |= BlockLayout::kSeparatedBit;
  }
  if (!extras.empty()) Append(extras);
  EncodeFixed32(Room(sizeof(uint32_t)), packed);
  size_ += sizeof(uint32_t);
  assert(size_ <= capacity_);
  return Slice(buffer_.get(), size_);
}

}  // namespace ROCKSDB_NAMESPACE
