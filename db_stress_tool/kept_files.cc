#include "db_stress_tool/kept_files.h"

#include <filesystem>
#include <vector>

namespace ROCKSDB_NAMESPACE::stress {

namespace {

namespace fs = std::filesystem;

constexpr char kName[] = "unverified";

Status StatusOf(const std::string& directory, const std::error_code& error) {
  return error ? Status::IOError(directory, error.message()) : Status::OK();
}

void KeepFile(const fs::path& file, const fs::path& to,
              std::error_code* error) {
  const fs::path kind = file.extension();
  if (kind == ".sst" || kind == ".blob") {
    fs::create_hard_link(file, to, *error);
    if (!*error) return;
  }
  fs::copy_file(file, to, *error);
}

Status Remove(const std::string& directory) {
  std::error_code error;
  fs::remove_all(fs::path(directory) / kName, error);
  return StatusOf(directory, error);
}

Status KeepDirectory(const std::string& directory) {
  Status s = Remove(directory);
  if (!s.ok() || !fs::exists(directory)) return s;
  const fs::path to = fs::path(directory) / kName;
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  if (!error) fs::create_directory(to, error);
  for (const fs::path& file : files) {
    if (!error) KeepFile(file, to / file.filename(), &error);
  }
  return StatusOf(directory, error);
}

}  // namespace

Status KeptFiles::Keep() const {
  if (!flags_.preserve_unverified_changes) return Status::OK();
  Status s = KeepDirectory(flags_.db);
  if (!s.ok() || flags_.expected_values_dir.empty()) return s;
  return KeepDirectory(flags_.expected_values_dir);
}

Status KeptFiles::Drop() const {
  if (!flags_.preserve_unverified_changes) return Status::OK();
  Status s = Remove(flags_.db);
  if (!s.ok() || flags_.expected_values_dir.empty()) return s;
  return Remove(flags_.expected_values_dir);
}

}  // namespace ROCKSDB_NAMESPACE::stress
