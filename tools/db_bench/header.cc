#include "tools/db_bench/header.h"

#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <string>

#include "rocksdb/memtablerep.h"
#include "tools/db_bench/engine.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/format.h"
#include "tools/db_bench/option_flags.h"
#include "tools/db_bench/values.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr double kMebibyte = 1048576.0;

std::string Trim(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\n") + 1 - first);
}

std::string NameOf(CompressionType type) {
  static const std::map<CompressionType, std::string> names = {
      {kNoCompression, "NoCompression"}, {kSnappyCompression, "Snappy"},
      {kZlibCompression, "Zlib"},        {kBZip2Compression, "BZip2"},
      {kLZ4Compression, "LZ4"},          {kLZ4HCCompression, "LZ4HC"},
      {kXpressCompression, "Xpress"},    {kZSTD, "ZSTD"},
  };
  const auto name = names.find(type);
  return name == names.end() ? "unknown" : name->second;
}

void PrintMachine() {
  const time_t now = time(nullptr);
  fprintf(stderr, "%sDate:       %s", EngineVersion().c_str(), ctime(&now));
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::string model;
  std::string cache;
  int processors = 0;
  for (std::string line; std::getline(cpuinfo, line);) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string name = Trim(line.substr(0, colon));
    const std::string value = Trim(line.substr(colon + 1));
    if (name == "model name") {
      ++processors;
      model = value;
    } else if (name == "cache size") {
      cache = value;
    }
  }
  if (processors == 0) return;
  fprintf(stderr, "CPU:        %d * %s\n", processors, model.c_str());
  fprintf(stderr, "CPUCache:   %s\n", cache.c_str());
}

// How the options come about, as RocksDB's says it.
void PrintOptionSources() {
  printf(
      "Initializing RocksDB Options from the specified file\n"
      "Initializing RocksDB Options from command-line flags\n"
      "Integrated BlobDB: blob cache ");
  if (!FLAGS_use_blob_cache) {
    printf("disabled\n");
    return;
  }
  printf("enabled, block and blob caches shared: %d",
         FLAGS_use_shared_block_and_blob_cache ? 1 : 0);
  if (!FLAGS_use_shared_block_and_blob_cache) {
    printf(", blob cache size %llu, blob cache num shard bits: %d",
           Printable(FLAGS_blob_cache_size), FLAGS_blob_cache_numshardbits);
  }
  printf(", blob cache prepopulated: %d\n", FLAGS_prepopulate_blob_cache);
}

void PrintData() {
  const double keys = static_cast<double>(FLAGS_num);
  const double value_size = ValueShape::FromFlags().AverageSize();
  const double compressed = value_size * FLAGS_compression_ratio;
  printf("Keys:       %d bytes each (+ %d bytes user-defined timestamp)\n",
         FLAGS_key_size, FLAGS_user_timestamp_size);
  printf("Values:     %d bytes each (%d bytes after compression)\n",
         static_cast<int>(value_size), static_cast<int>(compressed + 0.5));
  printf("Entries:    %lld\n", static_cast<long long>(FLAGS_num));
  printf("Prefix:    %d bytes\n", FLAGS_prefix_size);
  printf("Keys per prefix:    %lld\n",
         static_cast<long long>(FLAGS_keys_per_prefix));
  printf("RawSize:    %.1f MB (estimated)\n",
         keys * (FLAGS_key_size + value_size) / kMebibyte);
  printf("FileSize:   %.1f MB (estimated)\n",
         keys * (FLAGS_key_size + compressed) / kMebibyte);
}

}  // namespace

void PrintHeader(const Options& options) {
  PrintMachine();
  PrintOptionSources();
  PrintData();
  printf("Write rate: %llu bytes/second\n",
         Printable(FLAGS_benchmark_write_rate_limit));
  printf("Read rate: %llu ops/second\n",
         Printable(FLAGS_benchmark_read_rate_limit));
  printf("Compression: %s\n", NameOf(options.compression).c_str());
  printf("Compression sampling rate: %llu\n",
         Printable(options.sample_for_compression));
  printf("Memtablerep: %s\n", options.memtable_factory->Name());
  printf("Perf Level: %d\n", FLAGS_perf_level);
#ifndef NDEBUG
  printf("WARNING: Assertions are enabled; benchmarks unnecessarily slow\n");
#endif
  printf("------------------------------------------------\n");
  fflush(stdout);
}

}  // namespace ROCKSDB_NAMESPACE::bench
