// A table file that no version lists: opened by its path, and described.
//
// Files that are to be ingested or imported, and those of SstFileReader and
// VerifySstFileChecksum(), are met here first.
//
// Threads    Pure functions.
// Errors     Corruption names the file; InvalidArgument for another comparator.
// Ownership  What the request points to must outlive the reader.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "db/tables/file_meta.h"
#include "options/cf_options.h"
#include "options/db_options.h"
#include "rocksdb/file_system.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "table/table_reader.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

struct ExternalTableRequest {
  const ImmutableDBOptions* db = nullptr;
  const ImmutableCFOptions* cf = nullptr;
  const MutableCFOptions* mutable_cf = nullptr;
  FileOptions file_options;
  std::string path;
  // Zeros: it may have any.
  std::array<uint64_t, 2> expected_unique_id = {};
};

// The reader keeps out of the block cache. *size_bytes is the file's.
Status OpenExternalTable(const ExternalTableRequest& request,
                         std::unique_ptr<TableReader>* reader,
                         uint64_t* size_bytes);

// Fills in bounds and sequences of `meta` from the first and last entry, the
// range tombstones and the properties. Corruption for a file without entries,
// and for one that ends before it begins.
Status DescribeTable(const TableReader& reader,
                     const InternalKeyComparator& order, FileMeta* meta);

}  // namespace ROCKSDB_NAMESPACE
