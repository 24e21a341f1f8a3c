#include "table/block_based_factory.h"

#include <cassert>
#include <utility>

#include "cache/clock_cache.h"
#include "file/random_access_file_reader.h"
#include "options/builtin_objects.h"
#include "options/constraints.h"
#include "rocksdb/cache.h"
#include "rocksdb/flush_block_policy.h"
#include "table/block_based_builder.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kDefaultCacheBytes = 32 << 20;

}  // namespace

BlockBasedTableFactory::BlockBasedTableFactory(
    const BlockBasedTableOptions& options)
    : TableFactoryOf(options) {
  Initialize();
}

void BlockBasedTableFactory::Initialize() {
  if (options_.flush_block_policy_factory == nullptr) {
    options_.flush_block_policy_factory =
        std::make_shared<FlushBlockBySizePolicyFactory>();
  }
  if (options_.no_block_cache) {
    options_.block_cache.reset();
  } else if (options_.block_cache == nullptr) {
    options_.block_cache = NewOwnBlockCache(kDefaultCacheBytes);
    own_cache_ = options_.block_cache.get();
  }
  charges_ = std::make_shared<TableCharges>(ChargesOf(options_));
  INVARIANT(options_.flush_block_policy_factory != nullptr);
  INVARIANT(options_.no_block_cache == (options_.block_cache == nullptr));
}

TableBuilder* BlockBasedTableFactory::NewTableBuilder(
    const TableBuilderOptions& builder_options,
    WritableFileWriter* file) const {
  return std::make_unique<BlockBasedTableBuilder>(options_, builder_options,
                                                  file, *charges_)
      .release();
}

std::unique_ptr<TableFactory> BlockBasedTableFactory::Clone() const {
  auto clone = std::make_unique<BlockBasedTableFactory>(options_);
  clone->own_cache_ = own_cache_;
  return clone;
}

Status BlockBasedTableFactory::ValidateOptions(
    const DBOptions&, const ColumnFamilyOptions& cf) const {
  return ValidateBlockBasedTableOptions(options_, cf);
}

void BlockBasedTableFactory::Adopt(BlockBasedTableOptions changed) {
  options_ = std::move(changed);
  Initialize();
}

const void* BlockBasedTableFactory::GetOptionsPtr(
    const std::string& name) const {
  if (name == kBlockCacheOpts()) return options_.block_cache.get();
  return TableFactoryOf::GetOptionsPtr(name);
}

TableFactory* NewBlockBasedTableFactory(
    const BlockBasedTableOptions& table_options) {
  return std::make_unique<BlockBasedTableFactory>(table_options).release();
}

namespace {

void RegisterBlockBasedTable() {
  AddBuiltin<TableFactory, BlockBasedTableFactory>(
      TableFactory::kBlockBasedTableName());
}

ROCKSDB_REGISTER_OBJECTS(RegisterBlockBasedTable);

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
