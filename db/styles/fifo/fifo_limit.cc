#include "db/styles/fifo/fifo_limit.h"

#include "db/version/version_storage.h"

namespace ROCKSDB_NAMESPACE {

bool FifoCountsBlobs(const MutableCFOptions& options) {
  return options.compaction_options_fifo.max_data_files_size > 0;
}

uint64_t FifoLimitBytes(const MutableCFOptions& options) {
  const CompactionOptionsFIFO& fifo = options.compaction_options_fifo;
  return FifoCountsBlobs(options) ? fifo.max_data_files_size
                                  : fifo.max_table_files_size;
}

uint64_t FifoBytes(const VersionStorage& storage,
                   const MutableCFOptions& options) {
  const uint64_t tables = storage.TotalBytes();
  return FifoCountsBlobs(options) ? tables + storage.BlobBytes() : tables;
}

}  // namespace ROCKSDB_NAMESPACE
