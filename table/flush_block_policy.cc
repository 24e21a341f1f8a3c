#include "rocksdb/flush_block_policy.h"

#include "options/builtin_objects.h"
#include "rocksdb/table.h"
#include "table/block_builder.h"
#include "table/flush_by_size.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class FlushBlockBySizePolicy final : public FlushBlockPolicy {
 public:
  FlushBlockBySizePolicy(const FlushBySize& rule, const BlockBuilder& block)
      : rule_(rule), block_(block) {}
  bool Update(const Slice& key, const Slice& value) override {
    return rule_.ShouldEnd(block_, key.size(), value.size());
  }

 private:
  const FlushBySize rule_;
  const BlockBuilder& block_;
};

class FlushBlockEveryKeyPolicy final : public FlushBlockPolicy {
 public:
  explicit FlushBlockEveryKeyPolicy(const BlockBuilder& block)
      : block_(block) {}
  bool Update(const Slice&, const Slice&) override { return !block_.empty(); }

 private:
  const BlockBuilder& block_;
};

// Known by its name alone: a block for each entry.
class FlushBlockEveryKeyPolicyFactory final : public FlushBlockPolicyFactory {
 public:
  static const char* kClassName() { return "FlushBlockEveryKeyPolicyFactory"; }
  const char* Name() const override { return kClassName(); }

  FlushBlockPolicy* NewFlushBlockPolicy(
      const BlockBasedTableOptions&,
      const BlockBuilder& data_block_builder) const override {
    return std::make_unique<FlushBlockEveryKeyPolicy>(data_block_builder)
        .release();
  }
};

}  // namespace

FlushBlockPolicy* FlushBlockBySizePolicyFactory::NewFlushBlockPolicy(
    const BlockBasedTableOptions& options, const BlockBuilder& block) const {
  const FlushBySize rule(options.block_size, options.block_size_deviation,
                         options.block_align);
  return std::make_unique<FlushBlockBySizePolicy>(rule, block).release();
}

FlushBlockPolicy* FlushBlockBySizePolicyFactory::NewFlushBlockPolicy(
    uint64_t size, int deviation, const BlockBuilder& block) {
  return std::make_unique<FlushBlockBySizePolicy>(FlushBySize(size, deviation),
                                                  block)
      .release();
}

namespace {

void RegisterFlushPolicies() {
  AddBuiltin<FlushBlockPolicyFactory, FlushBlockBySizePolicyFactory>(
      FlushBlockBySizePolicyFactory::kClassName());
  AddBuiltin<FlushBlockPolicyFactory, FlushBlockEveryKeyPolicyFactory>(
      FlushBlockEveryKeyPolicyFactory::kClassName());
}

ROCKSDB_REGISTER_OBJECTS(RegisterFlushPolicies);

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
