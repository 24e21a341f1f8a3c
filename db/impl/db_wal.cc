// DBImpl: what users ask of the write-ahead logs.
#include "db/files/log_keeper.h"
#include "db/files/obsolete_files.h"
#include "db/impl/db_impl.h"
#include "db/intake/changes.h"
#include "db/intake/log_requests.h"
#include "db/version/version_set.h"
#include "db/wal/wal_files.h"
#include "db/wal/wal_tail.h"

namespace ROCKSDB_NAMESPACE {

Status DBImpl::FlushWAL(bool sync) {
  FlushWALOptions options;
  options.sync = sync;
  return FlushWAL(options);
}

Status DBImpl::FlushWAL(const FlushWALOptions& options) {
  if (Status s = CheckWritable(); !s.ok()) return s;
  return on_demand_->logs()->Flush(options);
}

Status DBImpl::SyncWAL() { return FlushWAL(/*sync=*/true); }

Status DBImpl::LockWAL() {
  if (Status s = CheckWritable(); !s.ok()) return s;
  return on_demand_->logs()->Lock();
}

Status DBImpl::UnlockWAL() {
  if (Status s = CheckWritable(); !s.ok()) return s;
  return on_demand_->logs()->Unlock();
}

Status DBImpl::ListWals(VectorWalPtr* files) const {
  if (logs_ != nullptr) return logs_->List(files);
  return ListWalFiles({.fs = base_.options.fs, .wal_dir = base_.wal_dir}, {},
                      files);
}

Status DBImpl::GetSortedWalFiles(VectorWalPtr& files) {
  if (Status s = CheckOpen(); !s.ok()) return s;
  // None moves or goes while they are listed.
  obsolete_->DisableDeletions();
  Status s = ListWals(&files);
  if (obsolete_->EnableDeletions() && mode_ == Mode::kReadWrite) {
    obsolete_->Purge();
  }
  return s;
}

Status DBImpl::GetCurrentWalFile(std::unique_ptr<WalFile>* current) {
  if (current == nullptr) return Status::InvalidArgument("current is null");
  if (Status s = CheckWritable(); !s.ok()) return s;
  return logs_->DescribeCurrent(current);
}

Status DBImpl::GetUpdatesSince(
    SequenceNumber sequence, std::unique_ptr<TransactionLogIterator>* iter,
    const TransactionLogIterator::ReadOptions& read_options) {
  if (iter == nullptr) return Status::InvalidArgument("iter is null");
  iter->reset();
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (base_.options.stats != nullptr) {
    base_.options.stats->recordTick(GET_UPDATES_SINCE_CALLS);
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
  auto tail = std::make_unique<WalTail>(std::move(context), sequence);
  Status s = tail->Start();
  if (s.ok()) *iter = std::move(tail);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
