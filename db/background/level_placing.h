// Files get their levels by other ways than a picker's, one at a time: what one
// decides by must not be changed by another before it is installed.
//
// Threads    Under the DB mutex: whoever has one guards it.
#pragma once

#include "db/registry/change_signal.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

class LevelPlacing {
 public:
  explicit LevelPlacing(ChangeSignal* changes) : changes_(changes) {}

  // Waits until nobody else places.
  void Begin() {
    while (is_placing_) changes_->Await();
    is_placing_ = true;
  }
  void End() {
    INVARIANT(is_placing_);
    is_placing_ = false;
    changes_->Note();
  }
  bool is_begun() const { return is_placing_; }

 private:
  ChangeSignal* const changes_;
  bool is_placing_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
