#include "util/random.h"

#include <chrono>

#include "util/core_local.h"

namespace ROCKSDB_NAMESPACE {

Random64& Random64::ThreadLocal() {
  static thread_local Random64 random(
      static_cast<uint64_t>(
          std::chrono::steady_clock::now().time_since_epoch().count()) ^
      (uint64_t{CurrentThreadNumber()} << 40));
  return random;
}

}  // namespace ROCKSDB_NAMESPACE
