#include "tools/cache_bench/instance_stress.h"

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/advanced_cache.h"
#include "rocksdb/cache.h"
#include "tools/cache_bench/value.h"
#include "tools/db_bench/random.h"

namespace ROCKSDB_NAMESPACE::cache_bench {

namespace {

using StressClock = std::chrono::steady_clock;

class StepTimer {
 public:
  void Print(const char* what, uint32_t count) {
    const StressClock::time_point now = StressClock::now();
    const double micros =
        std::chrono::duration<double, std::micro>(now - start_).count();
    std::printf("%-20s: %.3f us each\n", what, micros / count);
    start_ = now;
  }

 private:
  StressClock::time_point start_ = StressClock::now();
};

// All have one key, and values of their own.
Status FillInstances(const Settings& settings,
                     const std::vector<std::shared_ptr<Cache>>& caches) {
  const ValueForm form = {.size_bytes = settings.value_bytes,
                          .random_bytes = 0};
  bench::Random random(settings.seed);
  for (uint64_t i = 0; i < caches.size(); ++i) {
    const Cache::ObjectPtr value = NewValue(i, form, &random);
    const Status s = caches[i]->Insert(Key(0).slice(), value, ValueHelper(),
                                       ChargeOf(value));
    if (!s.ok()) return s;
  }
  for (uint64_t i = 0; i < caches.size(); ++i) {
    Cache::Handle* const handle = caches[i]->Lookup(Key(0).slice());
    const bool is_right =
        handle != nullptr && IsValueOf(caches[i]->Value(handle), i, form);
    if (handle != nullptr) caches[i]->Release(handle);
    if (!is_right) {
      return Status::Corruption("cache " + std::to_string(i),
                                "has not kept its value");
    }
  }
  return Status::OK();
}

}  // namespace

Status StressInstances(const Settings& settings) {
  const uint32_t count = settings.stress_cache_instances;
  std::vector<std::shared_ptr<Cache>> caches(count);
  StepTimer timer;
  for (std::shared_ptr<Cache>& cache : caches) {
    if (Status s = MakeCache(settings, &cache); !s.ok()) return s;
  }
  std::printf("%u caches of %s\n", count, caches.front()->Name());
  timer.Print("Made", count);
  if (Status s = FillInstances(settings, caches); !s.ok()) return s;
  timer.Print("Used", count);
  caches.clear();
  timer.Print("Let go", count);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::cache_bench
