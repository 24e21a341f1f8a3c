#include "file/file_util.h"

#include <algorithm>
#include <cassert>
#include <memory>

#include "file/io_leave.h"
#include "file/sequential_file_reader.h"
#include "file/writable_file_writer.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

IOStatus FinishFile(WritableFileWriter* writer, FileDurability durability) {
  assert(writer != nullptr);
  IOStatus s;
  if (durability != FileDurability::kBuffered) {
    s = writer->Sync(durability == FileDurability::kFsynced);
  }
  IOStatus closed = writer->Close();
  return s.ok() ? closed : s;
}

IOStatus CopyBytes(const FileCopy& copy, SequentialFileReader* reader,
                   WritableFileWriter* writer) {
  assert(reader != nullptr && writer != nullptr);
  const bool is_whole = copy.size_bytes == 0;
  uint64_t left = is_whole ? UINT64_MAX : copy.size_bytes;
  INVARIANT(copy.chunk_bytes > 0 && copy.chunk_bytes % kDefaultPageSize == 0);
  const auto scratch = std::make_unique<char[]>(copy.chunk_bytes);
  while (left > 0) {
    Slice chunk;
    IOStatus s;
    {
      const IoLeave leave(copy.governor, IoClass::kMaintenance,
                          std::min<uint64_t>(left, copy.chunk_bytes));
      s = reader->Read(leave.bytes(), &chunk, scratch.get(),
                       copy.rate_limiter_priority);
    }
    if (!s.ok()) return s;
    if (chunk.empty()) break;
    INVARIANT(chunk.size() <= left);
    left -= chunk.size();
    s = writer->Append(chunk);
    if (!s.ok()) return s;
  }
  if (!is_whole && left > 0) {
    return IOStatus::Corruption(copy.source,
                                "expected " + std::to_string(copy.size_bytes) +
                                    " bytes, found " +
                                    std::to_string(copy.size_bytes - left));
  }
  return IOStatus::OK();
}

void DropPartialFile(FileSystem* fs, const std::string& file_name) {
  IgnoreError(fs->DeleteFile(file_name, IOOptions(), nullptr),
              "the first error is the one to report");
}

}  // namespace

IOStatus CopyFile(FileSystem* fs, const FileCopy& copy) {
  INVARIANT(fs != nullptr);
  INVARIANT(copy.source != copy.destination);
  std::unique_ptr<FSSequentialFile> source;
  IOStatus s =
      fs->NewSequentialFile(copy.source, copy.file_options, &source, nullptr);
  if (!s.ok()) return s;
  FileIoContext context;
  context.rate_limiter = copy.file_options.rate_limiter;
  context.io_options.rate_limiter_priority = copy.rate_limiter_priority;
  SequentialFileReader reader(std::move(source), copy.source, 0, context);
  context.governor = copy.governor;
  context.overlaps_writes = true;
  context.hands_checksums = copy.hands_checksums;
  std::unique_ptr<WritableFileWriter> writer;
  const FileOptions& copy_options =
      copy.copy_options == nullptr ? copy.file_options : *copy.copy_options;
  s = WritableFileWriter::Create(fs, copy.destination, copy_options, &writer,
                                 context);
  if (!s.ok()) return s;
  s = CopyBytes(copy, &reader, writer.get());
  if (s.ok()) s = FinishFile(writer.get(), copy.durability);
  if (!s.ok()) {
    writer.reset();
    DropPartialFile(fs, copy.destination);
  }
  return s;
}

IOStatus CreateFile(FileSystem* fs, const std::string& file_name,
                    const Slice& contents, FileDurability durability) {
  INVARIANT(fs != nullptr && !file_name.empty());
  std::unique_ptr<WritableFileWriter> writer;
  IOStatus s =
      WritableFileWriter::Create(fs, file_name, FileOptions(), &writer);
  if (!s.ok()) return s;
  s = writer->Append(contents);
  if (s.ok()) s = FinishFile(writer.get(), durability);
  if (!s.ok()) {
    writer.reset();
    DropPartialFile(fs, file_name);
  }
  return s;
}

IOStatus DeleteFileIfExists(FileSystem* fs, const std::string& file_name) {
  IOStatus s = fs->DeleteFile(file_name, IOOptions(), nullptr);
  if (s.IsNotFound() || s.IsPathNotFound()) return IOStatus::OK();
  return s;
}

IOStatus SyncDirectory(FileSystem* fs, const std::string& name,
                       const DirFsyncOptions& reason) {
  const IOOptions options;
  std::unique_ptr<FSDirectory> directory;
  IOStatus s = fs->NewDirectory(name, options, &directory, nullptr);
  if (!s.ok()) return s;
  INVARIANT(directory != nullptr);
  s = directory->FsyncWithDirOptions(options, nullptr, reason);
  IOStatus closed = directory->Close(options, nullptr);
  if (closed.IsNotSupported()) closed = IOStatus::OK();
  return s.ok() ? closed : s;
}

}  // namespace ROCKSDB_NAMESPACE
