// DB: look-ups that tell a callback. What has no other way makes them at once,
// in the caller's thread: the callback comes before the call returns.
#include "rocksdb/db.h"
#include "rocksdb/iostats_context.h"
#include "rocksdb/perf_context.h"

namespace ROCKSDB_NAMESPACE {

namespace {

void TellLookedUp(DB::AsyncCallback* callback) {
  const bool wants_stats = callback->EnableStats();
  callback->OnComplete(wants_stats ? get_perf_context() : nullptr,
                       wants_stats ? get_iostats_context() : nullptr);
}

}  // namespace

void DB::GetAsync(const ReadOptions& options, ColumnFamilyHandle* column_family,
                  const Slice& key, PinnableSlice* value,
                  std::string* timestamp, Status& status,
                  AsyncCallback& callback) {
  status = Get(options, column_family, key, value, timestamp);
  TellLookedUp(&callback);
}

void DB::GetAsync(const ReadOptions& options, ColumnFamilyHandle* column_family,
                  const Slice& key, std::string* value, std::string* timestamp,
                  Status& status, AsyncCallback& callback) {
  status = Get(options, column_family, key, value, timestamp);
  TellLookedUp(&callback);
}

void DB::GetAsync(const ReadOptions& options, ColumnFamilyHandle* column_family,
                  const Slice& key, PinnableSlice* value, Status& status,
                  AsyncCallback& callback) {
  GetAsync(options, column_family, key, value, nullptr, status, callback);
}

void DB::GetAsync(const ReadOptions& options, ColumnFamilyHandle* column_family,
                  const Slice& key, std::string* value, Status& status,
                  AsyncCallback& callback) {
  GetAsync(options, column_family, key, value, nullptr, status, callback);
}

void DB::MultiGetAsync(const ReadOptions& options, const size_t num_keys,
                       ColumnFamilyHandle** column_families, const Slice* keys,
                       PinnableSlice* values, std::string* timestamps,
                       Status* statuses, const bool sorted_input,
                       AsyncCallback& callback) {
  MultiGet(options, num_keys, column_families, keys, values, timestamps,
           statuses, sorted_input);
  TellLookedUp(&callback);
}

}  // namespace ROCKSDB_NAMESPACE
