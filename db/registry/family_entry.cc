#include "db/registry/family_entry.h"

#include "cache/cache_entry_stats.h"
#include "db/compaction/compaction_picker.h"
#include "rocksdb/table.h"
#include "table/block_based_factory.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

FamilyEntry::FamilyEntry(ColumnFamilyRef family)
    : cfd(std::move(family)),
      picker(NewCompactionPicker(cfd->ioptions())),
      stats(cfd->ioptions().num_levels) {}

FamilyEntry::~FamilyEntry() = default;

std::shared_ptr<Cache> BlockCacheOf(const MutableCFOptions& options) {
  INVARIANT(options.table_factory != nullptr);
  const auto* table =
      options.table_factory->GetOptions<BlockBasedTableOptions>();
  return table == nullptr || table->no_block_cache ? nullptr
                                                   : table->block_cache;
}

std::shared_ptr<Cache> GivenBlockCacheOf(const MutableCFOptions& options) {
  const auto* factory =
      options.table_factory->CheckedCast<BlockBasedTableFactory>();
  return factory != nullptr && factory->HasItsOwnCache()
             ? nullptr
             : BlockCacheOf(options);
}

}  // namespace ROCKSDB_NAMESPACE
