// What the calls of plain and of indexed batches share: keys and values in
// parts, and telling the updates of a batch to callbacks.
//
// Threads  As the batch.
#pragma once

#include <vector>

#include "c/support.h"
#include "rocksdb/write_batch.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE::c_api {

// A key or a value in parts, as C gives them.
class Parts {
 public:
  Parts(int count, const char* const* parts, const size_t* sizes) {
    for (int i = 0; i < count; ++i) {
      slices_.push_back(BytesOf(parts[i], sizes[i]));
    }
  }
  SliceParts Get() const {
    return SliceParts(slices_.data(), static_cast<int>(slices_.size()));
  }

 private:
  std::vector<Slice> slices_;
};

using PutFn = void (*)(void*, const char*, size_t, const char*, size_t);
using DeletedFn = void (*)(void*, const char*, size_t);
using PutCFFn = void (*)(void*, uint32_t, const char*, size_t, const char*,
                         size_t);
using DeletedCFFn = void (*)(void*, uint32_t, const char*, size_t);

// Tells the callbacks what a batch holds; a callback may be NULL.
class Teller : public WriteBatch::Handler {
 public:
  explicit Teller(void* state) : state_(state) {}

  PutFn put = nullptr;
  DeletedFn deleted = nullptr;
  PutCFFn put_cf = nullptr;
  DeletedCFFn deleted_cf = nullptr;
  PutCFFn merge_cf = nullptr;
  DeletedFn log_data = nullptr;

  Status PutCF(uint32_t id, const Slice& key, const Slice& value) override {
    if (put != nullptr && id == 0) {
      put(state_, key.data(), key.size(), value.data(), value.size());
    }
    if (put_cf != nullptr) {
      put_cf(state_, id, key.data(), key.size(), value.data(), value.size());
    }
    return Status::OK();
  }
  Status DeleteCF(uint32_t id, const Slice& key) override {
    if (deleted != nullptr && id == 0) deleted(state_, key.data(), key.size());
    if (deleted_cf != nullptr) {
      deleted_cf(state_, id, key.data(), key.size());
    }
    return Status::OK();
  }
  Status SingleDeleteCF(uint32_t id, const Slice& key) override {
    return DeleteCF(id, key);
  }
  Status MergeCF(uint32_t id, const Slice& key, const Slice& value) override {
    if (merge_cf != nullptr) {
      merge_cf(state_, id, key.data(), key.size(), value.data(), value.size());
    }
    return Status::OK();
  }
  Status DeleteRangeCF(uint32_t, const Slice&, const Slice&) override {
    return Status::OK();
  }
  Status PutEntityCF(uint32_t, const Slice&, const Slice&) override {
    return Status::OK();
  }
  Status TimedPutCF(uint32_t id, const Slice& key, const Slice& value,
                    uint64_t /*write_time*/) override {
    return PutCF(id, key, value);
  }
  // The batch of a transaction begins with one.
  Status MarkNoop(bool /*empty_batch*/) override { return Status::OK(); }
  void LogData(const Slice& blob) override {
    if (log_data != nullptr) log_data(state_, blob.data(), blob.size());
  }

 private:
  void* state_;
};

inline void Tell(const WriteBatch& batch, Teller* teller) {
  IgnoreError(batch.Iterate(teller),
              "iterating through C has no error channel");
}

}  // namespace ROCKSDB_NAMESPACE::c_api
