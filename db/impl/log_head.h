// What LOG begins with, in RocksDB's words, which scripts of operators look
// for: versions, the files that are there, all options, codecs and CPU.
//
// Threads  Any. It lists directories: not under the DB mutex.
// Errors   None: what cannot be listed is left out.
#pragma once

#include <string>

#include "rocksdb/info_log.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {

struct ImmutableDBOptions;

struct LogHead {
  const ImmutableDBOptions& options;
  const DBOptions& all;  // those and the dynamic ones
  std::string db_name;
  std::string wal_dir;
  std::string session_id;
};

void WriteLogHead(const LogHead& head);

// The options of a family, of the first ones only: `index` counts them from 0.
// Lines at HEADER_LEVEL stand in every file of a LOG that is rolled.
void LogFamily(const std::string& name, const ColumnFamilyOptions& options,
               size_t index, InfoLogLevel level, Logger* logger);

}  // namespace ROCKSDB_NAMESPACE
