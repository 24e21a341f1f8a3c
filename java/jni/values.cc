#include "java/jni/values.h"

#include "java/jni/database.h"

namespace ROCKSDB_NAMESPACE::jni {

void Extra<ReadOptions>::Attach(ReadOptions* options) {
  const auto slice_of = [](std::optional<Bytes>& bytes) -> const Slice* {
    if (!bytes) return nullptr;
    bytes->slice = bytes->bytes;
    return &bytes->slice;
  };
  options->iterate_lower_bound = slice_of(lower);
  options->iterate_upper_bound = slice_of(upper);
  options->timestamp = slice_of(timestamp);
  options->iter_start_ts = slice_of(start_timestamp);
  options->table_filter = filter.get();
  options->table_index_factory = index_factory.get();
  options->request_id = request_id ? &*request_id : nullptr;
}

void Extra<CompactRangeOptions>::Attach(CompactRangeOptions* options) {
  options->canceled = canceled.get();
  if (history) history_slice = *history;
  options->full_history_ts_low = history ? &history_slice : nullptr;
}

ReadSettings::ReadSettings(Handle handle) : options_object_(handle, true) {
  static const ReadOptions defaults;
  options_ = &defaults;
  if (!options_object_) return;
  options_ = options_object_->Struct<ReadOptions>();
  if (options_ == nullptr) {
    Fail(Wrong::kArgument, "an options object of another kind");
  }
  const Handle snapshot = object()->extra.snapshot;
  if (snapshot == 0) return;
  snapshot_ = PinSlot(snapshot);
  if (snapshot_ == nullptr) {
    Fail(Wrong::kState, "the snapshot of the ReadOptions is released");
  }
}

std::shared_ptr<const void> ReadSettings::KeepSnapshot() const {
  if (snapshot_ == nullptr) return nullptr;
  const auto* snapshot = static_cast<SnapshotObject*>(snapshot_->object);
  if (snapshot->is_borrowed) {
    Fail(Wrong::kArgument,
         "an iterator that refreshes itself cannot have a transaction's "
         "snapshot");
  }
  return snapshot->rep;
}

ReadSettings::~ReadSettings() {
  if (snapshot_ != nullptr) UnpinSlot(snapshot_);
}

}  // namespace ROCKSDB_NAMESPACE::jni
