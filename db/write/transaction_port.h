// What transactions ask of the database that they stand on, beyond its public
// calls: writes with conditions, who has written a key last, and sections of
// the log that are prepared and not committed yet.
//
// Threads    Any, but for the calls that say otherwise. None under a lock of
//            the database.
// Ownership  The database's own; see TransactionPort::Of().
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandle;
class ConflictFloor;
class DB;
class Snapshot;
class WriteCondition;
struct ColumnFamilyDescriptor;
struct DBOptions;
struct NewerVersion;
struct WriteOptions;

// Which key is asked for, and since when.
struct KeySince {
  // Null: the family is the one with this id.
  ColumnFamilyHandle* family = nullptr;
  uint32_t family_id = 0;
  Slice key;  // without a timestamp
  SequenceNumber sequence = 0;
};

// A key that may be in tables with updates that nobody has committed.
struct UncommittedKey {
  uint32_t family_id = 0;
  std::string key;
  SequenceNumber sequence = 0;  // its first such update
};

// A section that recovery has found, and that nothing has ended.
struct RecoveredSection {
  std::string name;
  WriteBatch updates;
  uint64_t log_number = 0;
  // False: the transaction went on (write-unprepared), and is to be rolled
  // back.
  bool is_prepared = true;
  // Those that it takes itself: from the first to behind the last; 0, 0: none.
  SequenceNumber sequence = 0;
  SequenceNumber end = 0;
  // RocksDB may have put these keys into tables, with sequences from the given
  // one to the end. If so they are to be hidden before anybody reads.
  std::vector<UncommittedKey> in_tables;
};

enum class SectionPolicy : uint8_t;

class TransactionPort {
 public:
  virtual ~TransactionPort() = default;

  // DB::Open(), of a database whose log has transactions by that policy.
  static Status Open(SectionPolicy policy, const DBOptions& options,
                     const std::string& name,
                     const std::vector<ColumnFamilyDescriptor>& families,
                     std::vector<ColumnFamilyHandle*>* handles,
                     std::unique_ptr<DB>* db);

  // That of the database which `db` is, or stands on. Null: that one is not of
  // this engine.
  static TransactionPort* Of(DB* db);

  // Where the caller stands.
  enum class Turn {
    kOutside,
    kOfWrite,  // in WriteCondition::Check(), of a write to this database
  };

  // A handle of the family with that id; null: there is none.
  virtual std::unique_ptr<ColumnFamilyHandle> HandleOf(uint32_t family_id) = 0;

  // DB::Write(), if the condition holds when its turn has come.
  virtual Status WriteIf(const WriteOptions& options, WriteBatch* updates,
                         WriteCondition* condition) = 0;
  // Could all of these updates be applied now? In the turn of a write.
  //
  // Errors  InvalidArgument: a family is gone, and missing ones are not to be
  //         passed over. Those of CheckEntries().
  enum class MissingFamilies { kRefuse, kPassOver };
  virtual Status CheckApplicable(const WriteBatch& updates,
                                 MissingFamilies missing) = 0;

  // --- conflicts
  // Has anything written the key since: a record, a range deletion over it, a
  // file that was ingested? As long as a snapshot or floor of that sequence or
  // less is held, what compactions do makes no difference.
  //
  // Errors  InvalidArgument: no such family. Those of reading files.
  virtual Status FindNewer(const KeySince& since, Turn turn,
                           NewerVersion* found) = 0;
  // From now on compactions keep what FindNewer() needs for what it is asked
  // since the present moment, until the floor is given back.
  virtual void HoldFloor(ConflictFloor* floor) = 0;
  virtual void ReleaseFloor(ConflictFloor* floor) = 0;
  // Writes become visible before they can be read.
  virtual bool MayReadLate() const = 0;

  // --- two phases
  // How the database was opened, or what it has adopted.
  virtual SectionPolicy policy() const = 0;
  // From now on the log has transactions by that policy.
  //
  // Errors  NotSupported: it has had some by another one since it was opened;
  //         writes are not in order.
  virtual Status AdoptPolicy(SectionPolicy policy) = 0;
  struct SectionPart {
    std::string name;
    const WriteBatch* updates = nullptr;
    bool is_prepared = true;  // else more of the section may come
    bool is_all = false;      // what was logged of it before is void
    // What the log has by that name is void, too: it is of a transaction that
    // ended when its rollback could not be logged.
    bool is_first = false;
  };
  struct LoggedPart {
    uint64_t log_number = 0;
    // By write-prepared and write-unprepared, the first of those that it takes.
    SequenceNumber first = 0;
  };
  // Writes the updates to the log as a section of that name, or as another part
  // of it; nobody sees them. The log is kept until the section ends, also over
  // Resume().
  virtual Status LogSection(const WriteOptions& options,
                            const SectionPart& part, LoggedPart* logged) = 0;
  struct SectionCommit {
    std::string name;
    const WriteBatch* updates = nullptr;      // what was prepared
    const WriteBatch* commit_time = nullptr;  // comes before them; may be null
    // Every key that has a timestamp gets this one; empty: no key has one.
    Slice timestamp = {};
    // `updates` has more than was prepared: the log gets all of it again.
    bool has_more = false;
    // Its updates become memtables of their own, by write-committed, without
    // timestamps, where no values go to blob files first, and unless there is
    // more. NotSupported where writes are pipelined or unordered.
    bool as_memtables = false;
  };
  // Applies a section, as one write. *first is the first sequence; 0: it took
  // none. On an error the section is as it was, unless the log took it: then
  // the database stops writing.
  virtual Status CommitSection(const WriteOptions& options,
                               const SectionCommit& commit,
                               WriteCondition* condition,
                               SequenceNumber* first) = 0;
  // `undo`: what RocksDB, which applies a section before its commit, needs to
  // undo it. It is logged alone: here it would change nothing. May be null.
  virtual Status RollBackSection(const WriteOptions& options,
                                 const std::string& name,
                                 const WriteBatch* undo,
                                 WriteCondition* condition) = 0;
  // What recovery has found, once; later calls give nothing.
  virtual std::vector<RecoveredSection> TakeRecoveredSections() = 0;

  // GetSnapshot(), with a timestamp.
  virtual const Snapshot* GetStampedSnapshot(uint64_t timestamp) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
