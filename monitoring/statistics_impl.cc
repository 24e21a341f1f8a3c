#include "monitoring/statistics_impl.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "util/invariant.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

std::string HistogramLine(const std::string& name, const HistogramData& data) {
  return StringPrintf(
      "%s P50 : %f P95 : %f P99 : %f P100 : %f COUNT : %llu SUM : %llu\n",
      name.c_str(), data.median, data.percentile95, data.percentile99, data.max,
      static_cast<unsigned long long>(data.count),
      static_cast<unsigned long long>(data.sum));
}

}  // namespace

StatisticsImpl::StatisticsImpl(std::shared_ptr<Statistics> inner)
    : inner_(std::move(inner)), current_(&ReleaseThread) {}

StatisticsImpl::~StatisticsImpl() = default;

StatisticsImpl::ThreadCounters::~ThreadCounters() {
  for (auto& histogram : histograms) {
    const std::unique_ptr<ThreadHistogram> last(histogram.load(kRelaxed));
  }
}

ThreadHistogram* StatisticsImpl::ThreadCounters::AddHistogram(uint32_t type) {
  ThreadHistogram* histogram = std::make_unique<ThreadHistogram>().release();
  // release: pairs with the acquire in HistogramSum().
  histograms[type].store(histogram, std::memory_order_release);
  return histogram;
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
  INVARIANT(ticker_type < OWN_TICKER_ENUM_MAX);
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
  INVARIANT(ticker_type < OWN_TICKER_ENUM_MAX);
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
  SetTickerCount(inner_.get(), ticker_type, count);
}

uint64_t StatisticsImpl::getAndResetTickerCount(uint32_t ticker_type) {
  SetTickerCount(inner_.get(), ticker_type, 0);
  return ExchangeTicker(ticker_type, 0);
}

void StatisticsImpl::recordTick(uint32_t ticker_type, uint64_t count) {
  assert(ticker_type < OWN_TICKER_ENUM_MAX);
  if (get_stats_level() <= StatsLevel::kExceptTickers) return;
  ThreadCounters* const counters = OfThisThreadOrNull();
  if (counters == nullptr || inner_ != nullptr ||
      ticker_type >= OWN_TICKER_ENUM_MAX) [[unlikely]] {
    RecordTickSlowly(ticker_type, count);
    return;
  }
  AddCount(counters, ticker_type, count);
}

void StatisticsImpl::RecordTickSlowly(uint32_t ticker_type, uint64_t count) {
  if (ticker_type < OWN_TICKER_ENUM_MAX) {
    AddCount(OfThisThread(), ticker_type, count);
  }
  RecordTick(inner_.get(), ticker_type, count);
}

void StatisticsImpl::recordInHistogram(uint32_t histogram_type,
                                       uint64_t value) {
  assert(histogram_type < HISTOGRAM_ENUM_MAX);
  if (get_stats_level() <= StatsLevel::kExceptHistogramOrTimers) return;
  if (histogram_type < HISTOGRAM_ENUM_MAX) [[likely]] {
    AddValue(OfThisThread(), {.histogram = histogram_type, .value = value});
  }
  if (inner_ != nullptr) inner_->recordInHistogram(histogram_type, value);
}

Status StatisticsImpl::Reset() {
  {
    const MutexLock lock(&mutex_);
    for (uint32_t i = 0; i < OWN_TICKER_ENUM_MAX; ++i) {
      ticker_bases_[i] += TickerSumLocked(i);
    }
    histogram_epoch_.fetch_add(1, kRelaxed);
  }
  return inner_ == nullptr ? Status::OK() : inner_->Reset();
}

std::string StatisticsImpl::ToString() const {
  std::string text;
  ForEachTicker(*this, [&](Tickers ticker, const std::string& name) {
    text += name;
    text += " COUNT : ";
    AppendNumberTo(&text, getTickerCount(ticker));
    text += '\n';
  });
  for (const auto& [histogram, name] : HistogramsNameMap) {
    HistogramData data;
    histogramData(histogram, &data);
    text += HistogramLine(name, data);
  }
  return text;
}

bool StatisticsImpl::getTickerMap(std::map<std::string, uint64_t>* map) const {
  map->clear();
  ForEachTicker(*this, [&](Tickers ticker, const std::string& name) {
    (*map)[name] = getTickerCount(ticker);
  });
  return true;
}

bool StatisticsImpl::HistEnabledForType(uint32_t type) const {
  return type < HISTOGRAM_ENUM_MAX;
}

std::shared_ptr<Statistics> CreateDBStatistics() {
  return std::make_shared<StatisticsImpl>();
}

}  // namespace ROCKSDB_NAMESPACE
