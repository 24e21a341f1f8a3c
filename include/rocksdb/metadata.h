#pragma once

// What the engine tells about its files: live tables, levels, families.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "rocksdb/options.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

// Any file of a database.
struct FileStorageInfo {
  // File name without directory, e.g. "000012.sst".
  std::string relative_filename;
  // The directory that holds it.
  std::string directory;
  uint64_t file_number = 0;
  FileType file_type = kTempFile;
  // Bytes.
  uint64_t size = 0;
  Temperature temperature = Temperature::kUnknown;
  // Whole-file checksum and the name of its function; empty and "Unknown" if
  // there is none. GetLiveFilesStorageInfo() without include_checksum_info
  // leaves both empty.
  std::string file_checksum;
  std::string file_checksum_func_name;
};

struct LiveFileStorageInfo : public FileStorageInfo {
  // For CURRENT: the content to write, since the file itself may change.
  std::string replacement_contents;
  // Copy only the first `size` bytes: the file may still grow.
  bool trim_to_size = false;
};

// A live table file.
struct SstFileMetaData : public FileStorageInfo {
  SstFileMetaData() { file_type = kTableFile; }

  SequenceNumber smallest_seqno = 0;
  SequenceNumber largest_seqno = 0;
  // User keys, both ends inclusive; an end that a range deletion made is an
  // upper bound.
  std::string smallestkey;
  std::string largestkey;
  // Reads of the file since it was made, or the database opened; an estimate.
  uint64_t num_reads_sampled = 0;
  bool being_compacted = false;
  uint64_t num_entries = 0;
  uint64_t num_deletions = 0;
  uint64_t oldest_blob_file_number = 0;
  // Seconds since 1970; 0 = unknown.
  uint64_t oldest_ancester_time = 0;
  uint64_t file_creation_time = 0;
  // Order of level-0 files; 0 = unknown.
  uint64_t epoch_number = 0;
  // Encoded internal keys of the bounds.
  std::string smallest;
  std::string largest;

  // Older names for relative_filename with a leading slash, and directory.
  std::string name;
  std::string db_path;
};

struct LiveFileMetaData : public SstFileMetaData {
  std::string column_family_name;
  int level = 0;
};

struct LevelMetaData {
  LevelMetaData(int level_number, uint64_t bytes,
                std::vector<SstFileMetaData>&& table_files)
      : level(level_number), size(bytes), files(std::move(table_files)) {}
  const int level;
  const uint64_t size;
  const std::vector<SstFileMetaData> files;
};

struct BlobMetaData {
  uint64_t blob_file_number = 0;
  uint64_t blob_file_size = 0;
};

struct ColumnFamilyMetaData {
  // Bytes of all table files.
  uint64_t size = 0;
  size_t file_count = 0;
  std::string name;
  std::vector<LevelMetaData> levels;
  uint64_t blob_file_size = 0;
  size_t blob_file_count = 0;
  std::vector<BlobMetaData> blob_files;
};

// Of which files DB::GetColumnFamilyMetaData() tells.
struct GetColumnFamilyMetaDataOptions {
  // Those whose keys reach into it, both ends inclusive; an end that is not
  // there is open.
  RangeOpt range;
  // Those of this level; -1: of all.
  int level = -1;

  GetColumnFamilyMetaDataOptions() = default;
  GetColumnFamilyMetaDataOptions(const OptSlice& start_key,
                                 const OptSlice& end_key, int level_number = -1)
      : range(start_key, end_key), level(level_number) {}
};

// What ExportColumnFamily() yields and an import takes.
struct ExportImportFilesMetaData {
  std::string db_comparator_name;
  std::vector<LiveFileMetaData> files;
};

}  // namespace ROCKSDB_NAMESPACE
