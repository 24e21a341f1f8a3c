// Where users' reads come in: lookups of one key and of many, cursors, and the
// snapshots that hold a moment still.
//
// A lookup takes a state of its family (SuperVersion) from its thread's slot,
// reads in it, and gives it back: without a lock, and without memory of its
// own on a hit. Whoever lets go of a state last has the files deleted that
// nobody else needs: here and now, or in the background.
//
// Threads    Any, but for what is marked (mutex): under the DB mutex.
// Ownership  Borrows what it is given. Cursors and snapshots end before it.
// Errors     A handle of another database is InvalidArgument. After Close()
//            reads are ShutdownInProgress.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "db/lookup/snapshot_gate.h"
#include "db/read/stored_entries.h"
#include "db/semantics/snapshot_list.h"
#include "rocksdb/db.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class LazyBlobs;
class LazyEntity;
class LazyWideColumns;
class LazyWideColumnsBatch;
class ObsoleteFiles;
class QueryTracer;
class ReadWriters;
class VersionSet;
struct FamilyCursors;
struct ImmutableDBOptions;
struct PointAnswer;
struct PointRead;
struct SuperVersion;

class ReadPort {
 public:
  struct Context {
    const DB* owner = nullptr;  // the handles' database; only compared
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    VersionSet* versions = nullptr;
    ObsoleteFiles* obsolete = nullptr;
    // Do memtables hold what no log has? Null: nobody writes here.
    const std::atomic<bool>* has_unlogged = nullptr;
    // Held while one moment is looked for in several families, where another
    // process writes and nothing is kept for snapshots; null: this one writes,
    // or nobody does.
    Mutex* follow_mutex = nullptr;
    ReadWriters* writers = nullptr;  // null: nobody writes here
    QueryTracer* tracer = nullptr;
  };
  explicit ReadPort(const Context& context);
  ReadPort(const ReadPort&) = delete;
  ReadPort& operator=(const ReadPort&) = delete;

  Status Get(const ReadOptions& options, ColumnFamilyHandle* family,
             const Slice& key, PinnableSlice* value, std::string* timestamp);
  Status GetEntity(const ReadOptions& options, ColumnFamilyHandle* family,
                   const Slice& key, PinnableWideColumns* columns);
  Status GetEntity(const ReadOptions& options, const Slice& key,
                   PinnableAttributeGroups* result);
  Status GetMergeOperands(const ReadOptions& options,
                          ColumnFamilyHandle* family, const Slice& key,
                          PinnableSlice* merge_operands,
                          GetMergeOperandsOptions* operands_options,
                          int* number_of_operands);

  // The same with references to blobs, which are followed when it is asked for.
  Status GetEntityLazy(const ReadOptions& options, ColumnFamilyHandle* family,
                       const Slice& key, LazyWideColumns* columns);

  // The keys of one call; one of `values`, `columns` and `lazy` is there.
  struct ManyKeys;
  void GetMany(const ReadOptions& options, ManyKeys* keys);
  void GetMany(const ReadOptions& options, size_t count, const Slice* keys,
               PinnableAttributeGroups* results);
  // All keys must be of one family. Sets keys->lazy itself.
  void GetManyLazy(const ReadOptions& options, ManyKeys* keys,
                   LazyWideColumnsBatch* result);

  Iterator* NewIterator(const ReadOptions& options, ColumnFamilyHandle* family);
  // Null in the place of a family that is gone, which no user has a handle of.
  Status NewIterators(const ReadOptions& options,
                      const std::vector<ColumnFamilyHandle*>& families,
                      std::vector<Iterator*>* iterators);
  std::unique_ptr<Iterator> NewCoalescingIterator(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& families);
  std::unique_ptr<AttributeGroupIterator> NewAttributeGroupIterator(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& families);

  // What is stored, entry by entry.
  Status VisitEntries(ColumnFamilyHandle* family, const EntryRange& range,
                      const VisitEntry& visit) const;

  // Null: there can be none. Waits while snapshot_gate() is closed,
  // but not in a callback that tells of a file.
  const Snapshot* GetSnapshot(uint64_t timestamp = UINT64_MAX) EXCLUDES(mutex_);
  void ReleaseSnapshot(const Snapshot* snapshot) EXCLUDES(mutex_);
  const SnapshotList& snapshots() const {  // (mutex)
    mutex_->AssertHeld();
    return snapshots_;
  }

  SnapshotGate* snapshot_gate() { return &gate_; }  // (mutex)

  // What transactions look back to; it has a lock of its own.
  ConflictFloors* conflict_floors() { return &conflict_floors_; }

  // How a lookup is to be made that is no user's.
  PointRead MakePointRead(const ReadOptions& options) const;

  void Close() { is_closed_ = true; }

 private:
  // Where the files go that nobody needs when a state is given back.
  enum class CleanUp { kHere, kInBackground };
  class FamilyHost;  // an iterator's host

  bool follows() const { return context_.follow_mutex != nullptr; }
  Status CheckHandle(ColumnFamilyHandle* family) const;
  Status CheckRead(const ReadOptions& options) const;
  Status CheckMany(const ReadOptions& options, const ManyKeys& keys) const;
  Status CheckIterator(const ReadOptions& options) const;
  // Whether the timestamps of a read fit the keys of `state`, and what it has.
  static Status CheckTimestamps(const ReadOptions& options,
                                const SuperVersion& state);
  SequenceNumber ReadSequence(const ReadOptions& options) const;
  Status ReadOne(const ReadOptions& options, ColumnFamilyHandle* family,
                 const Slice& key, const PointAnswer& answer);
  void GiveBack(SuperVersion* state, CleanUp where) const;
  // Makes columns of what was found in `state`, of which `blobs` keeps the
  // blobs: made here where the first entity needs them.
  Status Attach(const ReadOptions& options, SuperVersion* state,
                LazyEntity* entity, std::shared_ptr<const LazyBlobs>* blobs);
  void AttachAll(const ReadOptions& options, SuperVersion* state,
                 ManyKeys* keys);
  // The iterator reads as of `snapshot`; null: as of now. Makes none where the
  // family was dropped and no user has a handle of it any more.
  std::unique_ptr<Iterator> MakeIterator(const ReadOptions& options,
                                         ColumnFamilyHandle* family,
                                         const Snapshot* snapshot);
  Status MakeFamilyCursors(const ReadOptions& options,
                           const std::vector<ColumnFamilyHandle*>& families,
                           FamilyCursors* result);

  const Context context_;
  VersionSet* const versions_;
  const ImmutableDBOptions& db_;
  bool is_closed_ = false;
  Mutex* const mutex_;
  SnapshotGate gate_;
  ConflictFloors conflict_floors_;
  SnapshotList snapshots_ GUARDED_BY(mutex_){&conflict_floors_};
};

}  // namespace ROCKSDB_NAMESPACE
