// One table file, opened by its path, with nothing around it.
//
// The order of the keys is the one that the file names; the caller's where
// that is unknown, and a guess (the order of bytes) where the caller's does not
// fit either. With a guess the file can be read from front to back, which needs
// no order; seeks mean nothing.
//
// Threads    One.
// Reading    Data go past the page cache where that is possible; what is there
//            already is taken from it. The limiter of the options is asked for
//            reads of data.
// Errors     Corruption and IOError name the file. Aborted: it is empty.
// Ownership  Iterators must not outlive it.
#pragma once

#include <memory>
#include <string>

#include "options/cf_options.h"
#include "options/db_options.h"
#include "rocksdb/comparator.h"
#include "rocksdb/options.h"
#include "rocksdb/table_properties.h"
#include "table/table_reader.h"
#include "util/key/internal_iterator.h"

namespace ROCKSDB_NAMESPACE {

class GovernorMembership;

class LoneTable {
 public:
  static Status Open(const Options& options, const std::string& path,
                     std::unique_ptr<LoneTable>* result);
  // Not open: Open() makes one that is.
  explicit LoneTable(std::string path);
  ~LoneTable();

  const std::string& path() const { return path_; }
  const Comparator* order() const { return order_; }
  bool is_order_guessed() const { return guessed_ != nullptr; }
  std::shared_ptr<const TableProperties> properties() const {
    return reader_->properties();
  }
  const TableReader& reader() const { return *reader_; }
  // In the words of the tool: "block-based", "plain table", "cuckoo table".
  const std::string& format() const { return format_; }

  // Goes through all entries. Values that lie beside the table's own blocks
  // are in their places. `read` outlives the iterator.
  Status NewIterator(const ReadOptions& read,
                     std::unique_ptr<InternalIterator>* entries) const;
  // The same, but such a value is a reference, as it is stored.
  Status NewStoredIterator(const ReadOptions& read,
                           std::unique_ptr<InternalIterator>* entries) const;
  // Compares all blocks with their checksums.
  Status Verify(const ReadOptions& read) const;
  // The internal key before all versions of a user key.
  std::string SeekKey(const Slice& user_key) const;
  // The user key in an entry's key, without its timestamp.
  Slice UserKeyOf(const Slice& internal_key) const;

 private:
  class GuessedOrder;

  Status OpenWith(const Options& options, const Comparator* order);
  Status OpenInItsOrder(const Options& options, const Status& refusal);
  Status NewIteratorWith(TableIteratorOptions options, const ReadOptions& read,
                         std::unique_ptr<InternalIterator>* entries) const;

  // The file's bytes for one pass, past the page cache: whoever looks at a file
  // must not push out what its users have there. Null: the file system has no
  // direct I/O, or the format reads in another way.
  std::unique_ptr<InputStream> NewStream(const ReadOptions& read) const;

  // Has `options` read what the file's last bytes say that it is.
  void ChooseFormat(uint64_t size, Options* options);

  const std::string path_;
  uint64_t size_bytes_ = 0;
  std::string format_;
  const Comparator* order_ = nullptr;
  std::unique_ptr<const GuessedOrder> guessed_;
  std::unique_ptr<const ImmutableDBOptions> db_;
  std::unique_ptr<const ImmutableCFOptions> cf_;
  std::unique_ptr<const MutableCFOptions> mutable_cf_;
  std::unique_ptr<const GovernorMembership> governor_;
  std::unique_ptr<TableReader> reader_;
};

}  // namespace ROCKSDB_NAMESPACE
