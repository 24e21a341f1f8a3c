#include "tests/testing/golden.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace ROCKSDB_NAMESPACE {

namespace {

std::string FromHex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(
        static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

}  // namespace

std::vector<std::string> UnpackGolden(const std::string& directory) {
  namespace fs = std::filesystem;
  const fs::path source = fs::path(BASALT_SOURCE_DIR) / "../shared/golden";
  std::vector<std::string> names;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(source, absent)) {
    if (entry.path().extension() != ".xz") continue;
    const std::string command =
        "tar -xJf '" + entry.path().string() + "' -C '" + directory + "'";
    if (std::system(command.c_str()) != 0) abort();
  }
  for (const auto& entry :
       fs::directory_iterator(fs::path(directory) / "golden", absent)) {
    if (entry.is_directory()) names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<GoldenEntry> ReadExpected(const std::string& path) {
  std::vector<GoldenEntry> entries;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::vector<std::string> fields;
    std::istringstream fields_of(line);
    for (std::string field; std::getline(fields_of, field, '\t');) {
      fields.push_back(field);
    }
    fields.resize(4);
    entries.push_back(
        {fields[0], FromHex(fields[1]), FromHex(fields[2]), fields[3]});
  }
  return entries;
}

}  // namespace ROCKSDB_NAMESPACE
