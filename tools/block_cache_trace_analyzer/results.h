// What block_cache_trace_analyzer finds, in files and on its standard output.
#pragma once

#include <vector>

#include "rocksdb/status.h"
#include "tools/block_cache_trace_analyzer/access.h"
#include "tools/block_cache_trace_analyzer/settings.h"

namespace tools {

using Accesses = std::vector<BlockAccessText>;

// Families, files, blocks and accesses, and what of them is of which kind.
void PrintSummary(const Accesses& accesses);
// What the settings ask for beside it.
void PrintBlocks(const Accesses& accesses,
                 const BlockCacheAnalyzerSettings& settings);

// IOError names the file.
ROCKSDB_NAMESPACE::Status WriteSimulation(
    const Accesses& accesses, const BlockCacheAnalyzerSettings& settings);
// What is asked for of these; nothing where no label is.
ROCKSDB_NAMESPACE::Status WriteReuseWindows(
    const Accesses& accesses, const BlockCacheAnalyzerSettings& settings);
ROCKSDB_NAMESPACE::Status WriteLocality(
    const Accesses& accesses, const BlockCacheAnalyzerSettings& settings);
ROCKSDB_NAMESPACE::Status WriteCorrelation(
    const Accesses& accesses, const BlockCacheAnalyzerSettings& settings);
ROCKSDB_NAMESPACE::Status WriteResults(
    const Accesses& accesses, const BlockCacheAnalyzerSettings& settings);

}  // namespace tools
