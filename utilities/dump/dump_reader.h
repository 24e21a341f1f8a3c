// The chunks of a dump, in their order (dump_format.h).
//
// Lengths are held against the size of the file, so that a damaged one does not
// ask for memory.
//
// Threads    One.
// Ownership  Owns the file.
// Errors     Corruption for what is no dump or ends within a chunk;
//            NotSupported for another version.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "file/sequential_file_reader.h"
#include "rocksdb/file_system.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class DumpReader {
 public:
  // Checks the header.
  static Status Open(FileSystem* fs, const std::string& path,
                     std::unique_ptr<DumpReader>* result);

  // For Open() only: the header is not checked yet.
  DumpReader(std::unique_ptr<SequentialFileReader> file, uint64_t size)
      : file_(std::move(file)), size_(size), left_(size) {}

  bool AtEnd() const { return left_ == 0; }

  // Corruption, which says `what` it was, if the file ends within it.
  Status ReadChunk(const char* what, std::string* bytes);

 private:
  Status CheckHeader();
  Status ReadBytes(const char* what, size_t n, std::string* bytes);
  Status CutOff(const char* what) const;

  const std::unique_ptr<SequentialFileReader> file_;
  const uint64_t size_;
  uint64_t left_;
};

}  // namespace ROCKSDB_NAMESPACE
