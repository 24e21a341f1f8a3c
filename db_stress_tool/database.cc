#include "db_stress_tool/database.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <sstream>

#include "db_stress_tool/engine_options.h"
#include "db_stress_tool/remote_compactions.h"
#include "db_stress_tool/table_cut.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/listener.h"
#include "rocksdb/sst_file_manager.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

}  // namespace

Database::Database(const Flags& flags)
    : flags_(flags), random_(flags.seed), transactions_(flags) {
  StressFileSystem::Settings settings;
  settings.seed = flags.seed;
  settings.kill_one_in = flags.kill_random_test;
  settings.kill_excludes = Split(flags.kill_exclude_prefixes);
  settings.kill_path_contains = flags.kill_path_contains;
  settings.loses_unsynced = flags.sync_fault_injection;
  settings.severity = flags.inject_error_severity;
  settings.spares_logs = flags.exclude_wal_from_write_fault_injection;
  settings.mocks_direct_io = flags.mock_direct_io;
  TolerateAllIOErrors(flags.tolerate_non_injected_io_errors_for_remote_dbs);
  std::shared_ptr<FileSystem> below = FileSystem::Default();
  below_status_ = FindFileSystemBelow(&below);
  fs_ = std::make_shared<StressFileSystem>(below, settings);
  env_ = NewCompositeEnv(fs_);
  if (flags.num_bottom_pri_threads > 0) {
    env_->SetBackgroundThreads(static_cast<int>(flags.num_bottom_pri_threads),
                               Env::Priority::BOTTOM);
  }
}

Status Database::FindFileSystemBelow(std::shared_ptr<FileSystem>* below) {
  if (flags_.env_uri.empty() && flags_.fs_uri.empty()) return Status::OK();
  Env* env = nullptr;
  Status s = Env::CreateFromUri(ConfigOptions(), flags_.env_uri, flags_.fs_uri,
                                &env, &env_below_);
  if (s.ok()) *below = env->GetFileSystem();
  return s;
}

Database::~Database() {
  const WithoutFaults no_faults;
  Status s = Close();
  if (!s.ok()) fprintf(stderr, "closing: %s\n", s.ToString().c_str());
}

std::string Database::FamilyName(size_t index) const {
  return index == 0 ? kDefaultColumnFamilyName : std::to_string(index);
}

Status Database::Destroy() {
  if (!below_status_.ok()) return below_status_;
  const WithoutFaults no_faults;
  Options options;
  options.env = env_.get();
  return DestroyDB(flags_.db, options);
}

void Database::SetRunRates() {
  fs_->SetRates({flags_.read_fault_one_in, flags_.write_fault_one_in,
                 flags_.metadata_read_fault_one_in,
                 flags_.metadata_write_fault_one_in});
  // Looked at after: they may have ended meanwhile.
  if (!has_faults_) fs_->SetRates(FaultRates());
}

void Database::EndFaults() {
  has_faults_ = false;
  fs_->SetRates(FaultRates());
}

Status Database::Open() {
  Status s = below_status_;
  if (s.ok()) s = MakeEngineOptions(flags_, &options_);
  if (!s.ok()) return s;
  options_.env = env_.get();
  s = SetInPlace();
  if (s.ok()) s = SetServices();
  if (!s.ok()) return s;
  // A look opens tables on threads that WithoutFaults does not reach.
  fs_->SetRates(FaultRates());
  ReadOnlyLook look(flags_);
  s = LookFirst(&look);
  if (s.ok()) s = OpenWithFaults();
  SetRunRates();
  if (!s.ok()) return s;
  {
    const WithoutFaults no_faults;
    s = look.Compare(db_.get(), handles_);
  }
  return s.ok() ? AfterOpen() : s;
}

Status Database::LookFirst(ReadOnlyLook* look) {
  if (flags_.read_only || !random_.OneIn(flags_.open_read_only_one_in)) {
    return Status::OK();
  }
  const WithoutFaults no_faults;
  Status s = look->Take(options_);
  if (s.ok()) printf("Opened for reading only, before\n");
  return s;
}

Status Database::OpenWithFaults() {
  const FaultRates rates{flags_.open_read_fault_one_in,
                         flags_.open_write_fault_one_in,
                         flags_.open_metadata_read_fault_one_in,
                         flags_.open_metadata_write_fault_one_in};
  fs_->SetRates(rates);
  Status s = TryOpen();
  for (int i = 0; i < 10 && !s.ok() && IsInjected(s); ++i) s = TryOpen();
  if (!s.ok() && IsInjected(s)) {
    fs_->SetRates(FaultRates());
    s = TryOpen();
  }
  return s;
}

Status Database::SetInPlace() {
  if (flags_.set_in_place_one_in > 0) {
    // The first opening begins with it: what does not go with it is refused at
    // once, not by a later one.
    if (!was_open_) is_turned_in_place_ = !options_.inplace_update_support;
    if (was_open_ && random_.OneIn(flags_.set_in_place_one_in)) {
      is_turned_in_place_ = !is_turned_in_place_;
    }
    was_open_ = true;
    if (is_turned_in_place_) {
      options_.inplace_update_support = !options_.inplace_update_support;
    }
  }
  if (options_.inplace_update_support &&
      (flags_.test_batches_snapshots || flags_.test_cf_consistency ||
       flags_.use_txn)) {
    return Status::InvalidArgument(
        "inplace_update_support",
        "changes what snapshots have shown: impossible with --use_txn, "
        "--test_batches_snapshots and --test_cf_consistency");
  }
  return Status::OK();
}

Status Database::SetServices() {
  if (Status s = range_filters_.Prepare(flags_, &options_); !s.ok()) return s;
  if (flags_.remote_compaction_worker_threads > 0) {
    options_.compaction_service = MakeRemoteCompactions(flags_, options_);
    if (options_.compaction_service == nullptr) {
      return Status::NotSupported("--remote_compaction_worker_threads");
    }
  }
  if (flags_.enable_checksum_handoff) {
    for (const FileType type :
         {kWalFile, kTableFile, kDescriptorFile, kBlobFile}) {
      options_.checksum_handoff_file_types.Add(type);
    }
  }
  if (!flags_.listener_uri.empty()) {
    std::shared_ptr<EventListener> listener;
    ConfigOptions config;
    config.ignore_unsupported_options = false;
    Status s =
        EventListener::CreateFromString(config, flags_.listener_uri, &listener);
    if (!s.ok()) return s;
    options_.listeners.push_back(std::move(listener));
  }
  if (flags_.sst_file_manager_bytes_per_sec > 0) {
    const uint64_t chunk =
        flags_.sst_file_manager_bytes_per_truncate > 0
            ? static_cast<uint64_t>(flags_.sst_file_manager_bytes_per_truncate)
            : uint64_t{64} << 20;
    options_.sst_file_manager.reset(NewSstFileManager(
        env_.get(), nullptr, "", flags_.sst_file_manager_bytes_per_sec,
        /*delete_existing_trash=*/true, nullptr, /*max_trash_db_ratio=*/0.25,
        chunk));
  }
  return Status::OK();
}

Status Database::ListStrangers(std::vector<std::string>* names) const {
  std::vector<std::string> all;
  Status s = DB::ListColumnFamilies(options_, flags_.db, &all);
  // No database yet, or one that only best efforts can open.
  if (!s.ok()) return IsInjected(s) ? s : Status::OK();
  for (const std::string& name : all) {
    if (name.rfind("imported", 0) == 0) names->push_back(name);
  }
  return Status::OK();
}

Status Database::DropStrangers() {
  const auto count = static_cast<size_t>(flags_.column_families);
  const WithoutFaults no_faults;
  Status s;
  while (handles_.size() > count && s.ok()) {
    if (!flags_.read_only) s = db_->DropColumnFamily(handles_.back());
    Status freed = db_->DestroyColumnFamilyHandle(handles_.back());
    handles_.pop_back();
    if (s.ok()) s = freed;
  }
  return s;
}

Status Database::AfterOpen() {
  Status s = DropStrangers();
  if (s.ok()) s = transactions_.EndRecovered(&random_);
  if (!s.ok() || flags_.cut_tables_one_in == 0 || flags_.read_only) return s;
  // For the next opening, see TableCut.
  s = db_->DisableFileDeletions();
  return s.ok() ? TableCut(flags_).NoteTables() : s;
}

Status Database::TryOpen() {
  std::vector<ColumnFamilyDescriptor> families;
  for (size_t i = 0; i < static_cast<size_t>(flags_.column_families); ++i) {
    families.emplace_back(FamilyName(i), ColumnFamilyOptions(options_));
  }
  std::vector<std::string> strangers;
  Status s = ListStrangers(&strangers);
  if (!s.ok()) return s;
  for (const std::string& name : strangers) {
    families.emplace_back(name, ColumnFamilyOptions(options_));
  }
  if (transactions_.is_on()) {
    return transactions_.Open(options_, families, &handles_, &db_);
  }
  DB* db = nullptr;
  s = flags_.read_only
          ? DB::OpenForReadOnly(options_, flags_.db, families, &handles_, &db)
          : DB::Open(options_, flags_.db, families, &handles_, &db);
  db_.reset(db);
  return s;
}

Status Database::MakeDurable() {
  if (flags_.read_only || !flags_.MayLoseWrites()) return Status::OK();
  if (flags_.disable_wal) return db_->Flush(FlushOptions(), handles_);
  return db_->FlushWAL(/*sync=*/true);
}

Status Database::Close() {
  if (db_ == nullptr) return Status::OK();
  Status s = MakeDurable();
  for (ColumnFamilyHandle* handle : handles_) {
    Status freed = db_->DestroyColumnFamilyHandle(handle);
    if (s.ok()) s = freed;
  }
  handles_.clear();
  transactions_.ReleaseSnapshots();
  Status closed = db_->Close();
  transactions_.Close();
  db_.reset();
  return s.ok() ? closed : s;
}

Status Database::RecreateFamily(size_t index) {
  Status s = db_->DropColumnFamily(handles_[index]);
  if (s.ok()) s = db_->DestroyColumnFamilyHandle(handles_[index]);
  if (!s.ok()) return s;
  return db_->CreateColumnFamily(ColumnFamilyOptions(options_),
                                 FamilyName(index), &handles_[index]);
}

Status Database::Resume() {
  std::optional<WithoutFaults> no_faults;
  if (flags_.error_recovery_with_no_fault_injection) no_faults.emplace();
  return db_->Resume();
}

}  // namespace ROCKSDB_NAMESPACE::stress
