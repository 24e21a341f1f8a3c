#include "tools/db_bench/worker.h"

#include "tools/db_bench/flags.h"

namespace ROCKSDB_NAMESPACE::bench {

uint64_t Worker::KeyCount() const {
  return existing_keys != nullptr ? existing_keys->size()
                                  : static_cast<uint64_t>(FLAGS_num);
}

KeyBuffer Worker::MakeKeyBuffer() const {
  return KeyBuffer(static_cast<size_t>(FLAGS_key_size), existing_keys);
}

Budget::Budget(uint64_t operations, Limit limit)
    : operations_(operations),
      seconds_(limit == Limit::kOperationsOrDuration ? FLAGS_duration : 0),
      start_(std::chrono::steady_clock::now()) {}

bool Budget::StillHasTime() {
  next_look_ = done_ + static_cast<uint64_t>(FLAGS_ops_between_duration_checks);
  return std::chrono::steady_clock::now() - start_ <
         std::chrono::seconds(seconds_);
}

}  // namespace ROCKSDB_NAMESPACE::bench
