// Listeners, and the parts of what they are told.
//
// Infos, and the databases given with them, are valid during the callback.
// Options take a listener over.

#include <string>

#include "c/handles.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

struct ListenerCalls {
  void* state;
  void (*destructor)(void*);
  on_flush_begin_cb flush_begin;
  on_flush_completed_cb flush_completed;
  on_compaction_begin_cb compaction_begin;
  on_compaction_completed_cb compaction_completed;
  on_subcompaction_begin_cb subcompaction_begin;
  on_subcompaction_completed_cb subcompaction_completed;
  on_external_file_ingested_cb file_ingested;
  on_background_error_cb background_error;
  on_stall_conditions_changed_cb stall_changed;
  on_memtable_sealed_cb memtable_sealed;
};

class CallbackListener : public EventListener {
 public:
  explicit CallbackListener(const ListenerCalls& calls) : calls_(calls) {}
  CallbackListener(const CallbackListener&) = delete;
  CallbackListener& operator=(const CallbackListener&) = delete;
  ~CallbackListener() override {
    if (calls_.destructor != nullptr) calls_.destructor(calls_.state);
  }

  void OnFlushBegin(DB* db, const FlushJobInfo& info) override {
    TellDB(calls_.flush_begin, db, AsHandle<rocksdb_flushjobinfo_t>(&info));
  }
  void OnFlushCompleted(DB* db, const FlushJobInfo& info) override {
    TellDB(calls_.flush_completed, db, AsHandle<rocksdb_flushjobinfo_t>(&info));
  }
  void OnCompactionBegin(DB* db, const CompactionJobInfo& info) override {
    TellDB(calls_.compaction_begin, db,
           AsHandle<rocksdb_compactionjobinfo_t>(&info));
  }
  void OnCompactionCompleted(DB* db, const CompactionJobInfo& info) override {
    TellDB(calls_.compaction_completed, db,
           AsHandle<rocksdb_compactionjobinfo_t>(&info));
  }
  void OnSubcompactionBegin(const SubcompactionJobInfo& info) override {
    Tell(calls_.subcompaction_begin,
         AsHandle<rocksdb_subcompactionjobinfo_t>(&info));
  }
  void OnSubcompactionCompleted(const SubcompactionJobInfo& info) override {
    Tell(calls_.subcompaction_completed,
         AsHandle<rocksdb_subcompactionjobinfo_t>(&info));
  }
  void OnExternalFileIngested(DB* db,
                              const ExternalFileIngestionInfo& info) override {
    TellDB(calls_.file_ingested, db,
           AsHandle<rocksdb_externalfileingestioninfo_t>(&info));
  }
  void OnBackgroundError(BackgroundErrorReason reason, Status* error) override {
    if (calls_.background_error == nullptr) return;
    calls_.background_error(calls_.state, static_cast<uint32_t>(reason),
                            reinterpret_cast<rocksdb_status_ptr_t*>(error));
  }
  void OnStallConditionsChanged(const WriteStallInfo& info) override {
    Tell(calls_.stall_changed, AsHandle<rocksdb_writestallinfo_t>(&info));
  }
  void OnMemTableSealed(const MemTableInfo& info) override {
    Tell(calls_.memtable_sealed, AsHandle<rocksdb_memtableinfo_t>(&info));
  }

 private:
  template <class Call, class Info>
  void Tell(Call call, const Info* info) const {
    if (call != nullptr) call(calls_.state, info);
  }
  template <class Call, class Info>
  void TellDB(Call call, DB* db, const Info* info) const {
    if (call == nullptr) return;
    rocksdb_t lent;
    lent.rep = db;
    call(calls_.state, &lent, info);
  }

  const ListenerCalls calls_;
};

template <class Map>
const char* KeyAt(const Map& map, size_t index, size_t* size) {
  auto at = map.begin();
  std::advance(at, static_cast<std::ptrdiff_t>(index));
  return Lend(at->first, size);
}

template <class Map>
const char* ValueAt(const Map& map, size_t index, size_t* size) {
  auto at = map.begin();
  std::advance(at, static_cast<std::ptrdiff_t>(index));
  return Lend(at->second, size);
}

}  // namespace

extern "C" {

// Any callback may be NULL.
rocksdb_eventlistener_t* rocksdb_eventlistener_create(
    void* state, void (*destructor)(void*), on_flush_begin_cb flush_begin,
    on_flush_completed_cb flush_completed,
    on_compaction_begin_cb compaction_begin,
    on_compaction_completed_cb compaction_completed,
    on_subcompaction_begin_cb subcompaction_begin,
    on_subcompaction_completed_cb subcompaction_completed,
    on_external_file_ingested_cb external_file_ingested,
    on_background_error_cb background_error,
    on_stall_conditions_changed_cb stall_conditions_changed,
    on_memtable_sealed_cb memtable_sealed) {
  auto* result = Own<rocksdb_eventlistener_t>();
  result->rep = std::make_shared<CallbackListener>(ListenerCalls{
      state, destructor, flush_begin, flush_completed, compaction_begin,
      compaction_completed, subcompaction_begin, subcompaction_completed,
      external_file_ingested, background_error, stall_conditions_changed,
      memtable_sealed});
  return result;
}

// Only for a listener that no option took over.
void rocksdb_eventlistener_destroy(rocksdb_eventlistener_t* listener) {
  End(listener);
}

// The error that a listener was told; leaves errptr alone if there is none.
void rocksdb_status_ptr_get_error(rocksdb_status_ptr_t* status, char** errptr) {
  if (IsNull(status, "status", errptr)) return;
  (void)Fails(Rep(status), errptr);
}

// Takes the error back: the database goes on as if it had not happened.
void rocksdb_reset_status(rocksdb_status_ptr_t* status) {
  Rep(status) = Status::OK();
}

const rocksdb_table_properties_t* rocksdb_flushjobinfo_table_properties(
    const rocksdb_flushjobinfo_t* info) {
  return AsHandle<rocksdb_table_properties_t>(&Rep(info).table_properties);
}

// NULL where there is none of that index, as for all lists in infos.
const rocksdb_blob_file_addition_info_t*
rocksdb_flushjobinfo_blob_file_addition_info_at(
    const rocksdb_flushjobinfo_t* info, size_t index) {
  const auto& list = Rep(info).blob_file_addition_infos;
  if (index >= list.size()) return nullptr;
  return AsHandle<rocksdb_blob_file_addition_info_t>(&list[index]);
}

const rocksdb_table_properties_t*
rocksdb_externalfileingestioninfo_table_properties(
    const rocksdb_externalfileingestioninfo_t* info) {
  return AsHandle<rocksdb_table_properties_t>(&Rep(info).table_properties);
}

const rocksdb_writestallcondition_t* rocksdb_writestallinfo_cur(
    const rocksdb_writestallinfo_t* info) {
  return AsHandle<rocksdb_writestallcondition_t>(&Rep(info).condition.cur);
}

const rocksdb_writestallcondition_t* rocksdb_writestallinfo_prev(
    const rocksdb_writestallinfo_t* info) {
  return AsHandle<rocksdb_writestallcondition_t>(&Rep(info).condition.prev);
}

void rocksdb_subcompactionjobinfo_status(
    const rocksdb_subcompactionjobinfo_t* info, char** errptr) {
  if (IsNull(info, "info", errptr)) return;
  (void)Fails(Rep(info).status, errptr);
}

const rocksdb_compaction_job_stats_t* rocksdb_subcompactionjobinfo_stats(
    const rocksdb_subcompactionjobinfo_t* info) {
  return AsHandle<rocksdb_compaction_job_stats_t>(&Rep(info).stats);
}

// To be filled in by rocksdb_compact_files().
rocksdb_compactionjobinfo_t* rocksdb_compactionjobinfo_create(void) {
  return reinterpret_cast<rocksdb_compactionjobinfo_t*>(
      Own<CompactionJobInfo>());
}

void rocksdb_compactionjobinfo_destroy(rocksdb_compactionjobinfo_t* info) {
  if (info != nullptr) End(&Rep(info));
}

void rocksdb_compactionjobinfo_status(const rocksdb_compactionjobinfo_t* info,
                                      char** errptr) {
  if (IsNull(info, "info", errptr)) return;
  (void)Fails(Rep(info).status, errptr);
}

const rocksdb_compaction_job_stats_t* rocksdb_compactionjobinfo_stats(
    const rocksdb_compactionjobinfo_t* info) {
  return AsHandle<rocksdb_compaction_job_stats_t>(&Rep(info).stats);
}

const char* rocksdb_compactionjobinfo_input_file_at(
    const rocksdb_compactionjobinfo_t* info, size_t index, size_t* size) {
  if (size != nullptr) *size = 0;
  const auto& list = Rep(info).input_files;
  return index < list.size() ? Lend(list[index], size) : nullptr;
}

const char* rocksdb_compactionjobinfo_output_file_at(
    const rocksdb_compactionjobinfo_t* info, size_t index, size_t* size) {
  if (size != nullptr) *size = 0;
  const auto& list = Rep(info).output_files;
  return index < list.size() ? Lend(list[index], size) : nullptr;
}

const rocksdb_compaction_file_info_t*
rocksdb_compactionjobinfo_input_file_info_at(
    const rocksdb_compactionjobinfo_t* info, size_t index) {
  const auto& list = Rep(info).input_file_infos;
  if (index >= list.size()) return nullptr;
  return AsHandle<rocksdb_compaction_file_info_t>(&list[index]);
}

const rocksdb_compaction_file_info_t*
rocksdb_compactionjobinfo_output_file_info_at(
    const rocksdb_compactionjobinfo_t* info, size_t index) {
  const auto& list = Rep(info).output_file_infos;
  if (index >= list.size()) return nullptr;
  return AsHandle<rocksdb_compaction_file_info_t>(&list[index]);
}

const rocksdb_blob_file_addition_info_t*
rocksdb_compactionjobinfo_blob_file_addition_info_at(
    const rocksdb_compactionjobinfo_t* info, size_t index) {
  const auto& list = Rep(info).blob_file_addition_infos;
  if (index >= list.size()) return nullptr;
  return AsHandle<rocksdb_blob_file_addition_info_t>(&list[index]);
}

const rocksdb_blob_file_garbage_info_t*
rocksdb_compactionjobinfo_blob_file_garbage_info_at(
    const rocksdb_compactionjobinfo_t* info, size_t index) {
  const auto& list = Rep(info).blob_file_garbage_infos;
  if (index >= list.size()) return nullptr;
  return AsHandle<rocksdb_blob_file_garbage_info_t>(&list[index]);
}

// The path of the table whose properties are at `index`.
const char* rocksdb_compactionjobinfo_table_properties_key_at(
    const rocksdb_compactionjobinfo_t* info, size_t index, size_t* size) {
  if (size != nullptr) *size = 0;
  const auto& map = Rep(info).table_properties;
  return index < map.size() ? KeyAt(map, index, size) : nullptr;
}

const rocksdb_table_properties_t*
rocksdb_compactionjobinfo_table_properties_value_at(
    const rocksdb_compactionjobinfo_t* info, size_t index) {
  const auto& map = Rep(info).table_properties;
  if (index >= map.size()) return nullptr;
  auto at = map.begin();
  std::advance(at, static_cast<std::ptrdiff_t>(index));
  return AsHandle<rocksdb_table_properties_t>(at->second.get());
}

const rocksdb_table_properties_t*
rocksdb_compactionjobinfo_table_properties_for_file(
    const rocksdb_compactionjobinfo_t* info, const char* path,
    size_t path_size) {
  const auto& map = Rep(info).table_properties;
  const auto found = map.find(BytesOf(path, path_size).ToString());
  if (found == map.end()) return nullptr;
  return AsHandle<rocksdb_table_properties_t>(found->second.get());
}

unsigned char rocksdb_table_properties_has_key_largest_seqno(
    const rocksdb_table_properties_t* info) {
  return Rep(info).key_largest_seqno != UINT64_MAX ? 1 : 0;
}

unsigned char rocksdb_table_properties_has_key_smallest_seqno(
    const rocksdb_table_properties_t* info) {
  return Rep(info).key_smallest_seqno != UINT64_MAX ? 1 : 0;
}

const char* rocksdb_table_properties_user_collected_properties_key_at(
    const rocksdb_table_properties_t* info, size_t index, size_t* size) {
  if (size != nullptr) *size = 0;
  const auto& map = Rep(info).user_collected_properties;
  return index < map.size() ? KeyAt(map, index, size) : nullptr;
}

const char* rocksdb_table_properties_user_collected_properties_value_at(
    const rocksdb_table_properties_t* info, size_t index, size_t* size) {
  if (size != nullptr) *size = 0;
  const auto& map = Rep(info).user_collected_properties;
  return index < map.size() ? ValueAt(map, index, size) : nullptr;
}

const char* rocksdb_table_properties_readable_properties_key_at(
    const rocksdb_table_properties_t* info, size_t index, size_t* size) {
  if (size != nullptr) *size = 0;
  const auto& map = Rep(info).readable_properties;
  return index < map.size() ? KeyAt(map, index, size) : nullptr;
}

const char* rocksdb_table_properties_readable_properties_value_at(
    const rocksdb_table_properties_t* info, size_t index, size_t* size) {
  if (size != nullptr) *size = 0;
  const auto& map = Rep(info).readable_properties;
  return index < map.size() ? ValueAt(map, index, size) : nullptr;
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
