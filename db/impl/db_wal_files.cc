// EngineDB: what users read of the write-ahead logs.
#include "db/files/obsolete_files.h"
#include "db/impl/engine_db.h"
#include "db/lookup/logged_blobs.h"
#include "db/wal/wal_files.h"
#include "db/wal/wal_tail.h"
#include "db/write/transaction_port.h"

namespace ROCKSDB_NAMESPACE {

Status EngineDB::ListWals(VectorWalPtr* files) const {
  return ListWalFiles({.fs = base_.options.fs, .wal_dir = base_.wal_dir}, {},
                      files);
}

Status EngineDB::TryCatchUpWithPrimary() {
  if (Status s = CheckOpen(); !s.ok()) return s;
  return Status::NotSupported("Supported only by secondary instance",
                              "TryCatchUpWithPrimary");
}

// Some of the times are in tables, which open all at once meanwhile.
Status EngineDB::GetCreationTimeOfOldestFile(uint64_t* creation_time) {
  {
    MutexLock lock(&base_.mutex);
    background_->opener()->Await();
  }
  return ObservedDB::GetCreationTimeOfOldestFile(creation_time);
}

Status EngineDB::GetSortedWalFiles(VectorWalPtr& files) {
  if (Status s = CheckOpen(); !s.ok()) return s;
  // None moves or goes while they are listed.
  files_->obsolete()->DisableDeletions();
  Status s = ListWals(&files);
  if (files_->obsolete()->EnableDeletions()) {
    files_->obsolete()->Purge();
  }
  return s;
}

Status EngineDB::GetUpdatesSince(
    SequenceNumber sequence, std::unique_ptr<TransactionLogIterator>* iter,
    const TransactionLogIterator::ReadOptions& read_options) {
  if (iter == nullptr) return Status::InvalidArgument("iter is null");
  iter->reset();
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (base_.options.stats != nullptr) {
    base_.options.stats->recordTick(GET_UPDATES_SINCE_CALLS);
  }
  const TransactionPort* const transactions = TransactionPort::Of(this);
  if (transactions != nullptr &&
      transactions->policy() != SectionPolicy::kWriteCommitted) {
    return Status::NotSupported(
        "GetUpdatesSince with the policies write-prepared and "
        "write-unprepared");
  }
  if (sequence > GetLatestSequenceNumber()) {
    return Status::NotFound("Requested sequence not yet written in the db");
  }
  WalTail::Context context;
  context.place = {.fs = base_.options.fs, .wal_dir = base_.wal_dir};
  context.last_sequence = [this] { return GetLatestSequenceNumber(); };
  context.list = [this](VectorWalPtr* files) { return ListWals(files); };
  context.verify_checksums = read_options.verify_checksums_;
  context.may_have_sections = base_.options.allow_2pc;
  context.inline_blobs = [this](WriteBatch* batch) {
    return InlineLoggedBlobs(&base_.mutex, versions_.get(), batch);
  };
  auto tail = std::make_unique<WalTail>(std::move(context), sequence);
  Status s = tail->Start();
  if (s.ok()) *iter = std::move(tail);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
