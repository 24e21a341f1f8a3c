#include "db/files/file_access_chooser.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "options/enum_names.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kProbeBytes = 4096;
static_assert((kProbeBytes & (kProbeBytes - 1)) == 0,
              "an alignment is a power of two");

// Whether a file in `directory` can be opened for direct writes: what every
// flush and compaction there will do later.
Status ProbeDirectWrite(FileSystem* fs, const std::string& directory,
                        const FileOptions& direct_options) {
  INVARIANT(fs != nullptr);
  INVARIANT(direct_options.use_direct_writes);
  const std::string path = directory + "/direct_io_probe.dbtmp";
  std::unique_ptr<FSWritableFile> file;
  Status s = fs->NewWritableFile(path, direct_options, &file, nullptr);
  if (!s.ok()) return s;
  s = file->Close(IOOptions(), nullptr);
  IgnoreError(fs->DeleteFile(path, IOOptions(), nullptr),
              "a probe that stays is removed at the next open");
  return s;
}

// Whether a file in `directory` can be written, opened with O_DIRECT, and
// read: what every compaction there will do later.
Status ProbeDirectRead(FileSystem* fs, const std::string& directory,
                       const FileOptions& direct_options) {
  INVARIANT(fs != nullptr);
  INVARIANT(direct_options.use_direct_reads);
  const std::string path = directory + "/direct_io_probe.dbtmp";
  Status s = WriteStringToFile(fs, std::string(kProbeBytes, 'p'), path, false);
  if (!s.ok()) return s;
  std::unique_ptr<FSRandomAccessFile> file;
  s = fs->NewRandomAccessFile(path, direct_options, &file, nullptr);
  if (s.ok() && file->use_direct_io()) {
    const size_t alignment =
        std::max<size_t>(file->GetRequiredBufferAlignment(), kProbeBytes);
    const std::unique_ptr<char, decltype(&std::free)> buffer(
        static_cast<char*>(std::aligned_alloc(alignment, alignment)),
        &std::free);
    Slice result;
    s = file->Read(0, alignment, IOOptions(), &result, buffer.get(), nullptr);
    if (s.ok() && result.size() != kProbeBytes) {
      s = Status::IOError(path, "a direct read came back short");
    }
  }
  file.reset();
  IgnoreError(fs->DeleteFile(path, IOOptions(), nullptr),
              "a probe that stays is removed at the next open");
  return s;
}

Status DirectIoRefused(const std::string& option, const std::string& path,
                       const std::string& what, const Status& why) {
  return Status::InvalidArgument(
      option + ": " + path + " refuses direct " + what, why.ToString());
}

// The option that asks for direct reads.
std::string ReadOption(const ImmutableDBOptions& db,
                       const MutableDBOptions& options) {
  if (db.use_direct_reads) return "use_direct_reads = true";
  if (options.compaction_read_access == FileAccess::kDefault) {
    return "use_direct_io_for_compaction_reads = true";
  }
  return "compaction_read_access = " +
         std::string(NameOfEnum(options.compaction_read_access));
}

std::string WriteOption(const MutableDBOptions& options) {
  if (options.compaction_write_access == FileAccess::kDefault) {
    return "use_direct_io_for_flush_and_compaction = true";
  }
  return "compaction_write_access = " +
         std::string(NameOfEnum(options.compaction_write_access));
}

// What LOG says of one of the two: asked for, chosen, and why if not the best.
std::string Chosen(FileAccess asked, FileAccess chosen, const Status& refusal) {
  std::string text(NameOfEnum(asked));
  text.append(": ").append(NameOfEnum(chosen));
  if (!refusal.ok()) text += " (" + refusal.ToString() + ")";
  return text;
}

}  // namespace

FileAccessChooser::FileAccessChooser(const ImmutableDBOptions* db,
                                     FileOptions files, Probing probing)
    : db_(db), files_(std::move(files)), probing_(probing) {
  INVARIANT(db_ != nullptr && db_->fs != nullptr);
}

Status FileAccessChooser::ChooseAtOpen(const std::vector<std::string>& paths,
                                       MutableDBOptions* chosen) const {
  INVARIANT(chosen != nullptr);
  Refusals refusals;
  Status s = Choose(paths, chosen, &refusals);
  if (!s.ok()) return s;
  if (chosen->compaction_read_access != FileAccess::kDefault ||
      chosen->compaction_write_access != FileAccess::kDefault) {
    Tell(*chosen, refusals);
  }
  return s;
}

Status FileAccessChooser::Change(const MutableDBOptions& before,
                                 const std::vector<std::string>& paths,
                                 MutableDBOptions* next) const {
  INVARIANT(next != nullptr);
  INVARIANT(probing_ == Probing::kByFiles);
  const bool keeps_reads =
      before.wanted_read_access == next->wanted_read_access;
  const bool keeps_writes =
      before.wanted_write_access == next->wanted_write_access;
  if (!keeps_reads || !keeps_writes) {
    Refusals refusals;
    Status s = Choose(paths, next, &refusals);
    if (!s.ok()) return s;
    Tell(*next, refusals);
  }
  if (keeps_reads) next->read_access = before.read_access;
  if (keeps_writes) next->write_access = before.write_access;
  return Status::OK();
}

Status FileAccessChooser::Choose(const std::vector<std::string>& paths,
                                 MutableDBOptions* chosen,
                                 Refusals* refusals) const {
  INVARIANT(chosen != nullptr);
  INVARIANT(refusals != nullptr);
  const bool asks_for_reads = chosen->wanted_read_access == FileAccess::kAuto;
  const bool asks_for_writes = chosen->wanted_write_access == FileAccess::kAuto;
  if (probing_ == Probing::kByFiles) {
    if (asks_for_reads) chosen->read_access = FileAccess::kDirect;
    if (asks_for_writes) chosen->write_access = FileAccess::kDirect;
    if (Status s = CreateDirectories(*chosen, paths); !s.ok()) return s;
    refusals->reads = TryDirectReads(*chosen, paths);
    refusals->writes = TryDirectWrites(*chosen, paths);
  }
  if (!refusals->reads.ok()) {
    if (!asks_for_reads) return refusals->reads;
    chosen->read_access = FileAccess::kUncached;
  }
  if (!refusals->writes.ok()) {
    if (!asks_for_writes) return refusals->writes;
    chosen->write_access = FileAccess::kUncached;
  }
  INVARIANT(chosen->read_access != FileAccess::kAuto);
  INVARIANT(chosen->write_access != FileAccess::kAuto);
  return Status::OK();
}

void FileAccessChooser::Tell(const MutableDBOptions& chosen,
                             const Refusals& refusals) const {
  ROCKSDB_NAMESPACE::Info(
      db_->logger,
      "file access: compaction_read_access = %s; "
      "compaction_write_access = %s",
      Chosen(chosen.compaction_read_access, chosen.read_access, refusals.reads)
          .c_str(),
      Chosen(chosen.compaction_write_access, chosen.write_access,
             refusals.writes)
          .c_str());
}

Status FileAccessChooser::Check(const MutableDBOptions& chosen,
                                const std::vector<std::string>& paths) const {
  INVARIANT(probing_ == Probing::kByFiles);
  Status s = CreateDirectories(chosen, paths);
  if (s.ok()) s = TryDirectReads(chosen, paths);
  if (s.ok()) s = TryDirectWrites(chosen, paths);
  return s;
}

Status FileAccessChooser::CreateDirectories(
    const MutableDBOptions& wanted,
    const std::vector<std::string>& paths) const {
  INVARIANT(probing_ == Probing::kByFiles);
  if (wanted.read_access != FileAccess::kDirect &&
      wanted.write_access != FileAccess::kDirect) {
    return Status::OK();
  }
  for (const std::string& path : paths) {
    Status s = db_->fs->CreateDirIfMissing(path, IOOptions(), nullptr);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status FileAccessChooser::TryDirectReads(
    const MutableDBOptions& wanted,
    const std::vector<std::string>& paths) const {
  INVARIANT(probing_ == Probing::kByFiles);
  if (wanted.read_access != FileAccess::kDirect) return Status::OK();
  FileSystem* fs = db_->fs;
  const FileOptions reading = fs->OptimizeForCompactionTableRead(
      files_, ImmutableDBOptions(*db_, wanted));
  if (!reading.use_direct_reads) {
    // A file system that takes the flag away decides for itself.
    return wanted.wanted_read_access == FileAccess::kAuto
               ? Status::NotSupported("the file system has no direct reads")
               : Status::OK();
  }
  for (const std::string& path : paths) {
    Status s = ProbeDirectRead(fs, path, reading);
    if (!s.ok()) {
      return DirectIoRefused(ReadOption(*db_, wanted), path, "reads", s);
    }
  }
  return Status::OK();
}

Status FileAccessChooser::TryDirectWrites(
    const MutableDBOptions& wanted,
    const std::vector<std::string>& paths) const {
  INVARIANT(probing_ == Probing::kByFiles);
  if (wanted.write_access != FileAccess::kDirect) return Status::OK();
  FileSystem* fs = db_->fs;
  const FileOptions writing = fs->OptimizeForCompactionTableWrite(
      files_, ImmutableDBOptions(*db_, wanted));
  if (!writing.use_direct_writes) {
    return wanted.wanted_write_access == FileAccess::kAuto
               ? Status::NotSupported("the file system has no direct writes")
               : Status::OK();
  }
  for (const std::string& path : paths) {
    Status s = ProbeDirectWrite(fs, path, writing);
    if (!s.ok()) {
      return DirectIoRefused(WriteOption(wanted), path, "writes", s);
    }
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
