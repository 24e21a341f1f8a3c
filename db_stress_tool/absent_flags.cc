#include "db_stress_tool/absent_flags.h"

#include <algorithm>
#include <iterator>

namespace ROCKSDB_NAMESPACE::stress {

namespace {

struct Absent {
  const char* name;
  const char* off;
  const char* missing;
};

constexpr Absent kAbsentFlags[] = {
    {"abort_and_resume_cf_compactions_one_in", "0",
     "compactions of one family that are aborted and resumed"},
    {"blob_db_enable_gc", "false", "BlobDB, the stacked one"},
    {"blob_db_file_size", "268435456", "BlobDB, the stacked one"},
    {"checkpoint_atomic_flush", "false", "other kinds of checkpoints"},
    {"checkpoint_engine_max_background_operations", "1",
     "other kinds of checkpoints"},
    {"checkpoint_engine_use_link_file_when_available", "true",
     "other kinds of checkpoints"},
    {"enable_checksum_handoff", "false", "checksums down to the file system"},
    {"env_uri", "", "other environments"},
    {"fs_uri", "", "other environments"},
    {"ingest_external_file_prepare_commit_one_in", "0",
     "other kinds of ingestion"},
    {"ingest_external_file_use_file_info_one_in", "0",
     "other kinds of ingestion"},
    {"lazy_entity_read_one_in", "0", "entities in the tool"},
    {"listener_uri", "", "other environments"},
    {"mock_direct_io", "false", "other environments"},
    {"num_dbs", "1", "databases beside each other in the tool"},
    {"parallel_checkpoint_one_in", "0", "other kinds of checkpoints"},
    {"read_scoped_block_buffer_provider", "false", "read options of the tool"},
    {"remote_compaction_worker_interval", "10",
     "intervals of remote workers, who are woken"},
    {"set_in_place_one_in", "0", "writes in place"},
    {"sqfc_name", "foo", "indexes of the user"},
    {"sqfc_version", "0", "indexes of the user"},
    {"subset_cf_checkpoint_one_in", "0", "other kinds of checkpoints"},
    {"tolerate_non_injected_io_errors_for_remote_dbs", "false",
     "other environments"},
    {"use_async_db_api", "false", "read options of the tool"},
    {"use_blob_db", "false", "BlobDB, the stacked one"},
    {"use_only_the_last_commit_time_batch_for_recovery", "false",
     "transactions"},
    {"use_sqfc_for_range_queries", "true", "indexes of the user"},
    {"use_trie_index", "false", "indexes of the user"},
    {"verify_cpu_corruption_dir", "", "more ways to verify"},
    {"wp_commit_cache_bits", "23", "transactions"},
    {"wp_snapshot_cache_bits", "7", "transactions"},
};

const Absent* Find(const std::string& name) {
  const auto found =
      std::find_if(std::begin(kAbsentFlags), std::end(kAbsentFlags),
                   [&](const Absent& flag) { return name == flag.name; });
  return found == std::end(kAbsentFlags) ? nullptr : found;
}

}  // namespace

bool IsAbsentFlag(const std::string& name) { return Find(name) != nullptr; }

Status CheckAbsentFlag(const std::string& name, const std::string& value) {
  const Absent* const flag = Find(name);
  if (flag == nullptr || value == flag->off || value == "0" ||
      value == "false") {
    return Status::OK();
  }
  return Status::NotSupported("--" + name + "=" + value,
                              std::string("not there: ") + flag->missing);
}

}  // namespace ROCKSDB_NAMESPACE::stress
