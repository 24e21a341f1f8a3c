// How db_bench opens its database: as DB does, or as a program that embeds
// db_bench wants.
//
// Threads  As DB::Open().
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction_db.h"

namespace ROCKSDB_NAMESPACE::bench {

struct OpenRequest {
  Options options;
  std::string path;
  // Empty: the default family alone, with the options above.
  std::vector<ColumnFamilyDescriptor> families;
};

// The caller owns the database, and the handles if families were asked for.
template <typename AnyDb>
struct OpenAnswer {
  AnyDb* db = nullptr;
  std::vector<ColumnFamilyHandle*> handles;
};

// Each has the meaning of the call of RocksDB that it begins with.
struct Openings {
  std::function<Status(const OpenRequest&, OpenAnswer<DB>*)> open =
      [](const OpenRequest& r, OpenAnswer<DB>* a) {
        return r.families.empty() ? DB::Open(r.options, r.path, &a->db)
                                  : DB::Open(r.options, r.path, r.families,
                                             &a->handles, &a->db);
      };
  std::function<Status(const OpenRequest&, OpenAnswer<DB>*)> open_for_reads =
      [](const OpenRequest& r, OpenAnswer<DB>* a) {
        return r.families.empty()
                   ? DB::OpenForReadOnly(r.options, r.path, &a->db)
                   : DB::OpenForReadOnly(r.options, r.path, r.families,
                                         &a->handles, &a->db);
      };
  std::function<Status(const OpenRequest&, OpenAnswer<TransactionDB>*)>
      open_transactions =
          [](const OpenRequest& r, OpenAnswer<TransactionDB>* a) {
            const TransactionDBOptions options;
            return r.families.empty()
                       ? TransactionDB::Open(r.options, options, r.path, &a->db)
                       : TransactionDB::Open(r.options, options, r.path,
                                             r.families, &a->handles, &a->db);
          };
  std::function<Status(const OpenRequest&,
                       OpenAnswer<OptimisticTransactionDB>*)>
      open_optimistic = [](const OpenRequest& r,
                           OpenAnswer<OptimisticTransactionDB>* a) {
        return r.families.empty()
                   ? OptimisticTransactionDB::Open(r.options, r.path, &a->db)
                   : OptimisticTransactionDB::Open(
                         r.options, r.path, r.families, &a->handles, &a->db);
      };
};

}  // namespace ROCKSDB_NAMESPACE::bench
