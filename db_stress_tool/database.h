// The database under stress, with its families; it comes and goes while the
// threads work.
//
// Threads    Open(), Close() and RecreateFamily(): alone, behind gate(). The
//            accessors: inside it.
// Ownership  Owns the DB, the handles and the Env.
// Errors     Those of the engine.

#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "db_stress_tool/flags.h"
#include "db_stress_tool/gate.h"
#include "db_stress_tool/range_filters.h"
#include "db_stress_tool/read_only_look.h"
#include "db_stress_tool/stress_file_system.h"
#include "db_stress_tool/stress_random.h"
#include "db_stress_tool/transactions.h"
#include "rocksdb/db.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::stress {

class Database {
 public:
  explicit Database(const Flags& flags);
  ~Database();

  Status Destroy();
  // With all families; those that are missing are made.
  Status Open();
  // Makes durable what a kill would take, then closes.
  Status Close();
  Status RecreateFamily(size_t index);
  // From now on nothing fails on purpose. At any time, from any thread.
  void EndFaults();
  // After a failed write: back to work, if the engine can.
  Status Resume();

  Gate* gate() { return &gate_; }
  DB* db() const { return db_.get(); }
  size_t family_count() const { return handles_.size(); }
  ColumnFamilyHandle* family(size_t index) const { return handles_[index]; }
  const std::vector<ColumnFamilyHandle*>& families() const { return handles_; }
  const Options& options() const { return options_; }
  // What snapshots and iterators show may become newer: with unordered writes,
  // and where values change in place.
  bool MayShowLater() const {
    return options_.unordered_write || options_.inplace_update_support;
  }
  const RangeFilters& range_filters() const { return range_filters_; }
  // Null: it has none.
  Transactions* transactions() {
    return transactions_.is_on() ? &transactions_ : nullptr;
  }

 private:
  // Sets *below to the file system that the flags name, if they name one.
  Status FindFileSystemBelow(std::shared_ptr<FileSystem>* below);
  Status SetServices();
  // Updates in place, by the flags and by chance.
  Status SetInPlace();
  Status TryOpen();
  Status OpenWithFaults();
  // Looks only by chance, if the flags ask for it.
  Status LookFirst(ReadOnlyLook* look);
  // Lists the families that do not belong to the test: a process that was
  // killed had imported them.
  Status ListStrangers(std::vector<std::string>* names) const;
  Status DropStrangers();
  Status AfterOpen();
  Status MakeDurable();
  void SetRunRates();
  std::string FamilyName(size_t index) const;

  const Flags& flags_;
  // Only Open() draws from it.
  StressRandom random_;
  Gate gate_;
  std::atomic<bool> has_faults_{true};
  // The Env that --env_uri or --fs_uri made; null: there is none.
  std::shared_ptr<Env> env_below_;
  Status below_status_;
  std::shared_ptr<StressFileSystem> fs_;
  std::unique_ptr<Env> env_;
  Options options_;
  bool was_open_ = false;
  // Updates in place are on where the flags have them off, and off where on.
  bool is_turned_in_place_ = false;
  RangeFilters range_filters_;
  Transactions transactions_;
  std::unique_ptr<DB> db_;
  std::vector<ColumnFamilyHandle*> handles_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
