// The items of a batch of writes as JSON, for `dump_wal --json`.
//
//   [{"item": "PUT", "column_family": 0, "key": "a", "key_hex": "61", ...}]
//
// Keys of families with timestamps have them at their end.
//
// Threads  Confined to one thread.
#pragma once

#include <string>

#include "rocksdb/write_batch.h"
#include "tools/ldb/json_pairs.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

class BatchJson final : public WriteBatch::Handler {
 public:
  std::string Text() const { return items_.Text(); }

  Status PutCF(uint32_t family, const Slice& key, const Slice& value) override {
    return Add("PUT", family, key, "value", value);
  }
  Status MergeCF(uint32_t family, const Slice& key,
                 const Slice& value) override {
    return Add("MERGE", family, key, "value", value);
  }
  Status TimedPutCF(uint32_t family, const Slice& key, const Slice& value,
                    uint64_t write_time) override {
    JsonObject item = Item("TIMED_PUT", family, key);
    AddBytes(&item, "value", value);
    item.Add("write_unix_time", write_time);
    return Take(item);
  }
  Status PutBlobIndexCF(uint32_t family, const Slice& key,
                        const Slice& reference) override {
    return Add("PUT_BLOB_INDEX", family, key, "reference", reference);
  }
  Status PutEntityCF(uint32_t family, const Slice& key,
                     const Slice& entity) override {
    StoredColumns stored;
    const Status s = DecodeStoredColumns(entity, &stored);
    if (!s.ok()) return s;
    JsonObject item = Item("PUT_ENTITY", family, key);
    item.AddRaw("columns", JsonColumns(stored.columns));
    return Take(item);
  }
  Status DeleteCF(uint32_t family, const Slice& key) override {
    return Take(Item("DELETE", family, key));
  }
  Status SingleDeleteCF(uint32_t family, const Slice& key) override {
    return Take(Item("SINGLE_DELETE", family, key));
  }
  Status DeleteRangeCF(uint32_t family, const Slice& begin,
                       const Slice& end) override {
    return Add("DELETE_RANGE", family, begin, "end", end);
  }
  Status MarkBeginPrepare(bool is_unprepared) override {
    return Take(JsonObject()
                    .Add("item", "BEGIN_PREPARE")
                    .AddRaw("is_unprepared", is_unprepared ? "true" : "false"));
  }
  Status MarkEndPrepare(const Slice& xid) override {
    return Take(Mark("END_PREPARE", xid));
  }
  Status MarkNoop(bool /*empty_batch*/) override {
    return Take(JsonObject().Add("item", "NOOP"));
  }
  Status MarkCommit(const Slice& xid) override {
    return Take(Mark("COMMIT", xid));
  }
  Status MarkCommitWithTimestamp(const Slice& xid,
                                 const Slice& commit_ts) override {
    JsonObject item = Mark("COMMIT_WITH_TIMESTAMP", xid);
    item.Add("timestamp_hex", commit_ts.ToString(true));
    return Take(item);
  }
  Status MarkRollback(const Slice& xid) override {
    return Take(Mark("ROLLBACK", xid));
  }

 private:
  static JsonObject Item(const char* what, uint32_t family, const Slice& key) {
    JsonObject item;
    item.Add("item", what).Add("column_family", uint64_t{family});
    AddBytes(&item, "key", key);
    return item;
  }
  static JsonObject Mark(const char* what, const Slice& xid) {
    JsonObject item;
    item.Add("item", what);
    AddBytes(&item, "xid", xid);
    return item;
  }
  Status Add(const char* what, uint32_t family, const Slice& key,
             const char* name, const Slice& bytes) {
    JsonObject item = Item(what, family, key);
    AddBytes(&item, name, bytes);
    return Take(item);
  }
  Status Take(const JsonObject& item) {
    items_.Add(item.Text());
    return Status::OK();
  }

  JsonArray items_;
};

}  // namespace ROCKSDB_NAMESPACE
