// Partitions of one prefix each.

#include <algorithm>
#include <memory>

#include "rocksdb/sst_partitioner.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class FixedPrefixPartitioner final : public SstPartitioner {
 public:
  explicit FixedPrefixPartitioner(size_t prefix_size)
      : prefix_size_(prefix_size) {}

  const char* Name() const override { return "SstPartitionerFixedPrefix"; }

  PartitionerResult ShouldPartition(
      const PartitionerRequest& request) override {
    return HaveOnePrefix(*request.prev_user_key, *request.current_user_key)
               ? kNotRequired
               : kRequired;
  }

  bool CanDoTrivialMove(const Slice& smallest_user_key,
                        const Slice& largest_user_key) override {
    return HaveOnePrefix(smallest_user_key, largest_user_key);
  }

 private:
  Slice PrefixOf(const Slice& key) const {
    return Slice(key.data(), std::min(key.size(), prefix_size_));
  }
  bool HaveOnePrefix(const Slice& a, const Slice& b) const {
    return PrefixOf(a) == PrefixOf(b);
  }

  const size_t prefix_size_;
};

class FixedPrefixPartitionerFactory final : public SstPartitionerFactory {
 public:
  explicit FixedPrefixPartitionerFactory(size_t prefix_size)
      : prefix_size_(prefix_size) {}

  const char* Name() const override {
    return "SstPartitionerFixedPrefixFactory";
  }
  std::unique_ptr<SstPartitioner> CreatePartitioner(
      const SstPartitioner::Context& /*context*/) const override {
    return std::make_unique<FixedPrefixPartitioner>(prefix_size_);
  }

 private:
  const size_t prefix_size_;
};

}  // namespace

std::shared_ptr<SstPartitionerFactory> NewSstPartitionerFixedPrefixFactory(
    size_t prefix_len) {
  return std::make_shared<FixedPrefixPartitionerFactory>(prefix_len);
}

}  // namespace ROCKSDB_NAMESPACE
