// A database and a directory of its backups.
#pragma once

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/utilities/backup_engine.h"
#include "tests/db/impl/families_fixture.h"

namespace ROCKSDB_NAMESPACE {

// Ends a thread that looks at `stops`, whatever becomes of the test.
class StopAndJoin {
 public:
  StopAndJoin(std::atomic<bool>* stops, std::thread* thread)
      : stops_(stops), thread_(thread) {}
  ~StopAndJoin() {
    stops_->store(true);
    thread_->join();
  }
  StopAndJoin(const StopAndJoin&) = delete;
  StopAndJoin& operator=(const StopAndJoin&) = delete;

 private:
  std::atomic<bool>* const stops_;
  std::thread* const thread_;
};

class BackupFixture : public FamiliesFixture {
 protected:
  BackupFixture()
      : root_(directory_.path() + "/backup"),
        restored_(directory_.path() + "/restored"),
        backup_options_(root_) {
    options_.disable_auto_compactions = true;
  }
  ~BackupFixture() override {
    engine_.reset();
    other_.reset();
  }

  IOStatus TryOpenEngine() {
    engine_.reset();
    BackupEngine* engine = nullptr;
    IOStatus s = BackupEngine::Open(backup_options_, options_.env, &engine);
    engine_.reset(engine);
    return s;
  }
  void OpenEngine() { ASSERT_OK(TryOpenEngine()); }
  std::unique_ptr<BackupEngineReadOnly> OpenReader(IOStatus* s) {
    BackupEngineReadOnly* engine = nullptr;
    *s = BackupEngineReadOnly::Open(backup_options_, options_.env, &engine);
    return std::unique_ptr<BackupEngineReadOnly>(engine);
  }
  IOStatus Create(const CreateBackupOptions& options = CreateBackupOptions()) {
    return engine_->CreateNewBackup(options, db_.get());
  }

  // What the database at `path` holds, or the error.
  std::string ScanAt(const std::string& path, bool read_only = false,
                     Env* env = nullptr) {
    other_.reset();
    Options options = options_;
    options.create_if_missing = false;
    if (env != nullptr) options.env = env;
    const Status s = read_only ? DB::OpenForReadOnly(options, path, &other_)
                               : DB::Open(options, path, &other_);
    if (!s.ok()) return s.ToString();
    std::string text;
    {
      const std::unique_ptr<Iterator> it(other_->NewIterator(ReadOptions()));
      for (it->SeekToFirst(); it->Valid(); it->Next()) {
        text += it->key().ToString() + "=" + it->value().ToString() + " ";
      }
      if (!it->status().ok()) text = it->status().ToString();
    }
    other_.reset();
    return text;
  }
  // Restores and scans.
  std::string ScanRestored(BackupID id,
                           const RestoreOptions& options = RestoreOptions()) {
    const IOStatus s =
        engine_->RestoreDBFromBackup(options, id, restored_, restored_);
    return s.ok() ? ScanAt(restored_) : s.ToString();
  }

  static std::vector<std::string> NamesIn(const std::string& directory) {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry :
         std::filesystem::directory_iterator(directory, error)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  std::vector<std::string> Below(const std::string& name) const {
    return NamesIn(root_ + "/" + name);
  }
  std::vector<BackupID> ValidIds() const {
    std::vector<BackupInfo> infos;
    engine_->GetBackupInfo(&infos);
    std::vector<BackupID> ids;
    for (const BackupInfo& info : infos) ids.push_back(info.backup_id);
    return ids;
  }
  std::vector<BackupID> DamagedIds() const {
    std::vector<BackupID> ids;
    engine_->GetCorruptedBackups(&ids);
    return ids;
  }
  static std::string ReadAll(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void WriteAll(const std::string& path, const std::string& bytes) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << bytes;
  }
  static void FlipByte(const std::string& path, size_t at) {
    std::string bytes = ReadAll(path);
    ASSERT_LT(at, bytes.size()) << path;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x40);
    WriteAll(path, bytes);
  }

  const std::string root_;
  const std::string restored_;
  BackupEngineOptions backup_options_;
  std::unique_ptr<BackupEngine> engine_;
  std::unique_ptr<DB> other_;
};

}  // namespace ROCKSDB_NAMESPACE
