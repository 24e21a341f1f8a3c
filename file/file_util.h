// Whole files: copy, create, read.
//
// Threads  Any.
// Errors   A file that could not be written in full is deleted again.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

class IoGovernor;

enum class FileDurability {
  // Left to the operating system.
  kBuffered,
  // On the device when the call returns; its name needs a directory sync.
  kSynced,
  // The same, with all metadata.
  kFsynced,
};

struct FileCopy {
  std::string source;
  std::string destination;
  // Bytes to copy from the front; 0: all. A source that has fewer is
  // Corruption.
  uint64_t size_bytes = 0;
  FileDurability durability = FileDurability::kSynced;
  FileOptions file_options;
  // Options for writing the copy; null: `file_options`.
  const FileOptions* copy_options = nullptr;
  // Bytes to read at a time, a multiple of a page.
  size_t chunk_bytes = 256 << 10;
  // The priority of reads and writes at the rate limiter of `file_options`.
  Env::IOPriority rate_limiter_priority = Env::IO_LOW;
  // Admits each read and write, as maintenance. Null: not governed.
  IoGovernor* governor = nullptr;
  // Like FileIoContext::hands_checksums, for the writes.
  bool hands_checksums = false;
};
IOStatus CopyFile(FileSystem* fs, const FileCopy& copy);

// A new file with this content; one of that name is replaced.
IOStatus CreateFile(FileSystem* fs, const std::string& file_name,
                    const Slice& contents, FileDurability durability);

// Deletes; a file that is not there is no error.
IOStatus DeleteFileIfExists(FileSystem* fs, const std::string& file_name);

// Syncs a directory by its name.
IOStatus SyncDirectory(FileSystem* fs, const std::string& name,
                       const DirFsyncOptions& reason);

}  // namespace ROCKSDB_NAMESPACE
