// Where traces go, and where they come from: files, or classes of an
// application's own.
//
// Threads  A reader is used by one thread at a time; a writer too.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/env.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class TraceWriter {
 public:
  virtual ~TraceWriter() = default;

  // One record, encoded.
  virtual Status Write(const Slice& data) = 0;
  virtual Status Close() = 0;
  // Bytes written so far.
  virtual uint64_t GetFileSize() = 0;
};

class TraceReader {
 public:
  virtual ~TraceReader() = default;

  // The next record, encoded. Incomplete: there is none.
  virtual Status Read(std::string* data) = 0;
  virtual Status Close() = 0;
  // Back to the first record.
  virtual Status Reset() = 0;
};

// Creates a trace file, or empties it.
Status NewFileTraceWriter(Env* env, const EnvOptions& env_options,
                          const std::string& trace_filename,
                          std::unique_ptr<TraceWriter>* trace_writer);

// Reads one. Corruption: "Corrupted trace file." where it ends within a record.
Status NewFileTraceReader(Env* env, const EnvOptions& env_options,
                          const std::string& trace_filename,
                          std::unique_ptr<TraceReader>* trace_reader);

}  // namespace ROCKSDB_NAMESPACE
