// docs/options.md: the page that lists every option, made from the rows.
//
// Threads  Pure function.
#pragma once

#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// The page as Markdown. The same in every build.
std::string OptionReferencePage();

}  // namespace ROCKSDB_NAMESPACE
