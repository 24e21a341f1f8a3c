// BlockBasedTableFactory: opening a table, with blobs inside or without.
#include <cassert>
#include <utility>

#include "file/random_access_file_reader.h"
#include "table/block_based_factory.h"
#include "table/block_based_reader.h"
#include "table/embedded_blobs.h"
#include "table/table_parts.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status BlockBasedTableFactory::NewTableReader(
    const ReadOptions& read_options, const TableReaderOptions& reader_options,
    std::unique_ptr<RandomAccessFileReader>&& file, uint64_t file_size,
    std::unique_ptr<TableReader>* table_reader,
    bool prefetch_index_and_filter_in_cache) const {
  INVARIANT(file != nullptr);
  TableReaderOptions options = reader_options;
  options.prefetches_metadata = prefetch_index_and_filter_in_cache;
  options.fill_cache = read_options.fill_cache;
  std::unique_ptr<TableParts> parts;
  Status s =
      OpenTable(options, std::make_shared<BlockBasedTableOptions>(options_),
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

}  // namespace ROCKSDB_NAMESPACE
