#include "tools/trace_analyzer/operation.h"

#include "db/observe/trace/trace_replayer.h"
#include "monitoring/trace/trace_format.h"
#include "rocksdb/env.h"
#include "rocksdb/wide_columns.h"
#include "rocksdb/write_batch.h"

namespace tools {

using ROCKSDB_NAMESPACE::Slice;
using ROCKSDB_NAMESPACE::Status;

namespace {

constexpr const char* kNames[kOperationTypeCount] = {
    "get",          "put",       "delete",        "single_delete",
    "range_delete", "merge",     "iterator_Seek", "iterator_SeekForPrev",
    "multiget",     "put_entity"};

constexpr uint64_t kLookedUpValueBytes = 10;

// The entries of a batch.
class BatchOperations final : public ROCKSDB_NAMESPACE::WriteBatch::Handler {
 public:
  BatchOperations(uint64_t time_micros, const OperationReader::Take& take)
      : time_micros_(time_micros), take_(take) {}

  Status PutCF(uint32_t family, const Slice& key, const Slice& value) override {
    return Note(OperationType::kPut, family, key, value.size());
  }
  Status TimedPutCF(uint32_t family, const Slice& key, const Slice& value,
                    uint64_t) override {
    return Note(OperationType::kPut, family, key, value.size());
  }
  Status PutEntityCF(uint32_t family, const Slice& key,
                     const Slice& entity) override {
    return Note(OperationType::kPutEntity, family, key, entity.size());
  }
  Status DeleteCF(uint32_t family, const Slice& key) override {
    return Note(OperationType::kDelete, family, key, 0);
  }
  Status SingleDeleteCF(uint32_t family, const Slice& key) override {
    return Note(OperationType::kSingleDelete, family, key, 0);
  }
  Status DeleteRangeCF(uint32_t family, const Slice& begin,
                       const Slice& end) override {
    Operation operation = Make(OperationType::kRangeDelete, family, begin);
    operation.end_key = end.ToString();
    take_(operation);
    return Status::OK();
  }
  Status MergeCF(uint32_t family, const Slice& key,
                 const Slice& value) override {
    return Note(OperationType::kMerge, family, key, value.size());
  }
  void LogData(const Slice&) override {}
  Status MarkBeginPrepare(bool) override { return Status::OK(); }
  Status MarkEndPrepare(const Slice&) override { return Status::OK(); }
  Status MarkNoop(bool) override { return Status::OK(); }
  Status MarkCommit(const Slice&) override { return Status::OK(); }
  Status MarkCommitWithTimestamp(const Slice&, const Slice&) override {
    return Status::OK();
  }
  Status MarkRollback(const Slice&) override { return Status::OK(); }

 private:
  Operation Make(OperationType type, uint32_t family, const Slice& key) const {
    return {.type = type,
            .family = family,
            .key = key.ToString(),
            .time_micros = time_micros_};
  }
  Status Note(OperationType type, uint32_t family, const Slice& key,
              size_t value_bytes) {
    Operation operation = Make(type, family, key);
    operation.value_bytes = value_bytes;
    take_(operation);
    return Status::OK();
  }

  const uint64_t time_micros_;
  const OperationReader::Take& take_;
};

// The operations of one record.
class RecordOperations final : public ROCKSDB_NAMESPACE::TraceRecord::Handler {
 public:
  using Result = std::unique_ptr<ROCKSDB_NAMESPACE::TraceRecordResult>;

  RecordOperations(CallCounts* calls, const OperationReader::Take& take)
      : calls_(calls), take_(take) {}

  Status Handle(const ROCKSDB_NAMESPACE::WriteQueryTraceRecord& record,
                Result*) override {
    ++calls_->write_batches;
    ROCKSDB_NAMESPACE::WriteBatch batch(record.GetWriteBatchRep().ToString());
    BatchOperations handler(record.GetTimestamp(), take_);
    return batch.Iterate(&handler);
  }
  Status Handle(const ROCKSDB_NAMESPACE::GetQueryTraceRecord& record,
                Result*) override {
    ++calls_->gets;
    Note(OperationType::kGet, record.GetColumnFamilyID(), record.GetKey(),
         record.GetTimestamp());
    return Status::OK();
  }
  Status Handle(const ROCKSDB_NAMESPACE::IteratorSeekQueryTraceRecord& record,
                Result*) override {
    const bool is_seek =
        record.GetTraceType() == ROCKSDB_NAMESPACE::kTraceIteratorSeek;
    ++(is_seek ? calls_->seeks : calls_->seek_for_prevs);
    take_({.type = is_seek ? OperationType::kIteratorSeek
                           : OperationType::kIteratorSeekForPrev,
           .family = record.GetColumnFamilyID(),
           .key = record.GetKey().ToString(),
           .time_micros = record.GetTimestamp()});
    return Status::OK();
  }
  Status Handle(const ROCKSDB_NAMESPACE::MultiGetQueryTraceRecord& record,
                Result*) override {
    ++calls_->multigets;
    const std::vector<uint32_t> families = record.GetColumnFamilyIDs();
    const std::vector<Slice> keys = record.GetKeys();
    for (size_t i = 0; i < keys.size(); ++i) {
      Note(OperationType::kMultiGet, families[i], keys[i],
           record.GetTimestamp());
    }
    return Status::OK();
  }

 private:
  void Note(OperationType type, uint32_t family, const Slice& key,
            uint64_t time_micros) {
    take_({.type = type,
           .family = family,
           .key = key.ToString(),
           .value_bytes = kLookedUpValueBytes,
           .time_micros = time_micros});
  }

  CallCounts* const calls_;
  const OperationReader::Take& take_;
};

}  // namespace

const char* NameOf(OperationType type) {
  return kNames[static_cast<size_t>(type)];
}

bool ParseOperationType(const std::string& name, OperationType* type) {
  for (size_t i = 0; i < kOperationTypeCount; ++i) {
    if (name != kNames[i]) continue;
    *type = static_cast<OperationType>(i);
    return true;
  }
  return false;
}

Status OperationReader::Open(const std::string& path) {
  Status s = ROCKSDB_NAMESPACE::NewFileTraceReader(
      ROCKSDB_NAMESPACE::Env::Default(), ROCKSDB_NAMESPACE::EnvOptions(), path,
      &reader_);
  std::string bytes;
  if (s.ok()) s = reader_->Read(&bytes);
  if (!s.ok()) return s;
  ROCKSDB_NAMESPACE::TraceRecordParts parts;
  s = ROCKSDB_NAMESPACE::SplitTraceRecord(bytes, &parts);
  if (!s.ok()) return s;
  start_micros_ = parts.time;
  return ROCKSDB_NAMESPACE::DecodeQueryTraceHeader(parts, &version_);
}

Status OperationReader::Handle(const std::string& bytes, const Take& take) {
  std::unique_ptr<ROCKSDB_NAMESPACE::TraceRecord> record;
  Status s = ROCKSDB_NAMESPACE::DecodeTraceRecord(bytes, version_, &record);
  if (!s.ok()) return s;
  RecordOperations handler(&calls_, take);
  RecordOperations::Result result;
  return record->Accept(&handler, &result);
}

Status OperationReader::ReadAll(bool skips_damage, const Take& take) {
  std::string bytes;
  for (;;) {
    Status s = reader_->Read(&bytes);
    // A trace whose process died may end within a record.
    if (s.IsIncomplete() || s.IsCorruption()) return Status::OK();
    if (!s.ok()) return s;
    if (bytes[8] == ROCKSDB_NAMESPACE::kTraceEnd) return s;
    s = Handle(bytes, take);
    if (!s.ok() && !skips_damage) return s;
  }
}

}  // namespace tools
