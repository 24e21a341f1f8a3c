#include "utilities/backup/file_transfer.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "file/file_util.h"
#include "file/input_stream.h"
#include "file/io_governor.h"
#include "file/whole_file.h"
#include "file/writable_file_writer.h"
#include "monitoring/statistics_impl.h"
#include "util/crc32c.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "utilities/backup/transfer_pool.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Feeds whoever wants to know what all bytes come to.
class TransferDigest {
 public:
  explicit TransferDigest(FileChecksumGenerator* generator)
      : generator_(generator) {}
  void Update(const Slice& piece) {
    crc32c_ = crc32c::Extend(crc32c_, piece.data(), piece.size());
    if (generator_ != nullptr) generator_->Update(piece.data(), piece.size());
  }
  uint32_t Finish() {
    if (generator_ != nullptr) generator_->Finalize();
    return crc32c_;
  }

 private:
  FileChecksumGenerator* const generator_;
  uint32_t crc32c_ = 0;
};

// Calls `Status take(Slice)` for all bytes of the source in turn.
template <class Take>
IOStatus ReadSource(const TransferSource& source, const TransferRules& rules,
                    const Take& take) {
  INVARIANT(source.fs != nullptr && rules.is_stopped != nullptr);
  std::unique_ptr<FSRandomAccessFile> file;
  IOStatus s = source.fs->NewRandomAccessFile(source.path, source.options,
                                              &file, nullptr);
  if (!s.ok() || source.size_bytes == 0) return s;
  const std::shared_ptr<IoGovernor> governor = IoGovernor::Of(source.fs);
  InputStreamOptions options;
  options.rate_limiter = rules.limiter;
  options.governor = governor.get();
  options.io_class = IoClass::kMaintenance;
  options.backend = BestReadBackend(source.fs);
  options.fs = source.fs;
  options.file_size = source.size_bytes;
  options.readahead_bytes = rules.buffer_bytes;
  InputStream data(std::move(file), source.path, std::move(options));
  return status_to_io_status(
      ForEachPiece(&data, source.size_bytes, [&](const Slice& piece) -> Status {
        if (rules.is_stopped->load()) return BackupStopped();
        RecordTick(rules.statistics, BACKUP_READ_BYTES, piece.size());
        IOStatus taken = take(piece);
        return taken.ok() && rules.progress != nullptr
                   ? rules.progress->Add(piece.size())
                   : taken;
      }));
}

enum class WrittenPages { kStay, kLeave };

// A file on its way; deleted again unless it was finished.
class NewTarget {
 public:
  NewTarget(const TransferTarget& target, const TransferRules& rules)
      : target_(target), rules_(rules), governor_(IoGovernor::Of(target.fs)) {}
  ~NewTarget() {
    if (!is_begun_) return;
    writer_.reset();
    IgnoreError(target_.fs->DeleteFile(target_.path, IOOptions(), nullptr),
                "the first error is the one to report");
  }
  NewTarget(const NewTarget&) = delete;
  NewTarget& operator=(const NewTarget&) = delete;

  // `size_bytes` are to come: the file system reserves room for them at once.
  IOStatus Begin(WrittenPages pages, uint64_t size_bytes) {
    IOStatus s = Create(pages, target_.is_direct);
    if (!s.ok() && target_.is_direct) s = Create(pages, /*is_direct=*/false);
    if (s.ok() && size_bytes > 0) {
      writer_->writable_file()->SetPreallocationBlockSize(
          static_cast<size_t>(size_bytes));
    }
    return s;
  }
  IOStatus Append(const Slice& piece) {
    RecordTick(rules_.statistics, BACKUP_WRITE_BYTES, piece.size());
    return writer_->Append(piece);
  }
  IOStatus Finish() {
    IOStatus s;
    if (target_.is_synced) s = writer_->Sync(/*use_fsync=*/false);
    const IOStatus closed = writer_->Close();
    if (s.ok()) s = closed;
    if (s.ok()) is_begun_ = false;
    return s;
  }

 private:
  IOStatus Create(WrittenPages pages, bool is_direct) {
    FileOptions options;
    options.temperature = target_.temperature;
    options.use_direct_writes = is_direct;
    // Direct writes inside a file's size run side by side.
    if (is_direct) options.fallocate_with_keep_size = false;
    FileIoContext context;
    context.rate_limiter = rules_.limiter;
    context.io_options.rate_limiter_priority = Env::IO_LOW;
    context.governor = governor_.get();
    context.io_class = IoClass::kMaintenance;
    context.overlaps_writes = true;
    context.drops_written = pages == WrittenPages::kLeave;
    context.temperature = target_.temperature;
    is_begun_ = true;
    return WritableFileWriter::Create(target_.fs, target_.path, options,
                                      &writer_, std::move(context));
  }

  const TransferTarget& target_;
  const TransferRules& rules_;
  const std::shared_ptr<IoGovernor> governor_;
  std::unique_ptr<WritableFileWriter> writer_;
  bool is_begun_ = false;
};

}  // namespace

IOStatus BackupStopped() { return IOStatus::Incomplete("Backup stopped"); }

IOStatus TransferProgress::Add(uint64_t bytes) {
  if (!callback_) return IOStatus::OK();
  MutexLock lock(&mutex_);
  if (interval_bytes_ == 0) return CallGuarded("progress_callback", callback_);
  // It is told nothing, so it counts its calls: a piece of several intervals is
  // worth several.
  IOStatus s;
  for (bytes_ += bytes; s.ok() && bytes_ >= interval_bytes_;
       bytes_ -= interval_bytes_) {
    s = CallGuarded("progress_callback", callback_);
  }
  return s;
}

IOStatus DigestSource(const TransferSource& source, const TransferRules& rules,
                      FileChecksumGenerator* generator, uint32_t* crc32c) {
  INVARIANT(crc32c != nullptr);
  TransferDigest digest(generator);
  IOStatus s = ReadSource(source, rules, [&](const Slice& piece) {
    digest.Update(piece);
    return IOStatus::OK();
  });
  if (s.ok()) *crc32c = digest.Finish();
  return s;
}

IOStatus ReadWholeSource(const TransferSource& source,
                         const TransferRules& rules, std::string* bytes,
                         uint32_t* crc32c) {
  INVARIANT(bytes != nullptr && crc32c != nullptr);
  std::string read;
  IOStatus s = ReadSource(source, rules, [&](const Slice& piece) {
    read.append(piece.data(), piece.size());
    return IOStatus::OK();
  });
  if (!s.ok()) return s;
  *crc32c = crc32c::Value(read.data(), read.size());
  *bytes = std::move(read);
  return s;
}

IOStatus CopySource(const TransferSource& source, const TransferTarget& target,
                    const TransferRules& rules,
                    FileChecksumGenerator* generator, uint32_t* crc32c) {
  INVARIANT(crc32c != nullptr);
  if (rules.is_stopped->load()) return BackupStopped();
  const bool spares_cache =
      source.options.use_direct_reads || source.options.use_uncached_io;
  NewTarget copy(target, rules);
  IOStatus s =
      copy.Begin(spares_cache ? WrittenPages::kLeave : WrittenPages::kStay,
                 source.size_bytes);
  if (!s.ok()) return s;
  TransferDigest digest(generator);
  s = ReadSource(source, rules, [&](const Slice& piece) {
    digest.Update(piece);
    return copy.Append(piece);
  });
  if (s.ok()) s = copy.Finish();
  if (s.ok()) *crc32c = digest.Finish();
  return s;
}

IOStatus WriteTarget(const Slice& bytes, const TransferTarget& target,
                     const TransferRules& rules, uint32_t* crc32c) {
  INVARIANT(crc32c != nullptr);
  NewTarget copy(target, rules);
  IOStatus s = copy.Begin(WrittenPages::kStay, bytes.size());
  if (s.ok()) s = copy.Append(bytes);
  if (s.ok()) s = copy.Finish();
  if (s.ok()) *crc32c = crc32c::Value(bytes.data(), bytes.size());
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
