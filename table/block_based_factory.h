#pragma once

// The table factory "BlockBasedTable": options, and from them readers and
// builders.
//
// Threads  Const calls from any thread; options change through Clone() only.

#include <memory>
#include <string>

#include "options/table_rows.h"
#include "rocksdb/table.h"
#include "table/table_charges.h"
#include "table/table_factory_of.h"

namespace ROCKSDB_NAMESPACE {

class BlockBasedTableFactory final
    : public TableFactoryOf<BlockBasedTableOptions,
                            BlockBasedTableOptionStruct> {
 public:
  explicit BlockBasedTableFactory(
      const BlockBasedTableOptions& options = BlockBasedTableOptions());

  static const char* kClassName() { return kBlockBasedTableName(); }
  const char* Name() const override { return kBlockBasedTableName(); }

  using TableFactory::NewTableReader;
  Status NewTableReader(const ReadOptions& read_options,
                        const TableReaderOptions& reader_options,
                        std::unique_ptr<RandomAccessFileReader>&& file,
                        uint64_t file_size,
                        std::unique_ptr<TableReader>* table_reader,
                        bool prefetch_index_and_filter_in_cache) const override;
  TableBuilder* NewTableBuilder(const TableBuilderOptions& builder_options,
                                WritableFileWriter* file) const override;
  std::unique_ptr<TableFactory> Clone() const override;
  bool IsDeleteRangeSupported() const override { return true; }

  // Nobody gave it a block cache, so that it made one.
  bool HasItsOwnCache() const {
    return own_cache_ != nullptr && own_cache_ == options_.block_cache.get();
  }

  Status ValidateOptions(const DBOptions& db,
                         const ColumnFamilyOptions& cf) const override;

 protected:
  const void* GetOptionsPtr(const std::string& name) const override;

 private:
  void Adopt(BlockBasedTableOptions changed) override;
  // Makes the block cache that the options leave to us.
  void Initialize();

  std::shared_ptr<const TableCharges> charges_;
  const Cache* own_cache_ = nullptr;  // to be compared alone
};

}  // namespace ROCKSDB_NAMESPACE
