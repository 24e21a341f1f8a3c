// The memory that memtables may hold, over all databases that share a
// WriteBufferManager: what can be dropped when there is too much, which
// memtable is to be flushed, and where the write leader waits for others.
//
// Threads    Marked (mutex): under the DB mutex. The others any.
// Ownership  Shares the manager, owns the images of fresh files.
#pragma once

#include <memory>

#include "db/write/write_memory_stall.h"
#include "rocksdb/write_buffer_manager.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class FamilyPublisher;
class FamilyRegistry;
class FreshStage;
struct ImmutableDBOptions;

class WriteMemory {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    const FamilyRegistry* families = nullptr;  // (mutex)
    FamilyPublisher* publisher = nullptr;
  };
  explicit WriteMemory(const Context& context);
  ~WriteMemory();
  WriteMemory(const WriteMemory&) = delete;
  WriteMemory& operator=(const WriteMemory&) = delete;

  WriteBufferManager* manager() const { return manager_.get(); }
  FreshStage* fresh() const { return fresh_.get(); }  // null: off

  // --- (mutex)
  // No flush would ever make room of what is kept beside memtables that wait
  // for one: memtables that were flushed, and images of fresh files.
  void DropSpare();
  // Whether a memtable is to be flushed, if what is spare does not do.
  bool MustFlush();
  // The family whose active memtable is the largest; null: all are empty.
  ColumnFamilyData* LargestActive() const;

  // --- waiting, by the write leader, without the DB mutex: as long as all
  // databases hold too much. After PrepareToWait(), and before Wait(), it has
  // a look whether it need not.
  void PrepareToWait();
  void Wait() { stall_.Block(); }
  // Lets the leader go on, however much memory the databases hold.
  void EndWait() { manager_->RemoveDBFromQueue(&stall_); }

 private:
  // False: there are none.
  bool DropHistories();

  const Context context_;
  const std::shared_ptr<WriteBufferManager> manager_;
  const std::unique_ptr<FreshStage> fresh_;
  WriteMemoryStall stall_;
};

}  // namespace ROCKSDB_NAMESPACE
