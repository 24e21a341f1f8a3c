#include "monitoring/statistics_impl.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "util/invariant.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

// Adds to a number that only this thread writes.
template <typename T>
void AddOwned(std::atomic<T>* number, T value) {
  number->store(number->load(kRelaxed) + value, kRelaxed);
}

std::string HistogramLine(const std::string& name, const HistogramData& data) {
  return StringPrintf(
      "%s P50 : %f P95 : %f P99 : %f P100 : %f COUNT : %llu SUM : %llu\n",
      name.c_str(), data.median, data.percentile95, data.percentile99, data.max,
      static_cast<unsigned long long>(data.count),
      static_cast<unsigned long long>(data.sum));
}

}  // namespace

// A histogram that one thread writes and others read.
struct StatisticsImpl::ThreadHistogram {
  std::atomic<uint64_t> epoch{0};
  std::atomic<uint64_t> min{UINT64_MAX};
  std::atomic<uint64_t> max{0};
  std::atomic<uint64_t> count{0};
  std::atomic<uint64_t> sum{0};
  std::atomic<double> sum_squares{0};
  std::array<std::atomic<uint64_t>, kHistogramBucketCount> buckets{};

  void StartEpoch(uint64_t new_epoch) {
    min.store(UINT64_MAX, kRelaxed);
    max.store(0, kRelaxed);
    count.store(0, kRelaxed);
    sum.store(0, kRelaxed);
    sum_squares.store(0, kRelaxed);
    for (auto& bucket : buckets) bucket.store(0, kRelaxed);
    // release: pairs with the acquire in AddTo(), which takes no number of an
    // older epoch for one of this.
    epoch.store(new_epoch, std::memory_order_release);
  }

  void Add(uint64_t value) {
    AddOwned(&buckets[HistogramBuckets::IndexForValue(value)], uint64_t{1});
    if (value < min.load(kRelaxed)) min.store(value, kRelaxed);
    if (value > max.load(kRelaxed)) max.store(value, kRelaxed);
    AddOwned(&count, uint64_t{1});
    AddOwned(&sum, value);
    const auto number = static_cast<double>(value);
    AddOwned(&sum_squares, number * number);
  }

  void AddTo(uint64_t wanted_epoch, HistogramSnapshot* total) const {
    if (epoch.load(std::memory_order_acquire) != wanted_epoch) return;
    total->min = std::min(total->min, min.load(kRelaxed));
    total->max = std::max(total->max, max.load(kRelaxed));
    total->count += count.load(kRelaxed);
    total->sum += sum.load(kRelaxed);
    total->sum_squares += sum_squares.load(kRelaxed);
    for (size_t i = 0; i < buckets.size(); ++i) {
      total->buckets[i] += buckets[i].load(kRelaxed);
    }
  }
};

struct alignas(128) StatisticsImpl::ThreadCounters {
  explicit ThreadCounters(StatisticsImpl* statistics) : owner(statistics) {}
  ThreadCounters(const ThreadCounters&) = delete;
  ThreadCounters& operator=(const ThreadCounters&) = delete;
  ~ThreadCounters() {
    for (auto& histogram : histograms) {
      const std::unique_ptr<ThreadHistogram> last(histogram.load(kRelaxed));
    }
  }

  ThreadHistogram* Histogram(uint32_t type) {
    ThreadHistogram* histogram = histograms[type].load(kRelaxed);
    if (histogram != nullptr) [[likely]]
      return histogram;
    histogram = std::make_unique<ThreadHistogram>().release();
    // release: pairs with the acquire in HistogramSum().
    histograms[type].store(histogram, std::memory_order_release);
    return histogram;
  }

  StatisticsImpl* const owner;
  std::array<std::atomic<uint64_t>, TICKER_ENUM_MAX> tickers{};
  // Made when first used: most threads use few of them.
  std::array<std::atomic<ThreadHistogram*>, HISTOGRAM_ENUM_MAX> histograms{};
};

StatisticsImpl::StatisticsImpl(std::shared_ptr<Statistics> inner)
    : inner_(std::move(inner)), current_(&ReleaseThread) {}

StatisticsImpl::~StatisticsImpl() = default;

inline StatisticsImpl::ThreadCounters* StatisticsImpl::OfThisThread() {
  auto* counters = static_cast<ThreadCounters*>(current_.Get());
  if (counters != nullptr) [[likely]]
    return counters;
  return AddThread();
}

StatisticsImpl::ThreadCounters* StatisticsImpl::AddThread() {
  ThreadCounters* counters = nullptr;
  {
    const MutexLock lock(&mutex_);
    if (free_threads_.empty()) {
      threads_.push_back(std::make_unique<ThreadCounters>(this));
      counters = threads_.back().get();
    } else {
      counters = free_threads_.back();
      free_threads_.pop_back();
    }
  }
  current_.Reset(counters);
  return counters;
}

void StatisticsImpl::ReleaseThread(void* counters) {
  auto* released = static_cast<ThreadCounters*>(counters);
  StatisticsImpl* const owner = released->owner;
  // The lock also orders this thread's stores before those of the next owner.
  const MutexLock lock(&owner->mutex_);
  owner->free_threads_.push_back(released);
}

uint64_t StatisticsImpl::TickerSumLocked(uint32_t ticker_type) const {
  // Wraps round if the base is greater, and back on the next addition.
  uint64_t sum = 0 - ticker_bases_[ticker_type];
  for (const auto& thread : threads_) {
    sum += thread->tickers[ticker_type].load(kRelaxed);
  }
  return sum;
}

uint64_t StatisticsImpl::ExchangeTicker(uint32_t ticker_type, uint64_t count) {
  INVARIANT(ticker_type < TICKER_ENUM_MAX);
  const MutexLock lock(&mutex_);
  const uint64_t before = TickerSumLocked(ticker_type);
  ticker_bases_[ticker_type] += before - count;
  return before;
}

HistogramSnapshot StatisticsImpl::HistogramSum(uint32_t histogram_type) const {
  INVARIANT(histogram_type < HISTOGRAM_ENUM_MAX);
  HistogramSnapshot total;
  const MutexLock lock(&mutex_);
  const uint64_t epoch = histogram_epoch_.load(kRelaxed);
  for (const auto& thread : threads_) {
    const ThreadHistogram* histogram =
        thread->histograms[histogram_type].load(std::memory_order_acquire);
    if (histogram != nullptr) histogram->AddTo(epoch, &total);
  }
  return total;
}

uint64_t StatisticsImpl::getTickerCount(uint32_t ticker_type) const {
  INVARIANT(ticker_type < TICKER_ENUM_MAX);
  const MutexLock lock(&mutex_);
  return TickerSumLocked(ticker_type);
}

void StatisticsImpl::histogramData(uint32_t histogram_type,
                                   HistogramData* data) const {
  HistogramSum(histogram_type).Data(data);
}

std::string StatisticsImpl::getHistogramString(uint32_t histogram_type) const {
  return HistogramSum(histogram_type).ToString();
}

void StatisticsImpl::setTickerCount(uint32_t ticker_type, uint64_t count) {
  ExchangeTicker(ticker_type, count);
  if (inner_ != nullptr) inner_->setTickerCount(ticker_type, count);
}

uint64_t StatisticsImpl::getAndResetTickerCount(uint32_t ticker_type) {
  if (inner_ != nullptr) inner_->setTickerCount(ticker_type, 0);
  return ExchangeTicker(ticker_type, 0);
}

void StatisticsImpl::recordTick(uint32_t ticker_type, uint64_t count) {
  assert(ticker_type < TICKER_ENUM_MAX);
  if (get_stats_level() <= StatsLevel::kExceptTickers) return;
  if (ticker_type < TICKER_ENUM_MAX) [[likely]] {
    AddOwned(&OfThisThread()->tickers[ticker_type], count);
  }
  if (inner_ != nullptr) inner_->recordTick(ticker_type, count);
}

void StatisticsImpl::RecordTicks(std::initializer_list<TickerCount> counts) {
  if (get_stats_level() <= StatsLevel::kExceptTickers) return;
  ThreadCounters* const counters = OfThisThread();
  for (const TickerCount& count : counts) {
    assert(count.ticker < TICKER_ENUM_MAX);
    AddOwned(&counters->tickers[count.ticker], count.count);
    if (inner_ != nullptr) inner_->recordTick(count.ticker, count.count);
  }
}

void StatisticsImpl::recordInHistogram(uint32_t histogram_type,
                                       uint64_t value) {
  assert(histogram_type < HISTOGRAM_ENUM_MAX);
  if (get_stats_level() <= StatsLevel::kExceptHistogramOrTimers) return;
  if (histogram_type < HISTOGRAM_ENUM_MAX) [[likely]] {
    ThreadHistogram* histogram = OfThisThread()->Histogram(histogram_type);
    const uint64_t epoch = histogram_epoch_.load(kRelaxed);
    if (histogram->epoch.load(kRelaxed) != epoch) [[unlikely]] {
      histogram->StartEpoch(epoch);
    }
    histogram->Add(value);
  }
  if (inner_ != nullptr) inner_->recordInHistogram(histogram_type, value);
}

Status StatisticsImpl::Reset() {
  {
    const MutexLock lock(&mutex_);
    for (uint32_t i = 0; i < TICKER_ENUM_MAX; ++i) {
      ticker_bases_[i] += TickerSumLocked(i);
    }
    histogram_epoch_.fetch_add(1, kRelaxed);
  }
  return inner_ == nullptr ? Status::OK() : inner_->Reset();
}

std::string StatisticsImpl::ToString() const {
  std::string text;
  for (const auto& [ticker, name] : TickersNameMap) {
    text += name;
    text += " COUNT : ";
    AppendNumberTo(&text, getTickerCount(ticker));
    text += '\n';
  }
  for (const auto& [histogram, name] : HistogramsNameMap) {
    HistogramData data;
    histogramData(histogram, &data);
    text += HistogramLine(name, data);
  }
  return text;
}

bool StatisticsImpl::getTickerMap(std::map<std::string, uint64_t>* map) const {
  map->clear();
  for (const auto& [ticker, name] : TickersNameMap) {
    (*map)[name] = getTickerCount(ticker);
  }
  return true;
}

bool StatisticsImpl::HistEnabledForType(uint32_t type) const {
  return type < HISTOGRAM_ENUM_MAX;
}

Status Statistics::CreateFromString(const ConfigOptions& /*opts*/,
                                    const std::string& value,
                                    std::shared_ptr<Statistics>* result) {
  if (value.empty() || value == "nullptr") {
    result->reset();
  } else if (value == StatisticsImpl::kClassName()) {
    *result = CreateDBStatistics();
  } else {
    return Status::NotSupported("Statistics", value);
  }
  return Status::OK();
}

std::shared_ptr<Statistics> CreateDBStatistics() {
  return std::make_shared<StatisticsImpl>();
}

}  // namespace ROCKSDB_NAMESPACE
