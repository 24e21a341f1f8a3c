#include "db/blob/blob_flow.h"

#include <algorithm>
#include <cassert>

#include "db/blob/blob_format.h"
#include "util/value/blob_index.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The bytes of the blob's record, as the manifest counts garbage.
uint64_t RecordBytes(const Slice& user_key, const BlobIndex& index) {
  return BlobValueOffset(user_key.size()) + index.size;
}

}  // namespace

void BlobFlow::NoteRead(const Slice& user_key, const BlobIndex& index) {
  assert(index.file_number != 0);
  File& file = files_[index.file_number];
  ++file.read_count;
  file.read_bytes += RecordBytes(user_key, index);
}

void BlobFlow::NoteWritten(const Slice& user_key, const BlobIndex& index) {
  assert(index.file_number != 0);
  File& file = files_[index.file_number];
  ++file.written_count;
  file.written_bytes += RecordBytes(user_key, index);
}

void BlobFlow::Add(const BlobFlow& other) {
  for (const auto& [number, flow] : other.files_) {
    File& file = files_[number];
    file.read_count += flow.read_count;
    file.read_bytes += flow.read_bytes;
    file.written_count += flow.written_count;
    file.written_bytes += flow.written_bytes;
  }
}

uint64_t BlobFlow::read_count() const {
  uint64_t count = 0;
  for (const auto& entry : files_) count += entry.second.read_count;
  return count;
}

BlobFileGarbage BlobFlow::GarbageOf(const BlobFileAddition& file) const {
  BlobFileGarbage garbage{file.number, file.total_count, file.total_bytes};
  const auto found = files_.find(file.number);
  if (found == files_.end()) return garbage;
  assert(found->second.written_count <= garbage.garbage_count);
  garbage.garbage_count -= found->second.written_count;
  garbage.garbage_bytes -=
      std::min(garbage.garbage_bytes, found->second.written_bytes);
  return garbage;
}

std::vector<BlobFileGarbage> BlobFlow::Garbage() const {
  std::vector<BlobFileGarbage> garbage;
  for (const auto& [number, file] : files_) {
    if (file.read_count <= file.written_count) continue;
    assert(file.read_bytes > file.written_bytes);
    garbage.push_back({number, file.read_count - file.written_count,
                       file.read_bytes - file.written_bytes});
  }
  return garbage;
}

}  // namespace ROCKSDB_NAMESPACE
