// The port that transactions have to the database.
//
// Threads  As the port says.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "db/impl/db_transactions.h"
#include "db/write/transaction_port.h"

namespace ROCKSDB_NAMESPACE {

class DBImpl::Transactions::Port final : public TransactionPort {
 public:
  explicit Port(Transactions* part) : part_(*part), db_(part->db_) {}

  std::unique_ptr<ColumnFamilyHandle> HandleOf(uint32_t family_id) override;
  Status WriteIf(const WriteOptions& options, WriteBatch* updates,
                 WriteCondition* condition) override {
    return db_.WriteIf(options, updates, condition);
  }
  Status CheckApplicable(const WriteBatch& updates,
                         MissingFamilies missing) override;
  Status FindNewer(const KeySince& since, Turn turn,
                   NewerVersion* found) override;
  void HoldFloor(ConflictFloor* floor) override;
  void ReleaseFloor(ConflictFloor* floor) override;
  bool MayReadLate() const override { return db_.options_.unordered_write; }
  const Snapshot* GetStampedSnapshot(uint64_t timestamp) override;

  // --- prepared sections (db_sections.cc)
  Status PrepareSection(const WriteOptions& options, const std::string& name,
                        const WriteBatch& updates,
                        uint64_t* log_number) override;
  Status CommitSection(const WriteOptions& options, const SectionCommit& commit,
                       WriteCondition* condition,
                       SequenceNumber* first) override;
  Status RollBackSection(const WriteOptions& options,
                         const std::string& name) override;
  std::vector<RecoveredSection> TakeRecoveredSections() override;

 private:
  Status CheckSection(const std::string& name);
  Status Write(const WriteOptions& options, WriteBatch* batch,
               const WriteHooks& hooks);

  Transactions& part_;
  DBImpl& db_;
};

}  // namespace ROCKSDB_NAMESPACE
