// TraceRecord::NewExecutionHandler(): runs records on a database.
#include <memory>
#include <unordered_map>

#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/iterator.h"
#include "rocksdb/trace_record.h"
#include "rocksdb/trace_record_result.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class ExecutionHandler final : public TraceRecord::Handler {
 public:
  ExecutionHandler(DB* db, const std::vector<ColumnFamilyHandle*>& handles)
      : db_(db) {
    families_[0] = db->DefaultColumnFamily();
    for (ColumnFamilyHandle* family : handles) {
      families_[family->GetID()] = family;
    }
  }

  Status Handle(const WriteQueryTraceRecord& record,
                std::unique_ptr<TraceRecordResult>* result) override {
    const uint64_t start = Now();
    WriteBatch batch(record.GetWriteBatchRep().ToString());
    Status s = db_->Write(WriteOptions(), &batch);
    if (s.ok() && result != nullptr) {
      *result = std::make_unique<StatusOnlyTraceExecutionResult>(
          s, start, Now(), record.GetTraceType());
    }
    return s;
  }

  Status Handle(const GetQueryTraceRecord& record,
                std::unique_ptr<TraceRecordResult>* result) override {
    ColumnFamilyHandle* const family = Family(record.GetColumnFamilyID());
    if (family == nullptr) return UnknownFamily();
    const uint64_t start = Now();
    std::string value;
    Status s = db_->Get(ReadOptions(), family, record.GetKey(), &value);
    if (!s.ok() && !s.IsNotFound()) return s;
    if (result != nullptr) {
      *result = std::make_unique<SingleValueTraceExecutionResult>(
          std::move(s), std::move(value), start, Now(), record.GetTraceType());
    }
    return Status::OK();
  }

  Status Handle(const IteratorSeekQueryTraceRecord& record,
                std::unique_ptr<TraceRecordResult>* result) override {
    ColumnFamilyHandle* const family = Family(record.GetColumnFamilyID());
    if (family == nullptr) return UnknownFamily();
    const Slice lower = record.GetLowerBound();
    const Slice upper = record.GetUpperBound();
    ReadOptions options;
    if (!lower.empty()) options.iterate_lower_bound = &lower;
    if (!upper.empty()) options.iterate_upper_bound = &upper;
    const std::unique_ptr<Iterator> it(db_->NewIterator(options, family));
    const uint64_t start = Now();
    if (record.GetSeekType() == IteratorSeekQueryTraceRecord::kSeek) {
      it->Seek(record.GetKey());
    } else {
      it->SeekForPrev(record.GetKey());
    }
    const uint64_t end = Now();
    Status s = it->status();
    if (!s.ok() || result == nullptr) return s;
    const bool is_valid = it->Valid();
    *result = std::make_unique<IteratorTraceExecutionResult>(
        is_valid, s, is_valid ? it->key().ToString() : std::string(),
        is_valid ? it->value().ToString() : std::string(), start, end,
        record.GetTraceType());
    return s;
  }

  Status Handle(const MultiGetQueryTraceRecord& record,
                std::unique_ptr<TraceRecordResult>* result) override {
    const std::vector<Slice> keys = record.GetKeys();
    std::vector<ColumnFamilyHandle*> families;
    for (const uint32_t id : record.GetColumnFamilyIDs()) {
      families.push_back(Family(id));
      if (families.back() == nullptr) return UnknownFamily();
    }
    if (families.empty() || keys.empty()) {
      return Status::InvalidArgument("Empty MultiGet cf_ids or keys.");
    }
    if (families.size() != keys.size()) {
      return Status::InvalidArgument("MultiGet cf_ids and keys size mismatch.");
    }
    const uint64_t start = Now();
    std::vector<std::string> values;
    std::vector<Status> statuses =
        db_->MultiGet(ReadOptions(), families, keys, &values);
    const uint64_t end = Now();
    Status failure;
    for (const Status& s : statuses) {
      if (!s.ok() && !s.IsNotFound() && failure.ok()) failure = s;
    }
    if (failure.ok() && result != nullptr) {
      *result = std::make_unique<MultiValuesTraceExecutionResult>(
          std::move(statuses), std::move(values), start, end,
          record.GetTraceType());
    }
    return failure;
  }

 private:
  static Status UnknownFamily() {
    return Status::Corruption("Invalid Column Family ID.");
  }

  uint64_t Now() const { return db_->GetEnv()->NowMicros(); }

  ColumnFamilyHandle* Family(uint32_t id) const {
    const auto found = families_.find(id);
    return found == families_.end() ? nullptr : found->second;
  }

  DB* const db_;
  std::unordered_map<uint32_t, ColumnFamilyHandle*> families_;
};

}  // namespace

TraceRecord::Handler* TraceRecord::NewExecutionHandler(
    DB* db, const std::vector<ColumnFamilyHandle*>& handles) {
  return std::make_unique<ExecutionHandler>(db, handles).release();
}

}  // namespace ROCKSDB_NAMESPACE
