#pragma once

// Table files in a format of an application's own: SstFileWriter writes them,
// SstFileReader reads them, and a database takes them in and serves them.
//
// The engine sees each entry as a value with sequence number 0. So such files
// are ingested where nothing else is (IngestExternalFile() into an empty range,
// without a snapshot), and are read from there. What the format has no place
// for is NotSupported, by its name: deletions, merge operands, entities, range
// deletions, timestamps, and sequence numbers above 0, thus also a flush of
// what was written to a family with such a factory.
//
// Threads    A factory and a reader may be called from any thread at any time;
//            builders and iterators by one at a time.
// Ownership  The engine owns what a factory or a reader makes.
// Errors     A call must not throw.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/advanced_iterator.h"
#include "rocksdb/customizable.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
#include "rocksdb/iterator_base.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/scan_options.h"
#include "rocksdb/slice.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/status.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

// A cursor over the user keys of one table, in the order of the comparator.
class ExternalTableIterator : public IteratorBase {
 public:
  virtual ~ExternalTableIterator() override = default;

  // Tells the ranges that will be read, in that order, so that they can be
  // fetched ahead; no ranges: there is no plan any more. What it points to
  // stays until the next call.
  virtual void Prepare(const ScanOptions scan_opts[], size_t num_opts) = 0;
  // Like Next(), and tells what is there then. False: it is no longer Valid().
  virtual bool NextAndGetResult(IterateResult* result) = 0;
  // Is called before value(), where the value was not prepared yet. False: the
  // value cannot be read, and status() says why.
  virtual bool PrepareValue() override = 0;
  // The value is good until the cursor moves. REQUIRES: Valid(), and the value
  // is prepared.
  virtual Slice value() const = 0;
  // Tells whether the key that the cursor is at, or would have moved to, is
  // within the upper bound.
  virtual IterBoundCheck UpperBoundCheckResult() = 0;
};

class ExternalTableReader {
 public:
  virtual ~ExternalTableReader() = default;

  // `read_options` outlives the iterator. `prefix_extractor` may be null.
  virtual ExternalTableIterator* NewIterator(
      const ReadOptions& read_options,
      const SliceTransform* prefix_extractor) = 0;

  // NotFound: the table does not have the key.
  virtual Status Get(const ReadOptions& read_options, const Slice& key,
                     const SliceTransform* prefix_extractor,
                     PinnableSlice* value) = 0;

  // Several keys, in ascending order; *values and *statuses have as many
  // entries already.
  virtual void MultiGet(const ReadOptions& read_options,
                        const std::vector<Slice>& keys,
                        const SliceTransform* prefix_extractor,
                        std::vector<PinnableSlice>* values,
                        std::vector<Status>* statuses) = 0;

  // What the builder was given by PutPropertiesBlock(): the bytes, how many,
  // and where they lie in the file. NotSupported: the format has no place for
  // them, and GetTableProperties() is asked.
  virtual Status GetPropertiesBlock(std::unique_ptr<char[]>* /*property_block*/,
                                    uint64_t* /*size*/,
                                    uint64_t* /*file_offset*/) {
    return Status::NotSupported("properties block");
  }

  // What the table itself knows; null: nothing.
  virtual std::shared_ptr<const TableProperties> GetTableProperties() const = 0;

  // Reads all and checks it. NotSupported: there is nothing to be checked.
  virtual Status VerifyChecksum(const ReadOptions& /*read_options*/) {
    return Status::NotSupported("VerifyChecksum");
  }
};

class ExternalTableBuilder {
 public:
  virtual ~ExternalTableBuilder() = default;

  // A user key greater than every one before.
  virtual void Add(const Slice& key, const Slice& value) = 0;
  // The first error. It ends the file.
  virtual Status status() const = 0;
  // No more calls but status(), FileSize() and GetTableProperties() come.
  virtual Status Finish() = 0;
  // Instead of Finish(): the file will be removed.
  virtual void Abandon() = 0;
  // Bytes written so far.
  virtual uint64_t FileSize() const = 0;
  // The engine's properties, which it wants back from GetPropertiesBlock().
  // Before Finish(). NotSupported: the format has no place for them.
  virtual Status PutPropertiesBlock(const Slice& /*property_block*/) {
    return Status::NotSupported("properties block");
  }
  virtual TableProperties GetTableProperties() const = 0;
  // Not asked for: the engine makes the checksum of what is written.
  virtual std::string GetFileChecksum() const { return kUnknownFileChecksum; }
  virtual const char* GetFileChecksumFuncName() const {
    return kUnknownFileChecksumFuncName;
  }
};

// For a reader. What it refers to is good during the call; a copy of `fs` may
// be kept. What is read through `fs` counts in statistics, and listeners hear
// of it.
struct ExternalTableOptions {
  const std::shared_ptr<const SliceTransform>& prefix_extractor;
  const Comparator* comparator;
  const std::shared_ptr<FileSystem>& fs;
  const FileOptions& file_options;

  ExternalTableOptions(
      const std::shared_ptr<const SliceTransform>& _prefix_extractor,
      const Comparator* _comparator, const std::shared_ptr<FileSystem>& _fs,
      const FileOptions& _file_options)
      : prefix_extractor(_prefix_extractor),
        comparator(_comparator),
        fs(_fs),
        file_options(_file_options) {}
};

// For a builder. What it refers to is good during the call.
struct ExternalTableBuilderOptions {
  const ReadOptions& read_options;
  const WriteOptions& write_options;
  const std::shared_ptr<const SliceTransform>& prefix_extractor;
  const Comparator* comparator;
  const std::string& column_family_name;
  const std::string db_id;
  const std::string db_session_id;
  const TableFileCreationReason reason;
  const std::shared_ptr<FileSystem>& fs;

  ExternalTableBuilderOptions(
      const ReadOptions& _read_options, const WriteOptions& _write_options,
      const std::shared_ptr<const SliceTransform>& _prefix_extractor,
      const Comparator* _comparator, const std::string& _column_family_name,
      const TableFileCreationReason _reason,
      const std::shared_ptr<FileSystem>& _fs)
      : read_options(_read_options),
        write_options(_write_options),
        prefix_extractor(_prefix_extractor),
        comparator(_comparator),
        column_family_name(_column_family_name),
        reason(_reason),
        fs(_fs) {}
};

class ExternalTableFactory : public Customizable {
 public:
  virtual ~ExternalTableFactory() override = default;

  const char* Name() const override { return "ExternalTableFactory"; }

  virtual Status NewTableReader(
      const ReadOptions& read_options, const std::string& file_path,
      const ExternalTableOptions& table_options,
      std::unique_ptr<ExternalTableReader>* table_reader) const = 0;

  // A builder that appends to `file`, which outlives it, and neither syncs nor
  // closes it. Null: the format cannot be written.
  virtual ExternalTableBuilder* NewTableBuilder(
      const ExternalTableBuilderOptions& builder_options,
      const std::string& file_path, FSWritableFile* file) const = 0;
};

// For Options::table_factory; it has the name of `inner_factory`, which must
// not be null.
std::unique_ptr<TableFactory> NewExternalTableFactory(
    std::shared_ptr<ExternalTableFactory> inner_factory);

}  // namespace ROCKSDB_NAMESPACE
