// A transactions' database on which histories are made, and what it takes to
// make one: keys, fresh values, moments, and the steps so far.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "tests/testing/temp_dir.h"
#include "tests/utilities/transactions/history.h"
#include "util/random.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {

struct HistoryKind {
  enum class Locks { kPoints, kRanges, kNoneSerial, kNoneParallel };
  Locks locks = Locks::kPoints;
  bool pipelined = false;
  TxnDBWritePolicy policy = WRITE_COMMITTED;
  // What is prepared is committed past the memtables.
  bool bypasses_memtables = false;
  bool is_locking() const {
    return locks == Locks::kPoints || locks == Locks::kRanges;
  }
};

// A transaction that a history leaves behind; see HistoryRun::Leave().
struct LeftTransaction {
  enum class Fate {
    kPrepared,        // it is prepared for sure
    kMaybePrepared,   // or it is gone without an effect
    kMaybeCommitted,  // or it is prepared still
  };
  std::unique_ptr<Transaction> txn;
  HistoryStep step;
  Fate fate = Fate::kPrepared;
};

// Threads  Open(), Crash(), Close(), Resume() and those that follow from them
//          while no other call runs; the others any.
class HistoryRun {
 public:
  struct Key {
    std::string name;
    size_t family;
  };
  static constexpr size_t kKeys = 5;

  explicit HistoryRun(const HistoryKind& kind) : kind_(kind) {}
  ~HistoryRun() { Close(); }

  Status Open();
  void Close();
  // The process ends, and of what was not synced some is lost; opens again.
  Status Crash(int survival_percent);

  // All keys have values from here on, of the step that comes first.
  Status Begin(bool syncs);
  // Empty: the history can be explained. Adds what is there now.
  std::string End();

  const HistoryKind& kind() const { return kind_; }
  TransactionDB* locking() { return locking_; }
  OptimisticTransactionDB* optimistic() { return optimistic_; }
  DB* db() { return db_.get(); }
  ColumnFamilyHandle* family(size_t i) { return handles_[i].get(); }
  static const std::array<Key, kKeys>& keys();
  // How the writes of this history are made.
  WriteOptions write_options() const {
    WriteOptions options;
    options.sync = syncs_;
    return options;
  }

  uint64_t Tick() { return ++now_; }
  std::string FreshValue() { return "v" + std::to_string(++last_value_); }
  // True once for a key in a history: no deletion is taken for another one.
  bool MayDelete(size_t key) { return !is_deleted_[key].exchange(true); }
  void Add(HistoryStep step) {
    const std::lock_guard<std::mutex> lock(mutex_);
    history_.Add(std::move(step));
  }
  // Adds a write that failed: it may have taken effect, or still may.
  void AddUncertain(HistoryStep step) {
    step.is_certain = false;
    step.end = History::kNoEnd;
    Add(std::move(step));
  }
  // Reads all keys at one moment.
  Status Look(HistoryStep* step);

  // Keeps a prepared transaction that the history leaves behind. It keeps its
  // locks until the process ends.
  void Leave(LeftTransaction left) {
    const std::lock_guard<std::mutex> lock(mutex_);
    left_.push_back(std::move(left));
  }
  // The process ends; what was left prepared is there again, and is committed
  // or rolled back.
  Status CrashAndResolve(Random64* random);

  // --- faults
  // From now on some call of the file system fails, and it may be that all
  // behind it do.
  void PlanFault(Random64* random);
  // May a call end so?
  bool MayFail(const Status& s) const { return has_faults_ && s.IsIOError(); }
  // The file system is well again, and the database goes on. What failed has
  // taken effect by then, or never does; what was left is ended.
  Status Resume(Random64* random);

 private:
  Status End(LeftTransaction left, Random64* random);

  const HistoryKind kind_;
  TempDir dir_{"histories"};
  const std::shared_ptr<FaultInjectionFileSystem> fs_ =
      std::make_shared<FaultInjectionFileSystem>(FileSystem::Default());
  const std::unique_ptr<Env> env_ = NewCompositeEnv(fs_);
  TransactionDB* locking_ = nullptr;
  OptimisticTransactionDB* optimistic_ = nullptr;
  std::unique_ptr<DB> db_;
  std::vector<std::unique_ptr<ColumnFamilyHandle>> handles_;

  bool syncs_ = false;
  bool has_faults_ = false;
  std::atomic<uint64_t> now_{0};
  std::atomic<uint64_t> last_value_{0};
  std::array<std::atomic<bool>, kKeys> is_deleted_{};
  std::mutex mutex_;
  History history_;
  std::vector<LeftTransaction> left_;
};

}  // namespace ROCKSDB_NAMESPACE
