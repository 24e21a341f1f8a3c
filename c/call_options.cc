// Options of single calls, beyond single fields.

#include <atomic>
#include <memory>
#include <string>

#include "c/handles.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

// Keeps bytes for a pointer in options, which NULL clears.
const Slice* Keep(const char* data, size_t size, std::string* bytes,
                  Slice* slice) {
  if (data == nullptr) return nullptr;
  bytes->assign(data, size);
  *slice = *bytes;
  return slice;
}

// What a table filter needs while any copy of it is there.
class FilterState {
 public:
  FilterState(void* state, void (*destructor)(void*))
      : state_(state), destructor_(destructor) {}
  FilterState(const FilterState&) = delete;
  FilterState& operator=(const FilterState&) = delete;
  ~FilterState() {
    if (destructor_ != nullptr) destructor_(state_);
  }
  void* get() const { return state_; }

 private:
  void* const state_;
  void (*const destructor_)(void*);
};

// C sees a flag that a thread may set at any time as bytes of its own.
unsigned char* OwnFlag() {
  return reinterpret_cast<unsigned char*>(Own<std::atomic<bool>>(false));
}
std::atomic<bool>* FlagOf(unsigned char* flag) {
  return reinterpret_cast<std::atomic<bool>*>(flag);
}

}  // namespace

extern "C" {

// NULL reads the present state. The snapshot stays the caller's.
void rocksdb_readoptions_set_snapshot(rocksdb_readoptions_t* options,
                                      const rocksdb_snapshot_t* snapshot) {
  options->rep.snapshot = snapshot == nullptr ? nullptr : snapshot->rep;
}

// Copies the bound; iterators made with these options go by it, so that it
// must not change while there are any. NULL is no bound.
void rocksdb_readoptions_set_iterate_lower_bound(rocksdb_readoptions_t* options,
                                                 const char* key,
                                                 size_t key_size) {
  options->rep.iterate_lower_bound =
      Keep(key, key_size, &options->lower_bound_bytes, &options->lower_bound);
}

// The same; keys at and behind it are left out.
void rocksdb_readoptions_set_iterate_upper_bound(rocksdb_readoptions_t* options,
                                                 const char* key,
                                                 size_t key_size) {
  options->rep.iterate_upper_bound =
      Keep(key, key_size, &options->upper_bound_bytes, &options->upper_bound);
}

void rocksdb_readoptions_set_timestamp(rocksdb_readoptions_t* options,
                                       const char* ts, size_t ts_size) {
  options->rep.timestamp =
      Keep(ts, ts_size, &options->timestamp_bytes, &options->timestamp);
}

void rocksdb_readoptions_set_iter_start_ts(rocksdb_readoptions_t* options,
                                           const char* ts, size_t ts_size) {
  options->rep.iter_start_ts =
      Keep(ts, ts_size, &options->iter_start_ts_bytes, &options->iter_start_ts);
}

void rocksdb_readoptions_set_request_id(rocksdb_readoptions_t* options,
                                        const char* id, size_t id_size) {
  options->request_id = BytesOf(id, id_size).ToString();
  options->rep.request_id = &options->request_id;
}

const char* rocksdb_readoptions_get_request_id(rocksdb_readoptions_t* options,
                                               size_t* size) {
  if (options->rep.request_id != nullptr) {
    return Lend(*options->rep.request_id, size);
  }
  if (size != nullptr) *size = 0;
  return nullptr;
}

void rocksdb_readoptions_clear_request_id(rocksdb_readoptions_t* options) {
  options->rep.request_id = nullptr;
}

// 0 if there is no threshold; ask has_ for the difference.
size_t rocksdb_readoptions_get_merge_operand_count_threshold(
    rocksdb_readoptions_t* options) {
  return options->rep.merge_operand_count_threshold.value_or(0);
}

unsigned char rocksdb_readoptions_has_merge_operand_count_threshold(
    rocksdb_readoptions_t* options) {
  return options->rep.merge_operand_count_threshold.has_value() ? 1 : 0;
}

void rocksdb_readoptions_clear_merge_operand_count_threshold(
    rocksdb_readoptions_t* options) {
  options->rep.merge_operand_count_threshold.reset();
}

// Iterators leave out the tables for which `filter` answers 0. `destructor`
// is called with `state` when the filter is replaced, cleared or destroyed.
// NULL as `filter` is none.
void rocksdb_readoptions_set_table_filter(
    rocksdb_readoptions_t* options, void* state, void (*destructor)(void*),
    rocksdb_readoptions_table_filter_cb filter) {
  auto kept = std::make_shared<FilterState>(state, destructor);
  if (filter == nullptr) return rocksdb_readoptions_clear_table_filter(options);
  options->table_filter = [kept, filter](const TableProperties& properties) {
    return filter(kept->get(),
                  AsHandle<rocksdb_table_properties_t>(&properties)) != 0;
  };
  options->rep.table_filter = &options->table_filter;
}

unsigned char rocksdb_readoptions_has_table_filter(
    const rocksdb_readoptions_t* options) {
  return options->rep.table_filter != nullptr ? 1 : 0;
}

void rocksdb_readoptions_clear_table_filter(rocksdb_readoptions_t* options) {
  options->rep.table_filter = nullptr;
  options->table_filter = nullptr;
}

void rocksdb_compactoptions_set_full_history_ts_low(
    rocksdb_compactoptions_t* options, char* ts, size_t ts_size) {
  options->rep.full_history_ts_low =
      Keep(ts, ts_size, &options->full_history_ts_low_bytes,
           &options->full_history_ts_low);
}

// A flag that any thread may set to end the compactions whose options have it.
// It must outlive them.
unsigned char* rocksdb_compaction_options_canceled_create(void) {
  return OwnFlag();
}

void rocksdb_compaction_options_canceled_set(unsigned char* canceled,
                                             unsigned char value) {
  FlagOf(canceled)->store(value != 0);
}

void rocksdb_compaction_options_canceled_destroy(unsigned char* canceled) {
  End(FlagOf(canceled));
}

void rocksdb_compaction_options_set_canceled(
    rocksdb_compaction_options_t* options, unsigned char* canceled) {
  options->rep.canceled = FlagOf(canceled);
}

unsigned char* rocksdb_open_and_compact_canceled_create(void) {
  return OwnFlag();
}

void rocksdb_open_and_compact_canceled_set(unsigned char* canceled,
                                           unsigned char value) {
  FlagOf(canceled)->store(value != 0);
}

void rocksdb_open_and_compact_canceled_destroy(unsigned char* canceled) {
  End(FlagOf(canceled));
}

void rocksdb_open_and_compact_options_set_canceled(
    rocksdb_open_and_compact_options_t* options, unsigned char* canceled) {
  options->rep.canceled = FlagOf(canceled);
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
