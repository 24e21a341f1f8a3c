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
#include <cassert>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <typeinfo>
#include <vector>

#include "monitoring/histogram.h"
#include "monitoring/thread_histogram.h"
#include "rocksdb/statistics.h"
#include "util/mutex.h"
#include "util/thread_local.h"

namespace ROCKSDB_NAMESPACE {

struct TickerCount {
  uint32_t ticker = 0;
  uint64_t count = 0;
};
struct HistogramValue {
  enum class Source : uint8_t {
    kMeasured,
    kLikeLast,  // not measured: as the last that this thread measured
    kNone,      // nothing is recorded
  };
  uint32_t histogram = 0;
  uint64_t value = 0;
  Source source = Source::kMeasured;
};

// May `statistics` be told of the ticker? A program's own may have no room for
// those that RocksDB lacks.
inline bool Takes(const Statistics& statistics, uint32_t ticker_type) {
  return ticker_type < TICKER_ENUM_MAX || statistics.TakesOwnTickers();
}
// Calls visit(ticker, name) for every ticker of `statistics`, in order.
template <class Visit>
void ForEachTicker(const Statistics& statistics, const Visit& visit) {
  for (const auto& [ticker, name] : TickersNameMap) visit(ticker, name);
  if (!statistics.TakesOwnTickers()) return;
  for (const auto& [ticker, name] : OwnTickersNameMap) visit(ticker, name);
}

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
  // recordTick() and recordInHistogram() for each, at less than their price:
  // becomes part of the caller, who knows which they are.
  template <size_t kCounts, size_t kValues>
  [[gnu::always_inline]] void RecordAll(
      const std::array<TickerCount, kCounts>& counts,
      const std::array<HistogramValue, kValues>& values) {
    const StatsLevel level = get_stats_level();
    if (level <= StatsLevel::kExceptTickers) return;
    const bool has_values = level > StatsLevel::kExceptHistogramOrTimers;
    ThreadCounters* const counters = OfThisThread();
    ForEach(counts, [&](const TickerCount& count) {
      AddCount(counters, count.ticker, count.count);
    });
    ForEach(values, [&](const HistogramValue& value) {
      if (!has_values || value.source == HistogramValue::Source::kNone) return;
      AddValue(counters, value);
    });
    if (inner_ == nullptr) [[likely]]
      return;
    ForEach(counts, [&](const TickerCount& count) {
      if (!Takes(*inner_, count.ticker)) return;
      inner_->recordTick(count.ticker, count.count);
    });
    ForEach(values, [&](const HistogramValue& value) {
      if (!has_values || value.source != HistogramValue::Source::kMeasured) {
        return;
      }
      inner_->recordInHistogram(value.histogram, value.value);
    });
  }
  // For times that come with every operation. True: this thread is to measure
  // the next one. False: it need not, and records it as like the last; that
  // keeps the count exact and the distribution right, at less than the price
  // of asking a clock.
  bool IsNextMeasured(uint32_t histogram_type) {
    assert(histogram_type < HISTOGRAM_ENUM_MAX);
    // Others would miss what is not measured.
    if (get_stats_level() >= StatsLevel::kAll || inner_ != nullptr) return true;
    ThreadHistogram* const histogram =
        OfThisThread()->Histogram(histogram_type);
    // An empty one has no last value.
    return !histogram->IsOfEpoch(histogram_epoch_.load(kRelaxed)) ||
           histogram->IsNextMeasured();
  }
  // A histogram with its buckets.
  HistogramSnapshot GetHistogram(uint32_t histogram_type) const {
    return HistogramSum(histogram_type);
  }
  Status Reset() override;
  std::string ToString() const override;
  using Configurable::ToString;
  bool getTickerMap(std::map<std::string, uint64_t>* map) const override;
  bool HistEnabledForType(uint32_t type) const override;
  bool TakesOwnTickers() const override { return true; }

 private:
  static constexpr auto kRelaxed = std::memory_order_relaxed;

  struct alignas(128) ThreadCounters {
    explicit ThreadCounters(StatisticsImpl* statistics) : owner(statistics) {}
    ThreadCounters(const ThreadCounters&) = delete;
    ThreadCounters& operator=(const ThreadCounters&) = delete;
    ~ThreadCounters();

    ThreadHistogram* Histogram(uint32_t type) {
      ThreadHistogram* histogram = histograms[type].load(kRelaxed);
      if (histogram != nullptr) [[likely]]
        return histogram;
      return AddHistogram(type);
    }
    ThreadHistogram* AddHistogram(uint32_t type);

    StatisticsImpl* const owner;
    std::array<std::atomic<uint64_t>, OWN_TICKER_ENUM_MAX> tickers{};
    // Made when first used: most threads use few of them.
    std::array<std::atomic<ThreadHistogram*>, HISTOGRAM_ENUM_MAX> histograms{};
  };

  template <typename T, size_t kCount, typename Visit>
  [[gnu::always_inline]] static void ForEach(const std::array<T, kCount>& all,
                                             const Visit& visit) {
    std::apply([&visit](const auto&... each) { (visit(each), ...); }, all);
  }

  static void AddCount(ThreadCounters* counters, uint32_t ticker,
                       uint64_t count) {
    assert(ticker < OWN_TICKER_ENUM_MAX);
    std::atomic<uint64_t>* const total = &counters->tickers[ticker];
    // Only this thread writes it.
    total->store(total->load(kRelaxed) + count, kRelaxed);
  }
  void AddValue(ThreadCounters* counters, const HistogramValue& value) {
    assert(value.histogram < HISTOGRAM_ENUM_MAX);
    const bool is_measured = value.source == HistogramValue::Source::kMeasured;
    ThreadHistogram* const histogram = counters->Histogram(value.histogram);
    const uint64_t epoch = histogram_epoch_.load(kRelaxed);
    if (!histogram->IsOfEpoch(epoch)) [[unlikely]] {
      // What is like the last value began before that was forgotten.
      if (!is_measured) return;
      histogram->StartEpoch(epoch);
    }
    if (is_measured) {
      histogram->Add(value.value);
    } else {
      histogram->AddLastAgain();
    }
  }

  // Null: it has none yet.
  ThreadCounters* OfThisThreadOrNull() const {
    return static_cast<ThreadCounters*>(current_.Get());
  }
  ThreadCounters* OfThisThread() {
    ThreadCounters* const counters = OfThisThreadOrNull();
    return counters != nullptr ? counters : AddThread();
  }
  // What is not a plain addition of recordTick().
  void RecordTickSlowly(uint32_t ticker_type, uint64_t count);
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
  std::array<uint64_t, OWN_TICKER_ENUM_MAX> ticker_bases_
      GUARDED_BY(mutex_) = {};
  std::atomic<uint64_t> histogram_epoch_{0};
  // Last, so that it is destroyed first: that releases every thread.
  ThreadLocalPtr current_;
};

inline void RecordTick(Statistics* statistics, uint32_t ticker_type,
                       uint64_t count = 1) {
  if (statistics == nullptr || !Takes(*statistics, ticker_type)) return;
  statistics->recordTick(ticker_type, count);
}
// Several at once, where they come with every operation.
template <size_t kCounts, size_t kValues>
[[gnu::always_inline]] inline void RecordAll(
    Statistics* statistics, const std::array<TickerCount, kCounts>& counts,
    const std::array<HistogramValue, kValues>& values) {
  if (statistics == nullptr) return;
  if (typeid(*statistics) == typeid(StatisticsImpl)) [[likely]] {
    static_cast<StatisticsImpl*>(statistics)->RecordAll(counts, values);
    return;
  }
  for (const TickerCount& count : counts) {
    RecordTick(statistics, count.ticker, count.count);
  }
  for (const HistogramValue& value : values) {
    if (value.source != HistogramValue::Source::kMeasured) continue;
    statistics->recordInHistogram(value.histogram, value.value);
  }
}
inline void SetTickerCount(Statistics* statistics, uint32_t ticker_type,
                           uint64_t count) {
  if (statistics == nullptr || !Takes(*statistics, ticker_type)) return;
  statistics->setTickerCount(ticker_type, count);
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
// True if it should for the next of this thread's operations, where others may
// be recorded as like it: see StatisticsImpl::IsNextMeasured().
inline bool ShouldMeasureNext(Statistics* statistics, uint32_t histogram) {
  if (typeid(*statistics) != typeid(StatisticsImpl)) return true;
  return static_cast<StatisticsImpl*>(statistics)->IsNextMeasured(histogram);
}

}  // namespace ROCKSDB_NAMESPACE
