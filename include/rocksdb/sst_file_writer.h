#pragma once

// Writes table files outside a database, to be ingested later.

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandle;
class Comparator;

// What Finish() tells about the file.
struct PreparedFileInfo;
struct TableProperties;

struct ExternalSstFileInfo {
  std::string file_path;
  // User keys of the first and the last point entry, with their timestamps;
  // empty if there is none.
  std::string smallest_key;
  std::string largest_key;
  // Where range deletions begin and end; empty if there are none.
  std::string smallest_range_del_key;
  std::string largest_range_del_key;
  std::string file_checksum;
  std::string file_checksum_func_name;
  SequenceNumber sequence_number = 0;
  uint64_t file_size = 0;  // bytes
  // Point entries, and range deletions.
  uint64_t num_entries = 0;
  uint64_t num_range_del_entries = 0;
  int32_t version = 0;
  // Null: this engine learns what it needs from the file itself.
  std::shared_ptr<const PreparedFileInfo> prepared_file_info;

  ExternalSstFileInfo() = default;
  ExternalSstFileInfo(const std::string& _file_path,
                      const std::string& _smallest_key,
                      const std::string& _largest_key,
                      SequenceNumber _sequence_number, uint64_t _file_size,
                      uint64_t _num_entries, int32_t _version)
      : file_path(_file_path),
        smallest_key(_smallest_key),
        largest_key(_largest_key),
        sequence_number(_sequence_number),
        file_size(_file_size),
        num_entries(_num_entries),
        version(_version) {}
};

// Where OpenWithEmbeddedBlobs() puts large values.
struct SstFileWriterEmbeddedBlobOptions {
  // Values, and columns of entities, of at least so many bytes lie beside the
  // data blocks, unless they are empty; merge operands never do. Default: 2048.
  uint64_t min_blob_size = 2048;
  // They are stored as they are: NotSupported for anything but
  // kDisableCompressionOption (the default) and kNoCompression, with which the
  // options of a codec say nothing.
  CompressionType compression_type = kDisableCompressionOption;
  CompressionOptions compression_options = CompressionOptions();
};

// Fills one table file after the other: Open(), entries in ascending order,
// Finish().
//
// Threads    One at a time.
// Errors     InvalidArgument for a key that does not come after the one
//            before, for calls without an open file, for a file without
//            entries, and for a key and a value of 4 GiB together; the file
//            cannot be finished after that. An I/O error sticks until the next
//            Open(). A file that was not finished well is deleted.
// Lifetime   options.env, the comparator and the handle must outlive it.
class SstFileWriter {
 public:
  // Entries are ordered by options.comparator, or by `user_comparator`. With a
  // `column_family` the file says which family it is for, and only that one
  // takes it. `invalidate_page_cache`: what was written does not stay in the
  // page cache. `io_priority`: at options.rate_limiter. `skip_filters`: no
  // filter is written.
  SstFileWriter(const EnvOptions& env_options, const Options& options,
                ColumnFamilyHandle* column_family = nullptr,
                bool invalidate_page_cache = true,
                Env::IOPriority io_priority = Env::IOPriority::IO_TOTAL,
                bool skip_filters = false);
  SstFileWriter(const EnvOptions& env_options, const Options& options,
                const Comparator* user_comparator,
                ColumnFamilyHandle* column_family = nullptr,
                bool invalidate_page_cache = true,
                Env::IOPriority io_priority = Env::IOPriority::IO_TOTAL,
                bool skip_filters = false);
  SstFileWriter(const SstFileWriter&) = delete;
  SstFileWriter& operator=(const SstFileWriter&) = delete;
  ~SstFileWriter();

  // Creates the file, or empties it. InvalidArgument while one is open, and for
  // a format_version that there is not.
  Status Open(const std::string& file_path,
              Temperature temperature = Temperature::kUnknown);

  // Likewise, for a file with embedded blobs: reads of keys alone, and of small
  // values, need not read past the large ones. InvalidArgument below
  // format_version 7, which alone has such files, and NotSupported for another
  // format than the block-based one. RocksDB before version 11 refuses to read
  // them.
  Status OpenWithEmbeddedBlobs(const std::string& file_path,
                               const SstFileWriterEmbeddedBlobOptions& blobs =
                                   SstFileWriterEmbeddedBlobOptions(),
                               Temperature temperature = Temperature::kUnknown);

  Status Put(const Slice& user_key, const Slice& value);
  Status PutEntity(const Slice& user_key, const WideColumns& columns);
  Status Merge(const Slice& user_key, const Slice& value);
  Status Delete(const Slice& user_key);
  // [begin_key, end_key), in any order. It covers what lies below the file,
  // never an entry of the file itself. An empty range is ignored.
  Status DeleteRange(const Slice& begin_key, const Slice& end_key);

  // For keys with user-defined timestamps, of the size that the comparator
  // says; of one key the newest first. The calls without a timestamp answer
  // InvalidArgument then.
  Status Put(const Slice& user_key, const Slice& timestamp, const Slice& value);
  Status Delete(const Slice& user_key, const Slice& timestamp);
  Status DeleteRange(const Slice& begin_key, const Slice& end_key,
                     const Slice& timestamp);

  // Completes the file and syncs it.
  Status Finish(ExternalSstFileInfo* file_info = nullptr);

  // Bytes written so far; after Finish() the size of the file.
  uint64_t FileSize();

  // True for the properties of a file that such a writer has made.
  static bool CreatedBySstFileWriter(const TableProperties& properties);

 private:
  struct Rep;
  std::unique_ptr<Rep> rep_;
};

}  // namespace ROCKSDB_NAMESPACE
