// Moves money between two accounts, so that none is lost whoever else is at
// work. Usage: transactions DIRECTORY

#include <cstdio>
#include <memory>
#include <string>

#include "rocksdb/options.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"

namespace {

// One attempt; Busy or TimedOut: somebody else was faster, try again.
rocksdb::Status Transfer(rocksdb::TransactionDB* db, int amount) {
  const std::unique_ptr<rocksdb::Transaction> txn(
      db->BeginTransaction(rocksdb::WriteOptions()));
  std::string from, to;
  const rocksdb::ReadOptions options;
  // From here on the accounts are nobody else's to change.
  rocksdb::Status s = txn->GetForUpdate(options, "checking", &from);
  if (s.ok()) s = txn->GetForUpdate(options, "savings", &to);
  if (s.ok())
    s = txn->Put("checking", std::to_string(std::stoi(from) - amount));
  if (s.ok()) s = txn->Put("savings", std::to_string(std::stoi(to) + amount));
  return s.ok() ? txn->Commit() : s;
}

rocksdb::Status Run(const char* directory) {
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::TransactionDB* opened = nullptr;
  rocksdb::Status s = rocksdb::TransactionDB::Open(
      options, rocksdb::TransactionDBOptions(), directory, &opened);
  if (!s.ok()) return s;
  const std::unique_ptr<rocksdb::TransactionDB> db(opened);
  s = db->Put(rocksdb::WriteOptions(), "checking", "100");
  if (s.ok()) s = db->Put(rocksdb::WriteOptions(), "savings", "0");
  if (s.ok()) s = Transfer(db.get(), 30);
  for (const char* account : {"checking", "savings"}) {
    if (!s.ok()) return s;
    std::string balance;
    s = db->Get(rocksdb::ReadOptions(), account, &balance);
    if (s.ok()) printf("%s = %s\n", account, balance.c_str());
  }
  return s;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const rocksdb::Status s = Run(argv[1]);
  if (!s.ok()) fprintf(stderr, "%s\n", s.ToString().c_str());
  return s.ok() ? 0 : 1;
}
