// How db_bench opens its database: as DB does, or as a program that embeds
// db_bench wants.
//
// Threads  As DB::Open().
#pragma once

#include <functional>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction_db.h"

namespace ROCKSDB_NAMESPACE::bench {

// Each has the meaning of the call of RocksDB that it begins with; the caller
// owns what comes.
struct Openings {
  std::function<Status(const Options&, const std::string& path, DB** db)> open =
      [](const Options& options, const std::string& path, DB** db) {
        return DB::Open(options, path, db);
      };
  std::function<Status(const Options&, const std::string& path, DB** db)>
      open_for_reads =
          [](const Options& options, const std::string& path, DB** db) {
            return DB::OpenForReadOnly(options, path, db);
          };
  std::function<Status(const Options&, const std::string& path,
                       TransactionDB** db)>
      open_transactions = [](const Options& options, const std::string& path,
                             TransactionDB** db) {
        return TransactionDB::Open(options, TransactionDBOptions(), path, db);
      };
  std::function<Status(const Options&, const std::string& path,
                       OptimisticTransactionDB** db)>
      open_optimistic = [](const Options& options, const std::string& path,
                           OptimisticTransactionDB** db) {
        return OptimisticTransactionDB::Open(options, path, db);
      };
};

}  // namespace ROCKSDB_NAMESPACE::bench
