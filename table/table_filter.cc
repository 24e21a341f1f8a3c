#include "table/table_filter.h"

#include <cassert>

#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/slice_transform.h"
#include "table/table_parts.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// About `entry`, a user key or a prefix, near `internal_key`.
struct FilterQuestion {
  Slice entry;
  Slice internal_key;
};

bool HasFilter(const TableParts& parts) {
  return parts.filter_facts.kind != FilterFacts::Kind::kNone;
}

Slice WithoutTimestamp(const TableParts& parts, const Slice& internal_key) {
  const Slice user_key = ExtractUserKey(internal_key);
  assert(user_key.size() >= parts.timestamp_bytes);
  return Slice(user_key.data(), user_key.size() - parts.timestamp_bytes);
}

// *is_asked = false: there is no filter, or it may not be read.
Status AskFilter(const TableParts& parts, const ReadOptions& read,
                 const FilterQuestion& question, bool* is_asked,
                 bool* may_match) {
  BlockRef<FilterBlock> filter;
  *is_asked = false;
  Status s = parts.FindFilter(read, &filter);
  if (!s.ok() || !filter) return s;
  if (!filter->is_split()) {
    *is_asked = true;
    *may_match =
        filter->MayMatch(parts.order, question.entry, question.internal_key);
    return s;
  }
  size_t number = 0;
  if (!filter->PartitionFor(parts.order, question.internal_key, &number)) {
    *is_asked = true;
    *may_match = false;
    return s;
  }
  BlockRef<FilterBlock> part;
  s = parts.FindFilterPartition(read, *filter, number, &part);
  if (!s.ok() || !part) return s;
  *is_asked = true;
  *may_match =
      part->MayMatch(parts.order, question.entry, question.internal_key);
  return s;
}

void CountKey(const TableParts& parts, bool may_match) {
  Statistics* statistics = parts.file.statistics;
  const int level = parts.level < 0 ? 0 : parts.level;
  if (may_match) {
    RecordTick(statistics, BLOOM_FILTER_FULL_POSITIVE);
    PERF_COUNTER_ADD(bloom_sst_hit_count, 1);
    PERF_COUNTER_BY_LEVEL_ADD(bloom_filter_full_positive, 1, level);
  } else {
    RecordTick(statistics, BLOOM_FILTER_USEFUL);
    PERF_COUNTER_ADD(bloom_sst_miss_count, 1);
    PERF_COUNTER_BY_LEVEL_ADD(bloom_filter_useful, 1, level);
  }
}

void CountPrefix(const TableParts& parts, bool may_match) {
  RecordTick(parts.file.statistics, BLOOM_FILTER_PREFIX_CHECKED);
  if (may_match) {
    PERF_COUNTER_ADD(bloom_sst_hit_count, 1);
  } else {
    RecordTick(parts.file.statistics, BLOOM_FILTER_PREFIX_USEFUL);
    PERF_COUNTER_ADD(bloom_sst_miss_count, 1);
  }
}

// A filter that a seek has asked.
void CountSeek(const TableParts& parts, bool may_match) {
  const bool is_last = parts.file.reader->context().is_last_level;
  if (may_match) {
    RecordTick(parts.file.statistics, is_last
                                          ? LAST_LEVEL_SEEK_FILTER_MATCH
                                          : NON_LAST_LEVEL_SEEK_FILTER_MATCH);
  } else {
    RecordTick(parts.file.statistics, is_last ? LAST_LEVEL_SEEK_FILTERED
                                              : NON_LAST_LEVEL_SEEK_FILTERED);
  }
}

}  // namespace

bool IsAllNewer(const TableParts& parts, const ReadOptions& read) {
  if (parts.oldest_timestamp.empty() || read.timestamp == nullptr) return false;
  assert(read.timestamp->size() == parts.oldest_timestamp.size());
  const Comparator& order = *parts.order.user_comparator();
  const bool is_newer =
      order.CompareTimestamp(parts.oldest_timestamp, *read.timestamp) > 0;
  RecordTick(parts.file.statistics, TIMESTAMP_FILTER_TABLE_CHECKED);
  if (is_newer) {
    RecordTick(parts.file.statistics, TIMESTAMP_FILTER_TABLE_FILTERED);
  }
  return is_newer;
}

bool FilterCheck::HasPrefixOf(const TableParts& parts,
                              const Slice& user_key) const {
  if (prefix_extractor == nullptr || !parts.filter_facts.has_prefixes ||
      !prefix_extractor->InDomain(user_key)) {
    return false;
  }
  const FilterFacts& facts = parts.filter_facts;
  assert(facts.kind != FilterFacts::Kind::kNone);
  return facts.opened_with.get() == prefix_extractor ||
         facts.prefix_extractor == prefix_extractor->AsString();
}

Status FilterCheck::MayMatchKey(const TableParts& parts,
                                const ReadOptions& read,
                                const Slice& internal_key,
                                bool* may_match) const {
  assert(internal_key.size() >= kInternalKeyTrailerBytes);
  *may_match = true;
  if (is_skipped) return Status::OK();
  if (IsAllNewer(parts, read)) {
    *may_match = false;
    return Status::OK();
  }
  const Slice user_key = WithoutTimestamp(parts, internal_key);
  if (parts.prefixes != nullptr &&
      parts.prefixes->Lacks(prefix_extractor, user_key)) {
    *may_match = false;
    return Status::OK();
  }
  if (!HasFilter(parts)) return Status::OK();
  const bool has_whole_keys = parts.filter_facts.has_whole_keys;
  if (!has_whole_keys && !HasPrefixOf(parts, user_key)) return Status::OK();
  assert(has_whole_keys || prefix_extractor != nullptr);
  const Slice entry =
      has_whole_keys ? user_key : prefix_extractor->Transform(user_key);
  bool is_asked = false;
  Status s =
      AskFilter(parts, read, {entry, internal_key}, &is_asked, may_match);
  if (!s.ok() || !is_asked) return s;
  if (has_whole_keys) {
    CountKey(parts, *may_match);
  } else {
    CountPrefix(parts, *may_match);
  }
  return s;
}

void FilterCheck::PrefetchKey(const TableParts& parts,
                              const Slice& internal_key) const {
  if (is_skipped || !parts.filter || !parts.filter_facts.has_whole_keys) return;
  parts.filter->Prefetch(WithoutTimestamp(parts, internal_key));
}

Status FilterCheck::MayMatchPrefix(const TableParts& parts,
                                   const ReadOptions& read, const Slice& target,
                                   bool* may_match) const {
  assert(target.size() >= kInternalKeyTrailerBytes);
  *may_match = true;
  const bool can_tell = parts.prefixes != nullptr || HasFilter(parts);
  if (is_skipped || !can_tell) return Status::OK();
  const Slice user_key = WithoutTimestamp(parts, target);
  if (prefix_extractor == nullptr || !prefix_extractor->InDomain(user_key) ||
      (read.auto_prefix_mode && !EndsInPrefixOf(read, user_key))) {
    return Status::OK();
  }
  if (parts.prefixes != nullptr &&
      parts.prefixes->Lacks(prefix_extractor, user_key)) {
    *may_match = false;
    return Status::OK();
  }
  if (!HasFilter(parts) || !HasPrefixOf(parts, user_key)) return Status::OK();
  bool is_asked = false;
  Status s =
      AskFilter(parts, read, {prefix_extractor->Transform(user_key), target},
                &is_asked, may_match);
  if (s.ok() && is_asked) {
    CountPrefix(parts, *may_match);
    CountSeek(parts, *may_match);
  }
  return s;
}

bool FilterCheck::EndsInPrefixOf(const ReadOptions& read,
                                 const Slice& user_key) const {
  const Slice* upper = read.iterate_upper_bound;
  return upper != nullptr && prefix_extractor->InDomain(*upper) &&
         prefix_extractor->Transform(*upper) ==
             prefix_extractor->Transform(user_key);
}

void FilterCheck::CountFound(const TableParts& parts,
                             const Slice& user_key) const {
  if (is_skipped || !HasFilter(parts)) return;
  assert(user_key.size() >= parts.timestamp_bytes);
  if (parts.filter_facts.has_whole_keys) {
    RecordTick(parts.file.statistics, BLOOM_FILTER_FULL_TRUE_POSITIVE);
    PERF_COUNTER_BY_LEVEL_ADD(bloom_filter_full_true_positive, 1,
                              parts.level < 0 ? 0 : parts.level);
    return;
  }
  const Slice given(user_key.data(), user_key.size() - parts.timestamp_bytes);
  if (HasPrefixOf(parts, given)) {
    RecordTick(parts.file.statistics, BLOOM_FILTER_PREFIX_TRUE_POSITIVE);
  }
}

}  // namespace ROCKSDB_NAMESPACE
