// Handing the entries of a batch to a WriteBatch::Handler.
#include <cassert>
#include <string>

#include "db/wal/write_batch_format.h"
#include "rocksdb/write_batch.h"
#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Handler = WriteBatch::Handler;

Status NotDefined(const char* call) {
  assert(call != nullptr);
  return Status::InvalidArgument(std::string(call) +
                                 "() is not defined by the handler");
}

Status WrongFamily(const char* call) {
  assert(call != nullptr);
  return Status::InvalidArgument(
      std::string(
          "update of another column family than the default one, and ") +
      call + " is not defined by the handler");
}

Status DispatchData(const BatchEntry& entry, Handler* handler) {
  assert(handler != nullptr);
  assert(IsDataEntry(entry.type));
  const uint32_t id = entry.column_family_id;
  switch (entry.type) {
    case kTypeValue:
      return handler->PutCF(id, entry.key, entry.value);
    case kTypeDeletion:
      return handler->DeleteCF(id, entry.key);
    case kTypeSingleDeletion:
      return handler->SingleDeleteCF(id, entry.key);
    case kTypeRangeDeletion:
      return handler->DeleteRangeCF(id, entry.key, entry.value);
    case kTypeMerge:
      return handler->MergeCF(id, entry.key, entry.value);
    case kTypeBlobIndex:
      return handler->PutBlobIndexCF(id, entry.key, entry.value);
    case kTypeWideColumnEntity:
      return handler->PutEntityCF(id, entry.key, entry.value);
    case kTypeValuePreferredSeqno: {
      // The reader has checked that the time is there.
      Slice value = entry.value;
      assert(value.size() >= sizeof(uint64_t));
      value.remove_suffix(sizeof(uint64_t));
      return handler->TimedPutCF(id, entry.key, value,
                                 DecodeFixed64(value.end()));
    }
    default:
      INVARIANT(false);
  }
}

Status DispatchMarker(const BatchEntry& entry, bool is_first,
                      Handler* handler) {
  assert(handler != nullptr);
  assert(!IsDataEntry(entry.type));
  assert(entry.column_family_id == 0);
  switch (entry.type) {
    case kTypeLogData:
      handler->LogData(entry.key);
      return Status::OK();
    case kTypeNoop:
      return handler->MarkNoop(is_first);
    case kTypeBeginPrepareXID:
    case kTypeBeginPersistedPrepareXID:
      return handler->MarkBeginPrepare(/*unprepared=*/false);
    case kTypeBeginUnprepareXID:
      return handler->MarkBeginPrepare(/*unprepared=*/true);
    case kTypeEndPrepareXID:
      return handler->MarkEndPrepare(entry.key);
    case kTypeCommitXID:
      return handler->MarkCommit(entry.key);
    case kTypeCommitXIDAndTimestamp:
      return handler->MarkCommitWithTimestamp(entry.key, entry.value);
    case kTypeRollbackXID:
      return handler->MarkRollback(entry.key);
    default:
      INVARIANT(false);
  }
}

}  // namespace

Status WriteBatch::Iterate(Handler* handler) const {
  if (rep_.size() < kBatchHeaderBytes) {
    return Status::Corruption("malformed WriteBatch (too small)");
  }
  INVARIANT(handler != nullptr);
  BatchReader reader(rep_);
  uint32_t found = 0;
  // Nothing but log data since the begin or since the last marker.
  bool is_first = true;
  while (!reader.AtEnd()) {
    if (!handler->Continue()) return Status::OK();
    BatchEntry entry;
    Status s = reader.Next(&entry);
    if (!s.ok()) return s;
    if (IsDataEntry(entry.type)) {
      ++found;
      s = DispatchData(entry, handler);
      is_first = false;
    } else {
      s = DispatchMarker(entry, is_first, handler);
      if (entry.type != kTypeLogData) is_first = true;
    }
    if (!s.ok()) return s;
  }
  if (found != Count()) {
    return Status::Corruption("WriteBatch has wrong count");
  }
  return Status::OK();
}

Status Handler::PutCF(uint32_t column_family_id, const Slice& key,
                      const Slice& value) {
  if (column_family_id != 0) return WrongFamily("PutCF");
  Put(key, value);
  return Status::OK();
}

Status Handler::TimedPutCF(uint32_t /*column_family_id*/, const Slice& /*key*/,
                           const Slice& /*value*/, uint64_t /*write_time*/) {
  return NotDefined("TimedPutCF");
}

Status Handler::PutEntityCF(uint32_t /*column_family_id*/, const Slice& /*key*/,
                            const Slice& /*entity*/) {
  return Status::NotSupported("PutEntityCF() is not defined by the handler");
}

Status Handler::DeleteCF(uint32_t column_family_id, const Slice& key) {
  if (column_family_id != 0) return WrongFamily("DeleteCF");
  Delete(key);
  return Status::OK();
}

Status Handler::SingleDeleteCF(uint32_t column_family_id, const Slice& key) {
  if (column_family_id != 0) return WrongFamily("SingleDeleteCF");
  SingleDelete(key);
  return Status::OK();
}

Status Handler::DeleteRangeCF(uint32_t /*column_family_id*/,
                              const Slice& /*begin_key*/,
                              const Slice& /*end_key*/) {
  return NotDefined("DeleteRangeCF");
}

Status Handler::MergeCF(uint32_t column_family_id, const Slice& key,
                        const Slice& value) {
  if (column_family_id != 0) return WrongFamily("MergeCF");
  Merge(key, value);
  return Status::OK();
}

Status Handler::PutBlobIndexCF(uint32_t /*column_family_id*/,
                               const Slice& /*key*/, const Slice& /*value*/) {
  return NotDefined("PutBlobIndexCF");
}

void Handler::LogData(const Slice& /*blob*/) {}

Status Handler::MarkBeginPrepare(bool /*unprepared*/) {
  return NotDefined("MarkBeginPrepare");
}
Status Handler::MarkEndPrepare(const Slice& /*xid*/) {
  return NotDefined("MarkEndPrepare");
}
Status Handler::MarkNoop(bool /*empty_batch*/) {
  return NotDefined("MarkNoop");
}
Status Handler::MarkRollback(const Slice& /*xid*/) {
  return NotDefined("MarkRollback");
}
Status Handler::MarkCommit(const Slice& /*xid*/) {
  return NotDefined("MarkCommit");
}
Status Handler::MarkCommitWithTimestamp(const Slice& /*xid*/,
                                        const Slice& /*commit_ts*/) {
  return NotDefined("MarkCommitWithTimestamp");
}

}  // namespace ROCKSDB_NAMESPACE
