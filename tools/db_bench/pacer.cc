#include "tools/db_bench/pacer.h"

#include <algorithm>
#include <thread>

namespace ROCKSDB_NAMESPACE::bench {

void Pacer::Reserve(uint64_t units) {
  const std::chrono::duration<double> share(static_cast<double>(units) /
                                            static_cast<double>(rate_.load()));
  Clock::time_point turn;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    next_ = std::max(next_, Clock::now() - std::chrono::milliseconds(100));
    turn = next_;
    next_ += std::chrono::duration_cast<Clock::duration>(share);
  }
  std::this_thread::sleep_until(turn);
}

}  // namespace ROCKSDB_NAMESPACE::bench
