// Optimistic transactions: nothing is locked; a commit fails if what the
// transaction has read was changed meanwhile.
//
//   optimistic_transaction DIRECTORY
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction.h"

namespace {

void Check(const rocksdb::Status& s) {
  if (s.ok()) return;
  fprintf(stderr, "%s\n", s.ToString().c_str());
  exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::OptimisticTransactionDB* opened = nullptr;
  Check(rocksdb::OptimisticTransactionDB::Open(
      options, std::string(argv[1]) + "/db", &opened));
  const std::unique_ptr<rocksdb::OptimisticTransactionDB> db(opened);
  const rocksdb::WriteOptions write;
  const rocksdb::ReadOptions read;
  Check(db->Put(write, "stock", "5"));

  for (const bool is_disturbed : {true, false}) {
    const std::unique_ptr<rocksdb::Transaction> sale(
        db->BeginTransaction(write));
    std::string stock;
    // What is read for an update must be the same when it is committed.
    Check(sale->GetForUpdate(read, "stock", &stock));
    Check(sale->Put("stock", std::to_string(std::stoi(stock) - 1)));
    if (is_disturbed) Check(db->Put(write, "stock", "9"));
    const rocksdb::Status s = sale->Commit();
    if (!s.ok() && !s.IsBusy()) Check(s);
    printf("commit: %s\n", s.ok() ? "done" : "busy");
  }
  std::string stock;
  Check(db->Get(read, "stock", &stock));
  printf("stock = %s\n", stock.c_str());
  return 0;
}
