// The calls of DB that write, and those that see to the log and the memtables
// behind it: of a database that takes writes in.
//
// Threads    See README.md beside this file for the order of locks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "db/impl/engine_db.h"
#include "db/impl/writer_lines.h"

namespace ROCKSDB_NAMESPACE {

class Changes;
class Intake;
class SectionKeeper;
class TransactionDesk;
class WrittenFiles;
struct WriteHooks;

class WritingDB : public EngineDB {
 public:
  WritingDB(const DBOptions& sanitized, const std::string& name,
            const std::string& manifest_directory);
  ~WritingDB() override;

  using DB::Delete;
  using DB::DeleteRange;
  using DB::Merge;
  using DB::Put;
  using DB::SingleDelete;
  Status Put(const WriteOptions& options, ColumnFamilyHandle* family,
             const Slice& key, const Slice& value) override;
  Status PutEntity(const WriteOptions& options, ColumnFamilyHandle* family,
                   const Slice& key, const WideColumns& columns) override;
  using DB::PutEntity;
  Status Delete(const WriteOptions& options, ColumnFamilyHandle* family,
                const Slice& key) override;
  Status SingleDelete(const WriteOptions& options, ColumnFamilyHandle* family,
                      const Slice& key) override;
  Status DeleteRange(const WriteOptions& options, ColumnFamilyHandle* family,
                     const Slice& begin, const Slice& end) override;
  Status Merge(const WriteOptions& options, ColumnFamilyHandle* family,
               const Slice& key, const Slice& value) override;
  Status Merge(const WriteOptions& options, ColumnFamilyHandle* family,
               const Slice& key, const Slice& ts, const Slice& value) override;
  Status Write(const WriteOptions& options, WriteBatch* updates) override;
  Status WriteWithCallback(const WriteOptions& options, WriteBatch* updates,
                           UserWriteCallback* callback) override;
  Status IngestWriteBatchWithIndex(
      const WriteOptions& options,
      std::shared_ptr<WriteBatchWithIndex> wbwi) override;
  // What transactions ask of it.
  TransactionDesk* transactions() { return transactions_.get(); }

  using DB::Flush;
  Status Flush(const FlushOptions& options,
               ColumnFamilyHandle* family) override;
  Status Flush(const FlushOptions& options,
               const std::vector<ColumnFamilyHandle*>& families) override;
  Status FlushWAL(bool sync) override;
  Status FlushWAL(const FlushWALOptions& options) override;
  Status SyncWAL() override;
  Status LockWAL() override;
  Status UnlockWAL() override;
  Status GetCurrentWalFile(std::unique_ptr<WalFile>* current) override;

 protected:
  // For a write of keys with the timestamp `ts`, or without one if it is null.
  Status CheckWriteHandle(ColumnFamilyHandle* family,
                          const Slice* ts = nullptr) const;
  Status WriteImpl(const WriteOptions& options, WriteBatch* batch,
                   const WriteHooks* hooks = nullptr);
  Status ListWals(VectorWalPtr* files) const override;
  Status BeginFlushAll(const WaitLimit& limit) override;

  WriterLines lines_{&base_};
  // Made as it opens.
  std::unique_ptr<WrittenFiles> written_;
  std::unique_ptr<SectionKeeper> sections_;
  std::unique_ptr<Intake> intake_;
  std::unique_ptr<Changes> on_demand_;
  std::unique_ptr<TransactionDesk> transactions_;
};

}  // namespace ROCKSDB_NAMESPACE
