// TableCatalog: whether the tables are what was written.
#include "db/files/table_catalog.h"
#include "db/registry/family_registry.h"
#include "db/tables/input_iterator.h"
#include "file/whole_file.h"
#include "monitoring/io_activity.h"
#include "monitoring/statistics_impl.h"
#include "monitoring/thread_tracking.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The deadline is checked here, for the whole operation: streams know none.
Status CheckDeadline(const ReadOptions& options, SystemClock* clock) {
  const auto deadline_micros = static_cast<uint64_t>(options.deadline.count());
  if (deadline_micros == 0 || clock->NowMicros() < deadline_micros) {
    return Status::OK();
  }
  return Status::TimedOut("the deadline of the read has passed");
}

}  // namespace

BulkReadPolicy TableCatalog::VerifyPolicy(const ReadOptions& options,
                                          const MutableDBOptions& now) const {
  BulkReadPolicy bulk =
      CompactionReadPolicy(*context_.db, now, context_.file_options);
  bulk.rate_limiter_priority = options.rate_limiter_priority;
  if (options.readahead_size > 0) bulk.readahead_bytes = options.readahead_size;
  return bulk;
}

Status TableCatalog::VerifyFile(const ReadOptions& options,
                                const BulkReadPolicy& bulk,
                                const LiveTable& table) const {
  const FileMeta& file = *table.file;
  if (file.checksum_function.empty() ||
      file.checksum_function == kUnknownFileChecksumFuncName) {
    return Status::OK();
  }
  const std::string path = table.cfd->tables()->FilePath(file);
  const std::unique_ptr<FileChecksumGenerator> generator =
      context_.db->file_checksum_gen_factory->CreateFileChecksumGenerator(
          {path, file.checksum_function});
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
  SystemClock* const clock = context_.db->clock;
  Status s = CheckDeadline(options, clock);
  if (s.ok()) s = table.cfd->tables()->OpenStream(request, &whole);
  if (s.ok()) {
    s = ForEachPiece(whole.data.get(), file.size_bytes,
                     [&](const Slice& piece) {
                       generator->Update(piece.data(), piece.size());
                       return CheckDeadline(options, clock);
                     });
  }
  if (!s.ok()) return s;
  generator->Finalize();
  if (generator->GetChecksum() == file.checksum) return s;
  return Status::Corruption(
      path, "file checksum mismatch: expected " +
                Slice(file.checksum).ToString(true) + ", found " +
                Slice(generator->GetChecksum()).ToString(true));
}

Status TableCatalog::VerifyFiles(const ReadOptions& options,
                                 const MutableDBOptions& now) const {
  if (context_.db->file_checksum_gen_factory == nullptr) {
    return Status::InvalidArgument(
        "Cannot verify file checksum if options.file_checksum_gen_factory is "
        "null");
  }
  const IoActivityScope activity(Env::IOActivity::kVerifyFileChecksums);
  const TrackedOperation tracked(
      {.is_enabled = context_.db->enable_thread_tracking,
       .type = ThreadStatus::OP_VERIFY_FILE_CHECKSUMS,
       .db_name = context_.db_name});
  const BulkReadPolicy bulk = VerifyPolicy(options, now);
  for (const LiveTable& table : LiveTables()) {
    if (Status s = VerifyFile(options, bulk, table); !s.ok()) return s;
  }
  return Status::OK();
}

Status TableCatalog::VerifyBlocks(const ReadOptions& options,
                                  const MutableDBOptions& now) const {
  const IoActivityScope activity(Env::IOActivity::kVerifyDBChecksum);
  const TrackedOperation tracked(
      {.is_enabled = context_.db->enable_thread_tracking,
       .type = ThreadStatus::OP_VERIFY_DB_CHECKSUM,
       .db_name = context_.db_name});
  const BulkReadPolicy bulk = VerifyPolicy(options, now);
  for (const LiveTable& table : LiveTables()) {
    Status s = table.cfd->tables()->Verify(options, *table.file, table.level,
                                           *table.options, bulk);
    RecordTick(context_.db->stats, VERIFY_CHECKSUM_READ_BYTES,
               table.file->size_bytes);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
