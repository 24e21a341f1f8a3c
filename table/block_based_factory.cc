#include "table/block_based_factory.h"

#include <cassert>
#include <utility>

#include "file/random_access_file_reader.h"
#include "options/constraints.h"
#include "options/object_registry.h"
#include "rocksdb/cache.h"
#include "rocksdb/flush_block_policy.h"
#include "table/block_based_builder.h"
#include "table/block_based_reader.h"
#include "table/embedded_blobs.h"
#include "table/table_parts.h"
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
    options_.block_cache = NewLRUCache(kDefaultCacheBytes);
  }
  charges_ = std::make_shared<TableCharges>(ChargesOf(options_));
  INVARIANT(options_.flush_block_policy_factory != nullptr);
  INVARIANT(options_.no_block_cache == (options_.block_cache == nullptr));
}

Status BlockBasedTableFactory::NewTableReader(
    const ReadOptions& /*read_options*/,
    const TableReaderOptions& reader_options,
    std::unique_ptr<RandomAccessFileReader>&& file, uint64_t file_size,
    std::unique_ptr<TableReader>* table_reader,
    bool /*prefetch_index_and_filter_in_cache*/) const {
  INVARIANT(file != nullptr);
  std::unique_ptr<TableParts> parts;
  Status s = OpenTable(reader_options,
                       std::make_shared<BlockBasedTableOptions>(options_),
                       std::move(file), file_size, &parts);
  if (!s.ok()) return s;
  assert(parts != nullptr);
  auto reader = std::make_unique<BlockBasedTableReader>(
      std::move(parts), MemoryCharge(charges_->readers));
  if (!reader->ChargeMemory()) {
    return Status::MemoryLimit(
        "the block cache has no room for the reader of a table");
  }
  if (HasEmbeddedBlobs(*reader->properties())) {
    *table_reader = NewEmbeddedBlobsReader(std::move(reader));
  } else {
    *table_reader = std::move(reader);
  }
  return s;
}

std::unique_ptr<TableBuilder> BlockBasedTableFactory::NewTableBuilder(
    const TableBuilderOptions& builder_options,
    WritableFileWriter* file) const {
  return std::make_unique<BlockBasedTableBuilder>(options_, builder_options,
                                                  file, *charges_);
}

std::unique_ptr<TableFactory> BlockBasedTableFactory::Clone() const {
  return std::make_unique<BlockBasedTableFactory>(options_);
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
  RegisterObject<TableFactory, BlockBasedTableFactory>(
      TableFactory::kBlockBasedTableName());
}

ROCKSDB_REGISTER_OBJECTS(RegisterBlockBasedTable);

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
