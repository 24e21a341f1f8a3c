#pragma once

// Measures one write for the histograms, where that is asked for.
//
// Threads  One.

#include <algorithm>

#include "file/file_io_context.h"
#include "monitoring/statistics_impl.h"

namespace ROCKSDB_NAMESPACE {

class WriteTimer {
 public:
  explicit WriteTimer(const FileIoContext& context) : context_(context) {
    if (context.histogram < HISTOGRAM_ENUM_MAX &&
        ShouldMeasureTime(context.statistics)) {
      start_micros_ = Now();
    }
  }
  ~WriteTimer() {
    if (start_micros_ == 0) return;
    const uint64_t micros = std::max(Now(), start_micros_) - start_micros_;
    RecordInHistogram(context_.statistics, context_.histogram, micros);
    // Tables have one of their own for each reason to write them.
    if (context_.histogram >= FILE_WRITE_FLUSH_MICROS &&
        context_.histogram <= FILE_WRITE_DB_OPEN_MICROS) {
      RecordInHistogram(context_.statistics, SST_WRITE_MICROS, micros);
    }
  }
  WriteTimer(const WriteTimer&) = delete;
  WriteTimer& operator=(const WriteTimer&) = delete;

 private:
  uint64_t Now() const {
    return (context_.clock != nullptr ? context_.clock
                                      : SystemClock::Default().get())
        ->NowMicros();
  }

  const FileIoContext& context_;
  uint64_t start_micros_ = 0;  // 0: not measured
};

}  // namespace ROCKSDB_NAMESPACE
