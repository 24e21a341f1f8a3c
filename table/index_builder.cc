#include "table/index_builder.h"

#include <algorithm>
#include <cassert>

#include "rocksdb/comparator.h"
#include "table/key_spread.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Shortening = BlockBasedTableOptions::IndexShorteningMode;

// The first version whose index keys may be user keys.
constexpr uint32_t kFirstUserKeyVersion = 3;
// Releases that read nothing above version 5 know no type above this one.
constexpr uint32_t kLastOldVersion = 5;

}  // namespace

IndexBuilder::IndexBuilder(const Options& options)
    : options_(options),
      needs_internal_keys_(options.format_version < kFirstUserKeyVersion),
      sized_(options.restart_interval, options.has_delta_values),
      partition_rule_(std::max<uint64_t>(options.partition_bytes, 1),
                      options.partition_deviation) {
  assert(options.order != nullptr);
  assert(!is_partitioned() || !options.has_first_keys);
}

void IndexBuilder::SetSeparator(const Slice& shortened) {
  static_assert(kTypeWideColumnEntity < kValueTypeForSeek);
  const ValueType type = options_.format_version <= kLastOldVersion
                             ? kTypeWideColumnEntity
                             : kValueTypeForSeek;
  separator_.clear();
  AppendInternalKey(&separator_, shortened, kMaxSequenceNumber, type);
}

Slice IndexBuilder::Separator(const Slice& last, const Slice* next) {
  assert(last.size() >= kInternalKeyTrailerBytes);
  const InternalKeyComparator& order = *options_.order;
  const Comparator* user_order = order.user_comparator();
  const Slice user_last = ExtractUserKey(last);
  separator_.assign(last.data(), last.size());
  if (next != nullptr) {
    assert(order.Compare(last, *next) < 0);
    if (order.CompareStored(user_last, ExtractUserKey(*next)) == 0) {
      needs_internal_keys_ = true;
      return separator_;
    }
  }
  const bool shortens =
      next != nullptr
          ? options_.shortening != Shortening::kNoShortening
          : options_.shortening == Shortening::kShortenSeparatorsAndSuccessor;
  if (!shortens) return separator_;
  shortened_.assign(user_last.data(), user_last.size());
  if (next != nullptr) {
    user_order->FindShortestSeparator(&shortened_, ExtractUserKey(*next));
  } else {
    user_order->FindShortSuccessor(&shortened_);
  }
  if (shortened_.size() <= user_last.size() &&
      order.CompareStored(user_last, shortened_) < 0) {
    SetSeparator(shortened_);
    // The comparator may be an application's, and wrong: the last key will do.
    if (next != nullptr && order.Compare(separator_, *next) >= 0) {
      separator_.assign(last.data(), last.size());
    }
  }
  return separator_;
}

bool IndexBuilder::StartsPartition(const Block& block, bool is_due) {
  if (!is_partitioned()) return false;
  const Slice key = StoredKey(block.separator);
  const bool starts =
      !sized_.block().empty() &&
      (is_due || partition_rule_.ShouldEnd(sized_.block(), key.size(),
                                           block.handle.EncodedSize()));
  if (starts) sized_.Reset();
  assert(!starts || sized_.block().empty());
  sized_.Add({.key = key, .handle = block.handle});
  return starts;
}

void IndexBuilder::Add(const Block& block) {
  assert(block.separator.size() >= kInternalKeyTrailerBytes);
  if (!entries_.empty()) {
    INVARIANT(block.handle.offset >= entries_.back().handle.end_with_trailer());
  }
  assert(entries_.empty() || entries_.back().first_key_end == keys_.size());
  assert(is_partitioned() || !block.starts_partition);
  keys_.append(block.separator.data(), block.separator.size());
  const size_t separator_end = keys_.size();
  if (options_.has_first_keys) {
    keys_.append(block.first_key.data(), block.first_key.size());
  }
  entries_.push_back(
      {separator_end, keys_.size(), block.handle, block.starts_partition});
}

bool IndexBuilder::IsUniform(const IndexEncoder& block,
                             const Slice& payload) const {
  if (!(options_.uniform_cv_threshold >= 0) || !options_.order->is_bytewise()) {
    return false;
  }
  std::vector<Slice> keys = block.RestartKeys(payload);
  for (Slice& key : keys) {
    if (!has_user_keys()) key = ExtractUserKey(key);
  }
  return AreEvenlySpread(keys, options_.uniform_cv_threshold);
}

Status IndexBuilder::WriteBlock(const Writer& write, IndexEncoder* block,
                                BlockHandle* handle) {
  const Slice payload = block->Finish();
  assert(!payload.empty());
  if (IsUniform(*block, payload)) {
    block->MarkUniform();
    ++uniform_count_;
  }
  raw_bytes_ += payload.size();
  Status s = write(payload, handle);
  block->Reset();
  return s;
}

Status IndexBuilder::Finish(const Writer& write, BlockHandle* index) {
  assert(raw_bytes_ == 0);
  if (is_partitioned()) return FinishPartitions(write, index);
  IndexEncoder block(options_.restart_interval, options_.has_delta_values);
  size_t begin = 0;
  for (const Entry& entry : entries_) {
    const Slice key(keys_.data() + begin, entry.separator_end - begin);
    const Slice first_key(keys_.data() + entry.separator_end,
                          entry.first_key_end - entry.separator_end);
    assert(key.size() >= kInternalKeyTrailerBytes);
    block.Add({.key = StoredKey(key),
               .handle = entry.handle,
               .first_key = options_.has_first_keys ? &first_key : nullptr});
    begin = entry.first_key_end;
  }
  assert(begin == keys_.size());
  return WriteBlock(write, &block, index);
}

Status IndexBuilder::FinishPartitions(const Writer& write, BlockHandle* index) {
  IndexEncoder top(options_.restart_interval, options_.has_delta_values);
  IndexEncoder block(options_.restart_interval, options_.has_delta_values);
  size_t begin = 0;
  for (size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    const Slice key =
        StoredKey(Slice(keys_.data() + begin, entry.separator_end - begin));
    block.Add({.key = key, .handle = entry.handle});
    begin = entry.first_key_end;
    if (i + 1 < entries_.size() && !entries_[i + 1].starts_partition) continue;
    BlockHandle handle;
    if (Status s = WriteBlock(write, &block, &handle); !s.ok()) return s;
    top.Add({.key = key, .handle = handle});
    ++partition_count_;
  }
  assert(begin == keys_.size() && block.block().empty());
  const uint64_t partition_bytes = raw_bytes_;
  Status s = WriteBlock(write, &top, index);
  top_level_bytes_ = raw_bytes_ - partition_bytes;
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
