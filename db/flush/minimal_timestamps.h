// What memtables hold, as files have it that leave timestamps out: each key
// with the oldest timestamp, its versions in the order of their sequences.
//
// A version with an older timestamp and a later sequence than a value or
// deletion of its key is left out: no read may go back between the two once
// they are in a file, and so none finds it. Below a merge operand it is needed,
// and takes its place in the order in which both were written.
//
// Contract   Goes forward only, as a flush does.
// Threads    One thread.
// Ownership  Owns the iterator below, whose values must stay while it lives.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "util/key/internal_iterator.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class MinimalTimestamps final : public InternalIterator {
 public:
  // `order`: of what `entries` has.
  MinimalTimestamps(const InternalKeyComparator* order,
                    std::unique_ptr<InternalIterator> entries)
      : order_(order), entries_(std::move(entries)) {}

  bool Valid() const override { return at_ < versions_.size(); }
  void SeekToFirst() override;
  void SeekToLast() override;
  void Seek(const Slice& target) override;
  void SeekForPrev(const Slice& target) override;
  void Next() override;
  void Prev() override;
  Slice key() const override { return versions_[at_].key; }
  Slice value() const override { return versions_[at_].value; }
  Status status() const override { return status_; }

  // Versions that were left out so far.
  uint64_t hidden_count() const { return hidden_count_; }

 private:
  struct Version {
    std::string key;
    Slice value;
  };

  void TakeKey();
  void TakeVersion();
  void Refuse();

  const InternalKeyComparator* const order_;
  const std::unique_ptr<InternalIterator> entries_;
  std::vector<Version> versions_;  // the current key's
  size_t at_ = 0;
  bool is_disordered_ = false;
  std::string first_;  // the stored user key that versions_ began with
  uint64_t hidden_count_ = 0;
  Status status_;
};

}  // namespace ROCKSDB_NAMESPACE
