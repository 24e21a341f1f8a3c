// Reads a text file line by line.
//
// Threads  One at a time.
// Errors   ReadLine() answers false at the end and on an error; status() tells
//          which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "file/sequential_file_reader.h"
#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"

namespace ROCKSDB_NAMESPACE {

class LineFileReader {
 public:
  explicit LineFileReader(std::unique_ptr<SequentialFileReader> reader)
      : reader_(std::move(reader)) {}

  static IOStatus Create(FileSystem* fs, const std::string& file_name,
                         const FileOptions& options,
                         std::unique_ptr<LineFileReader>* result);

  // The next line, without its newline. A last line may lack one.
  bool ReadLine(std::string* line);

  // The number of the line last read, from 1.
  size_t GetLineNumber() const { return line_number_; }
  const IOStatus& status() const { return status_; }

 private:
  bool Refill();

  static constexpr size_t kBufferBytes = 8192;

  const std::unique_ptr<SequentialFileReader> reader_;
  char buffer_[kBufferBytes];
  Slice unread_;
  bool is_at_end_ = false;
  size_t line_number_ = 0;
  IOStatus status_;
};

}  // namespace ROCKSDB_NAMESPACE
