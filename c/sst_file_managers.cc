// Managers of the space and the deletion of table files. Not built yet: a
// manager remembers what it is told, and opening a database with it fails.

#include <atomic>
#include <memory>
#include <string>
#include <unordered_map>

#include "c/handles.h"
#include "rocksdb/sst_file_manager.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

class RememberingManager : public SstFileManager {
 public:
  void SetMaxAllowedSpaceUsage(uint64_t max_allowed_space) override {
    max_allowed_space_ = max_allowed_space;
  }
  void SetCompactionBufferSize(uint64_t compaction_buffer_size) override {
    compaction_buffer_size_ = compaction_buffer_size;
  }
  bool IsMaxAllowedSpaceReached() override { return false; }
  bool IsMaxAllowedSpaceReachedIncludingCompactions() override { return false; }
  uint64_t GetTotalSize() override { return 0; }
  std::unordered_map<std::string, uint64_t> GetTrackedFiles() override {
    return {};
  }
  int64_t GetDeleteRateBytesPerSecond() override { return delete_rate_; }
  void SetDeleteRateBytesPerSecond(int64_t delete_rate) override {
    delete_rate_ = delete_rate;
  }
  double GetMaxTrashDBRatio() override { return max_trash_db_ratio_; }
  void SetMaxTrashDBRatio(double ratio) override {
    max_trash_db_ratio_ = ratio;
  }
  uint64_t GetTotalTrashSize() override { return 0; }
  void SetStatisticsPtr(const std::shared_ptr<Statistics>&) override {}

 private:
  std::atomic<uint64_t> max_allowed_space_{0};
  std::atomic<uint64_t> compaction_buffer_size_{0};
  std::atomic<int64_t> delete_rate_{0};
  std::atomic<double> max_trash_db_ratio_{0.25};
};

}  // namespace

extern "C" {

// NULL as `env` is the default one.
rocksdb_sst_file_manager_t* rocksdb_sst_file_manager_create(
    rocksdb_env_t* /*env*/) {
  auto* result = Own<rocksdb_sst_file_manager_t>();
  result->rep = std::make_shared<RememberingManager>();
  return result;
}

void rocksdb_sst_file_manager_destroy(rocksdb_sst_file_manager_t* manager) {
  End(manager);
}

void rocksdb_sst_file_manager_set_max_allowed_space_usage(
    rocksdb_sst_file_manager_t* manager, uint64_t max_allowed_space) {
  manager->rep->SetMaxAllowedSpaceUsage(max_allowed_space);
}

void rocksdb_sst_file_manager_set_compaction_buffer_size(
    rocksdb_sst_file_manager_t* manager, uint64_t compaction_buffer_size) {
  manager->rep->SetCompactionBufferSize(compaction_buffer_size);
}

bool rocksdb_sst_file_manager_is_max_allowed_space_reached(
    rocksdb_sst_file_manager_t* manager) {
  return manager->rep->IsMaxAllowedSpaceReached();
}

bool rocksdb_sst_file_manager_is_max_allowed_space_reached_including_compactions(
    rocksdb_sst_file_manager_t* manager) {
  return manager->rep->IsMaxAllowedSpaceReachedIncludingCompactions();
}

uint64_t rocksdb_sst_file_manager_get_total_size(
    rocksdb_sst_file_manager_t* manager) {
  return manager->rep->GetTotalSize();
}

int64_t rocksdb_sst_file_manager_get_delete_rate_bytes_per_second(
    rocksdb_sst_file_manager_t* manager) {
  return manager->rep->GetDeleteRateBytesPerSecond();
}

void rocksdb_sst_file_manager_set_delete_rate_bytes_per_second(
    rocksdb_sst_file_manager_t* manager, int64_t delete_rate) {
  manager->rep->SetDeleteRateBytesPerSecond(delete_rate);
}

double rocksdb_sst_file_manager_get_max_trash_db_ratio(
    rocksdb_sst_file_manager_t* manager) {
  return manager->rep->GetMaxTrashDBRatio();
}

void rocksdb_sst_file_manager_set_max_trash_db_ratio(
    rocksdb_sst_file_manager_t* manager, double ratio) {
  manager->rep->SetMaxTrashDBRatio(ratio);
}

uint64_t rocksdb_sst_file_manager_get_total_trash_size(
    rocksdb_sst_file_manager_t* manager) {
  return manager->rep->GetTotalTrashSize();
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
