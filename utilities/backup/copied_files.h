// A record of the shared files that an unfinished backup has copied, so that
// the next one need not copy them again.
//
//   meta/.<id>.copied.tmp    <path> crc32 <decimal> size <bytes> sum <crc32c of
//                            the line so far>
//
// A line is written when its file is synced and has its name; the record goes
// when the backup is there. What RocksDB makes of such a file: nothing.
//
// Threads  Note() from any thread.
// Errors   None: without a record files are copied again.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "rocksdb/file_system.h"
#include "rocksdb/utilities/backup_engine.h"
#include "util/mutex.h"
#include "utilities/backup/backup_description.h"

namespace ROCKSDB_NAMESPACE {

class BackupCatalog;
class WritableFileWriter;

using CopiedFileMap = std::map<std::string, BackupFile>;  // by path

// All that records tell, as far as the files are there with that size.
CopiedFileMap FindCopiedFiles(const BackupCatalog& catalog);

// The lines of a record that are whole; `text` may be anything.
CopiedFileMap DecodeCopiedFiles(const Slice& text);

class CopiedFilesRecord {
 public:
  // Begins a record that also has what was `found`.
  CopiedFilesRecord(const BackupCatalog& catalog, BackupID id,
                    const CopiedFileMap& found);
  ~CopiedFilesRecord();
  CopiedFilesRecord(const CopiedFilesRecord&) = delete;
  CopiedFilesRecord& operator=(const CopiedFilesRecord&) = delete;

  void Note(const BackupFile& file) EXCLUDES(mutex_);
  // It is not needed any more.
  void Delete() EXCLUDES(mutex_);

 private:
  void Append(const std::string& lines) REQUIRES(mutex_);

  const std::shared_ptr<FileSystem> fs_;
  const std::string path_;
  Mutex mutex_;
  std::unique_ptr<WritableFileWriter> writer_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
