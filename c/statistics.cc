// Statistics of a database, and the counters of the calling thread.

#include <array>

#include "c/handles.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"

struct rocksdb_perfcontext_t {
  ROCKSDB_NAMESPACE::PerfContext* rep;
};

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

// The counters in the order of their numbers, rocksdb_user_key_comparison_count
// and on.
constexpr std::array kMetrics = {
    &PerfContext::user_key_comparison_count,
    &PerfContext::block_cache_hit_count,
    &PerfContext::block_read_count,
    &PerfContext::block_read_byte,
    &PerfContext::block_read_time,
    &PerfContext::block_checksum_time,
    &PerfContext::block_decompress_time,
    &PerfContext::get_read_bytes,
    &PerfContext::multiget_read_bytes,
    &PerfContext::iter_read_bytes,
    &PerfContext::internal_key_skipped_count,
    &PerfContext::internal_delete_skipped_count,
    &PerfContext::internal_recent_skipped_count,
    &PerfContext::internal_merge_count,
    &PerfContext::get_snapshot_time,
    &PerfContext::get_from_memtable_time,
    &PerfContext::get_from_memtable_count,
    &PerfContext::get_post_process_time,
    &PerfContext::get_from_output_files_time,
    &PerfContext::seek_on_memtable_time,
    &PerfContext::seek_on_memtable_count,
    &PerfContext::next_on_memtable_count,
    &PerfContext::prev_on_memtable_count,
    &PerfContext::seek_child_seek_time,
    &PerfContext::seek_child_seek_count,
    &PerfContext::seek_min_heap_time,
    &PerfContext::seek_max_heap_time,
    &PerfContext::seek_internal_seek_time,
    &PerfContext::find_next_user_entry_time,
    &PerfContext::write_wal_time,
    &PerfContext::write_memtable_time,
    &PerfContext::write_delay_time,
    &PerfContext::write_pre_and_post_process_time,
    &PerfContext::db_mutex_lock_nanos,
    &PerfContext::db_condition_wait_nanos,
    &PerfContext::merge_operator_time_nanos,
    &PerfContext::read_index_block_nanos,
    &PerfContext::read_filter_block_nanos,
    &PerfContext::new_table_block_iter_nanos,
    &PerfContext::new_table_iterator_nanos,
    &PerfContext::block_seek_nanos,
    &PerfContext::find_table_nanos,
    &PerfContext::bloom_memtable_hit_count,
    &PerfContext::bloom_memtable_miss_count,
    &PerfContext::bloom_sst_hit_count,
    &PerfContext::bloom_sst_miss_count,
    &PerfContext::key_lock_wait_time,
    &PerfContext::key_lock_wait_count,
    &PerfContext::env_new_sequential_file_nanos,
    &PerfContext::env_new_random_access_file_nanos,
    &PerfContext::env_new_writable_file_nanos,
    &PerfContext::env_reuse_writable_file_nanos,
    &PerfContext::env_new_random_rw_file_nanos,
    &PerfContext::env_new_directory_nanos,
    &PerfContext::env_file_exists_nanos,
    &PerfContext::env_get_children_nanos,
    &PerfContext::env_get_children_file_attributes_nanos,
    &PerfContext::env_delete_file_nanos,
    &PerfContext::env_create_dir_nanos,
    &PerfContext::env_create_dir_if_missing_nanos,
    &PerfContext::env_delete_dir_nanos,
    &PerfContext::env_get_file_size_nanos,
    &PerfContext::env_get_file_modification_time_nanos,
    &PerfContext::env_rename_file_nanos,
    &PerfContext::env_link_file_nanos,
    &PerfContext::env_lock_file_nanos,
    &PerfContext::env_unlock_file_nanos,
    &PerfContext::env_new_logger_nanos,
    &PerfContext::number_async_seek,
    &PerfContext::blob_cache_hit_count,
    &PerfContext::blob_read_count,
    &PerfContext::blob_read_byte,
    &PerfContext::blob_read_time,
    &PerfContext::blob_checksum_time,
    &PerfContext::blob_decompress_time,
    &PerfContext::internal_range_del_reseek_count,
    &PerfContext::block_read_cpu_time,
    &PerfContext::internal_merge_point_lookup_count,
    &PerfContext::data_block_read_byte,
    &PerfContext::index_block_read_byte,
    &PerfContext::filter_block_read_byte,
    &PerfContext::compression_dict_block_read_byte,
    &PerfContext::metadata_block_read_byte,
    &PerfContext::blob_cache_read_byte,
};
static_assert(kMetrics.size() == rocksdb_blob_cache_read_byte + 1);

// The level that the constants of the header name; C++ has more of them.
PerfLevel LevelOf(int level) {
  switch (level) {
    case rocksdb_enable_time_except_for_mutex:
      return PerfLevel::kEnableTimeExceptForMutex;
    case rocksdb_enable_time:
      return PerfLevel::kEnableTime;
    default:
      return static_cast<PerfLevel>(level);
  }
}

}  // namespace

extern "C" {

// Counts from now on in every database opened with these options.
void rocksdb_options_enable_statistics(rocksdb_options_t* options) {
  options->rep.statistics = CreateDBStatistics();
}

// One of rocksdb_statistics_level_*; nothing without statistics.
void rocksdb_options_set_statistics_level(rocksdb_options_t* options,
                                          int level) {
  if (options->rep.statistics == nullptr) return;
  options->rep.statistics->set_stats_level(static_cast<StatsLevel>(level));
}

int rocksdb_options_get_statistics_level(rocksdb_options_t* options) {
  if (options->rep.statistics == nullptr) {
    return rocksdb_statistics_level_disable_all;
  }
  return static_cast<int>(options->rep.statistics->get_stats_level());
}

// A copy for rocksdb_free(); NULL without statistics.
char* rocksdb_options_statistics_get_string(rocksdb_options_t* options) {
  if (options->rep.statistics == nullptr) return nullptr;
  return CopyText(options->rep.statistics->ToString());
}

// The number of a ticker as in rocksdb/statistics.h; 0 without statistics, and
// if there is none of that number.
uint64_t rocksdb_options_statistics_get_ticker_count(rocksdb_options_t* options,
                                                     uint32_t ticker) {
  if (options->rep.statistics == nullptr || ticker >= OWN_TICKER_ENUM_MAX) {
    return 0;
  }
  return options->rep.statistics->getTickerCount(ticker);
}

// All zero without statistics, and if there is none of that number.
void rocksdb_options_statistics_get_histogram_data(
    rocksdb_options_t* options, uint32_t histogram,
    rocksdb_statistics_histogram_data_t* const data) {
  data->rep = HistogramData();
  if (options->rep.statistics == nullptr || histogram >= HISTOGRAM_ENUM_MAX) {
    return;
  }
  options->rep.statistics->histogramData(histogram, &data->rep);
}

// What the calling thread counts: one of rocksdb_disable to
// rocksdb_enable_time; larger numbers are levels of rocksdb/perf_level.h.
void rocksdb_set_perf_level(int level) { SetPerfLevel(LevelOf(level)); }

// The counters of the calling thread, to be used in it alone.
rocksdb_perfcontext_t* rocksdb_perfcontext_create(void) {
  return Own<rocksdb_perfcontext_t>(rocksdb_perfcontext_t{get_perf_context()});
}

void rocksdb_perfcontext_destroy(rocksdb_perfcontext_t* context) {
  End(context);
}

void rocksdb_perfcontext_reset(rocksdb_perfcontext_t* context) {
  context->rep->Reset();
}

// A copy for rocksdb_free().
char* rocksdb_perfcontext_report(rocksdb_perfcontext_t* context,
                                 unsigned char exclude_zero_counters) {
  return CopyText(context->rep->ToString(exclude_zero_counters != 0));
}

// A counter by its number, rocksdb_user_key_comparison_count and on; 0 if
// there is none of that number.
uint64_t rocksdb_perfcontext_metric(rocksdb_perfcontext_t* context,
                                    int metric) {
  if (metric < 0 || static_cast<size_t>(metric) >= kMetrics.size()) return 0;
  return context->rep->*kMetrics[static_cast<size_t>(metric)];
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
