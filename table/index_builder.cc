#include "table/index_builder.h"

#include <cassert>

#include "rocksdb/comparator.h"
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
      block_(options.restart_interval) {
  assert(options.order != nullptr);
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
    if (order.CompareUserKeys(user_last, ExtractUserKey(*next)) == 0) {
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
      order.CompareUserKeys(user_last, shortened_) < 0) {
    SetSeparator(shortened_);
    INVARIANT(next == nullptr || order.Compare(separator_, *next) < 0);
  }
  return separator_;
}

void IndexBuilder::Add(const Slice& separator, const BlockHandle& handle) {
  assert(separator.size() >= kInternalKeyTrailerBytes);
  if (!entries_.empty()) {
    INVARIANT(handle.offset >= entries_.back().handle.end_with_trailer());
  }
  assert(entries_.empty() ||
         entries_.back().separator_end == separators_.size());
  separators_.append(separator.data(), separator.size());
  entries_.push_back({separators_.size(), handle});
}

Slice IndexBuilder::Finish() {
  size_t begin = 0;
  BlockHandle previous;
  bool is_first = true;
  std::string value;
  std::string delta;
  for (const Entry& entry : entries_) {
    Slice key(separators_.data() + begin, entry.separator_end - begin);
    assert(key.size() >= kInternalKeyTrailerBytes);
    if (has_user_keys()) key = ExtractUserKey(key);
    begin = entry.separator_end;
    value.clear();
    entry.handle.EncodeTo(&value);
    if (!options_.has_delta_values) {
      block_.Add(key, value);
      continue;
    }
    delta.clear();
    PutVarsignedint64(&delta, static_cast<int64_t>(entry.handle.size) -
                                  static_cast<int64_t>(previous.size));
    const bool is_adjacent =
        !is_first && entry.handle.offset == previous.end_with_trailer();
    block_.AddIndexEntry(
        key, {.value = value, .delta = delta, .must_be_full = !is_adjacent});
    previous = entry.handle;
    is_first = false;
  }
  assert(begin == separators_.size());
  return block_.Finish();
}

}  // namespace ROCKSDB_NAMESPACE
