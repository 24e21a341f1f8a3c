#pragma once

// The Statistics that CreateDBStatistics() makes, and the calls through which
// the engine records.
//
// Each thread has counters of its own, which it alone writes: recording is a
// plain load, addition and store, without an atomic read-modify-write. Reading
// adds up the threads. A block of counters stays when its thread ends, and the
// next new thread goes on with it.
//
// Since nobody else may write a thread's counters, Reset() and
// setTickerCount() do not: a ticker has a base that is subtracted from the sum,
// and a histogram an epoch; its thread clears what is of an older one.
//
// Threads  All calls from any thread. Readers get some recent state.

#include <array>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include "monitoring/histogram.h"
#include "rocksdb/statistics.h"
#include "util/mutex.h"
#include "util/thread_local.h"

namespace ROCKSDB_NAMESPACE {

struct TickerCount {
  uint32_t ticker = 0;
  uint64_t count = 0;
};

class StatisticsImpl final : public Statistics {
 public:
  // Passes everything on to `inner` as well, if there is one.
  explicit StatisticsImpl(std::shared_ptr<Statistics> inner = nullptr);
  ~StatisticsImpl() override;

  static const char* kClassName() { return "BasicStatistics"; }
  const char* Name() const override { return kClassName(); }
  const Customizable* Inner() const override { return inner_.get(); }

  uint64_t getTickerCount(uint32_t ticker_type) const override;
  void histogramData(uint32_t histogram_type,
                     HistogramData* data) const override;
  std::string getHistogramString(uint32_t histogram_type) const override;
  void setTickerCount(uint32_t ticker_type, uint64_t count) override;
  uint64_t getAndResetTickerCount(uint32_t ticker_type) override;
  void recordTick(uint32_t ticker_type, uint64_t count) override;
  void recordInHistogram(uint32_t histogram_type, uint64_t value) override;
  // recordTick() for each, at less than its price.
  void RecordTicks(std::initializer_list<TickerCount> counts);
  // A histogram with its buckets.
  HistogramSnapshot GetHistogram(uint32_t histogram_type) const {
    return HistogramSum(histogram_type);
  }
  Status Reset() override;
  std::string ToString() const override;
  using Configurable::ToString;
  bool getTickerMap(std::map<std::string, uint64_t>* map) const override;
  bool HistEnabledForType(uint32_t type) const override;

 private:
  struct ThreadHistogram;
  struct ThreadCounters;

  inline ThreadCounters* OfThisThread();
  ThreadCounters* AddThread();
  // The thread that owned `counters` has ended.
  static void ReleaseThread(void* counters);

  uint64_t TickerSumLocked(uint32_t ticker_type) const REQUIRES(mutex_);
  uint64_t ExchangeTicker(uint32_t ticker_type, uint64_t count);
  HistogramSnapshot HistogramSum(uint32_t histogram_type) const;

  const std::shared_ptr<Statistics> inner_;
  // Guards the list of blocks and the bases; never the counters themselves.
  mutable Mutex mutex_;
  std::vector<std::unique_ptr<ThreadCounters>> threads_ GUARDED_BY(mutex_);
  std::vector<ThreadCounters*> free_threads_ GUARDED_BY(mutex_);
  std::array<uint64_t, TICKER_ENUM_MAX> ticker_bases_ GUARDED_BY(mutex_) = {};
  std::atomic<uint64_t> histogram_epoch_{0};
  // Last, so that it is destroyed first: that releases every thread.
  ThreadLocalPtr current_;
};

inline void RecordTick(Statistics* statistics, uint32_t ticker_type,
                       uint64_t count = 1) {
  if (statistics != nullptr) statistics->recordTick(ticker_type, count);
}
// Several at once, where they come with every operation.
inline void RecordTicks(Statistics* statistics,
                        std::initializer_list<TickerCount> counts) {
  if (statistics == nullptr) return;
  if (typeid(*statistics) == typeid(StatisticsImpl)) [[likely]] {
    static_cast<StatisticsImpl*>(statistics)->RecordTicks(counts);
    return;
  }
  for (const TickerCount& count : counts) {
    statistics->recordTick(count.ticker, count.count);
  }
}
inline void SetTickerCount(Statistics* statistics, uint32_t ticker_type,
                           uint64_t count) {
  if (statistics != nullptr) statistics->setTickerCount(ticker_type, count);
}
inline void RecordInHistogram(Statistics* statistics, uint32_t histogram_type,
                              uint64_t value) {
  if (statistics != nullptr) {
    statistics->recordInHistogram(histogram_type, value);
  }
}
inline void RecordTimeToHistogram(Statistics* statistics,
                                  uint32_t histogram_type, uint64_t value) {
  if (statistics != nullptr) {
    statistics->reportTimeToHistogram(histogram_type, value);
  }
}
// True if a caller should take the trouble to read the clock.
inline bool ShouldMeasureTime(const Statistics* statistics) {
  return statistics != nullptr &&
         statistics->get_stats_level() > StatsLevel::kExceptTimers;
}

}  // namespace ROCKSDB_NAMESPACE
