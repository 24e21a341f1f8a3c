#include "util/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void ParallelFor(size_t thread_count, size_t count,
                 const std::function<void(size_t)>& work) {
  INVARIANT(work != nullptr);
  std::atomic<size_t> next{0};
  const auto run = [&] {
    for (size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
      work(i);
    }
  };
  std::vector<std::thread> helpers;
  for (size_t i = 1; i < std::min(thread_count, count); ++i) {
    try {
      helpers.emplace_back(run);
    } catch (const std::system_error&) {
      break;
    }
  }
  run();
  for (std::thread& helper : helpers) helper.join();
  INVARIANT(next.load() >= count);
}

}  // namespace ROCKSDB_NAMESPACE
