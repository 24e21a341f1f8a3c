#include "db/read/tracked_iterator.h"

#include <string>
#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class TrackedIterator final : public Iterator {
 public:
  TrackedIterator(TrackedWork work, std::unique_ptr<Iterator> base)
      : work_(work), base_(std::move(base)) {
    INVARIANT(base_ != nullptr);
  }
  // It may be what its files have been kept for.
  ~TrackedIterator() override {
    const TrackedCall tracked(work_, kOperation);
    base_.reset();
  }

  void SeekToFirst() override {
    const TrackedCall tracked(work_, kOperation);
    base_->SeekToFirst();
  }
  void SeekToLast() override {
    const TrackedCall tracked(work_, kOperation);
    base_->SeekToLast();
  }
  void Seek(const Slice& target) override {
    const TrackedCall tracked(work_, kOperation);
    base_->Seek(target);
  }
  void SeekForPrev(const Slice& target) override {
    const TrackedCall tracked(work_, kOperation);
    base_->SeekForPrev(target);
  }
  void Next() override {
    const TrackedCall tracked(work_, kOperation);
    base_->Next();
  }
  void Prev() override {
    const TrackedCall tracked(work_, kOperation);
    base_->Prev();
  }
  bool PrepareValue() override {
    const TrackedCall tracked(work_, kOperation);
    return base_->PrepareValue();
  }
  Status Refresh() override {
    const TrackedCall tracked(work_, kOperation);
    return base_->Refresh();
  }
  Status Refresh(const Snapshot* snapshot) override {
    const TrackedCall tracked(work_, kOperation);
    return base_->Refresh(snapshot);
  }
  void Prepare(const MultiScanArgs& scan_opts) override {
    const TrackedCall tracked(work_, kOperation);
    base_->Prepare(scan_opts);
  }

  // What has been found already.
  bool Valid() const override { return base_->Valid(); }
  Slice key() const override { return base_->key(); }
  Slice value() const override { return base_->value(); }
  const WideColumns& columns() const override { return base_->columns(); }
  Slice timestamp() const override { return base_->timestamp(); }
  Status status() const override { return base_->status(); }
  Status GetProperty(std::string prop_name, std::string* prop) override {
    return base_->GetProperty(std::move(prop_name), prop);
  }

 private:
  static constexpr auto kOperation = ThreadStatus::OP_DBITERATOR;

  const TrackedWork work_;
  std::unique_ptr<Iterator> base_;
};

}  // namespace

std::unique_ptr<Iterator> TrackIterator(TrackedWork work,
                                        std::unique_ptr<Iterator> base) {
  if (work == TrackedWork::kNone) return base;
  return std::make_unique<TrackedIterator>(work, std::move(base));
}

}  // namespace ROCKSDB_NAMESPACE
