#include "db/wal/predecessor_record.h"

#include <cassert>

#include "db/wal/write_batch_format.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr char kPredecessorMagic[] = "basalt.log.predecessor";
constexpr size_t kMagicBytes = sizeof(kPredecessorMagic) - 1;
constexpr size_t kBlobBytes = kMagicBytes + 3 * sizeof(uint64_t);
// The size in records that do not say where the predecessor's last record ends.
constexpr size_t kShortBlobBytes = kMagicBytes + 2 * sizeof(uint64_t);
static_assert(kBlobBytes < 128, "its length takes one byte");

}  // namespace

std::string EncodePredecessor(const LogPredecessor& predecessor,
                              SequenceNumber sequence) {
  assert(predecessor.log_number > 0);
  std::string blob(kPredecessorMagic, kMagicBytes);
  PutFixed64(&blob, predecessor.log_number);
  PutFixed64(&blob, predecessor.next_sequence);
  PutFixed64(&blob, predecessor.end);
  assert(blob.size() == kBlobBytes);
  std::string record;
  PutFixed64(&record, sequence);
  PutFixed32(&record, 0);
  record.push_back(static_cast<char>(kTypeLogData));
  PutLengthPrefixedSlice(&record, blob);
  return record;
}

bool DecodePredecessor(const Slice& record, LogPredecessor* predecessor) {
  assert(predecessor != nullptr);
  constexpr size_t kBytesBeside = kBatchHeaderBytes + 2;
  const bool is_short = record.size() == kBytesBeside + kShortBlobBytes;
  if (!is_short && record.size() != kBytesBeside + kBlobBytes) return false;
  BatchReader reader(record);
  BatchEntry entry;
  if (!reader.Next(&entry).ok() || entry.type != kTypeLogData) return false;
  Slice blob = entry.key;
  if (!blob.starts_with(Slice(kPredecessorMagic, kMagicBytes))) return false;
  blob.remove_prefix(kMagicBytes);
  predecessor->end = 0;
  return GetFixed64(&blob, &predecessor->log_number) &&
         GetFixed64(&blob, &predecessor->next_sequence) &&
         (is_short || GetFixed64(&blob, &predecessor->end)) && blob.empty();
}

}  // namespace ROCKSDB_NAMESPACE
