// A database of transactions in a directory of its own, and what its calls
// answer, printed line by line: "scene<TAB>call<TAB>answer".
//
// The same source is built with this engine and with a RocksDB that the machine
// has installed, to compare what they print. It uses what both have.
//
// Threads    One.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"

namespace transaction_answers {

using rocksdb::ReadOptions;
using rocksdb::Slice;
using rocksdb::Status;
using rocksdb::Transaction;
using rocksdb::TransactionDB;
using rocksdb::WriteOptions;
using TxnPtr = std::unique_ptr<Transaction>;

// "OK", or the code and the subcode of a status by their numbers in the
// interface, as "Busy/5".
std::string NameOfStatus(const Status& s);

// Ends the program where a call fails that has to work in any engine.
void Must(const Status& s);

// The families are "default", "merges" (whose operator joins with commas) and
// "other".
class World {
 public:
  World(std::string path, std::string scene);
  ~World() { Close(); }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  Status TryOpen();
  void Open() { Must(TryOpen()); }
  void Close();
  void Reopen() {
    Close();
    Open();
  }

  TransactionDB* db() { return db_.get(); }
  rocksdb::ColumnFamilyHandle* family(size_t i) { return handles_.at(i); }
  rocksdb::ColumnFamilyHandle* merges() { return handles_.at(1); }
  rocksdb::ColumnFamilyHandle* other() { return handles_.at(2); }

  TxnPtr Begin() { return Begin(txn_options); }
  TxnPtr Begin(const rocksdb::TransactionOptions& options) {
    return TxnPtr(db_->BeginTransaction(WriteOptions(), options));
  }
  TxnPtr BeginNamed(const std::string& name);
  void Put(const std::string& key, const std::string& value) {
    Must(db_->Put(WriteOptions(), key, value));
  }
  void FlushAll();

  // The value; "-": there is none.
  std::string Get(const std::string& key);
  std::string Get(Transaction* txn, const std::string& key);
  std::string Get(rocksdb::ColumnFamilyHandle* family, const std::string& key);
  // "key:S2": two share it; of all families.
  std::string Locks();
  // Their names, in order.
  std::string Prepared();
  // "family: key=value ..." of all families, in order.
  std::string All();

  // --- what is printed
  void Say(const std::string& call, const std::string& answer);
  void Say(const std::string& call, const char* answer) {
    Say(call, std::string(answer));
  }
  void Say(const std::string& call, const Status& answer) {
    Say(call, NameOfStatus(answer));
  }
  void Say(const std::string& call, uint64_t answer) {
    Say(call, std::to_string(answer));
  }

  rocksdb::Options options;
  rocksdb::TransactionDBOptions db_options;
  rocksdb::TransactionOptions txn_options;

 private:
  const std::string path_;
  const std::string scene_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;
  std::unique_ptr<TransactionDB> db_;
};

// A short program, and its name: the numbers of the statements that it is
// about, and what they say.
struct Scene {
  const char* name;
  void (*run)(World*);
};

// All of one file.
const std::vector<Scene>& LockScenes();
const std::vector<Scene>& PhaseScenes();

}  // namespace transaction_answers
