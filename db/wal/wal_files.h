// The log files of a database as users see them: alive and archived, in the
// order in which they were written.
//
// Threads  Free functions over the file system; a log may move to the archive
//          or go while they look.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/file_system.h"
#include "rocksdb/wal_iterator.h"

namespace ROCKSDB_NAMESPACE {

struct WalPlace {
  FileSystem* fs = nullptr;
  std::string wal_dir;
  // How many bytes of a live log may be data, by its number.
  std::map<uint64_t, uint64_t> data_bytes = {};
};

// One file, without a look at its content.
struct WalFileFacts {
  uint64_t number = 0;
  WalFileType type = kAliveLogFile;
  SequenceNumber start_sequence = 0;
  uint64_t size_bytes = 0;
};
std::unique_ptr<WalFile> MakeWalFile(const WalFileFacts& facts);

// Logs with at least one batch; those with numbers in `passed_over` (ascending)
// left out.
Status ListWalFiles(const WalPlace& place,
                    const std::vector<uint64_t>& passed_over,
                    VectorWalPtr* files);

// The sequence of the first batch; 0 = there is none.
Status ReadFirstSequence(FileSystem* fs, const std::string& path,
                         uint64_t number, SequenceNumber* sequence);

}  // namespace ROCKSDB_NAMESPACE
