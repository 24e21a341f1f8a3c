// A database whose values go some time after they were written.
//
// Each value and each merge operand is stored with 4 bytes more, the seconds
// since 1970 when it was written (unsigned, so until 2106), which reads take
// off. Compactions drop what is older than the time to live; until one does, it
// is still read. Deletions have no time, and operands go with their value only.
//
// The time to live is not stored: it is given at each opening. A database that
// was written without this class fails reads with it (Corruption), and one that
// was written with it shows the 4 bytes without it.
//
// Not there  Entities, and reads of several families at once: NotSupported.
// As stored  GetUpdatesSince(), and files that are ingested or exported, have
//            the 4 bytes.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/utilities/stackable_db.h"

namespace ROCKSDB_NAMESPACE {

class DBWithTTL : public StackableDB {
 public:
  // Like DB::CreateColumnFamily(), but the values in the family live for `ttl`,
  // as with Open(); those in families from CreateColumnFamily() live for ever.
  virtual Status CreateColumnFamilyWithTtl(
      const ColumnFamilyOptions& options, const std::string& column_family_name,
      ColumnFamilyHandle** handle, int ttl) = 0;

  // `ttl` in seconds; values live for ever if it is 0 or less. Read-only: calls
  // that write, and CompactRange(), are NotSupported. The caller owns *dbptr.
  //
  // A compaction filter of `options` is shown values without their time, of
  // those that are not too old; what it changes keeps the time. A merge
  // operator works on values without their time; its result gets the present
  // one.
  static Status Open(const Options& options, const std::string& dbname,
                     DBWithTTL** dbptr, int32_t ttl = 0,
                     bool read_only = false);
  // One time for each family; InvalidArgument for another number of them.
  static Status Open(const DBOptions& db_options, const std::string& dbname,
                     const std::vector<ColumnFamilyDescriptor>& column_families,
                     std::vector<ColumnFamilyHandle*>* handles,
                     DBWithTTL** dbptr, const std::vector<int32_t>& ttls,
                     bool read_only = false);

  // For compactions that begin later. The first is the default family's.
  virtual void SetTtl(int32_t ttl) = 0;
  virtual void SetTtl(ColumnFamilyHandle* h, int32_t ttl) = 0;
  // InvalidArgument for null, or for a family that this object did not open.
  virtual Status GetTtl(ColumnFamilyHandle* h, int32_t* ttl) = 0;

 protected:
  explicit DBWithTTL(std::unique_ptr<DB>&& db) : StackableDB(std::move(db)) {}
};

}  // namespace ROCKSDB_NAMESPACE
