#include "env/session_id.h"

#include <unistd.h>

#include <atomic>
#include <random>

#include "util/invariant.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Drawn once per process: every id differs from the others of the process in
// the counter, and from those of other processes in the rest.
struct Seed {
  Seed() {
    std::random_device device;
    const auto draw = [&device] {
      return (static_cast<uint64_t>(device()) << 32) | device();
    };
    high = draw();
    low = draw();
    process = getpid();
  }
  uint64_t high;
  uint64_t low;
  pid_t process;
};

}  // namespace

std::string NewSessionId() {
  static Seed seed;
  static std::atomic<uint64_t> counter{0};
  // A forked child would go on with its parent's ids.
  if (seed.process != getpid()) seed = Seed();
  uint64_t low = seed.low ^ counter.fetch_add(1);
  if (low == 0) low = seed.low ^ counter.fetch_add(1);
  constexpr uint64_t kLowDigitsMask = (uint64_t{1} << 62) - 1;
  constexpr size_t kDigits = 20;
  std::string id;
  PutBaseChars36(&id, 8, (seed.high << 2) | (low >> 62));
  PutBaseChars36(&id, 12, low & kLowDigitsMask);
  INVARIANT(id.size() == kDigits);
  return id;
}

}  // namespace ROCKSDB_NAMESPACE
