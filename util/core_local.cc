#include "util/core_local.h"

#include <algorithm>
#include <bit>
#include <thread>

namespace ROCKSDB_NAMESPACE {

namespace core_local_internal {

thread_local constinit uint32_t thread_number = 0;

uint32_t AssignThreadNumber() {
  static std::atomic<uint32_t> next{1};
  // Relaxed: only distinctness matters. Zero would mean "none yet".
  do {
    thread_number = next.fetch_add(1, std::memory_order_relaxed);
  } while (thread_number == 0);
  return thread_number;
}

}  // namespace core_local_internal

uint32_t CoreLocalSlotCount() {
  static const uint32_t count =
      std::bit_ceil(std::clamp(std::thread::hardware_concurrency(), 8u, 1024u));
  return count;
}

}  // namespace ROCKSDB_NAMESPACE
