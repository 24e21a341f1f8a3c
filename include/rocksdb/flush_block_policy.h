#pragma once

// When a data block ends and the next one begins.
//
// Threads    A policy is used by one thread; its factory by many.
// Ownership  The caller owns the policies that a factory returns.

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {

class BlockBuilder;
class Slice;
struct BlockBasedTableOptions;
struct ConfigOptions;

class FlushBlockPolicy {
 public:
  virtual ~FlushBlockPolicy() = default;

  // Called before each entry is added: true ends the present block first,
  // unless it is empty. Internal keys, ascending.
  virtual bool Update(const Slice& key, const Slice& value) = 0;
};

class FlushBlockPolicyFactory : public Customizable {
 public:
  static const char* Type() { return "FlushBlockPolicyFactory"; }
  static Status CreateFromString(
      const ConfigOptions& config_options, const std::string& value,
      std::shared_ptr<FlushBlockPolicyFactory>* result);

  // A policy for one table file; `data_block_builder` outlives it.
  virtual FlushBlockPolicy* NewFlushBlockPolicy(
      const BlockBasedTableOptions& table_options,
      const BlockBuilder& data_block_builder) const = 0;
};

// Blocks of about `block_size` bytes: the default.
class FlushBlockBySizePolicyFactory : public FlushBlockPolicyFactory {
 public:
  FlushBlockBySizePolicyFactory() = default;

  static const char* kClassName() { return "FlushBlockBySizePolicyFactory"; }
  const char* Name() const override { return kClassName(); }

  FlushBlockPolicy* NewFlushBlockPolicy(
      const BlockBasedTableOptions& table_options,
      const BlockBuilder& data_block_builder) const override;
  // The same rule for other blocks; `deviation` is a percentage.
  static FlushBlockPolicy* NewFlushBlockPolicy(
      uint64_t size, int deviation, const BlockBuilder& data_block_builder);
};

}  // namespace ROCKSDB_NAMESPACE
