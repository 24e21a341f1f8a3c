// One of those who make a history: a thread that runs transactions, reads and
// plain writes, and notes what it has seen and done.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "rocksdb/utilities/transaction.h"
#include "tests/utilities/transactions/history_run.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

class HistoryActor {
 public:
  // Whether prepared transactions may be left behind.
  enum class Ends { kAll, kLeavesSome };

  HistoryActor(HistoryRun* run, uint64_t seed, Ends ends)
      : run_(*run), random_(seed), ends_(ends), seed_(seed) {}

  void Act();
  size_t committed() const { return committed_; }

 private:
  using Values = std::map<std::string, std::string>;
  // A transaction as it is at the moment; a save point has a copy.
  struct State {
    Values read;
    Values own;  // what it has written, and therefore reads
    // The keys of `own` with operands on a value that was there before. Where
    // nothing is locked, others may change that value, and then the transaction
    // must not commit.
    std::set<std::string> merged;
    // It has seen two values of one key: it must not commit.
    bool is_doomed = false;
  };

  void RunTransaction();
  std::unique_ptr<Transaction> BeginTransaction();
  // False: it cannot go on.
  bool TakeStep(Transaction* txn, State* state);
  bool ReadForUpdate(Transaction* txn, size_t key, bool is_exclusive,
                     State* state);
  bool WriteKey(Transaction* txn, size_t key, State* state);
  void NoteRead(const std::string& key, const std::string& value, State* state);
  // Locks some keys that are neighbours, and walks over them.
  bool LockAndWalk(Transaction* txn, State* state);
  // Walks over a family in the transaction: its own writes, and around them
  // what is there at one moment.
  void WalkIn(Transaction* txn, const State& state);
  bool MayHaveChanged(const std::string& key, const State& state) const {
    return !run_.kind().is_locking() && state.merged.contains(key);
  }
  void EndTransaction(std::unique_ptr<Transaction> txn, State state,
                      uint64_t begin);
  // A call that may wait for locks, or meet a fault, has ended so.
  void ExpectRefusal(const Status& s) const;

  void ReadAtSnapshot();
  void ReadAtOnce();
  void WriteOutside();

  std::string Label(const char* what);
  void Pause();

  HistoryRun& run_;
  Random64 random_;
  const Ends ends_;
  const uint64_t seed_;
  uint64_t step_count_ = 0;
  uint64_t snapshot_since_ = 0;  // moments around that of the snapshot
  uint64_t snapshot_until_ = 0;
  size_t committed_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
