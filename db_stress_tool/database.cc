#include "db_stress_tool/database.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <sstream>

#include "db_stress_tool/engine_options.h"
#include "rocksdb/env.h"

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

Database::Database(const Flags& flags) : flags_(flags) {
  StressFileSystem::Settings settings;
  settings.seed = flags.seed;
  settings.kill_one_in = flags.kill_random_test;
  settings.kill_excludes = Split(flags.kill_exclude_prefixes);
  settings.kill_path_contains = flags.kill_path_contains;
  settings.loses_unsynced = flags.sync_fault_injection;
  settings.spares_logs = flags.exclude_wal_from_write_fault_injection;
  fs_ = std::make_shared<StressFileSystem>(FileSystem::Default(), settings);
  env_ = NewCompositeEnv(fs_);
  if (flags.num_bottom_pri_threads > 0) {
    env_->SetBackgroundThreads(static_cast<int>(flags.num_bottom_pri_threads),
                               Env::Priority::BOTTOM);
  }
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
  const WithoutFaults no_faults;
  Options options;
  options.env = env_.get();
  return DestroyDB(flags_.db, options);
}

void Database::SetRunRates() {
  fs_->SetRates({flags_.read_fault_one_in, flags_.write_fault_one_in,
                 flags_.metadata_read_fault_one_in,
                 flags_.metadata_write_fault_one_in});
}

Status Database::Open() {
  Status s = MakeEngineOptions(flags_, &options_);
  if (!s.ok()) return s;
  options_.env = env_.get();
  const FaultRates rates{flags_.open_read_fault_one_in,
                         flags_.open_write_fault_one_in,
                         flags_.open_metadata_read_fault_one_in,
                         flags_.open_metadata_write_fault_one_in};
  fs_->SetRates(rates);
  s = TryOpen();
  for (int i = 0; i < 10 && !s.ok() && IsInjected(s); ++i) s = TryOpen();
  if (!s.ok() && IsInjected(s)) {
    fs_->SetRates(FaultRates());
    s = TryOpen();
  }
  SetRunRates();
  return s;
}

Status Database::TryOpen() {
  std::vector<ColumnFamilyDescriptor> families;
  for (size_t i = 0; i < static_cast<size_t>(flags_.column_families); ++i) {
    families.emplace_back(FamilyName(i), ColumnFamilyOptions(options_));
  }
  DB* db = nullptr;
  Status s =
      flags_.read_only
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
  Status closed = db_->Close();
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
