// What stands behind the opaque types of the C interface.
//
// A handle either holds its object (`rep`) or only names one that belongs to
// somebody else: an info given to a callback is the C++ struct itself, under
// the name of its C type. Rep(handle) is the object in both cases.
//
// Threads    As the object behind it.
// Ownership  Handles are owned by the program, by the rules in rocksdb/c.h.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "c/left_out.h"
#include "c/support.h"
#include "rocksdb/block_cache_trace_writer.h"
#include "rocksdb/cache.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/sst_file_manager.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/backup_engine.h"
#include "rocksdb/utilities/checkpoint.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/replayer.h"
#include "rocksdb/utilities/transaction_db.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "rocksdb/wal_filter.h"
#include "rocksdb/write_batch.h"
#include "rocksdb/write_buffer_manager.h"

// A handle that is its object and nothing else.
#define BASALT_C_HANDLE(name, ...) \
  struct name {                    \
    __VA_ARGS__ rep;               \
  }

// --- databases and what they hand out

struct rocksdb_t {
  ROCKSDB_NAMESPACE::DB* rep = nullptr;
  // The same, unless the handle was only lent to a callback.
  std::unique_ptr<ROCKSDB_NAMESPACE::DB> owned;
};

struct rocksdb_column_family_handle_t {
  ROCKSDB_NAMESPACE::ColumnFamilyHandle* rep = nullptr;
  // False for the default family's, which the database owns.
  bool is_owned = true;
};

BASALT_C_HANDLE(rocksdb_iterator_t,
                std::unique_ptr<ROCKSDB_NAMESPACE::Iterator>);
BASALT_C_HANDLE(rocksdb_snapshot_t, const ROCKSDB_NAMESPACE::Snapshot*);
BASALT_C_HANDLE(rocksdb_pinnableslice_t, ROCKSDB_NAMESPACE::PinnableSlice);
BASALT_C_HANDLE(rocksdb_pinnable_handle_t, ROCKSDB_NAMESPACE::PinnableSlice);

struct rocksdb_writebatch_t {
  ROCKSDB_NAMESPACE::WriteBatch rep;
  ROCKSDB_NAMESPACE::c_api::LeftOut left_out;
};

struct rocksdb_writebatch_wi_t {
  ROCKSDB_NAMESPACE::WriteBatchWithIndex* rep = nullptr;
  // The same, unless it is a transaction's.
  std::unique_ptr<ROCKSDB_NAMESPACE::WriteBatchWithIndex> owned;
  ROCKSDB_NAMESPACE::c_api::LeftOut left_out;
};

// They are databases as well.
struct rocksdb_transactiondb_t : rocksdb_t {
  ROCKSDB_NAMESPACE::TransactionDB* transactions = nullptr;
};
struct rocksdb_optimistictransactiondb_t : rocksdb_t {
  ROCKSDB_NAMESPACE::OptimisticTransactionDB* transactions = nullptr;
};
BASALT_C_HANDLE(rocksdb_transaction_t,
                std::unique_ptr<ROCKSDB_NAMESPACE::Transaction>);
BASALT_C_HANDLE(rocksdb_optimistictransactiondb_lock_buckets_t,
                std::shared_ptr<ROCKSDB_NAMESPACE::OccLockBuckets>);

struct rocksdb_pinnable_multi_get_t {
  std::vector<ROCKSDB_NAMESPACE::PinnableSlice> values;
  std::vector<ROCKSDB_NAMESPACE::Status> statuses;
  std::vector<std::string> errors;  // The texts of those that failed.
};

// --- options

struct rocksdb_options_t {
  ROCKSDB_NAMESPACE::Options rep;
  bool skip_checking_sst_file_sizes = false;
};

struct rocksdb_block_based_table_options_t {
  ROCKSDB_NAMESPACE::BlockBasedTableOptions rep;
};

struct rocksdb_readoptions_t {
  ROCKSDB_NAMESPACE::ReadOptions rep;
  // What the pointers in `rep` point to.
  std::string lower_bound_bytes;
  std::string upper_bound_bytes;
  std::string timestamp_bytes;
  std::string iter_start_ts_bytes;
  ROCKSDB_NAMESPACE::Slice lower_bound;
  ROCKSDB_NAMESPACE::Slice upper_bound;
  ROCKSDB_NAMESPACE::Slice timestamp;
  ROCKSDB_NAMESPACE::Slice iter_start_ts;
  std::string request_id;
  std::function<bool(const ROCKSDB_NAMESPACE::TableProperties&)> table_filter;
  std::shared_ptr<ROCKSDB_NAMESPACE::UserDefinedIndexFactory>
      table_index_factory;
};

struct rocksdb_compactoptions_t {
  ROCKSDB_NAMESPACE::CompactRangeOptions rep;
  std::string full_history_ts_low_bytes;
  ROCKSDB_NAMESPACE::Slice full_history_ts_low;
};

struct rocksdb_column_family_metadata_options_t {
  int level = -1;
  std::string start_key;
  std::string end_key;
  bool has_start_key = false;
  bool has_end_key = false;
};

BASALT_C_HANDLE(rocksdb_writeoptions_t, ROCKSDB_NAMESPACE::WriteOptions);
BASALT_C_HANDLE(rocksdb_flushoptions_t, ROCKSDB_NAMESPACE::FlushOptions);
BASALT_C_HANDLE(rocksdb_flushwaloptions_t, ROCKSDB_NAMESPACE::FlushWALOptions);
BASALT_C_HANDLE(rocksdb_compaction_options_t,
                ROCKSDB_NAMESPACE::CompactionOptions);
BASALT_C_HANDLE(rocksdb_wait_for_compact_options_t,
                ROCKSDB_NAMESPACE::WaitForCompactOptions);
BASALT_C_HANDLE(rocksdb_ingestexternalfileoptions_t,
                ROCKSDB_NAMESPACE::IngestExternalFileOptions);
BASALT_C_HANDLE(rocksdb_import_column_family_options_t,
                ROCKSDB_NAMESPACE::ImportColumnFamilyOptions);
BASALT_C_HANDLE(rocksdb_size_approximation_options_t,
                ROCKSDB_NAMESPACE::SizeApproximationOptions);
BASALT_C_HANDLE(rocksdb_livefiles_storage_info_options_t,
                ROCKSDB_NAMESPACE::LiveFilesStorageInfoOptions);
BASALT_C_HANDLE(rocksdb_open_and_compact_options_t,
                ROCKSDB_NAMESPACE::OpenAndCompactOptions);
BASALT_C_HANDLE(rocksdb_universal_compaction_options_t,
                ROCKSDB_NAMESPACE::CompactionOptionsUniversal);
BASALT_C_HANDLE(rocksdb_fifo_compaction_options_t,
                ROCKSDB_NAMESPACE::CompactionOptionsFIFO);
BASALT_C_HANDLE(rocksdb_envoptions_t, ROCKSDB_NAMESPACE::EnvOptions);
BASALT_C_HANDLE(rocksdb_lru_cache_options_t,
                ROCKSDB_NAMESPACE::LRUCacheOptions);
BASALT_C_HANDLE(rocksdb_hyper_clock_cache_options_t,
                ROCKSDB_NAMESPACE::HyperClockCacheOptions);
BASALT_C_HANDLE(rocksdb_wal_readoptions_t,
                ROCKSDB_NAMESPACE::TransactionLogIterator::ReadOptions);
BASALT_C_HANDLE(rocksdb_dbpath_t, ROCKSDB_NAMESPACE::DbPath);

struct rocksdb_compaction_service_options_override_t {
  ROCKSDB_NAMESPACE::CompactionServiceOptionsOverride rep;
};

BASALT_C_HANDLE(rocksdb_cuckoo_table_options_t,
                ROCKSDB_NAMESPACE::CuckooTableOptions);
BASALT_C_HANDLE(rocksdb_trace_options_t, ROCKSDB_NAMESPACE::TraceOptions);
BASALT_C_HANDLE(rocksdb_replay_options_t, ROCKSDB_NAMESPACE::ReplayOptions);
BASALT_C_HANDLE(rocksdb_block_cache_trace_options_t,
                ROCKSDB_NAMESPACE::BlockCacheTraceOptions);
BASALT_C_HANDLE(rocksdb_block_cache_trace_writer_options_t,
                ROCKSDB_NAMESPACE::BlockCacheTraceWriterOptions);
BASALT_C_HANDLE(rocksdb_backup_engine_t,
                std::unique_ptr<ROCKSDB_NAMESPACE::BackupEngine>);
BASALT_C_HANDLE(rocksdb_backup_engine_info_t,
                std::vector<ROCKSDB_NAMESPACE::BackupInfo>);
struct rocksdb_backup_engine_options_t {
  ROCKSDB_NAMESPACE::BackupEngineOptions rep{""};
};
BASALT_C_HANDLE(rocksdb_create_backup_options_t,
                ROCKSDB_NAMESPACE::CreateBackupOptions);
BASALT_C_HANDLE(rocksdb_restore_options_t, ROCKSDB_NAMESPACE::RestoreOptions);
BASALT_C_HANDLE(rocksdb_transactiondb_options_t,
                ROCKSDB_NAMESPACE::TransactionDBOptions);
BASALT_C_HANDLE(rocksdb_transaction_options_t,
                ROCKSDB_NAMESPACE::TransactionOptions);
BASALT_C_HANDLE(rocksdb_optimistictransactiondb_options_t,
                ROCKSDB_NAMESPACE::OptimisticTransactionDBOptions);
BASALT_C_HANDLE(rocksdb_optimistictransaction_options_t,
                ROCKSDB_NAMESPACE::OptimisticTransactionOptions);

// --- objects that options hold

BASALT_C_HANDLE(rocksdb_cache_t, std::shared_ptr<ROCKSDB_NAMESPACE::Cache>);
BASALT_C_HANDLE(rocksdb_memory_allocator_t,
                std::shared_ptr<ROCKSDB_NAMESPACE::MemoryAllocator>);
BASALT_C_HANDLE(rocksdb_write_buffer_manager_t,
                std::shared_ptr<ROCKSDB_NAMESPACE::WriteBufferManager>);
BASALT_C_HANDLE(rocksdb_sst_file_manager_t,
                std::shared_ptr<ROCKSDB_NAMESPACE::SstFileManager>);
BASALT_C_HANDLE(rocksdb_ratelimiter_t,
                std::shared_ptr<ROCKSDB_NAMESPACE::RateLimiter>);
BASALT_C_HANDLE(rocksdb_logger_t, std::shared_ptr<ROCKSDB_NAMESPACE::Logger>);
BASALT_C_HANDLE(rocksdb_comparator_t,
                std::unique_ptr<const ROCKSDB_NAMESPACE::Comparator>);
BASALT_C_HANDLE(rocksdb_mergeoperator_t,
                std::shared_ptr<ROCKSDB_NAMESPACE::MergeOperator>);
BASALT_C_HANDLE(rocksdb_compactionfilterfactory_t,
                std::shared_ptr<ROCKSDB_NAMESPACE::CompactionFilterFactory>);
BASALT_C_HANDLE(rocksdb_slicetransform_t,
                std::shared_ptr<const ROCKSDB_NAMESPACE::SliceTransform>);
BASALT_C_HANDLE(rocksdb_filterpolicy_t,
                std::shared_ptr<const ROCKSDB_NAMESPACE::FilterPolicy>);
BASALT_C_HANDLE(rocksdb_eventlistener_t,
                std::shared_ptr<ROCKSDB_NAMESPACE::EventListener>);
BASALT_C_HANDLE(rocksdb_file_checksum_gen_factory_t,
                std::shared_ptr<ROCKSDB_NAMESPACE::FileChecksumGenFactory>);
BASALT_C_HANDLE(rocksdb_sst_partitioner_factory_t,
                std::shared_ptr<ROCKSDB_NAMESPACE::SstPartitionerFactory>);
BASALT_C_HANDLE(
    rocksdb_table_properties_collector_factory_t,
    std::shared_ptr<ROCKSDB_NAMESPACE::TablePropertiesCollectorFactory>);
BASALT_C_HANDLE(rocksdb_walfilter_t,
                std::unique_ptr<ROCKSDB_NAMESPACE::WalFilter>);
BASALT_C_HANDLE(rocksdb_compactionservice_t,
                std::shared_ptr<ROCKSDB_NAMESPACE::CompactionService>);

namespace ROCKSDB_NAMESPACE::c_api {
class CallbackCompactionFilter;
}  // namespace ROCKSDB_NAMESPACE::c_api
BASALT_C_HANDLE(
    rocksdb_compactionfilter_t,
    std::unique_ptr<ROCKSDB_NAMESPACE::c_api::CallbackCompactionFilter>);

struct rocksdb_env_t {
  ROCKSDB_NAMESPACE::Env* rep = nullptr;
  std::unique_ptr<ROCKSDB_NAMESPACE::Env> owned;  // Null for the default one.
};

// --- what the database tells of itself

BASALT_C_HANDLE(rocksdb_column_family_metadata_t,
                ROCKSDB_NAMESPACE::ColumnFamilyMetaData);
BASALT_C_HANDLE(rocksdb_livefiles_t,
                std::vector<ROCKSDB_NAMESPACE::LiveFileMetaData>);
BASALT_C_HANDLE(rocksdb_livefile_t, ROCKSDB_NAMESPACE::LiveFileMetaData);
BASALT_C_HANDLE(rocksdb_checkpoint_t,
                std::unique_ptr<ROCKSDB_NAMESPACE::Checkpoint>);
BASALT_C_HANDLE(rocksdb_export_import_files_metadata_t,
                ROCKSDB_NAMESPACE::ExportImportFilesMetaData);
BASALT_C_HANDLE(rocksdb_statistics_histogram_data_t,
                ROCKSDB_NAMESPACE::HistogramData);
BASALT_C_HANDLE(rocksdb_compactionservice_scheduleresponse_t,
                ROCKSDB_NAMESPACE::CompactionServiceScheduleResponse);

#undef BASALT_C_HANDLE

namespace ROCKSDB_NAMESPACE::c_api {

// Which C++ struct a C type that holds nothing stands for.
template <class Handle>
struct Viewed {
  using Type = void;
};

#define BASALT_C_VIEW(handle, ...) \
  template <>                      \
  struct Viewed<handle> {          \
    using Type = __VA_ARGS__;      \
  }
BASALT_C_VIEW(rocksdb_table_properties_t, TableProperties);
BASALT_C_VIEW(rocksdb_compaction_job_stats_t, CompactionJobStats);
BASALT_C_VIEW(rocksdb_compactionjobinfo_t, CompactionJobInfo);
BASALT_C_VIEW(rocksdb_subcompactionjobinfo_t, SubcompactionJobInfo);
BASALT_C_VIEW(rocksdb_compaction_file_info_t, CompactionFileInfo);
BASALT_C_VIEW(rocksdb_flushjobinfo_t, FlushJobInfo);
BASALT_C_VIEW(rocksdb_blob_file_addition_info_t, BlobFileAdditionInfo);
BASALT_C_VIEW(rocksdb_blob_file_garbage_info_t, BlobFileGarbageInfo);
BASALT_C_VIEW(rocksdb_externalfileingestioninfo_t, ExternalFileIngestionInfo);
BASALT_C_VIEW(rocksdb_memtableinfo_t, MemTableInfo);
BASALT_C_VIEW(rocksdb_writestallinfo_t, WriteStallInfo);
BASALT_C_VIEW(rocksdb_writestallcondition_t, WriteStallCondition);
BASALT_C_VIEW(rocksdb_status_ptr_t, Status);
BASALT_C_VIEW(rocksdb_compactionfiltercontext_t, CompactionFilter::Context);
BASALT_C_VIEW(rocksdb_compactionservice_jobinfo_t, CompactionServiceJobInfo);
BASALT_C_VIEW(rocksdb_level_metadata_t, LevelMetaData);
BASALT_C_VIEW(rocksdb_sst_file_metadata_t, SstFileMetaData);
#undef BASALT_C_VIEW

template <class Handle>
auto& Rep(Handle* handle) {
  using Bare = std::remove_const_t<Handle>;
  using View = typename Viewed<Bare>::Type;
  if constexpr (std::is_void_v<View>) {
    return handle->rep;
  } else if constexpr (std::is_const_v<Handle>) {
    return *reinterpret_cast<const View*>(handle);
  } else {
    return *reinterpret_cast<View*>(handle);
  }
}

// The C name of a struct that stays where it is.
template <class Handle>
const Handle* AsHandle(const typename Viewed<Handle>::Type* object) {
  return reinterpret_cast<const Handle*>(object);
}

// The factory takes the place of the one before.
template <class Handle>
void SetTableFactory(Handle* options, TableFactory* factory) {
  options->rep.table_factory.reset(factory);
}

// Gives what a handle holds to an option, and ends the handle.
template <class Handle>
auto TakeOver(Handle* handle) {
  std::unique_ptr<Handle> last(handle);
  return std::move(last->rep);
}

}  // namespace ROCKSDB_NAMESPACE::c_api
