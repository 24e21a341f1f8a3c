// The keys of one call of MultiGet() or MultiGetEntity(), and where the answers
// go.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "db/lookup/read_port.h"
#include "db/read/lazy_entity.h"
#include "db/read/multi_get.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/thread_status.h"

namespace ROCKSDB_NAMESPACE {

// The keys of one call; one of `values`, `columns` and `lazy` is there.
struct ReadPort::ManyKeys {
  size_t count = 0;
  ColumnFamilyHandle* const* families = nullptr;
  const Slice* keys = nullptr;
  PinnableSlice* values = nullptr;
  PinnableWideColumns* columns = nullptr;
  const std::unique_ptr<LazyEntity>* lazy = nullptr;
  std::string* timestamps = nullptr;  // may be null
  Status* statuses = nullptr;
  bool is_sorted = false;

  BatchedKey At(size_t i) {
    BatchedKey key;
    key.user_key = keys[i];
    if (values != nullptr) {
      values[i].Reset();
      key.value = &values[i];
    } else if (lazy != nullptr) {
      key.stored = lazy[i]->stored();
      key.value = &key.stored->bytes;
    } else {
      columns[i].Reset();
      key.columns = &columns[i];
    }
    if (timestamps != nullptr) {
      timestamps[i].clear();
      key.timestamp = &timestamps[i];
    }
    key.status = &statuses[i];
    return key;
  }
  ThreadStatus::OperationType Operation() const {
    return values != nullptr ? ThreadStatus::OP_MULTIGET
                             : ThreadStatus::OP_MULTIGETENTITY;
  }
  size_t BytesOf(size_t i) const {
    if (values != nullptr) return values[i].size();
    return lazy != nullptr ? lazy[i]->stored()->bytes.size()
                           : columns[i].serialized_size();
  }
  void CountAnswers(Statistics* statistics) const {
    PERF_TIMER_GUARD(get_post_process_time);
    uint64_t found = 0, bytes = 0;
    for (size_t i = 0; i < count; ++i) {
      if (!statuses[i].ok()) continue;
      ++found;
      bytes += BytesOf(i);
    }
    RecordTick(statistics, NUMBER_MULTIGET_CALLS);
    RecordTick(statistics, NUMBER_MULTIGET_KEYS_READ, count);
    RecordTick(statistics, NUMBER_MULTIGET_KEYS_FOUND, found);
    RecordTick(statistics, NUMBER_MULTIGET_BYTES_READ, bytes);
    RecordInHistogram(statistics, BYTES_PER_MULTIGET, bytes);
    PERF_COUNTER_ADD(multiget_read_bytes, bytes);
  }
};

}  // namespace ROCKSDB_NAMESPACE
