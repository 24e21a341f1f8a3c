#pragma once

// Reads a table file that no database has open.

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/iterator.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE {

// Threads    After Open() any, but each iterator one at a time.
// Errors     Every call but Open() needs an Open() that was OK.
// Lifetime   options.env, comparator and merge operator must outlive it;
//            iterators may not.
class SstFileReader {
 public:
  explicit SstFileReader(const Options& options);
  SstFileReader(const SstFileReader&) = delete;
  SstFileReader& operator=(const SstFileReader&) = delete;
  ~SstFileReader();

  // Once. InvalidArgument for a file of another comparator.
  Status Open(const std::string& file_path);

  // What a database with this one file would answer for each key.
  std::vector<Status> MultiGet(const ReadOptions& options,
                               const std::vector<Slice>& keys,
                               std::vector<std::string>* values);

  // The live keys of the file: deletions applied, operands merged.
  // options.snapshot is ignored. The caller owns the result.
  Iterator* NewIterator(const ReadOptions& options);

  // Every point entry as stored, deletions and hidden versions included:
  // key() is an internal key, and so are the targets of seeks.
  std::unique_ptr<Iterator> NewTableIterator();
  // Takes apart a key that such an iterator shows. The slices of *parsed_key
  // point into it. InvalidArgument if it is none.
  Status ParseTableIteratorKey(const Slice& raw_table_key,
                               ParsedEntryInfo* parsed_key) const;

  // The value of one key; NotFound if the file has none, or a deletion. A
  // PinnableSlice must be reset before the reader goes.
  Status Get(const ReadOptions& options, const Slice& key, std::string* value);
  Status Get(const ReadOptions& options, const Slice& key,
             PinnableSlice* value);
  std::vector<Status> MultiGet(const ReadOptions& options,
                               const std::vector<Slice>& keys,
                               std::vector<PinnableSlice>* values);

  std::shared_ptr<const TableProperties> GetTableProperties() const;

  // Reads every block and verifies its checksum.
  Status VerifyChecksum(const ReadOptions& options);
  Status VerifyChecksum() { return VerifyChecksum(ReadOptions()); }

  // Corruption if the file holds more or fewer entries than its properties
  // say.
  Status VerifyNumEntries(const ReadOptions& options);

 private:
  struct Rep;
  std::unique_ptr<Rep> rep_;
};

}  // namespace ROCKSDB_NAMESPACE
