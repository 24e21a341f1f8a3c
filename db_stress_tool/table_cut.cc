#include "db_stress_tool/table_cut.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "db_stress_tool/stress_random.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

namespace fs = std::filesystem;

// By number.
std::map<uint64_t, fs::path> TablesOf(const std::string& directory) {
  std::map<uint64_t, fs::path> tables;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    if (entry.path().extension() != ".sst") continue;
    const std::string name = entry.path().stem().string();
    uint64_t number = 0;
    const auto parsed =
        std::from_chars(name.data(), name.data() + name.size(), number);
    if (parsed.ec == std::errc()) tables[number] = entry.path();
  }
  return tables;
}

Status WriteText(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::trunc);
  file << text;
  file.close();
  return file ? Status::OK() : Status::IOError(path, "cannot be written");
}

}  // namespace

std::optional<uint64_t> TableCut::LastToStay() const {
  std::ifstream file(NotePath());
  uint64_t number = 0;
  if (!(file >> number)) return std::nullopt;
  return number;
}

Status TableCut::Forget() const {
  if (!is_on()) return Status::OK();
  std::error_code error;
  fs::remove(NotePath(), error);
  return error ? Status::IOError(NotePath(), error.message()) : Status::OK();
}

Status TableCut::Make() const {
  if (!is_on()) return Status::OK();
  const std::optional<uint64_t> last_to_stay = LastToStay();
  if (Status s = Forget(); !s.ok()) return s;
  std::error_code error;
  StressRandom random(flags_.seed * 31 + 7);
  if (!last_to_stay || !random.OneIn(flags_.cut_tables_one_in)) {
    return Status::OK();
  }
  auto tables = TablesOf(flags_.db);
  tables.erase(tables.begin(), tables.upper_bound(*last_to_stay));
  const size_t most = std::min<size_t>(tables.size(), 3);
  if (most == 0) return Status::OK();
  if (Status s = WriteText(MarkPath(), "1"); !s.ok()) return s;
  for (size_t count = 1 + random.Uniform(most); count > 0; --count) {
    auto table = tables.begin();
    // The newest ones as often as any.
    std::advance(table, random.OneIn(2) ? tables.size() - 1
                                        : random.Uniform(tables.size()));
    printf("Took away %s\n", table->second.c_str());
    if (random.OneIn(2)) {
      fs::remove(table->second, error);
    } else {
      fs::resize_file(table->second, fs::file_size(table->second, error) / 2,
                      error);
    }
    if (error) return Status::IOError(table->second.string(), error.message());
    tables.erase(table);
  }
  fflush(stdout);
  return Status::OK();
}

Status TableCut::NoteTables() const {
  if (!is_on()) return Status::OK();
  std::error_code error;
  fs::create_directories(flags_.expected_values_dir, error);
  const auto tables = TablesOf(flags_.db);
  const uint64_t last = tables.empty() ? 0 : tables.rbegin()->first;
  return WriteText(NotePath(), std::to_string(last));
}

bool TableCut::WasMade() const {
  std::error_code error;
  return has_place() && fs::exists(MarkPath(), error);
}

Status TableCut::Settle() const {
  if (!has_place()) return Status::OK();
  std::error_code error;
  fs::remove(MarkPath(), error);
  return error ? Status::IOError(MarkPath(), error.message()) : Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::stress
