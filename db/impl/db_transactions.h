// What the database must know of transactions: prepared sections of its log.
// What they ask of the database is their port.
//
// Threads  Calls marked (mutex) under the DB mutex, calls marked (turn) in the
//          turn of a write, the others any.
#pragma once

#include <memory>
#include <vector>

#include "db/impl/db_impl.h"

namespace ROCKSDB_NAMESPACE {

class TransactionPort;

class DBImpl::Transactions {
 public:
  explicit Transactions(DBImpl* db);
  ~Transactions();
  Transactions(const Transactions&) = delete;
  Transactions& operator=(const Transactions&) = delete;

  TransactionPort* port();

  // --- prepared sections (db_sections.cc)
  // One is in log `log_number`, before anything could have that go (turn).
  void KeepSection(const WriteThread::Writer& writer, uint64_t log_number);
  // What ends it is in the memtables (turn).
  void EndSection(const WriteThread::Writer& writer);
  // Those that a replay has found (mutex).
  void Recover(const PreparedSections& found);
  bool HasSections();
  // Records that hold all sections, for a log that takes the place of theirs.
  Status MakeRecords(std::vector<WriteBatch>* records);
  // They were written to that log, which is held from now on (mutex).
  void MoveAllTo(uint64_t log_number);

 private:
  class Port;

  DBImpl& db_;
  // What is prepared and not ended, guarded by the DB mutex. Changed in the
  // turn of a write.
  const std::unique_ptr<PreparedSections> sections_;
  bool has_recovered_ = true;  // something to be taken; the same
  const std::unique_ptr<Port> port_;
};

}  // namespace ROCKSDB_NAMESPACE
