// The input of a compaction, and what is below it, for tests of what it keeps.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/semantics/compaction_iterator.h"
#include "db/semantics/older_data.h"
#include "db/semantics/snapshot_stripes.h"
#include "tests/db/semantics/text_entries.h"

namespace ROCKSDB_NAMESPACE {

// Point entries in internal-key order, as an input would give them. Fails with
// `error` in front of entry `error_at`.
class EntriesIterator final : public InternalIterator {
 public:
  explicit EntriesIterator(const std::vector<TextEntry>& entries) {
    for (const TextEntry& e : entries) {
      if (e.type == kTypeRangeDeletion) continue;
      rows_.emplace_back();
      AppendInternalKey(&rows_.back().first, e.user_key, e.sequence, e.type);
      rows_.back().second = e.value;
    }
    std::sort(rows_.begin(), rows_.end(), [this](const auto& a, const auto& b) {
      return order_.Compare(a.first, b.first) < 0;
    });
  }

  void FailAt(size_t error_at, Status error) {
    error_at_ = error_at;
    error_ = std::move(error);
  }
  // A key that is none, at the end.
  void AppendRaw(const std::string& key) { rows_.emplace_back(key, ""); }

  bool Valid() const override { return at_ < rows_.size() && !HasFailed(); }
  void SeekToFirst() override { at_ = 0; }
  void SeekToLast() override { FAIL(); }
  void Seek(const Slice& target) override {
    for (at_ = 0;
         at_ < rows_.size() && order_.Compare(rows_[at_].first, target) < 0;) {
      ++at_;
    }
  }
  void SeekForPrev(const Slice&) override { FAIL(); }
  void Next() override {
    // What the caller may not keep is overwritten.
    std::fill(shown_key_.begin(), shown_key_.end(), '#');
    std::fill(shown_value_.begin(), shown_value_.end(), '#');
    ++at_;
  }
  void Prev() override { FAIL(); }
  Slice key() const override {
    shown_key_ = rows_[at_].first;
    return shown_key_;
  }
  Slice value() const override {
    shown_value_ = rows_[at_].second;
    return shown_value_;
  }
  Status status() const override { return HasFailed() ? error_ : Status::OK(); }

 private:
  bool HasFailed() const { return at_ >= error_at_; }

  InternalKeyComparator order_;
  std::vector<std::pair<std::string, std::string>> rows_;
  size_t at_ = 0;
  size_t error_at_ = SIZE_MAX;
  Status error_;
  mutable std::string shown_key_;
  mutable std::string shown_value_;
};

inline std::shared_ptr<const FragmentedTombstones> TombstonesOf(
    const std::vector<TextEntry>& entries) {
  std::vector<RangeTombstone> tombstones;
  for (const TextEntry& e : entries) {
    if (e.type != kTypeRangeDeletion) continue;
    tombstones.push_back({e.user_key, e.value, e.sequence});
  }
  return FragmentedTombstones::Build(tombstones, BytewiseComparator());
}

// Older runs hold what lies within some ranges, both ends inclusive.
class RangesBelow final : public OlderData {
 public:
  explicit RangesBelow(
      std::vector<std::pair<std::string, std::string>> ranges = {})
      : ranges_(std::move(ranges)) {}
  bool MayHold(const Slice& user_key) override {
    EXPECT_LE(last_.compare(user_key.ToString()), 0) << "keys must ascend";
    last_ = user_key.ToString();
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const auto& r) {
      return user_key.compare(r.first) >= 0 && user_key.compare(r.second) <= 0;
    });
  }
  bool MayHoldRange(const Slice& begin, const Slice& end) const override {
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const auto& r) {
      return end.compare(r.first) > 0 && begin.compare(r.second) <= 0;
    });
  }

 private:
  std::vector<std::pair<std::string, std::string>> ranges_;
  std::string last_;
};

}  // namespace ROCKSDB_NAMESPACE
