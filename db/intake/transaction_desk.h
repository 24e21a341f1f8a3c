// What transactions ask of a database. What it keeps of theirs is the
// SectionKeeper's.
//
// Threads    As the port says.
// Ownership  Borrows what it is given.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db/write/transaction_port.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class FamilyRegistry;
class BatchIngest;
class ReadPort;
class SectionKeeper;
class VersionSet;
class WriteChecks;
class WritePipeline;
struct ImmutableDBOptions;
struct WriteHooks;

class TransactionDesk final : public TransactionPort {
 public:
  struct Context {
    const DB* owner = nullptr;  // must own the handles; only compared
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
    VersionSet* versions = nullptr;
    ReadPort* reads = nullptr;
    SectionKeeper* sections = nullptr;
    const WriteChecks* checks = nullptr;
    WritePipeline* pipeline = nullptr;  // null: nothing is written
    BatchIngest* batches = nullptr;     // null: likewise
    // Does the database write?
    std::function<Status()> check_writable;
    // Under the DB mutex.
    std::function<ColumnFamilyHandle*(std::shared_ptr<ColumnFamilyData>)>
        make_handle;
  };
  explicit TransactionDesk(Context context);

  std::unique_ptr<ColumnFamilyHandle> HandleOf(uint32_t family_id) override
      EXCLUDES(context_.mutex);
  Status WriteIf(const WriteOptions& options, WriteBatch* updates,
                 WriteCondition* condition) override;
  Status CheckApplicable(const WriteBatch& updates,
                         MissingFamilies missing) override
      EXCLUDES(context_.mutex);
  Status FindNewer(const KeySince& since, Turn turn,
                   NewerVersion* found) override;
  void HoldFloor(ConflictFloor* floor) override;
  void ReleaseFloor(ConflictFloor* floor) override;
  bool MayReadLate() const override;
  const Snapshot* GetStampedSnapshot(uint64_t timestamp) override;

  SectionPolicy policy() const override;
  Status AdoptPolicy(SectionPolicy policy) override EXCLUDES(context_.mutex);
  Status LogSection(const WriteOptions& options, const SectionPart& part,
                    LoggedPart* logged) override;
  Status CommitSection(const WriteOptions& options, const SectionCommit& commit,
                       WriteCondition* condition,
                       SequenceNumber* first) override;
  Status RollBackSection(const WriteOptions& options, const std::string& name,
                         const WriteBatch* undo,
                         WriteCondition* condition) override;
  std::vector<RecoveredSection> TakeRecoveredSections() override;

 private:
  class AtBeginOfRecord;
  class InLogOfSection;

  bool CountsSections() const;
  Status CommitFromItsLog(const WriteOptions& options,
                          const SectionCommit& commit,
                          WriteCondition* condition, SequenceNumber* first);
  Status WriteCommit(const WriteOptions& options, const SectionCommit& commit,
                     WriteCondition* condition, SequenceNumber* first);
  Status CheckSection(const std::string& name) const;
  Status CheckForSections() const;
  Status Write(const WriteOptions& options, WriteBatch* batch,
               const WriteHooks& hooks);

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
