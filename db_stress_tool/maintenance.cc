#include "db_stress_tool/maintenance.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <unordered_map>

#include "db_stress_tool/database_backups.h"
#include "db_stress_tool/database_copies.h"
#include "db_stress_tool/engine_calls.h"
#include "rocksdb/env.h"
#include "rocksdb/experimental.h"
#include "rocksdb/metadata.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

DB* DbOf(const Context& c) { return c.database->db(); }

ColumnFamilyHandle* RandomFamily(const Context& c, Worker* worker) {
  return c.database->family(worker->random.Uniform(c.database->family_count()));
}

void Flush(const Context& c, Workload* workload, Worker* worker) {
  const uint64_t token = workload->NoteDurableBegin();
  Status s;
  size_t family = Workload::kAllFamilies;
  // With a log, what is flushed has its log synced before; without, each
  // family stands for itself.
  if (c.database->options().atomic_flush || worker->random.OneIn(4)) {
    s = DbOf(c)->Flush(FlushOptions(), c.database->families());
  } else {
    family = worker->random.Uniform(c.database->family_count());
    s = DbOf(c)->Flush(FlushOptions(), c.database->family(family));
  }
  if (c.report->CheckContended(s, "Flush")) {
    workload->NoteDurableEnd(family, token);
  } else if (IsInjected(s)) {
    c.report->CheckContended(c.database->Resume(), "Resume");
  }
}

void SyncLog(const Context& c, Workload* workload, Worker* /*worker*/) {
  if (c.flags.disable_wal) return;
  const uint64_t token = workload->NoteDurableBegin();
  const Status s = c.flags.manual_wal_flush_one_in > 0
                       ? DbOf(c)->FlushWAL(/*sync=*/true)
                       : DbOf(c)->SyncWAL();
  if (c.report->CheckContended(s, "SyncWAL")) {
    workload->NoteDurableEnd(Workload::kAllFamilies, token);
  }
}

void FlushLog(const Context& c, Workload* workload, Worker* /*worker*/) {
  if (c.flags.disable_wal) return;
  const uint64_t token = workload->NoteDurableBegin();
  const Status s = DbOf(c)->FlushWAL(/*sync=*/false);
  if (c.report->CheckContended(s, "FlushWAL") &&
      !c.flags.sync_fault_injection) {
    workload->NoteDurableEnd(Workload::kAllFamilies, token);
  }
}

// A moment in which other threads work on.
void Pause(Worker* worker) {
  std::this_thread::sleep_for(
      std::chrono::microseconds(worker->random.Uniform(2000)));
}

void LockLog(const Context& c, Workload* /*workload*/, Worker* worker) {
  if (!c.report->CheckContended(engine::LockLog(DbOf(c)), "LockWAL")) return;
  const SequenceNumber before = DbOf(c)->GetLatestSequenceNumber();
  Pause(worker);
  const SequenceNumber after = DbOf(c)->GetLatestSequenceNumber();
  if (before != after) {
    c.report->Fail("LockWAL: the sequence went from " + std::to_string(before) +
                   " to " + std::to_string(after));
  }
  c.report->Check(engine::UnlockLog(DbOf(c)), "UnlockWAL");
}

// Only moves files that do not overlap to an empty level.
void PromoteL0(const Context& c, Workload* /*workload*/, Worker* worker) {
  ColumnFamilyHandle* const family = RandomFamily(c, worker);
  const int level =
      1 + static_cast<int>(worker->random.Uniform(static_cast<uint64_t>(
              std::max(1, DbOf(c)->NumberLevels(family) - 1))));
  const Status s = experimental::PromoteL0(DbOf(c), family, level);
  if (s.IsInvalidArgument()) {
    c.report->Count("PromoteL0: refused");
  } else {
    c.report->CheckContended(s, "PromoteL0");
  }
}

// A compaction may cut off history, and cannot where another thread has just
// cut off more.
void CheckHistory(const Context& c, const Status& status, const char* call) {
  if (status.IsInvalidArgument()) {
    c.report->Count("raising history: refused");
  } else {
    c.report->CheckContended(status, call);
  }
}

void CompactRange(const Context& c, Workload* workload, Worker* worker) {
  StressRandom* const random = &worker->random;
  ColumnFamilyHandle* const family = RandomFamily(c, worker);
  const uint64_t from = random->Uniform(c.key_count());
  const std::string begin_key = c.format.Key(from);
  const std::string end_key = c.format.Key(
      from +
      random->Uniform(static_cast<uint64_t>(c.flags.compact_range_width) + 1));
  const Slice begin(begin_key), end(end_key);
  CompactRangeOptions options;
  options.exclusive_manual_compaction = random->OneIn(2);
  options.allow_write_stall = random->OneIn(2);
  options.max_subcompactions = static_cast<uint32_t>(random->Uniform(4));
  options.bottommost_level_compaction =
      static_cast<BottommostLevelCompaction>(random->Uniform(4));
  options.change_level = random->OneIn(8);
  const Slice* const from_key = random->OneIn(8) ? nullptr : &begin;
  const Slice* const to_key = random->OneIn(8) ? nullptr : &end;
  if (random->OneIn(8)) {
    c.report->CheckContended(
        experimental::SuggestCompactRange(DbOf(c), family, from_key, to_key),
        "SuggestCompactRange");
    return;
  }
  const std::string low =
      random->OneIn(4) ? workload->RaiseHistory(worker) : "";
  const Slice ts_low(low);
  if (!low.empty() && random->OneIn(2)) {
    CheckHistory(c, DbOf(c)->IncreaseFullHistoryTsLow(family, low),
                 "IncreaseFullHistoryTsLow");
  } else if (!low.empty()) {
    options.full_history_ts_low = &ts_low;
  }
  const Status s = DbOf(c)->CompactRange(options, family, from_key, to_key);
  if (options.full_history_ts_low != nullptr) {
    CheckHistory(c, s, "CompactRange with less history");
  } else {
    c.report->CheckContended(s, "CompactRange");
  }
}

void CompactFiles(const Context& c, Workload* /*workload*/, Worker* worker) {
  ColumnFamilyHandle* const family = RandomFamily(c, worker);
  ColumnFamilyMetaData metadata;
  DbOf(c)->GetColumnFamilyMetaData(family, &metadata);
  const size_t level = worker->random.Uniform(metadata.levels.size());
  std::vector<std::string> names;
  for (const SstFileMetaData& file : metadata.levels[level].files) {
    if (names.size() < 3 && !file.being_compacted) names.push_back(file.name);
  }
  if (names.empty()) return;
  const int output =
      std::min<int>(static_cast<int>(level) + 1,
                    static_cast<int>(metadata.levels.size()) - 1);
  const Status s =
      DbOf(c)->CompactFiles(CompactionOptions(), family, names, output);
  // The files may be gone, in use, or not fit the level any more.
  if (s.IsInvalidArgument()) {
    c.report->Count("CompactFiles: refused");
  } else {
    c.report->CheckContended(s, "CompactFiles");
  }
}

using OptionTexts =
    std::vector<std::pair<const char*, std::vector<const char*>>>;

const OptionTexts& ChangesOfBlobs() {
  static const OptionTexts changes{
      {"enable_blob_files", {"false", "true"}},
      {"min_blob_size", {"0", "8", "16"}},
      {"blob_file_size", {"1048576", "16777216", "268435456"}},
      {"blob_compression_type", {"kNoCompression", "kLZ4Compression"}},
      {"enable_blob_garbage_collection", {"false", "true"}},
      {"blob_garbage_collection_age_cutoff", {"0", "0.25", "0.5", "1"}},
      {"blob_garbage_collection_force_threshold", {"0.5", "0.75", "1"}},
      {"blob_compaction_readahead_size", {"0", "1048576"}},
      {"blob_file_starting_level", {"0", "1", "2"}},
      {"prepopulate_blob_cache", {"kDisable", "kFlushOnly"}},
  };
  return changes;
}

// FIFO compaction drops what is older, and nothing may be missed.
bool DropsByAge(const Context& c, const std::string& name) {
  return c.database->options().compaction_style == kCompactionStyleFIFO &&
         (name == "ttl" || name == "periodic_compaction_seconds");
}

void ChangeOneOf(const Context& c, const OptionTexts& changes, Worker* worker,
                 const char* call) {
  const auto& [name, values] = changes[worker->random.Uniform(changes.size())];
  const std::unordered_map<std::string, std::string> change{
      {name, values[worker->random.Uniform(values.size())]}};
  if (DropsByAge(c, name)) return;
  const Status s = DbOf(c)->SetOptions(RandomFamily(c, worker), change);
  if (s.IsInvalidArgument() &&
      name == std::string("level0_file_num_compaction_trigger")) {
    // It must not pass max_read_amp.
    c.report->Count("SetOptions: refused");
  } else {
    c.report->CheckContended(s, call);
  }
}

void SetOptions(const Context& c, Workload* /*workload*/, Worker* worker) {
  static const OptionTexts changes{
      {"write_buffer_size", {"65536", "1048576", "4194304"}},
      {"max_write_buffer_number", {"2", "3", "6"}},
      {"level0_file_num_compaction_trigger", {"2", "4", "8"}},
      {"level0_slowdown_writes_trigger", {"12", "20"}},
      {"level0_stop_writes_trigger", {"24", "36"}},
      {"target_file_size_base", {"262144", "1048576", "4194304"}},
      {"max_bytes_for_level_base", {"1048576", "10485760"}},
      {"max_compaction_bytes", {"10485760", "52428800"}},
      {"max_sequential_skip_in_iterations", {"1", "4", "8"}},
      {"paranoid_file_checks", {"false", "true"}},
      {"disable_auto_compactions", {"false", "false", "true"}},
      {"periodic_compaction_seconds", {"0", "10", "1000"}},
      {"ttl", {"0", "10", "1000"}},
  };
  ChangeOneOf(c, changes, worker, "SetOptions");
  if (c.flags.allow_setting_blob_options_dynamically &&
      worker->random.OneIn(2)) {
    ChangeOneOf(c, ChangesOfBlobs(), worker, "SetOptions of blobs");
  }
  if (!worker->random.OneIn(4)) return;
  c.report->CheckContended(
      DbOf(c)->SetDBOptions({{"max_background_jobs",
                              std::to_string(1 + worker->random.Uniform(8))}}),
      "SetDBOptions");
  if (!worker->random.OneIn(2)) return;
  const Status s =
      engine::SetDirectCompactionReads(DbOf(c), worker->random.OneIn(2));
  if (s.IsInvalidArgument()) {
    // By other options, or by a file system that cannot.
    c.report->Count("SetDBOptions of direct reads: refused");
  } else {
    c.report->CheckContended(s, "SetDBOptions of direct reads");
  }
}

void PauseBackground(const Context& c, Workload* /*workload*/, Worker* worker) {
  if (!c.report->Check(DbOf(c)->PauseBackgroundWork(), "PauseBackgroundWork")) {
    return;
  }
  Pause(worker);
  c.report->Check(DbOf(c)->ContinueBackgroundWork(), "ContinueBackgroundWork");
}

void KeepFiles(const Context& c, Workload* /*workload*/, Worker* worker) {
  if (!c.report->Check(DbOf(c)->DisableFileDeletions(),
                       "DisableFileDeletions")) {
    return;
  }
  Pause(worker);
  c.report->Check(engine::EnableFileDeletions(DbOf(c)), "EnableFileDeletions");
}

void StopManualCompactions(const Context& c, Workload* /*workload*/,
                           Worker* worker) {
  DbOf(c)->DisableManualCompaction();
  Pause(worker);
  DbOf(c)->EnableManualCompaction();
  c.report->Count("DisableManualCompaction");
}

void AbortCompactions(const Context& c, Workload* /*workload*/,
                      Worker* worker) {
  if (!engine::AbortCompactions(DbOf(c))) {
    c.report->Count("AbortAllCompactions: not there");
    return;
  }
  Pause(worker);
  engine::ResumeCompactions(DbOf(c));
  c.report->Count("AbortAllCompactions");
}

void AbortFamily(const Context& c, Workload* /*workload*/, Worker* worker) {
  ColumnFamilyHandle* const family = RandomFamily(c, worker);
  if (!engine::AbortCompactions(DbOf(c), family)) {
    c.report->Count("AbortCompactions: not there");
    return;
  }
  Pause(worker);
  engine::ResumeCompactions(DbOf(c), family);
  c.report->Count("AbortCompactions");
}

void GetProperties(const Context& c, Workload* /*workload*/, Worker* worker) {
  ColumnFamilyHandle* const family = RandomFamily(c, worker);
  for (const char* property :
       {"rocksdb.stats", "rocksdb.sstables", "rocksdb.cfstats",
        "rocksdb.levelstats", "rocksdb.aggregated-table-properties"}) {
    std::string text;
    if (!DbOf(c)->GetProperty(family, property, &text)) {
      c.report->Count((std::string(property) + ": not there").c_str());
    }
  }
  for (const char* property :
       {"rocksdb.num-immutable-mem-table", "rocksdb.estimate-num-keys",
        "rocksdb.num-snapshots", "rocksdb.num-live-versions",
        "rocksdb.total-sst-files-size", "rocksdb.block-cache-usage",
        "rocksdb.estimate-pending-compaction-bytes"}) {
    uint64_t value = 0;
    if (!DbOf(c)->GetIntProperty(family, property, &value)) {
      c.report->Count((std::string(property) + ": not there").c_str());
    }
  }
  c.report->Count("GetProperty");
}

void GetTableProperties(const Context& c, Workload* /*workload*/,
                        Worker* worker) {
  TablePropertiesCollection properties;
  c.report->CheckContended(
      DbOf(c)->GetPropertiesOfAllTables(RandomFamily(c, worker), &properties),
      "GetPropertiesOfAllTables");
}

// What GetLiveFiles() names is there, and as long as it says.
void CheckLiveFiles(const Context& c, bool flushes) {
  const WithoutFaults no_faults;
  Env* const env = c.database->options().env;
  std::vector<std::string> names;
  uint64_t manifest_bytes = 0;
  Status s = DbOf(c)->GetLiveFiles(names, &manifest_bytes, flushes);
  if (!c.report->CheckContended(s, "GetLiveFiles")) return;
  for (const std::string& name : names) {
    s = env->FileExists(c.flags.db + name);
    if (!s.ok()) c.report->Fail("GetLiveFiles: " + name + ": " + s.ToString());
  }
  std::vector<LiveFileStorageInfo> files;
  LiveFilesStorageInfoOptions options;
  options.wal_size_for_flush = flushes ? 0 : UINT64_MAX;
  s = DbOf(c)->GetLiveFilesStorageInfo(options, &files);
  if (s.IsNotSupported()) {
    // Blob files are being written (enable_blob_direct_write).
    options.wal_size_for_flush = 0;
    s = DbOf(c)->GetLiveFilesStorageInfo(options, &files);
  }
  if (!c.report->CheckContended(s, "GetLiveFilesStorageInfo")) return;
  for (const LiveFileStorageInfo& file : files) {
    if (!file.replacement_contents.empty()) continue;
    const std::string path = file.directory + "/" + file.relative_filename;
    uint64_t bytes = 0;
    s = env->GetFileSize(path, &bytes);
    if (s.ok() && bytes >= file.size) continue;
    c.report->Fail("GetLiveFilesStorageInfo: " + path + " has " +
                   std::to_string(bytes) + " bytes of " +
                   std::to_string(file.size) + ": " + s.ToString());
  }
}

void GetLiveFiles(const Context& c, Workload* /*workload*/, Worker* worker) {
  std::vector<LiveFileMetaData> metadata;
  DbOf(c)->GetLiveFilesMetaData(&metadata);
  if (!c.report->Check(DbOf(c)->DisableFileDeletions(),
                       "DisableFileDeletions")) {
    return;
  }
  CheckLiveFiles(c, worker->random.OneIn(4));
  c.report->Check(engine::EnableFileDeletions(DbOf(c)), "EnableFileDeletions");
}

void GetLogs(const Context& c, Workload* /*workload*/, Worker* /*worker*/) {
  c.report->CheckContended(engine::ListLogs(DbOf(c)), "GetSortedWalFiles");
}

void GetCurrentLog(const Context& c, Workload* /*workload*/,
                   Worker* /*worker*/) {
  c.report->CheckContended(engine::AskCurrentLog(DbOf(c)), "GetCurrentWalFile");
}

void GetMetadata(const Context& c, Workload* /*workload*/, Worker* /*worker*/) {
  for (ColumnFamilyHandle* family : c.database->families()) {
    ColumnFamilyMetaData metadata;
    DbOf(c)->GetColumnFamilyMetaData(family, &metadata);
    if (metadata.name != family->GetName()) {
      c.report->Fail("GetColumnFamilyMetaData: of " + metadata.name +
                     " instead of " + family->GetName());
    }
  }
  c.report->Count("GetColumnFamilyMetaData");
}

void GetSizes(const Context& c, Workload* /*workload*/, Worker* worker) {
  const uint64_t from = worker->random.Uniform(c.key_count());
  const std::string begin = c.format.Key(from);
  const std::string end = c.format.Key(from + 100);
  const Range range(begin, end);
  uint64_t bytes = 0;
  SizeApproximationOptions options;
  options.include_memtables = worker->random.OneIn(2);
  c.report->CheckContended(
      DbOf(c)->GetApproximateSizes(options, RandomFamily(c, worker), &range, 1,
                                   &bytes),
      "GetApproximateSizes");
}

void VerifyChecksum(const Context& c, Workload* /*workload*/,
                    Worker* /*worker*/) {
  c.report->CheckContended(DbOf(c)->VerifyChecksum(), "VerifyChecksum");
}

void VerifyFileChecksums(const Context& c, Workload* /*workload*/,
                         Worker* /*worker*/) {
  if (c.database->options().file_checksum_gen_factory == nullptr) return;
  c.report->CheckContended(DbOf(c)->VerifyFileChecksums(ReadOptions()),
                           "VerifyFileChecksums");
}

void ResetStats(const Context& c, Workload* /*workload*/, Worker* /*worker*/) {
  c.report->CheckContended(DbOf(c)->ResetStats(), "ResetStats");
}

void CheckCheckpoint(const Context& c, Workload* workload, Worker* worker) {
  workload->CheckCopy(worker,
                      [&](size_t family, std::unique_ptr<DatabaseCopy>* copy) {
                        return MakeCheckpointCopy(c, worker, family, copy);
                      });
  c.report->Count("checkpoints");
}

void CheckBackup(const Context& c, Workload* workload, Worker* worker) {
  uint64_t bytes = 0;
  if (c.flags.backup_max_size > 0 &&
      DbOf(c)->GetAggregatedIntProperty(DB::Properties::kLiveSstFilesSize,
                                        &bytes) &&
      bytes > static_cast<uint64_t>(c.flags.backup_max_size)) {
    return;
  }
  workload->CheckCopy(
      worker, [&](size_t /*family*/, std::unique_ptr<DatabaseCopy>* copy) {
        return MakeRestoredCopy(c, worker, copy);
      });
  c.report->Count("backups");
}

void CheckImport(const Context& c, Workload* workload, Worker* worker) {
  workload->CheckCopy(worker,
                      [&](size_t family, std::unique_ptr<DatabaseCopy>* copy) {
                        return MakeImportedCopy(c, worker, family, copy);
                      });
  c.report->Count("exports and imports");
}

void Ingest(const Context& /*context*/, Workload* workload, Worker* worker) {
  workload->Ingest(worker);
}

}  // namespace

const std::vector<MaintenanceOp>& MaintenanceOps() {
  static const std::vector<MaintenanceOp> ops{
      {"flush", &Flags::flush_one_in, &Flush},
      {"sync log", &Flags::sync_wal_one_in, &SyncLog},
      {"flush log", &Flags::manual_wal_flush_one_in, &FlushLog},
      {"lock log", &Flags::lock_wal_one_in, &LockLog},
      {"compact range", &Flags::compact_range_one_in, &CompactRange},
      {"promote", &Flags::promote_l0_one_in, &PromoteL0},
      {"compact files", &Flags::compact_files_one_in, &CompactFiles},
      {"set options", &Flags::set_options_one_in, &SetOptions},
      {"pause", &Flags::pause_background_one_in, &PauseBackground},
      {"keep files", &Flags::disable_file_deletions_one_in, &KeepFiles},
      {"no manual compaction", &Flags::disable_manual_compaction_one_in,
       &StopManualCompactions},
      {"no compaction", &Flags::abort_and_resume_compactions_one_in,
       &AbortCompactions},
      {"no compaction of a family",
       &Flags::abort_and_resume_cf_compactions_one_in, &AbortFamily},
      {"properties", &Flags::get_property_one_in, &GetProperties},
      {"table properties", &Flags::get_properties_of_all_tables_one_in,
       &GetTableProperties},
      {"live files", &Flags::get_live_files_apis_one_in, &GetLiveFiles},
      {"logs", &Flags::get_sorted_wal_files_one_in, &GetLogs},
      {"current log", &Flags::get_current_wal_file_one_in, &GetCurrentLog},
      {"metadata", &Flags::get_all_column_family_metadata_one_in, &GetMetadata},
      {"sizes", &Flags::approximate_size_one_in, &GetSizes},
      {"checksums", &Flags::verify_checksum_one_in, &VerifyChecksum},
      {"file checksums", &Flags::verify_file_checksums_one_in,
       &VerifyFileChecksums},
      {"reset statistics", &Flags::reset_stats_one_in, &ResetStats},
      {"checkpoint", &Flags::checkpoint_one_in, &CheckCheckpoint},
      {"backup", &Flags::backup_one_in, &CheckBackup},
      {"import", &Flags::import_family_one_in, &CheckImport},
      {"ingest", &Flags::ingest_external_file_one_in, &Ingest},
  };
  return ops;
}

}  // namespace ROCKSDB_NAMESPACE::stress
