#include "table/block_based_factory.h"

#include <cassert>
#include <utility>

#include "file/random_access_file_reader.h"
#include "options/constraints.h"
#include "options/object_registry.h"
#include "options/parse.h"
#include "options/print.h"
#include "options/table_rows.h"
#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/flush_block_policy.h"
#include "table/block_based_builder.h"
#include "table/block_based_reader.h"
#include "table/table_parts.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kDefaultCacheBytes = 32 << 20;

}  // namespace

BlockBasedTableFactory::BlockBasedTableFactory(
    const BlockBasedTableOptions& options)
    : options_(options) {
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
  *table_reader = std::move(reader);
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

Status BlockBasedTableFactory::ConfigureOption(const ConfigOptions& config,
                                               const std::string& name,
                                               const std::string& value) {
  BlockBasedTableOptions changed = options_;
  Status s =
      ParseOption(config, BlockBasedTableOptionStruct(), name, value, &changed);
  if (s.ok()) {
    options_ = std::move(changed);
    Initialize();
  }
  return s;
}

Status BlockBasedTableFactory::ConfigureFromString(const ConfigOptions& config,
                                                   const std::string& text) {
  BlockBasedTableOptions changed = options_;
  Status s =
      ParseOptionString(config, BlockBasedTableOptionStruct(), text, &changed);
  if (s.ok()) {
    options_ = std::move(changed);
    Initialize();
  }
  return s;
}

Status BlockBasedTableFactory::GetOptionString(const ConfigOptions& config,
                                               std::string* result) const {
  *result = PrintOptions(config, BlockBasedTableOptionStruct(), &options_);
  return Status::OK();
}

Status BlockBasedTableFactory::GetOption(const ConfigOptions& config,
                                         const std::string& name,
                                         std::string* value) const {
  const OptionRow* row = BlockBasedTableOptionStruct().Find(name);
  if (row == nullptr) return Status::NotFound("no such option", name);
  *value = PrintOption(config, *row, &options_);
  return Status::OK();
}

std::string BlockBasedTableFactory::GetPrintableOptions() const {
  ConfigOptions config;
  config.delimiter = "\n  ";
  return "  " + PrintOptions(config, BlockBasedTableOptionStruct(), &options_);
}

bool BlockBasedTableFactory::AreEquivalent(const ConfigOptions& config,
                                           const Configurable* other,
                                           std::string* name) const {
  const auto* theirs =
      other != nullptr ? other->GetOptions<BlockBasedTableOptions>() : nullptr;
  if (theirs == nullptr) {
    *name = Name();
    return false;
  }
  const OptionRow* difference =
      FirstDifference(config, BlockBasedTableOptionStruct(), &options_, theirs);
  *name = difference != nullptr ? std::string(difference->name) : "";
  return difference == nullptr;
}

const void* BlockBasedTableFactory::GetOptionsPtr(
    const std::string& name) const {
  if (name == BlockBasedTableOptions::kName()) return &options_;
  if (name == kBlockCacheOpts()) return options_.block_cache.get();
  return nullptr;
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
