// Where the memory of a database is (GetMemoryReport()).
//
// Threads    Any; takes the DB mutex for what the families hold.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/observation.h"

namespace ROCKSDB_NAMESPACE {

struct Observed;

MemoryReport ReportMemory(const Observed& observed);

// The parts and the total, with their names.
std::vector<std::pair<std::string, uint64_t>> PartsOf(
    const MemoryReport& report);

}  // namespace ROCKSDB_NAMESPACE
