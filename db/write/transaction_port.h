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

// A section that recovery has found, and that nothing has ended.
struct RecoveredSection {
  std::string name;
  WriteBatch updates;
  uint64_t log_number = 0;
};

class TransactionPort {
 public:
  virtual ~TransactionPort() = default;

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
  // Could all of these updates be applied now? InvalidArgument: a family is
  // gone, and missing ones are not to be passed over; one has no merge
  // operator. In the turn of a write.
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
  // Writes the updates to the log as a section of that name; they take no
  // sequences, and nobody sees them. The log is kept until the section ends,
  // also over Resume(). `updates` begins with a Noop; on success
  // *log_number is the log.
  virtual Status PrepareSection(const WriteOptions& options,
                                const std::string& name,
                                const WriteBatch& updates,
                                uint64_t* log_number) = 0;
  struct SectionCommit {
    std::string name;
    const WriteBatch* updates = nullptr;      // what was prepared
    const WriteBatch* commit_time = nullptr;  // comes before them; may be null
    Slice timestamp;  // of all keys with timestamps; empty: there are none
    // `updates` has more than was prepared: the log gets all of it again.
    bool has_more = false;
  };
  // Applies a section, as one write. *first is the first sequence; 0: it took
  // none. On an error the section is as it was, unless the log took it: then
  // the database stops writing.
  virtual Status CommitSection(const WriteOptions& options,
                               const SectionCommit& commit,
                               WriteCondition* condition,
                               SequenceNumber* first) = 0;
  virtual Status RollBackSection(const WriteOptions& options,
                                 const std::string& name) = 0;
  // What recovery has found, once; later calls give nothing.
  virtual std::vector<RecoveredSection> TakeRecoveredSections() = 0;

  // GetSnapshot(), with a timestamp.
  virtual const Snapshot* GetStampedSnapshot(uint64_t timestamp) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
