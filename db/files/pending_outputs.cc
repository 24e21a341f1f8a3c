#include "db/files/pending_outputs.h"

#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

class PendingOutputs::One {
 public:
  One(std::shared_ptr<Held> held, uint64_t next)
      : held_(std::move(held)), next_(next) {
    MutexLock lock(&held_->mutex);
    held_->numbers.insert(next_);
  }
  One(const One&) = delete;
  One& operator=(const One&) = delete;
  ~One() {
    MutexLock lock(&held_->mutex);
    const auto found = held_->numbers.find(next_);
    INVARIANT(found != held_->numbers.end());
    held_->numbers.erase(found);
  }

 private:
  const std::shared_ptr<Held> held_;
  const uint64_t next_;
};

PendingOutputs::Hold PendingOutputs::HoldFrom(uint64_t next) {
  INVARIANT(next > 0);
  return std::make_shared<const One>(held_, next);
}

uint64_t PendingOutputs::First() const {
  MutexLock lock(&held_->mutex);
  return held_->numbers.empty() ? UINT64_MAX : *held_->numbers.begin();
}

}  // namespace ROCKSDB_NAMESPACE
