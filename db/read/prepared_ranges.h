// The ranges that Iterator::Prepare() was given, checked and copied.
//
// Threads    One at a time, the iterator's.
// Lifetime   Outlives what was given a part of the plan, or Forget() comes
//            after that has gone.
// Errors     Ranges that are not allowed: InvalidArgument, in status().
#pragma once

#include <memory>

#include "rocksdb/scan_options.h"
#include "rocksdb/status.h"
#include "util/key/internal_iterator.h"
#include "util/key/internal_key.h"
#include "util/key/scan_plan.h"

namespace ROCKSDB_NAMESPACE {

class Statistics;
class SystemClock;

class PreparedRanges {
 public:
  struct Context {
    const InternalKeyComparator* order = nullptr;
    // ReadOptions::async_io.
    bool is_async = false;
    Statistics* statistics = nullptr;
    SystemClock* clock = nullptr;
  };

  // Takes the place of what was prepared before. `source` fetches ahead.
  void Prepare(const MultiScanArgs& args, const Context& context,
               InternalIterator* source);

  // That of the last Prepare().
  const Status& status() const { return status_; }
  bool is_active() const { return plan_ != nullptr; }

  // The source that knew the plan has gone.
  void Forget() { plan_.reset(); }

 private:
  std::unique_ptr<ScanPlan> plan_;
  Status status_;
};

}  // namespace ROCKSDB_NAMESPACE
