// DBImpl: whether the tables are what was written.
#include "db/impl/db_impl.h"
#include "file/whole_file.h"
#include "monitoring/io_activity.h"
#include "monitoring/statistics_impl.h"
#include "monitoring/thread_tracking.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Of the whole: a stream knows no deadline.
Status CheckDeadline(const ReadOptions& options, SystemClock* clock) {
  const auto deadline_micros = static_cast<uint64_t>(options.deadline.count());
  if (deadline_micros == 0 || clock->NowMicros() < deadline_micros) {
    return Status::OK();
  }
  return Status::TimedOut("the deadline of the read has passed");
}

}  // namespace

BulkReadPolicy DBImpl::VerifyPolicy(const ReadOptions& options) {
  BulkReadPolicy bulk =
      CompactionReadPolicy(options_, *OptionsNow(), file_options_);
  bulk.rate_limiter_priority = options.rate_limiter_priority;
  if (options.readahead_size > 0) bulk.readahead_bytes = options.readahead_size;
  return bulk;
}

Status DBImpl::VerifyFileChecksums(const ReadOptions& options) {
  FileChecksumGenFactory* factory = options_.file_checksum_gen_factory.get();
  if (factory == nullptr) {
    return Status::InvalidArgument(
        "Cannot verify file checksum if options.file_checksum_gen_factory is "
        "null");
  }
  const IoActivityScope activity(Env::IOActivity::kVerifyFileChecksums);
  const TrackedOperation tracked(
      {.is_enabled = options_.enable_thread_tracking,
       .type = ThreadStatus::OP_VERIFY_FILE_CHECKSUMS,
       .db_name = name_});
  const BulkReadPolicy bulk = VerifyPolicy(options);
  for (const LiveTable& table : LiveTables()) {
    const FileMeta& file = *table.file;
    if (file.checksum_function.empty() ||
        file.checksum_function == kUnknownFileChecksumFuncName) {
      continue;
    }
    const std::string path = table.cfd->tables()->FilePath(file);
    const std::unique_ptr<FileChecksumGenerator> generator =
        factory->CreateFileChecksumGenerator({path, file.checksum_function});
    if (generator == nullptr || generator->Name() != file.checksum_function) {
      return Status::InvalidArgument(
          path, "file_checksum_gen_factory has no " + file.checksum_function);
    }
    TableCache::IteratorRequest request;
    request.file = &file;
    request.level = table.level;
    request.mutable_cf = table.options.get();
    request.table.read_options = &options;
    request.bulk = &bulk;
    TableCache::BulkData whole;
    Status s = CheckDeadline(options, options_.clock);
    if (s.ok()) s = table.cfd->tables()->OpenStream(request, &whole);
    if (s.ok()) {
      s = ForEachPiece(whole.data.get(), file.size_bytes,
                       [&](const Slice& piece) {
                         generator->Update(piece.data(), piece.size());
                         return CheckDeadline(options, options_.clock);
                       });
    }
    if (s.ok()) {
      generator->Finalize();
    }
    if (!s.ok()) return s;
    if (generator->GetChecksum() != file.checksum) {
      return Status::Corruption(
          path, "file checksum mismatch: expected " +
                    Slice(file.checksum).ToString(true) + ", found " +
                    Slice(generator->GetChecksum()).ToString(true));
    }
  }
  return Status::OK();
}

Status DBImpl::VerifyChecksum(const ReadOptions& options) {
  const IoActivityScope activity(Env::IOActivity::kVerifyDBChecksum);
  const TrackedOperation tracked({.is_enabled = options_.enable_thread_tracking,
                                  .type = ThreadStatus::OP_VERIFY_DB_CHECKSUM,
                                  .db_name = name_});
  const BulkReadPolicy bulk = VerifyPolicy(options);
  for (const LiveTable& table : LiveTables()) {
    Status s = table.cfd->tables()->Verify(options, *table.file, table.level,
                                           *table.options, bulk);
    RecordTick(options_.stats, VERIFY_CHECKSUM_READ_BYTES,
               table.file->size_bytes);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
