// What the threads of db_stress do to the database, and how they judge it.
//
// A workload knows what may be read. KeyedWorkload expects of each key what
// ExpectedState says; CopiesWorkload writes every key several times in one
// batch and expects all copies to be alike; MultiOpsWorkload keeps a table and
// its index by transactions of several writes, and expects them to agree.
//
// Threads    Operations: any, inside the database's gate. Begin(), Recover()
//            and Verify(): alone.
// Ownership  Borrows everything.
// Errors     What is wrong goes to the Report.

#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "db_stress_tool/database.h"
#include "db_stress_tool/entities.h"
#include "db_stress_tool/flags.h"
#include "db_stress_tool/keys.h"
#include "db_stress_tool/report.h"
#include "db_stress_tool/stress_random.h"

namespace ROCKSDB_NAMESPACE::stress {

// One thread's own.
struct Worker {
  size_t index;
  StressRandom random;
  int64_t op = 0;
};

struct Context {
  const Flags& flags;
  Database* database;
  Report* report;
  KeyFormat format;

  uint64_t key_count() const { return static_cast<uint64_t>(flags.max_key); }
};

// A copy of the database, or of some of its families, that is read like it. It
// goes when this goes.
class DatabaseCopy {
 public:
  virtual ~DatabaseCopy() = default;
  virtual DB* db() const = 0;
  // Null for a family that was not copied.
  virtual ColumnFamilyHandle* family(size_t index) const = 0;
};

// Makes one of the database as it is; of one family it may be, of `family`.
using CopyMaker =
    std::function<Status(size_t family, std::unique_ptr<DatabaseCopy>* copy)>;

class Workload {
 public:
  explicit Workload(const Context& context) : c_(context) {}
  virtual ~Workload() = default;

  // After the first open: judges what an earlier process left.
  virtual void Begin() = 0;
  // After an open that follows a close that failed: what was not durable may
  // be lost as by a crash.
  virtual void Recover() = 0;
  // While nobody writes.
  virtual void Verify() = 0;
  // A part, while others work on.
  virtual void VerifySome(Worker* worker) = 0;

  virtual void Read(Worker* worker) = 0;
  virtual void ScanPrefix(Worker* worker) = 0;
  virtual void Put(Worker* worker) = 0;
  virtual void Delete(Worker* worker) = 0;
  virtual void DeleteRange(Worker* worker) = 0;
  virtual void Iterate(Worker* worker) = 0;
  // What only this workload does.
  virtual void Custom(Worker* /*worker*/) {}
  // Writes a table file and gives it to the database.
  virtual void Ingest(Worker* worker) = 0;
  // What the copy that `make` makes holds is a state of this moment.
  virtual void CheckCopy(Worker* worker, const CopyMaker& make) = 0;

  // ---- What maintenance must tell ----

  // A family is emptied at one stroke by `drop`.
  virtual void ClearFamily(size_t family,
                           Status (*drop)(Database*, size_t)) = 0;
  // All writes that were acknowledged when `call` begins are durable if it is
  // OK. `family` is the one that it concerns, or kAllFamilies.
  static constexpr size_t kAllFamilies = SIZE_MAX;
  virtual uint64_t NoteDurableBegin() = 0;
  virtual void NoteDurableEnd(size_t family, uint64_t token) = 0;
  // A user-defined timestamp: the caller may cut off history before it. Empty
  // without timestamps.
  virtual std::string RaiseHistory(Worker* worker) = 0;

 protected:
  ReadOptions Reads() const;
  // For iterators that see all keys.
  ReadOptions TotalOrder() const;
  WriteOptions Writes() const;
  uint64_t PickKey(Worker* worker) const;
  size_t PickFamily(Worker* worker) const {
    return worker->random.Uniform(c_.database->family_count());
  }
  // Whether a write succeeded. It may fail for an injected fault or because of
  // another thread; any other error fails the run.
  bool CheckWrite(const Status& status, const char* call);
  // Writes the batch: by a transaction, if the database has them.
  Status WriteBatchOf(WriteBatch* batch) const;
  // Whether the put of this version is one of wide columns.
  bool IsEntity(uint32_t version) const {
    const int64_t one_in = c_.flags.use_put_entity_one_in;
    return one_in > 0 && version % static_cast<uint64_t>(one_in) == 0;
  }
  entities::Form EntityForm() const {
    return c_.flags.use_attribute_group ? entities::Form::kGroups
                                        : entities::Form::kColumns;
  }
  // One put of now, or of a day before.
  Status AddTimedPut(Worker* worker, WriteBatch* batch,
                     ColumnFamilyHandle* family, const Slice& key,
                     const Slice& value) const;
  std::unique_ptr<Iterator> NewIterator(const ReadOptions& options,
                                        ColumnFamilyHandle* family) const;

  const Context c_;

 private:
  mutable std::atomic<uint64_t> read_count_{0};
};

std::unique_ptr<Workload> MakeKeyedWorkload(const Context& context);
std::unique_ptr<Workload> MakeCopiesWorkload(const Context& context);
std::unique_ptr<Workload> MakeMultiOpsWorkload(const Context& context);

}  // namespace ROCKSDB_NAMESPACE::stress
