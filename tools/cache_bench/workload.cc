#include "tools/cache_bench/workload.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <deque>
#include <thread>
#include <utility>
#include <vector>

#include "rocksdb/advanced_cache.h"

namespace ROCKSDB_NAMESPACE::cache_bench {

namespace {

using WallClock = std::chrono::steady_clock;

double SecondsSince(WallClock::time_point start) {
  return std::chrono::duration<double>(WallClock::now() - start).count();
}

enum class Operation : uint8_t {
  kLookUpOrInsert,
  kInsert,
  kInsertBlindly,
  kLookUp,
  kErase,
};

// How many operations pass until the capacity changes again.
constexpr uint64_t kOpsOfOneCapacity = 1000;

}  // namespace

void Counts::Add(const Counts& other) {
  lookups += other.lookups;
  hits += other.hits;
  wrong_values += other.wrong_values;
  failed_inserts += other.failed_inserts;
  pinned += other.pinned;
  seconds += other.seconds;
}

// One of the threads.
class Workload::Thread {
 public:
  Thread(Workload* workload, uint32_t index)
      : settings_(workload->settings_),
        cache_(workload->cache_.get()),
        form_(workload->form_),
        keys_(workload->keys_),
        latencies_(workload->latencies_.get()),
        varies_capacity_(index == 0 && settings_.vary_capacity_ratio > 0.0),
        key_count_(settings_.KeyCount()),
        most_pinned_bytes_(settings_.PinnedBytesOfThread()),
        random_(settings_.seed + index) {}

  Counts Run() {
    const WallClock::time_point start = WallClock::now();
    for (uint64_t i = 0; i < settings_.ops_per_thread; ++i) {
      if (varies_capacity_ && i % kOpsOfOneCapacity == 0) VaryCapacity();
      TimeOne();
      if (settings_.usleep > 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(
            random_.Below(uint64_t{settings_.usleep} + 1)));
      }
    }
    counts_.seconds = SecondsSince(start);
    counts_.pinned = pinned_.size();
    return counts_;
  }
  // Behind the measurement.
  void Unpin() {
    while (!pinned_.empty()) UnpinOldest();
  }

 private:
  // The smallest of several draws: key 0 is the most frequent.
  uint64_t DrawKey() {
    uint64_t key = random_.Below(key_count_);
    for (uint32_t i = 0; i < settings_.skew; ++i) {
      key = std::min(key, random_.Below(key_count_));
    }
    return key;
  }
  Operation DrawOperation() {
    const std::pair<uint32_t, Operation> shares[] = {
        {settings_.lookup_insert_percent, Operation::kLookUpOrInsert},
        {settings_.insert_percent, Operation::kInsert},
        {settings_.blind_insert_percent, Operation::kInsertBlindly},
        {settings_.lookup_percent, Operation::kLookUp},
    };
    uint64_t drawn = random_.Below(100);
    for (const auto& [percent, operation] : shares) {
      if (drawn < percent) return operation;
      drawn -= percent;
    }
    return Operation::kErase;
  }
  void TimeOne() {
    const uint64_t key = DrawKey();
    const Operation operation = DrawOperation();
    if (latencies_ == nullptr) {
      Apply(operation, key);
      return;
    }
    const WallClock::time_point start = WallClock::now();
    Apply(operation, key);
    latencies_->recordInHistogram(
        DB_GET,
        static_cast<uint64_t>(
            std::chrono::nanoseconds(WallClock::now() - start).count()));
  }
  void Apply(Operation operation, uint64_t key) {
    switch (operation) {
      case Operation::kLookUpOrInsert:
        if (!LookUp(key)) Insert(key);
        break;
      case Operation::kInsert:
        Insert(key);
        break;
      case Operation::kInsertBlindly:
        InsertBlindly(key);
        break;
      case Operation::kLookUp:
        LookUp(key);
        break;
      case Operation::kErase:
        cache_->Erase(keys_.Of(key).slice());
        break;
    }
  }
  bool LookUp(uint64_t key) {
    ++counts_.lookups;
    Cache::Handle* const handle =
        cache_->Lookup(keys_.Of(key).slice(), ValueHelper(), &create_context_);
    if (handle == nullptr) return false;
    ++counts_.hits;
    if (!settings_.lean && !IsValueOf(cache_->Value(handle), key, form_)) {
      ++counts_.wrong_values;
    }
    Pin(handle);
    return true;
  }
  void Insert(uint64_t key) {
    const Cache::ObjectPtr value = NewValue(key, form_, &random_);
    Cache::Handle* handle = nullptr;
    const Status s = cache_->Insert(keys_.Of(key).slice(), value, ValueHelper(),
                                    ChargeOf(value), &handle);
    if (!s.ok()) {
      // It is the caller's still.
      ValueHelper()->del_cb(value, nullptr);
      ++counts_.failed_inserts;
      return;
    }
    Pin(handle);
  }
  void InsertBlindly(uint64_t key) {
    const Cache::ObjectPtr value = NewValue(key, form_, &random_);
    const Status s = cache_->Insert(keys_.Of(key).slice(), value, ValueHelper(),
                                    ChargeOf(value));
    if (!s.ok()) ++counts_.failed_inserts;
  }
  void Pin(Cache::Handle* handle) {
    pinned_.push_back(handle);
    while (pinned_.size() * form_.size_bytes > most_pinned_bytes_ &&
           !pinned_.empty()) {
      UnpinOldest();
    }
  }
  void UnpinOldest() {
    cache_->Release(pinned_.front());
    pinned_.pop_front();
  }
  void VaryCapacity() {
    const double taken = settings_.vary_capacity_ratio * random_.Fraction();
    cache_->SetCapacity(static_cast<size_t>(
        static_cast<double>(settings_.cache_size) * (1.0 - taken)));
  }

  const Settings& settings_;
  Cache* const cache_;
  const ValueForm form_;
  const KeySet& keys_;
  Statistics* const latencies_;
  const bool varies_capacity_;
  const uint64_t key_count_;
  const uint64_t most_pinned_bytes_;
  bench::Random random_;
  Cache::CreateContext create_context_;
  std::deque<Cache::Handle*> pinned_;
  Counts counts_;
};

Workload::Workload(const Settings& settings, std::shared_ptr<Cache> cache)
    : settings_(settings),
      cache_(std::move(cache)),
      form_(FormOfValues()),
      keys_(settings.KeyCount(), settings.degenerate_hash_bits),
      latencies_(settings.histograms ? CreateDBStatistics() : nullptr) {}

ValueForm Workload::FormOfValues() const {
  return {.size_bytes = settings_.value_bytes,
          .random_bytes = static_cast<size_t>(settings_.value_bytes *
                                              settings_.compressible_to_ratio)};
}

void Workload::Populate() {
  // Not those of the threads, which draw from seed onwards.
  bench::Random random(~settings_.seed);
  const size_t capacity = cache_->GetCapacity();
  // Room for as many as that; a cache that evicts early never looks full.
  const uint64_t most = 1 + capacity / settings_.value_bytes;
  uint64_t inserted = 0;
  for (uint64_t key = 0; key < settings_.KeyCount() && inserted < most; ++key) {
    if (cache_->GetUsage() + settings_.value_bytes > capacity) break;
    const Cache::ObjectPtr value = NewValue(key, form_, &random);
    const Status s = cache_->Insert(keys_.Of(key).slice(), value, ValueHelper(),
                                    ChargeOf(value));
    if (s.ok()) ++inserted;
  }
  const size_t entries = cache_->GetOccupancyCount();
  std::printf("Population complete (%zu entries, %.1f average charge)\n",
              entries,
              entries == 0 ? 0.0
                           : static_cast<double>(cache_->GetUsage()) /
                                 static_cast<double>(entries));
}

bool Workload::Run() {
  std::atomic<bool> is_done{false};
  std::thread gatherer;
  if (settings_.gather_stats) {
    gatherer = std::thread([&] { GatherStats(is_done); });
  }
  const WallClock::time_point start = WallClock::now();
  const Counts all = RunThreads();
  const double elapsed_seconds = SecondsSince(start);
  is_done.store(true);
  if (gatherer.joinable()) gatherer.join();
  PrintResults(all, elapsed_seconds);
  return all.wrong_values == 0;
}

Counts Workload::RunThreads() {
  std::vector<std::unique_ptr<Thread>> works;
  for (uint32_t i = 0; i < settings_.threads; ++i) {
    works.push_back(std::make_unique<Thread>(this, i));
  }
  std::vector<Counts> results(works.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < works.size(); ++i) {
    threads.emplace_back([&, i] { results[i] = works[i]->Run(); });
  }
  for (std::thread& thread : threads) thread.join();
  Counts all;
  for (const Counts& result : results) all.Add(result);
  for (const auto& work : works) work->Unpin();
  cache_->SetCapacity(settings_.cache_size);
  return all;
}

void Workload::GatherStats(const std::atomic<bool>& is_done) {
  const auto rest = std::chrono::milliseconds(settings_.gather_stats_sleep_ms);
  WallClock::time_point next = WallClock::now();
  while (!is_done.load()) {
    // Short naps, so that the end is not waited for.
    if (WallClock::now() < next) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      continue;
    }
    uint64_t entries = 0;
    Cache::ApplyToAllEntriesOptions how;
    how.average_entries_per_lock = settings_.gather_stats_entries_per_lock;
    cache_->ApplyToAllEntries(
        [&entries](const Slice&, Cache::ObjectPtr, size_t,
                   const Cache::CacheItemHelper*) { ++entries; },
        how);
    ++gatherings_;
    gathered_entries_ = entries;
    next = WallClock::now() + rest;
  }
}

void Workload::PrintResults(const Counts& all, double elapsed_seconds) const {
  const double operations = static_cast<double>(settings_.threads) *
                            static_cast<double>(settings_.ops_per_thread);
  std::printf("Complete in %.3f s; Rough parallel ops/sec = %.0f\n",
              elapsed_seconds, operations / std::max(elapsed_seconds, 1e-9));
  std::printf("Thread ops/sec = %.0f\n",
              operations / std::max(all.seconds, 1e-9));
  std::printf("Lookup hit ratio: %g\n",
              all.lookups == 0 ? 0.0
                               : static_cast<double>(all.hits) /
                                     static_cast<double>(all.lookups));
  const size_t entries = cache_->GetOccupancyCount();
  const size_t addresses = cache_->GetTableAddressCount();
  std::printf("Final load factor: %g (%zu / %zu)\n",
              addresses == 0 ? 0.0
                             : static_cast<double>(entries) /
                                   static_cast<double>(addresses),
              entries, addresses);
  std::printf("Final pinned count: %" PRIu64 "\n", all.pinned);
  if (all.failed_inserts > 0) {
    std::printf("Failed inserts: %" PRIu64 "\n", all.failed_inserts);
  }
  if (latencies_ != nullptr) {
    std::printf("\nOperation latency (ns):\n%s\n",
                latencies_->getHistogramString(DB_GET).c_str());
  }
  if (settings_.gather_stats) {
    std::printf("Cache stats were gathered %" PRIu64 " times, last of %" PRIu64
                " entries\n",
                gatherings_, gathered_entries_);
  }
  if (all.wrong_values > 0) {
    std::fprintf(stderr, "%" PRIu64 " look-ups found a value of another key\n",
                 all.wrong_values);
  }
}

}  // namespace ROCKSDB_NAMESPACE::cache_bench
