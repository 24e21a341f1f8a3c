#include "tools/point_lock_bench/lock_run.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <thread>

#include "rocksdb/utilities/transaction.h"
#include "tools/db_bench/random.h"

namespace ROCKSDB_NAMESPACE::lock_bench {

namespace {

using WallClock = std::chrono::steady_clock;

constexpr uint64_t kExclusive = uint64_t{1} << 32;

std::string KeyOf(uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "key%016" PRIx64, number);
  return text;
}

}  // namespace

void Counts::Add(const Counts& other) {
  transactions += other.transactions;
  locks += other.locks;
  timeouts += other.timeouts;
  deadlocks += other.deadlocks;
  violations += other.violations;
  if (failure.ok()) failure = other.failure;
}

// One of the threads.
class LockRun::Thread {
 public:
  Thread(LockRun* run, uint32_t index)
      : run_(*run),
        settings_(run->settings_),
        random_(run->settings_.seed + index) {
    options_.deadlock_detect = settings_.deadlock_detect;
    options_.lock_timeout = settings_.lock_timeout_ms;
    options_.expiration = settings_.expiration_ms;
  }

  Counts Run() {
    while (!run_.is_over_.load(std::memory_order_relaxed)) {
      Transact();
      if (!counts_.failure.ok()) break;
      if (counts_.transactions == settings_.transactions_per_thread) break;
    }
    return counts_;
  }

 private:
  struct Wish {
    uint64_t key = 0;
    bool is_exclusive = true;
  };

  // Different keys, in the order of locking.
  std::vector<Wish> DrawWishes() {
    std::vector<Wish> wishes;
    while (wishes.size() < settings_.keys_per_txn) {
      const uint64_t key = random_.Below(settings_.keys);
      const bool is_there =
          std::any_of(wishes.begin(), wishes.end(),
                      [key](const Wish& wish) { return wish.key == key; });
      if (is_there) continue;
      wishes.push_back(
          {.key = key,
           .is_exclusive = random_.Below(100) >= settings_.shared_percent});
    }
    if (settings_.sorted_keys) {
      std::sort(wishes.begin(), wishes.end(),
                [](const Wish& a, const Wish& b) { return a.key < b.key; });
    }
    return wishes;
  }
  void Transact() {
    txn_.reset(
        run_.db_->BeginTransaction(WriteOptions(), options_, txn_.release()));
    ++counts_.transactions;
    const std::vector<Wish> wishes = DrawWishes();
    size_t held = 0;
    while (held < wishes.size() && Lock(wishes[held])) ++held;
    if (held == wishes.size() && settings_.hold_micros > 0) {
      std::this_thread::sleep_for(
          std::chrono::microseconds(settings_.hold_micros));
    }
    for (size_t i = 0; i < held; ++i) Leave(wishes[i]);
    const Status s = txn_->Rollback();
    if (!s.ok() && counts_.failure.ok()) counts_.failure = s;
  }
  // False: the transaction is to be given up.
  bool Lock(const Wish& wish) {
    const WallClock::time_point start = WallClock::now();
    const Status s = txn_->GetForUpdate(ReadOptions(), KeyOf(wish.key),
                                        static_cast<std::string*>(nullptr),
                                        wish.is_exclusive);
    run_.latencies_->recordInHistogram(
        DB_GET,
        static_cast<uint64_t>(
            std::chrono::nanoseconds(WallClock::now() - start).count()));
    if (s.ok() || s.IsNotFound()) {
      ++counts_.locks;
      Enter(wish);
      return true;
    }
    if (s.IsDeadlock()) {
      ++counts_.deadlocks;
    } else if (s.IsTimedOut() || s.IsBusy()) {
      ++counts_.timeouts;
    } else {
      counts_.failure = s;
    }
    return false;
  }
  // Where locks expire, others may hold them as well.
  void Enter(const Wish& wish) {
    std::atomic<uint64_t>& count = run_.holders_[wish.key].count;
    const uint64_t before = count.fetch_add(Weight(wish));
    const bool is_alone = wish.is_exclusive ? before == 0 : before < kExclusive;
    if (!is_alone && settings_.expiration_ms < 0) ++counts_.violations;
  }
  void Leave(const Wish& wish) {
    run_.holders_[wish.key].count.fetch_sub(Weight(wish));
  }
  static uint64_t Weight(const Wish& wish) {
    return wish.is_exclusive ? kExclusive : 1;
  }

  LockRun& run_;
  const Settings& settings_;
  TransactionOptions options_;
  bench::Random random_;
  std::unique_ptr<Transaction> txn_;
  Counts counts_;
};

LockRun::LockRun(const Settings& settings, TransactionDB* db)
    : settings_(settings),
      db_(db),
      holders_(settings.keys),
      latencies_(CreateDBStatistics()) {}

bool LockRun::Run() {
  std::vector<std::unique_ptr<Thread>> works;
  for (uint32_t i = 0; i < settings_.threads; ++i) {
    works.push_back(std::make_unique<Thread>(this, i));
  }
  std::vector<Counts> results(works.size());
  std::atomic<size_t> finished{0};
  std::vector<std::thread> threads;
  const WallClock::time_point start = WallClock::now();
  for (size_t i = 0; i < works.size(); ++i) {
    threads.emplace_back([&, i] {
      results[i] = works[i]->Run();
      ++finished;
    });
  }
  const std::chrono::duration<double> all_the_time(settings_.seconds);
  while (finished < threads.size() && WallClock::now() - start < all_the_time) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  is_over_.store(true);
  for (std::thread& thread : threads) thread.join();
  const std::chrono::duration<double> elapsed = WallClock::now() - start;
  Counts all;
  for (const Counts& result : results) all.Add(result);
  PrintResults(all, elapsed.count());
  return all.violations == 0 && all.failure.ok();
}

void LockRun::PrintResults(const Counts& all, double elapsed_seconds) const {
  const double seconds = std::max(elapsed_seconds, 1e-9);
  std::printf("Complete in %.3f s; locks/sec = %.0f\n", elapsed_seconds,
              static_cast<double>(all.locks) / seconds);
  std::printf("Transactions/sec = %.0f\n",
              static_cast<double>(all.transactions) / seconds);
  std::printf("Timeouts: %" PRIu64 "\n", all.timeouts);
  std::printf("Deadlocks: %" PRIu64 "\n", all.deadlocks);
  std::printf("\nLatency of a lock (ns):\n%s\n",
              latencies_->getHistogramString(DB_GET).c_str());
  if (all.violations > 0) {
    std::fprintf(stderr, "%" PRIu64 " locks were given beside another\n",
                 all.violations);
  }
  if (!all.failure.ok()) {
    std::fprintf(stderr, "%s\n", all.failure.ToString().c_str());
  }
}

}  // namespace ROCKSDB_NAMESPACE::lock_bench
