// Operations of a trace, as objects: what a Replayer reads, and what an
// application may make itself to run it.
//
// Ownership  A record owns its bytes; slices of it live as long as it does.
// Threads    A record may be read from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandle;
class DB;
class GetQueryTraceRecord;
class IteratorSeekQueryTraceRecord;
class MultiGetQueryTraceRecord;
class TraceRecordResult;
class WriteQueryTraceRecord;

// The types of records, by their numbers in trace files.
enum TraceType : char {
  kTraceNone = 0,
  kTraceBegin = 1,
  kTraceEnd = 2,
  // Operations.
  kTraceWrite = 3,
  kTraceGet = 4,
  kTraceIteratorSeek = 5,
  kTraceIteratorSeekForPrev = 6,
  // Accesses of the block cache.
  kBlockTraceIndexBlock = 7,
  kBlockTraceFilterBlock = 8,
  kBlockTraceDataBlock = 9,
  kBlockTraceUncompressionDictBlock = 10,
  kBlockTraceRangeDeletionBlock = 11,
  // Accesses of files.
  kIOTracer = 12,
  kTraceMultiGet = 13,
  kTraceMax = 14,
};

class TraceRecord {
 public:
  // `timestamp` is in microseconds since 1970.
  explicit TraceRecord(uint64_t timestamp) : timestamp_(timestamp) {}
  virtual ~TraceRecord() = default;

  virtual TraceType GetTraceType() const = 0;
  virtual uint64_t GetTimestamp() const { return timestamp_; }

  class Handler {
   public:
    virtual ~Handler() = default;

    virtual Status Handle(const WriteQueryTraceRecord& record,
                          std::unique_ptr<TraceRecordResult>* result) = 0;
    virtual Status Handle(const GetQueryTraceRecord& record,
                          std::unique_ptr<TraceRecordResult>* result) = 0;
    virtual Status Handle(const IteratorSeekQueryTraceRecord& record,
                          std::unique_ptr<TraceRecordResult>* result) = 0;
    virtual Status Handle(const MultiGetQueryTraceRecord& record,
                          std::unique_ptr<TraceRecordResult>* result) = 0;
  };
  // Calls the handler's call for this class.
  virtual Status Accept(Handler* handler,
                        std::unique_ptr<TraceRecordResult>* result) = 0;

  // A handler that runs records on `db`, which outlives it, as do the families:
  // `handles` and the default one. The caller deletes it. A record of another
  // family is Corruption; a key that is not found is no error.
  static Handler* NewExecutionHandler(
      DB* db, const std::vector<ColumnFamilyHandle*>& handles);

 private:
  uint64_t timestamp_;
};

class QueryTraceRecord : public TraceRecord {
 public:
  explicit QueryTraceRecord(uint64_t timestamp) : TraceRecord(timestamp) {}
};

class WriteQueryTraceRecord : public QueryTraceRecord {
 public:
  WriteQueryTraceRecord(PinnableSlice&& write_batch_rep, uint64_t timestamp);
  WriteQueryTraceRecord(const std::string& write_batch_rep, uint64_t timestamp);
  ~WriteQueryTraceRecord() override;

  TraceType GetTraceType() const override { return kTraceWrite; }
  // The batch as WriteBatch::Data() has it.
  virtual Slice GetWriteBatchRep() const { return rep_; }
  Status Accept(Handler* handler,
                std::unique_ptr<TraceRecordResult>* result) override;

 private:
  PinnableSlice rep_;
};

class GetQueryTraceRecord : public QueryTraceRecord {
 public:
  GetQueryTraceRecord(uint32_t column_family_id, PinnableSlice&& key,
                      uint64_t timestamp);
  GetQueryTraceRecord(uint32_t column_family_id, const std::string& key,
                      uint64_t timestamp);
  ~GetQueryTraceRecord() override;

  TraceType GetTraceType() const override { return kTraceGet; }
  virtual uint32_t GetColumnFamilyID() const { return column_family_id_; }
  virtual Slice GetKey() const { return key_; }
  Status Accept(Handler* handler,
                std::unique_ptr<TraceRecordResult>* result) override;

 private:
  uint32_t column_family_id_;
  PinnableSlice key_;
};

class IteratorQueryTraceRecord : public QueryTraceRecord {
 public:
  explicit IteratorQueryTraceRecord(uint64_t timestamp);
  // Empty: there is no such bound.
  IteratorQueryTraceRecord(PinnableSlice&& lower_bound,
                           PinnableSlice&& upper_bound, uint64_t timestamp);
  IteratorQueryTraceRecord(const std::string& lower_bound,
                           const std::string& upper_bound, uint64_t timestamp);
  ~IteratorQueryTraceRecord() override;

  virtual Slice GetLowerBound() const { return lower_; }
  virtual Slice GetUpperBound() const { return upper_; }

 private:
  PinnableSlice lower_;
  PinnableSlice upper_;
};

class IteratorSeekQueryTraceRecord : public IteratorQueryTraceRecord {
 public:
  enum SeekType {
    kSeek = kTraceIteratorSeek,
    kSeekForPrev = kTraceIteratorSeekForPrev,
  };

  IteratorSeekQueryTraceRecord(SeekType seekType, uint32_t column_family_id,
                               PinnableSlice&& key, uint64_t timestamp);
  IteratorSeekQueryTraceRecord(SeekType seekType, uint32_t column_family_id,
                               const std::string& key, uint64_t timestamp);
  IteratorSeekQueryTraceRecord(SeekType seekType, uint32_t column_family_id,
                               PinnableSlice&& key, PinnableSlice&& lower_bound,
                               PinnableSlice&& upper_bound, uint64_t timestamp);
  IteratorSeekQueryTraceRecord(SeekType seekType, uint32_t column_family_id,
                               const std::string& key,
                               const std::string& lower_bound,
                               const std::string& upper_bound,
                               uint64_t timestamp);
  ~IteratorSeekQueryTraceRecord() override;

  TraceType GetTraceType() const override {
    return static_cast<TraceType>(type_);
  }
  virtual SeekType GetSeekType() const { return type_; }
  virtual uint32_t GetColumnFamilyID() const { return column_family_id_; }
  virtual Slice GetKey() const { return key_; }
  Status Accept(Handler* handler,
                std::unique_ptr<TraceRecordResult>* result) override;

 private:
  SeekType type_;
  uint32_t column_family_id_;
  PinnableSlice key_;
};

class MultiGetQueryTraceRecord : public QueryTraceRecord {
 public:
  // A family per key.
  MultiGetQueryTraceRecord(std::vector<uint32_t> column_family_ids,
                           std::vector<PinnableSlice>&& keys,
                           uint64_t timestamp);
  MultiGetQueryTraceRecord(std::vector<uint32_t> column_family_ids,
                           const std::vector<std::string>& keys,
                           uint64_t timestamp);
  ~MultiGetQueryTraceRecord() override;

  TraceType GetTraceType() const override { return kTraceMultiGet; }
  virtual std::vector<uint32_t> GetColumnFamilyIDs() const {
    return column_family_ids_;
  }
  virtual std::vector<Slice> GetKeys() const {
    return std::vector<Slice>(keys_.begin(), keys_.end());
  }
  Status Accept(Handler* handler,
                std::unique_ptr<TraceRecordResult>* result) override;

 private:
  std::vector<uint32_t> column_family_ids_;
  std::vector<PinnableSlice> keys_;
};

}  // namespace ROCKSDB_NAMESPACE
