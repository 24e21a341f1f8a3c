// An iterator over values with their times, which shows them without.
//
// A value that has no time ends the iteration: status() is Corruption.
//
// Threads  One at a time.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rocksdb/iterator.h"
#include "util/invariant.h"
#include "utilities/ttl/ttl_value.h"

namespace ROCKSDB_NAMESPACE {

class TtlIterator final : public Iterator {
 public:
  // `defers_values`: a value is there once PrepareValue() has been called.
  TtlIterator(std::unique_ptr<Iterator> base, bool defers_values)
      : base_(std::move(base)), defers_values_(defers_values) {
    INVARIANT(base_ != nullptr);
  }

  bool Valid() const override { return status_.ok() && base_->Valid(); }
  void SeekToFirst() override {
    base_->SeekToFirst();
    Check();
  }
  void SeekToLast() override {
    base_->SeekToLast();
    Check();
  }
  void Seek(const Slice& target) override {
    base_->Seek(target);
    Check();
  }
  void SeekForPrev(const Slice& target) override {
    base_->SeekForPrev(target);
    Check();
  }
  void Next() override {
    base_->Next();
    Check();
  }
  void Prev() override {
    base_->Prev();
    Check();
  }
  bool PrepareValue() override {
    if (!base_->PrepareValue()) return false;
    CheckValue();
    return status_.ok();
  }
  Status Refresh() override { return Refresh(nullptr); }
  Status Refresh(const Snapshot* snapshot) override {
    status_ = Status::OK();
    return base_->Refresh(snapshot);
  }
  void Prepare(const MultiScanArgs& scan_opts) override {
    base_->Prepare(scan_opts);
  }

  Slice key() const override { return base_->key(); }
  Slice value() const override { return WithoutTtlTime(base_->value()); }
  const WideColumns& columns() const override { return columns_; }
  Slice timestamp() const override { return base_->timestamp(); }
  Status status() const override {
    return status_.ok() ? base_->status() : status_;
  }
  Status GetProperty(std::string name, std::string* value) override {
    return base_->GetProperty(std::move(name), value);
  }

  // Seconds since 1970 when the value was written. REQUIRES: Valid().
  int32_t ttl_timestamp() const {
    return static_cast<int32_t>(TtlTimeOf(base_->value()));
  }

 private:
  void Check() {
    status_ = Status::OK();
    columns_.clear();
    if (base_->Valid() && !defers_values_) CheckValue();
  }
  void CheckValue() {
    status_ = CheckTtlValue(base_->value());
    if (status_.ok()) columns_ = {{kDefaultWideColumnName, value()}};
  }

  const std::unique_ptr<Iterator> base_;
  const bool defers_values_;
  Status status_;
  // The value as an entity has it.
  WideColumns columns_;
};

}  // namespace ROCKSDB_NAMESPACE
