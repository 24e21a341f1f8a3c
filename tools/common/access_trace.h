// A trace of the block cache or of I/O, read from its file record by record.
//
// Threads  Confined to one thread.
// Errors   Open(): Corruption where the file is no such trace. Next():
//          Incomplete at the end, Corruption where a record is cut off.
#pragma once

#include <memory>
#include <string>

#include "monitoring/trace/trace_format.h"
#include "rocksdb/env.h"
#include "rocksdb/trace_reader_writer.h"

namespace tools {

class AccessTrace {
 public:
  ROCKSDB_NAMESPACE::Status Open(const std::string& path) {
    ROCKSDB_NAMESPACE::Status s = ROCKSDB_NAMESPACE::NewFileTraceReader(
        ROCKSDB_NAMESPACE::Env::Default(), ROCKSDB_NAMESPACE::EnvOptions(),
        path, &reader_);
    ROCKSDB_NAMESPACE::TraceRecordParts header;
    if (s.ok()) s = Next(&header);
    if (s.ok()) {
      s = ROCKSDB_NAMESPACE::DecodeAccessTraceHeader(header, &release_);
    }
    start_time_ = header.time;
    return s;
  }

  // Microseconds since 1970.
  uint64_t start_time() const { return start_time_; }
  const ROCKSDB_NAMESPACE::AccessTraceRelease& release() const {
    return release_;
  }

  // The payload stays until the next call.
  ROCKSDB_NAMESPACE::Status Next(ROCKSDB_NAMESPACE::TraceRecordParts* record) {
    ROCKSDB_NAMESPACE::Status s = reader_->Read(&bytes_);
    return s.ok() ? ROCKSDB_NAMESPACE::SplitTraceRecord(bytes_, record) : s;
  }

 private:
  std::unique_ptr<ROCKSDB_NAMESPACE::TraceReader> reader_;
  std::string bytes_;
  ROCKSDB_NAMESPACE::AccessTraceRelease release_;
  uint64_t start_time_ = 0;
};

}  // namespace tools
