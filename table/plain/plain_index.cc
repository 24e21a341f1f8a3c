#include "table/plain/plain_index.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include "rocksdb/comparator.h"
#include "rocksdb/slice_transform.h"
#include "table/filter/fast_local_bloom.h"
#include "table/filter/filter_bits.h"
#include "table/plain/plain_file_index.h"
#include "util/hash.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

PlainIndex::PlainIndex() = default;
PlainIndex::~PlainIndex() = default;

Slice PlainIndex::Given(const Slice& user_key) const {
  const size_t timestamp = request_.order->timestamp_size();
  assert(user_key.size() >= timestamp);
  return Slice(user_key.data(), user_key.size() - timestamp);
}

bool PlainIndex::PrefixOf(const Slice& user_key, Slice* prefix) const {
  const SliceTransform* const extractor = request_.prefix_extractor;
  const Slice given = Given(user_key);
  if (extractor == nullptr || !extractor->InDomain(given)) return false;
  *prefix = extractor->Transform(given);
  return true;
}

PlainIndex::Problem PlainIndex::Build(const Request& request) {
  INVARIANT(request.order != nullptr && request.table != nullptr);
  INVARIANT(anchors_.empty());
  request_ = request;
  const size_t sparseness =
      std::max<size_t>(1, request.table->index_sparseness);
  const bool has_buckets = request.table->hash_table_ratio > 0;
  std::unique_ptr<FilterBitsBuilder> filter;
  if (request.has_filter && request.table->bloom_bits_per_key > 0) {
    filter = NewFastLocalBloomBuilder(
        {.millibits_per_key =
             static_cast<uint64_t>(request.table->bloom_bits_per_key) * 1000,
         .fits_allocation = false});
  }
  std::vector<std::string> prefixes;
  bool has_all_runs = true;
  size_t rows_since_anchor = sparseness;
  PlainRowCursor cursor(request.rows, request.shape);
  for (cursor.SeekTo(0); cursor.Valid(); cursor.Next()) {
    const Slice user_key = ExtractUserKey(cursor.key());
    if (user_key.size() < request.order->timestamp_size()) {
      return {"a key without its timestamp", cursor.offset()};
    }
    Slice prefix;
    const bool has_prefix = PrefixOf(user_key, &prefix);
    const bool begins_run = has_buckets && has_prefix &&
                            (prefixes.empty() || prefix != prefixes.back());
    if (cursor.HasFullKey() &&
        (begins_run || rows_since_anchor >= sparseness)) {
      anchors_.push_back(cursor.offset());
      rows_since_anchor = 0;
    }
    ++rows_since_anchor;
    if (begins_run && !cursor.HasFullKey()) has_all_runs = false;
    if (begins_run && has_all_runs) {
      const auto first = static_cast<uint32_t>(anchors_.size() - 1);
      if (!runs_.empty()) {
        runs_.back().anchor_count = first - runs_.back().first_anchor;
      }
      runs_.push_back({first, 0, kNoRun});
      prefixes.push_back(prefix.ToString());
    }
    if (filter == nullptr) continue;
    if (has_prefix) {
      filter->AddKeyAndAlternate(Given(user_key), prefix);
    } else {
      filter->AddKey(Given(user_key));
    }
  }
  if (cursor.problem() != nullptr) return {cursor.problem(), cursor.offset()};
  if (anchors_.size() >= kNoRun) return {"too many rows", cursor.offset()};
  if (!runs_.empty()) {
    runs_.back().anchor_count =
        static_cast<uint32_t>(anchors_.size()) - runs_.back().first_anchor;
  }
  if (has_all_runs) MakeBuckets(prefixes);
  if (filter != nullptr) {
    const Slice payload = filter->Finish(&filter_bytes_);
    filter_size_ = payload.size();
    filter_ = NewBuiltinFilterBitsReader(payload);
  }
  return {};
}

// An order that does not keep keys of a prefix together has no buckets.
void PlainIndex::MakeBuckets(const std::vector<std::string>& prefixes) {
  assert(prefixes.size() == runs_.size());
  if (runs_.empty()) return;
  const double wanted =
      static_cast<double>(runs_.size()) / request_.table->hash_table_ratio;
  buckets_.assign(static_cast<size_t>(std::clamp(wanted, 1.0, 1e9)), kNoRun);
  for (size_t i = 0; i < runs_.size(); ++i) {
    uint32_t& head = buckets_[BucketOf(prefixes[i])];
    for (uint32_t run = head; run != kNoRun; run = runs_[run].next) {
      if (prefixes[run] != prefixes[i]) continue;
      buckets_.clear();
      return;
    }
    runs_[i].next = head;
    head = static_cast<uint32_t>(i);
  }
}

size_t PlainIndex::BucketOf(const Slice& prefix) const {
  assert(!buckets_.empty());
  return FastRange64(Hash64(prefix), buckets_.size());
}

const char* PlainIndex::Load(const Request& request, Stored stored) {
  INVARIANT(request.order != nullptr && request.table != nullptr);
  INVARIANT(anchors_.empty());
  request_ = request;
  const char* const problem =
      DecodePlainIndex(stored.index, request.rows.size(), &anchors_);
  if (problem != nullptr) return problem;
  // Scans begin with the first row.
  if (!request.rows.empty() && (anchors_.empty() || anchors_.front() != 0)) {
    return "the index does not name the first row";
  }
  const bool can_ask =
      stored.has_whole_keys || request.prefix_extractor != nullptr;
  if (!request.has_filter || !can_ask) return nullptr;
  stored_filter_ = std::move(stored.filter);
  stored_filter_lines_ = stored.filter_lines;
  stored_filter_has_keys_ = stored.has_whole_keys;
  return nullptr;
}

bool PlainIndex::IsBefore(size_t anchor, const Slice& internal_key) const {
  assert(anchor < anchors_.size());
  PlainRowCursor cursor(request_.rows, request_.shape);
  cursor.SeekTo(anchors_[anchor]);
  return cursor.Valid() &&
         request_.order->Compare(cursor.key(), internal_key) < 0;
}

// In [begin, end): the last one with a lesser key, or `begin`.
size_t PlainIndex::LastBefore(const Slice& internal_key, size_t begin,
                              size_t end) const {
  assert(begin < end);
  while (end - begin > 1) {
    const size_t middle = begin + (end - begin) / 2;
    if (IsBefore(middle, internal_key)) {
      begin = middle;
    } else {
      end = middle;
    }
  }
  return begin;
}

size_t PlainIndex::AnchorBefore(const Slice& internal_key) const {
  return LastBefore(internal_key, 0, anchors_.size());
}

bool PlainIndex::MayHoldByFile(const Slice& user_key) const {
  Slice asked = Given(user_key);
  if (!stored_filter_has_keys_ && !PrefixOf(user_key, &asked)) return true;
  return PlainFilterMayHold(stored_filter_, stored_filter_lines_, asked);
}

bool PlainIndex::MayHold(const Slice& user_key) const {
  if (!stored_filter_.empty()) return MayHoldByFile(user_key);
  return filter_ == nullptr || filter_->MayMatch(Given(user_key));
}

bool PlainIndex::MayHoldPrefix(const Slice& user_key) const {
  if (!stored_filter_.empty()) {
    return stored_filter_has_keys_ || MayHoldByFile(user_key);
  }
  Slice prefix;
  return filter_ == nullptr || !PrefixOf(user_key, &prefix) ||
         filter_->MayMatch(prefix);
}

bool PlainIndex::FindAnchor(const Slice& internal_key, size_t* anchor) const {
  Slice prefix;
  if (buckets_.empty() || !PrefixOf(ExtractUserKey(internal_key), &prefix)) {
    *anchor = AnchorBefore(internal_key);
    return true;
  }
  PlainRowCursor cursor(request_.rows, request_.shape);
  for (uint32_t i = buckets_[BucketOf(prefix)]; i != kNoRun;
       i = runs_[i].next) {
    const PrefixRun& run = runs_[i];
    Slice found;
    cursor.SeekTo(anchors_[run.first_anchor]);
    INVARIANT(cursor.Valid());  // Build() has been here.
    if (!PrefixOf(ExtractUserKey(cursor.key()), &found) || found != prefix) {
      continue;
    }
    *anchor = LastBefore(internal_key, run.first_anchor,
                         run.first_anchor + run.anchor_count);
    return true;
  }
  return false;
}

size_t PlainIndex::memory_bytes() const {
  return anchors_.capacity() * sizeof(uint64_t) +
         runs_.capacity() * sizeof(PrefixRun) +
         buckets_.capacity() * sizeof(uint32_t) + filter_size_ +
         stored_filter_.size();
}

}  // namespace ROCKSDB_NAMESPACE
