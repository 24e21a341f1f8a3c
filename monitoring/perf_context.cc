#include <pthread.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "monitoring/perf_context_imp.h"
#include "util/invariant.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

namespace {

template <typename Struct>
struct PerfField {
  const char* name;
  uint64_t Struct::*member;
};

constexpr PerfField<PerfContextBase> kPerfFields[] = {
    {"user_key_comparison_count", &PerfContextBase::user_key_comparison_count},
    {"block_cache_hit_count", &PerfContextBase::block_cache_hit_count},
    {"block_read_count", &PerfContextBase::block_read_count},
    {"block_read_byte", &PerfContextBase::block_read_byte},
    {"block_read_time", &PerfContextBase::block_read_time},
    {"block_read_cpu_time", &PerfContextBase::block_read_cpu_time},
    {"block_cache_index_hit_count",
     &PerfContextBase::block_cache_index_hit_count},
    {"block_cache_standalone_handle_count",
     &PerfContextBase::block_cache_standalone_handle_count},
    {"block_cache_real_handle_count",
     &PerfContextBase::block_cache_real_handle_count},
    {"index_block_read_count", &PerfContextBase::index_block_read_count},
    {"block_cache_filter_hit_count",
     &PerfContextBase::block_cache_filter_hit_count},
    {"filter_block_read_count", &PerfContextBase::filter_block_read_count},
    {"compression_dict_block_read_count",
     &PerfContextBase::compression_dict_block_read_count},
    {"block_cache_index_read_byte",
     &PerfContextBase::block_cache_index_read_byte},
    {"block_cache_filter_read_byte",
     &PerfContextBase::block_cache_filter_read_byte},
    {"block_cache_compression_dict_read_byte",
     &PerfContextBase::block_cache_compression_dict_read_byte},
    {"block_cache_read_byte", &PerfContextBase::block_cache_read_byte},
    {"secondary_cache_hit_count", &PerfContextBase::secondary_cache_hit_count},
    {"compressed_sec_cache_insert_real_count",
     &PerfContextBase::compressed_sec_cache_insert_real_count},
    {"compressed_sec_cache_insert_dummy_count",
     &PerfContextBase::compressed_sec_cache_insert_dummy_count},
    {"compressed_sec_cache_uncompressed_bytes",
     &PerfContextBase::compressed_sec_cache_uncompressed_bytes},
    {"compressed_sec_cache_compressed_bytes",
     &PerfContextBase::compressed_sec_cache_compressed_bytes},
    {"block_checksum_time", &PerfContextBase::block_checksum_time},
    {"block_decompress_time", &PerfContextBase::block_decompress_time},
    {"block_decompress_count", &PerfContextBase::block_decompress_count},
    {"get_read_bytes", &PerfContextBase::get_read_bytes},
    {"multiget_read_bytes", &PerfContextBase::multiget_read_bytes},
    {"iter_read_bytes", &PerfContextBase::iter_read_bytes},
    {"blob_cache_hit_count", &PerfContextBase::blob_cache_hit_count},
    {"blob_cache_read_byte", &PerfContextBase::blob_cache_read_byte},
    {"blob_read_count", &PerfContextBase::blob_read_count},
    {"blob_read_byte", &PerfContextBase::blob_read_byte},
    {"blob_read_time", &PerfContextBase::blob_read_time},
    {"blob_checksum_time", &PerfContextBase::blob_checksum_time},
    {"blob_decompress_time", &PerfContextBase::blob_decompress_time},
    {"internal_key_skipped_count",
     &PerfContextBase::internal_key_skipped_count},
    {"internal_delete_skipped_count",
     &PerfContextBase::internal_delete_skipped_count},
    {"internal_recent_skipped_count",
     &PerfContextBase::internal_recent_skipped_count},
    {"internal_merge_count", &PerfContextBase::internal_merge_count},
    {"internal_merge_point_lookup_count",
     &PerfContextBase::internal_merge_point_lookup_count},
    {"internal_range_del_reseek_count",
     &PerfContextBase::internal_range_del_reseek_count},
    {"get_snapshot_time", &PerfContextBase::get_snapshot_time},
    {"get_from_memtable_time", &PerfContextBase::get_from_memtable_time},
    {"get_from_memtable_count", &PerfContextBase::get_from_memtable_count},
    {"get_post_process_time", &PerfContextBase::get_post_process_time},
    {"get_from_output_files_time",
     &PerfContextBase::get_from_output_files_time},
    {"seek_on_memtable_time", &PerfContextBase::seek_on_memtable_time},
    {"seek_on_memtable_count", &PerfContextBase::seek_on_memtable_count},
    {"next_on_memtable_count", &PerfContextBase::next_on_memtable_count},
    {"prev_on_memtable_count", &PerfContextBase::prev_on_memtable_count},
    {"seek_child_seek_time", &PerfContextBase::seek_child_seek_time},
    {"seek_child_seek_count", &PerfContextBase::seek_child_seek_count},
    {"seek_min_heap_time", &PerfContextBase::seek_min_heap_time},
    {"seek_max_heap_time", &PerfContextBase::seek_max_heap_time},
    {"seek_internal_seek_time", &PerfContextBase::seek_internal_seek_time},
    {"find_next_user_entry_time", &PerfContextBase::find_next_user_entry_time},
    {"write_wal_time", &PerfContextBase::write_wal_time},
    {"write_memtable_time", &PerfContextBase::write_memtable_time},
    {"write_delay_time", &PerfContextBase::write_delay_time},
    {"write_scheduling_flushes_compactions_time",
     &PerfContextBase::write_scheduling_flushes_compactions_time},
    {"write_pre_and_post_process_time",
     &PerfContextBase::write_pre_and_post_process_time},
    {"write_thread_wait_nanos", &PerfContextBase::write_thread_wait_nanos},
    {"db_mutex_lock_nanos", &PerfContextBase::db_mutex_lock_nanos},
    {"db_condition_wait_nanos", &PerfContextBase::db_condition_wait_nanos},
    {"merge_operator_time_nanos", &PerfContextBase::merge_operator_time_nanos},
    {"read_index_block_nanos", &PerfContextBase::read_index_block_nanos},
    {"read_filter_block_nanos", &PerfContextBase::read_filter_block_nanos},
    {"new_table_block_iter_nanos",
     &PerfContextBase::new_table_block_iter_nanos},
    {"new_table_iterator_nanos", &PerfContextBase::new_table_iterator_nanos},
    {"block_seek_nanos", &PerfContextBase::block_seek_nanos},
    {"find_table_nanos", &PerfContextBase::find_table_nanos},
    {"bloom_memtable_hit_count", &PerfContextBase::bloom_memtable_hit_count},
    {"bloom_memtable_miss_count", &PerfContextBase::bloom_memtable_miss_count},
    {"bloom_sst_hit_count", &PerfContextBase::bloom_sst_hit_count},
    {"bloom_sst_miss_count", &PerfContextBase::bloom_sst_miss_count},
    {"key_lock_wait_time", &PerfContextBase::key_lock_wait_time},
    {"key_lock_wait_count", &PerfContextBase::key_lock_wait_count},
    {"env_new_sequential_file_nanos",
     &PerfContextBase::env_new_sequential_file_nanos},
    {"env_new_random_access_file_nanos",
     &PerfContextBase::env_new_random_access_file_nanos},
    {"env_new_writable_file_nanos",
     &PerfContextBase::env_new_writable_file_nanos},
    {"env_reuse_writable_file_nanos",
     &PerfContextBase::env_reuse_writable_file_nanos},
    {"env_new_random_rw_file_nanos",
     &PerfContextBase::env_new_random_rw_file_nanos},
    {"env_new_directory_nanos", &PerfContextBase::env_new_directory_nanos},
    {"env_file_exists_nanos", &PerfContextBase::env_file_exists_nanos},
    {"env_get_children_nanos", &PerfContextBase::env_get_children_nanos},
    {"env_get_children_file_attributes_nanos",
     &PerfContextBase::env_get_children_file_attributes_nanos},
    {"env_delete_file_nanos", &PerfContextBase::env_delete_file_nanos},
    {"env_create_dir_nanos", &PerfContextBase::env_create_dir_nanos},
    {"env_create_dir_if_missing_nanos",
     &PerfContextBase::env_create_dir_if_missing_nanos},
    {"env_delete_dir_nanos", &PerfContextBase::env_delete_dir_nanos},
    {"env_get_file_size_nanos", &PerfContextBase::env_get_file_size_nanos},
    {"env_get_file_modification_time_nanos",
     &PerfContextBase::env_get_file_modification_time_nanos},
    {"env_rename_file_nanos", &PerfContextBase::env_rename_file_nanos},
    {"env_link_file_nanos", &PerfContextBase::env_link_file_nanos},
    {"env_lock_file_nanos", &PerfContextBase::env_lock_file_nanos},
    {"env_unlock_file_nanos", &PerfContextBase::env_unlock_file_nanos},
    {"env_new_logger_nanos", &PerfContextBase::env_new_logger_nanos},
    {"get_cpu_nanos", &PerfContextBase::get_cpu_nanos},
    {"iter_next_cpu_nanos", &PerfContextBase::iter_next_cpu_nanos},
    {"iter_prev_cpu_nanos", &PerfContextBase::iter_prev_cpu_nanos},
    {"iter_seek_cpu_nanos", &PerfContextBase::iter_seek_cpu_nanos},
    {"iter_next_count", &PerfContextBase::iter_next_count},
    {"iter_prev_count", &PerfContextBase::iter_prev_count},
    {"iter_seek_count", &PerfContextBase::iter_seek_count},
    {"encrypt_data_nanos", &PerfContextBase::encrypt_data_nanos},
    {"decrypt_data_nanos", &PerfContextBase::decrypt_data_nanos},
    {"number_async_seek", &PerfContextBase::number_async_seek},
    {"file_ingestion_nanos", &PerfContextBase::file_ingestion_nanos},
    {"file_ingestion_blocking_live_writes_nanos",
     &PerfContextBase::file_ingestion_blocking_live_writes_nanos},
    {"data_block_read_byte", &PerfContextBase::data_block_read_byte},
    {"index_block_read_byte", &PerfContextBase::index_block_read_byte},
    {"filter_block_read_byte", &PerfContextBase::filter_block_read_byte},
    {"compression_dict_block_read_byte",
     &PerfContextBase::compression_dict_block_read_byte},
    {"metadata_block_read_byte", &PerfContextBase::metadata_block_read_byte},
    {"multiscan_prepare_count", &PerfContextBase::multiscan_prepare_count},
    {"multiscan_blocks_prefetched",
     &PerfContextBase::multiscan_blocks_prefetched},
    {"multiscan_blocks_from_cache",
     &PerfContextBase::multiscan_blocks_from_cache},
    {"multiscan_prefetch_bytes", &PerfContextBase::multiscan_prefetch_bytes},
    {"multiscan_io_requests", &PerfContextBase::multiscan_io_requests},
    {"multiscan_io_coalesced_nonadjacent",
     &PerfContextBase::multiscan_io_coalesced_nonadjacent},
};

constexpr PerfField<PerfContextByLevelBase> kLevelFields[] = {
    {"bloom_filter_useful", &PerfContextByLevelBase::bloom_filter_useful},
    {"bloom_filter_full_positive",
     &PerfContextByLevelBase::bloom_filter_full_positive},
    {"bloom_filter_full_true_positive",
     &PerfContextByLevelBase::bloom_filter_full_true_positive},
    {"user_key_return_count", &PerfContextByLevelBase::user_key_return_count},
    {"get_from_table_nanos", &PerfContextByLevelBase::get_from_table_nanos},
    {"block_cache_hit_count", &PerfContextByLevelBase::block_cache_hit_count},
    {"block_cache_miss_count", &PerfContextByLevelBase::block_cache_miss_count},
};

void AppendField(std::string* text, const std::string& name, uint64_t value) {
  *text += name;
  *text += " = ";
  *text += std::to_string(value);
  *text += ", ";
}

// Without the separator behind the last pair.
std::string Finished(std::string text) {
  if (text.size() >= 2) text.resize(text.size() - 2);
  return text;
}

void AppendLevels(const PerfContext& context, bool exclude_zero_counters,
                  std::string* text) {
  for (const auto& field : kLevelFields) {
    std::string values;
    for (const auto& [level, counters] : *context.level_to_perf_context) {
      const uint64_t value = counters.*field.member;
      if (exclude_zero_counters && value == 0) continue;
      if (!values.empty()) values += ", ";
      values += std::to_string(value) + "@level" + std::to_string(level);
    }
    if (values.empty() && exclude_zero_counters) continue;
    *text += std::string(field.name) + " = " + values + ", ";
  }
}

// A raw pointer in the interface.
std::map<uint32_t, PerfContextByLevel>* NewLevels() {
  return std::make_unique<std::map<uint32_t, PerfContextByLevel>>().release();
}

// A thread's context is on the heap: thread-local memory of a library that is
// loaded at run time is scarce. It ends with the key of POSIX threads, whose
// destructors run behind those of all thread-local objects, which may still
// count; whatever counts even later gets a new one.
void EndContext(void* context) {
  const std::unique_ptr<PerfContext> last(static_cast<PerfContext*>(context));
  perf_internal::context = nullptr;
  comparison_count = nullptr;
}

pthread_key_t ContextKey() {
  static const pthread_key_t key = [] {
    pthread_key_t made;
    INVARIANT(pthread_key_create(&made, EndContext) == 0);
    return made;
  }();
  return key;
}

// Comparisons are made below this floor, where they are counted.
void LendComparisonCount() {
  const bool is_on = perf_internal::level >= kEnableCount;
  comparison_count =
      is_on ? &perf_internal::Context().user_key_comparison_count : nullptr;
}

}  // namespace

namespace perf_internal {

thread_local constinit PerfLevel level = kEnableCount;
thread_local constinit PerfContext* context = nullptr;

PerfContext* MakeContext() {
  context = std::make_unique<PerfContext>().release();
  INVARIANT(pthread_setspecific(ContextKey(), context) == 0);
  LendComparisonCount();
  return context;
}

}  // namespace perf_internal

PerfContext* get_perf_context() { return &perf_internal::Context(); }

void SetPerfLevel(PerfLevel level) {
  if (level > kUninitialized && level < kOutOfBounds) {
    perf_internal::level = level;
    LendComparisonCount();
  }
}

PerfLevel GetPerfLevel() { return perf_internal::level; }

void PerfContextByLevel::Reset() { *this = PerfContextByLevel(); }

void PerfContextByLevel::Merge(const PerfContextByLevel& other) {
  for (const auto& field : kLevelFields) {
    this->*field.member += other.*field.member;
  }
}

PerfContext::PerfContext(const PerfContext& other) { *this = other; }

PerfContext& PerfContext::operator=(const PerfContext& other) {
  if (this == &other) return *this;
  ClearPerLevelPerfContext();
  PerfContextBase::operator=(other);
  if (other.level_to_perf_context != nullptr) {
    EnablePerLevelPerfContext();
    *level_to_perf_context = *other.level_to_perf_context;
  }
  per_level_perf_context_enabled = other.per_level_perf_context_enabled;
  return *this;
}

PerfContext::PerfContext(PerfContext&& other) noexcept {
  *this = std::move(other);
}

PerfContext& PerfContext::operator=(PerfContext&& other) noexcept {
  if (this == &other) return *this;
  PerfContextBase::operator=(other);
  // What it had goes with the other.
  std::swap(level_to_perf_context, other.level_to_perf_context);
  per_level_perf_context_enabled = other.per_level_perf_context_enabled;
  return *this;
}

PerfContext::~PerfContext() { ClearPerLevelPerfContext(); }

void PerfContext::Reset() {
  for (const auto& field : kPerfFields) this->*field.member = 0;
  if (level_to_perf_context == nullptr) return;
  for (auto& [level, counters] : *level_to_perf_context) counters.Reset();
}

void PerfContext::Merge(const PerfContext& other) {
  for (const auto& field : kPerfFields) {
    this->*field.member += other.*field.member;
  }
  if (other.level_to_perf_context == nullptr) return;
  if (level_to_perf_context == nullptr) {
    level_to_perf_context = NewLevels();
  }
  for (const auto& [level, counters] : *other.level_to_perf_context) {
    (*level_to_perf_context)[level].Merge(counters);
  }
}

void PerfContext::copyMetrics(const PerfContext* other) { *this = *other; }

std::string PerfContext::ToString(bool exclude_zero_counters) const {
  std::string text;
  for (const auto& field : kPerfFields) {
    const uint64_t value = this->*field.member;
    if (exclude_zero_counters && value == 0) continue;
    AppendField(&text, field.name, value);
  }
  if (per_level_perf_context_enabled && level_to_perf_context != nullptr) {
    AppendLevels(*this, exclude_zero_counters, &text);
  }
  return Finished(std::move(text));
}

void PerfContext::EnablePerLevelPerfContext() {
  if (level_to_perf_context == nullptr) {
    level_to_perf_context = NewLevels();
  }
  per_level_perf_context_enabled = true;
}

void PerfContext::DisablePerLevelPerfContext() {
  per_level_perf_context_enabled = false;
}

void PerfContext::ClearPerLevelPerfContext() {
  const std::unique_ptr<std::map<uint32_t, PerfContextByLevel>> owned(
      level_to_perf_context);
  level_to_perf_context = nullptr;
  per_level_perf_context_enabled = false;
}

}  // namespace ROCKSDB_NAMESPACE
