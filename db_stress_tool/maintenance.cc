#include "db_stress_tool/maintenance.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <unordered_map>

#include "db_stress_tool/engine_calls.h"
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

void LockLog(const Context& c, Workload* /*workload*/, Worker* /*worker*/) {
  c.report->CheckContended(engine::LockLogForAMoment(DbOf(c)), "LockWAL");
}

void CompactRange(const Context& c, Workload* /*workload*/, Worker* worker) {
  StressRandom* const random = &worker->random;
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
  c.report->CheckContended(
      DbOf(c)->CompactRange(options, RandomFamily(c, worker),
                            random->OneIn(8) ? nullptr : &begin,
                            random->OneIn(8) ? nullptr : &end),
      "CompactRange");
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

void SetOptions(const Context& c, Workload* /*workload*/, Worker* worker) {
  using Texts = std::vector<const char*>;
  static const std::vector<std::pair<const char*, Texts>> changes{
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
  const auto& [name, values] = changes[worker->random.Uniform(changes.size())];
  const std::unordered_map<std::string, std::string> change{
      {name, values[worker->random.Uniform(values.size())]}};
  c.report->CheckContended(DbOf(c)->SetOptions(RandomFamily(c, worker), change),
                           "SetOptions");
  if (!worker->random.OneIn(4)) return;
  c.report->CheckContended(
      DbOf(c)->SetDBOptions({{"max_background_jobs",
                              std::to_string(1 + worker->random.Uniform(8))}}),
      "SetDBOptions");
}

// A moment in which other threads work on.
void Pause(Worker* worker) {
  std::this_thread::sleep_for(
      std::chrono::microseconds(worker->random.Uniform(2000)));
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

void GetLiveFiles(const Context& c, Workload* /*workload*/, Worker* worker) {
  std::vector<std::string> files;
  uint64_t manifest_bytes = 0;
  c.report->CheckContended(
      DbOf(c)->GetLiveFiles(files, &manifest_bytes, worker->random.OneIn(4)),
      "GetLiveFiles");
  std::vector<LiveFileMetaData> metadata;
  DbOf(c)->GetLiveFilesMetaData(&metadata);
}

void GetLogs(const Context& c, Workload* /*workload*/, Worker* /*worker*/) {
  c.report->CheckContended(engine::ListLogs(DbOf(c)), "GetSortedWalFiles");
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

void ResetStats(const Context& c, Workload* /*workload*/, Worker* /*worker*/) {
  c.report->CheckContended(DbOf(c)->ResetStats(), "ResetStats");
}

void MakeCheckpoint(const Context& c, Workload* /*workload*/, Worker* worker) {
  const std::string path =
      c.flags.db + "/.checkpoint" + std::to_string(worker->index);
  c.report->CheckContended(
      engine::CheckCheckpoint(DbOf(c), c.database->options(), path),
      "checkpoint");
}

}  // namespace

const std::vector<MaintenanceOp>& MaintenanceOps() {
  static const std::vector<MaintenanceOp> ops{
      {"flush", &Flags::flush_one_in, &Flush},
      {"sync log", &Flags::sync_wal_one_in, &SyncLog},
      {"flush log", &Flags::manual_wal_flush_one_in, &FlushLog},
      {"lock log", &Flags::lock_wal_one_in, &LockLog},
      {"compact range", &Flags::compact_range_one_in, &CompactRange},
      {"compact files", &Flags::compact_files_one_in, &CompactFiles},
      {"set options", &Flags::set_options_one_in, &SetOptions},
      {"pause", &Flags::pause_background_one_in, &PauseBackground},
      {"keep files", &Flags::disable_file_deletions_one_in, &KeepFiles},
      {"no manual compaction", &Flags::disable_manual_compaction_one_in,
       &StopManualCompactions},
      {"properties", &Flags::get_property_one_in, &GetProperties},
      {"table properties", &Flags::get_properties_of_all_tables_one_in,
       &GetTableProperties},
      {"live files", &Flags::get_live_files_apis_one_in, &GetLiveFiles},
      {"logs", &Flags::get_sorted_wal_files_one_in, &GetLogs},
      {"metadata", &Flags::get_all_column_family_metadata_one_in, &GetMetadata},
      {"sizes", &Flags::approximate_size_one_in, &GetSizes},
      {"checksums", &Flags::verify_checksum_one_in, &VerifyChecksum},
      {"reset statistics", &Flags::reset_stats_one_in, &ResetStats},
      {"checkpoint", &Flags::checkpoint_one_in, &MakeCheckpoint},
  };
  return ops;
}

}  // namespace ROCKSDB_NAMESPACE::stress
