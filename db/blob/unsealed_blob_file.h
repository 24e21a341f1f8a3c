// A blob file that may lack its end, because its writer has died or its device
// has failed: how much of it is whole, and a copy of that with an end.
//
// Threads    One.
// Ownership  Owns its handle.
// Errors     Those of reading and writing; Corruption for a header that is no
//            blob file's. What is not whole is no error.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "db/blob/blob_format.h"
#include "rocksdb/file_system.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class UnsealedBlobFile {
 public:
  // The records from the first on that have all their bytes, as they were
  // written.
  struct WholePart {
    uint64_t blob_count = 0;
    uint64_t end = BlobFileHeader::kBytes;

    bool operator==(const WholePart&) const = default;
  };

  Status Open(FileSystem* fs, const std::string& path);
  uint64_t size_bytes() const { return size_; }

  Status ReadHeader(BlobFileHeader* header);
  Status FindWholePart(WholePart* part);
  // Writes that part with an end to `temporary`, which takes the file's place,
  // durably: whatever happens, one of them is there.
  Status SealCopy(const std::string& temporary, const WholePart& part);

 private:
  // False: the file has no such bytes, or they cannot be read (*s).
  bool Read(uint64_t offset, uint64_t n, std::string* bytes, Status* s);

  FileSystem* fs_ = nullptr;
  std::string path_;
  std::unique_ptr<FSRandomAccessFile> file_;
  uint64_t size_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
