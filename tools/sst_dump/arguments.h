// The command line of sst_dump.
//
// Threads  A value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rocksdb/compression_type.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

struct SstDumpArguments {
  std::vector<std::string> files;
  std::string command = "check";
  std::string from;
  std::optional<std::string> to;
  std::optional<std::string> prefix;
  uint64_t read_num = 0;  // 0: all
  bool output_hex = false;
  bool decode_blob_index = false;
  bool verify_checksum = false;
  bool show_properties = false;
  bool show_summary = false;
  bool list_meta_blocks = false;
  bool show_sequence_number_type = false;
  bool json = false;
  uint64_t block_size = 16384;
  uint64_t readahead_size = 2 << 20;
  std::vector<CompressionType> codecs;  // empty: all that are built in
  std::optional<int> level_from;
  std::optional<int> level_to;
  uint32_t max_dict_bytes = 0;
  uint32_t zstd_max_train_bytes = 0;
  uint64_t max_dict_buffer_bytes = 0;
  uint32_t parallel_threads = 1;
  bool use_zstd_finalize_dict = false;
  bool enable_index_compression = true;
  bool verify_compression = false;
  std::string compression_manager;
  std::string require_property_regex;
  std::string exclude_property_regex;
  std::string env_uri;
  std::string fs_uri;
  std::string load_library;

  // Set: what the command line asks for is done, or wrong, and this is the
  // exit code. Texts have gone out already.
  std::optional<int> exit_code;
};

SstDumpArguments ParseSstDumpArguments(int argc, char const* const* argv);

}  // namespace ROCKSDB_NAMESPACE
