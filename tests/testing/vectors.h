// The example files that RocksDB wrote, beside the source tree in
// ../shared/spec/vectors; where that folder is absent, tests say so and pass.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// The path of an example, or "" if it is absent.
inline std::string VectorPath(const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(BASALT_SOURCE_DIR) /
                                     "../shared/spec/vectors" / name;
  return std::filesystem::exists(path) ? path.string() : "";
}

inline std::string BytesOfFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace ROCKSDB_NAMESPACE
