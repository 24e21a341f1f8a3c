#include "table/external/external_table_iterator.h"

#include <cassert>
#include <string>
#include <utility>
#include <vector>

#include "util/invariant.h"
#include "util/key/scan_plan.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class ExternalTableCursor final : public InternalIterator {
 public:
  ExternalTableCursor(std::unique_ptr<ExternalTableIterator> inner,
                      const InternalKeyComparator& order, bool puts_off_values)
      : inner_(std::move(inner)),
        order_(order),
        puts_off_values_(puts_off_values) {
    INVARIANT(inner_ != nullptr);
  }

  bool Valid() const override { return is_valid_; }
  Slice key() const override {
    assert(is_valid_);
    return key_;
  }
  Slice value() const override {
    assert(is_valid_ && has_value_);
    return inner_->value();
  }
  bool HasValue() const override { return has_value_; }
  bool GetValue(Slice* result) override {
    if (!has_value_ && !PrepareValue()) return false;
    *result = inner_->value();
    return true;
  }
  Status status() const override {
    return status_.ok() ? inner_->status() : status_;
  }

  void SeekToFirst() override {
    inner_->SeekToFirst();
    Arrive();
  }
  void SeekToLast() override {
    inner_->SeekToLast();
    Arrive();
  }
  // Sequence 0 comes last among the versions of a key: an entry of the target's
  // user key is at or behind it, unless the target is behind all of them.
  void Seek(const Slice& target) override {
    inner_->Seek(ExtractUserKey(target));
    Arrive();
    if (is_valid_ && order_.Compare(key_, target) < 0) Next();
  }
  void SeekForPrev(const Slice& target) override {
    inner_->SeekForPrev(ExtractUserKey(target));
    Arrive();
    if (is_valid_ && order_.Compare(key_, target) > 0) Prev();
  }
  void Next() override {
    assert(is_valid_);
    IterateResult result;
    if (!inner_->NextAndGetResult(&result)) return Leave();
    Show(result.key, result.value_prepared);
  }
  void Prev() override {
    assert(is_valid_);
    inner_->Prev();
    Arrive();
  }
  void Prepare(const ScanPart& part) override {
    Leave();
    status_ = Status::OK();
    ranges_.clear();
    if (part.plan == nullptr) return inner_->Prepare(nullptr, 0);
    assert(part.begin <= part.end && part.end <= part.plan->ranges.size());
    // The application may look at them as long as it fetches.
    ranges_.assign(
        part.plan->ranges.begin() + static_cast<std::ptrdiff_t>(part.begin),
        part.plan->ranges.begin() + static_cast<std::ptrdiff_t>(part.end));
    options_.clear();
    for (const ScanPlan::Range& range : ranges_) {
      options_.emplace_back(range.start, range.limit);
    }
    inner_->Prepare(options_.data(), options_.size());
  }

 private:
  void Leave() { is_valid_ = has_value_ = false; }
  // After a call that moves the cursor and tells nothing.
  void Arrive() {
    status_ = Status::OK();
    if (!inner_->Valid()) return Leave();
    Show(inner_->key(), /*has_value=*/false);
  }
  void Show(const Slice& user_key, bool has_value) {
    key_.assign(user_key.data(), user_key.size());
    PutFixed64(&key_, PackSequenceAndType(0, kTypeValue));
    is_valid_ = true;
    has_value_ = has_value;
    if (!has_value_ && !puts_off_values_) PrepareValue();
  }
  bool PrepareValue() {
    has_value_ = inner_->PrepareValue();
    if (has_value_) return true;
    Leave();
    status_ = inner_->status();
    if (status_.ok()) {
      status_ = Status::Corruption("an external table cannot show a value");
    }
    return false;
  }

  const std::unique_ptr<ExternalTableIterator> inner_;
  const InternalKeyComparator order_;
  const bool puts_off_values_;
  bool is_valid_ = false;
  bool has_value_ = false;
  std::string key_;  // internal
  Status status_;    // not OK: a value could not be read
  std::vector<ScanPlan::Range> ranges_;
  std::vector<ScanOptions> options_;  // point into ranges_
};

}  // namespace

std::unique_ptr<InternalIterator> NewExternalTableCursor(
    std::unique_ptr<ExternalTableIterator> inner,
    const InternalKeyComparator& order, bool puts_off_values) {
  return std::make_unique<ExternalTableCursor>(std::move(inner), order,
                                               puts_off_values);
}

}  // namespace ROCKSDB_NAMESPACE
