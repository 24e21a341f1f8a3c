#pragma once

// Writes table files outside a database, to be ingested later.

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

// What Finish() tells about the file.
struct ExternalSstFileInfo {
  std::string file_path;
  std::string smallest_key;
  std::string largest_key;
  std::string smallest_range_del_key;
  std::string largest_range_del_key;
  std::string file_checksum;
  std::string file_checksum_func_name;
  SequenceNumber sequence_number = 0;
  uint64_t file_size = 0;  // bytes
  uint64_t num_entries = 0;
  uint64_t num_range_del_entries = 0;
  int32_t version = 0;
};

}  // namespace ROCKSDB_NAMESPACE
