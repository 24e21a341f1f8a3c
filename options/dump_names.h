// Names in a log: "title: a, b, c", in their order.
//
// Threads  Those of the logger.
#pragma once

#include <string>
#include <unordered_set>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class Logger;

// Does nothing without a logger.
void LogNames(Logger* logger, const std::string& title,
              const std::unordered_set<std::string>& names);

}  // namespace ROCKSDB_NAMESPACE
