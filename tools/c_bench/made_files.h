// Tables that are made beside a database, to be ingested.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/c_bench/database.h"

namespace c_bench {

enum class Source { kKeep, kMove };

// Brings files into the first family, all at once.
void IngestFiles(const Database& database,
                 const std::vector<std::string>& paths, Source source);

// What prepareingestion left in --ingest_dir.
std::vector<std::string> PreparedFiles(const Flags& flags);

}  // namespace c_bench
