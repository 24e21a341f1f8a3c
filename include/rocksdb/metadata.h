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
  SstFileMetaData(const std::string& _file_name, uint64_t _file_number,
                  const std::string& _directory, uint64_t _size,
                  SequenceNumber _smallest_seqno, SequenceNumber _largest_seqno,
                  const std::string& _smallestkey,
                  const std::string& _largestkey, uint64_t _num_reads_sampled,
                  bool _being_compacted, Temperature _temperature,
                  uint64_t _oldest_blob_file_number,
                  uint64_t _oldest_ancester_time, uint64_t _file_creation_time,
                  uint64_t _epoch_number, std::string& _file_checksum,
                  std::string& _file_checksum_func_name)
      : smallest_seqno(_smallest_seqno),
        largest_seqno(_largest_seqno),
        smallestkey(_smallestkey),
        largestkey(_largestkey),
        num_reads_sampled(_num_reads_sampled),
        being_compacted(_being_compacted),
        oldest_blob_file_number(_oldest_blob_file_number),
        oldest_ancester_time(_oldest_ancester_time),
        file_creation_time(_file_creation_time),
        epoch_number(_epoch_number),
        name("/" + _file_name),
        db_path(_directory) {
    relative_filename = _file_name;
    directory = _directory;
    file_number = _file_number;
    file_type = kTableFile;
    size = _size;
    temperature = _temperature;
    file_checksum = _file_checksum;
    file_checksum_func_name = _file_checksum_func_name;
  }

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
  // Files that may be changed are moved, others copied.
  LevelMetaData(int _level, uint64_t _size,
                std::vector<SstFileMetaData>&& _files)
      : level(_level), size(_size), files(std::move(_files)) {}
  LevelMetaData(int _level, uint64_t _size,
                const std::vector<SstFileMetaData>&& _files)
      : level(_level), size(_size), files(_files) {}
  const int level;
  const uint64_t size;
  const std::vector<SstFileMetaData> files;
};

// A live blob file.
struct BlobMetaData {
  BlobMetaData() = default;
  BlobMetaData(uint64_t _file_number, const std::string& _file_name,
               const std::string& _file_path, uint64_t _file_size,
               uint64_t _total_blob_count, uint64_t _total_blob_bytes,
               uint64_t _garbage_blob_count, uint64_t _garbage_blob_bytes,
               const std::string& _file_checksum,
               const std::string& _file_checksum_func_name)
      : blob_file_number(_file_number),
        blob_file_name(_file_name),
        blob_file_path(_file_path),
        blob_file_size(_file_size),
        total_blob_count(_total_blob_count),
        total_blob_bytes(_total_blob_bytes),
        garbage_blob_count(_garbage_blob_count),
        garbage_blob_bytes(_garbage_blob_bytes),
        checksum_method(_file_checksum_func_name),
        checksum_value(_file_checksum) {}

  uint64_t blob_file_number = 0;
  // Without directory, and the directory.
  std::string blob_file_name;
  std::string blob_file_path;
  // Bytes.
  uint64_t blob_file_size = 0;
  // Records that were written to it and their bytes, and those of them that no
  // table refers to any more.
  uint64_t total_blob_count = 0;
  uint64_t total_blob_bytes = 0;
  uint64_t garbage_blob_count = 0;
  uint64_t garbage_blob_bytes = 0;
  // Whole-file checksum: the name of its function, and the checksum.
  std::string checksum_method;
  std::string checksum_value;
};

struct ColumnFamilyMetaData {
  ColumnFamilyMetaData() = default;
  ColumnFamilyMetaData(const std::string& _name, uint64_t _size,
                       const std::vector<LevelMetaData>&& _levels)
      : size(_size), name(_name), levels(_levels) {}

  // Bytes of all table files.
  uint64_t size = 0;
  size_t file_count = 0;
  std::string name;
  std::vector<LevelMetaData> levels;
  uint64_t blob_file_size = 0;
  size_t blob_file_count = 0;
  std::vector<BlobMetaData> blob_files;
};

// Selects the table files that DB::GetColumnFamilyMetaData() lists.
struct GetColumnFamilyMetaDataOptions {
  // Only files whose keys reach into this range, both ends inclusive; an end
  // that is not there is open.
  RangeOpt range;
  // Only files of this level; -1: of all levels.
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
