// The golden databases: directories that RocksDB releases wrote, each with
// what a reader must see.
//
// They lie beside the source tree, in ../shared/golden; where that folder is
// absent, tests say so and pass.
#pragma once

#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

struct GoldenEntry {
  std::string family;  // in databases `*_udt`: family@timestamp
  std::string key;
  std::string value;
  // In databases `*_entity`: name=value, in hex, as the file has it.
  std::string columns;
  bool operator==(const GoldenEntry&) const = default;
};

// Unpacks every archive into `directory`; the names of the databases there,
// or none if the archives are absent.
std::vector<std::string> UnpackGolden(const std::string& directory);

// The content of NAME.expected.tsv.
std::vector<GoldenEntry> ReadExpected(const std::string& path);

}  // namespace ROCKSDB_NAMESPACE
