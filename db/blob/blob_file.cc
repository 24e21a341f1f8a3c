#include "db/blob/blob_file.h"

#include "rocksdb/cache.h"
#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

BlobFile::~BlobFile() {
  // An open reader would keep the space of a file that is deleted.
  if (readers != nullptr) readers->Erase(BlobReaderKey(record.number));
  if (sink == nullptr) return;
  INVARIANT(!path.empty());
  sink->OnBlobUnreferenced(path, record.number, size_bytes());
}

// Readers of tables have keys of eight bytes in the same cache.
std::string BlobReaderKey(uint64_t number) {
  std::string key = "blob";
  PutFixed64(&key, number);
  return key;
}

}  // namespace ROCKSDB_NAMESPACE
