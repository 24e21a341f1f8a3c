// Parallel loops do each item once, on as many threads as were asked for.
#include "util/parallel_for.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(ParallelFor, DoesEachOnce) {
  for (const size_t threads : {0, 1, 2, 7, 100}) {
    for (const size_t count : {0, 1, 5, 50}) {
      std::vector<std::atomic<int>> done(count);
      ParallelFor(threads, count, [&](size_t i) { ++done[i]; });
      for (size_t i = 0; i < count; ++i) EXPECT_EQ(done[i], 1) << i;
    }
  }
}

// Each waits until all have begun: there must be a thread for each.
TEST(ParallelFor, UsesAsManyThreadsAsAreAskedFor) {
  constexpr int kThreads = 4;
  Mutex mutex;
  CondVar changed(&mutex);
  int begun = 0;
  ParallelFor(kThreads, kThreads, [&](size_t) {
    MutexLock lock(&mutex);
    ++begun;
    changed.SignalAll();
    while (begun < kThreads) changed.Wait();
  });
  EXPECT_EQ(begun, kThreads);
}

TEST(ParallelFor, OneThreadIsTheCallers) {
  const auto caller = std::this_thread::get_id();
  ParallelFor(1, 3,
              [&](size_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
