#include "tools/c_bench/made_files.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "tools/c_bench/benchmarks.h"
#include "tools/c_bench/keys.h"
#include "tools/c_bench/text.h"
#include "tools/c_bench/worker.h"

namespace c_bench {

namespace {

constexpr uint64_t kPreparedFileBytes = 64 << 20;

// Which keys a table gets: `count` of them, `step` apart.
struct KeyRun {
  uint64_t first = 0;
  uint64_t count = 0;
  uint64_t step = 1;
};

void MakeFile(const Database& database, const std::string& path,
              const KeyRun& run) {
  const Flags& flags = database.flags();
  rocksdb_envoptions_t* files = rocksdb_envoptions_create();
  rocksdb_sstfilewriter_t* writer =
      rocksdb_sstfilewriter_create(files, database.options());
  char* error = nullptr;
  rocksdb_sstfilewriter_open(writer, path.c_str(), &error);
  Check(error, path);
  std::string key(flags.Number("key_size"), '0');
  Values values(flags.Number("value_size"), run.first + 1);
  for (uint64_t i = 0; i < run.count; ++i) {
    SetKey(run.first + i * run.step, &key);
    rocksdb_sstfilewriter_put(writer, key.data(), key.size(), values.Next(),
                              values.size(), &error);
    Check(error, path);
  }
  rocksdb_sstfilewriter_finish(writer, &error);
  Check(error, path);
  rocksdb_sstfilewriter_destroy(writer);
  rocksdb_envoptions_destroy(files);
}

std::string FileName(const std::string& directory, uint64_t number) {
  return directory + Text("/%08llu.sst", Printed(number));
}

}  // namespace

void IngestFiles(const Database& database,
                 const std::vector<std::string>& paths, Source source) {
  rocksdb_ingestexternalfileoptions_t* options =
      rocksdb_ingestexternalfileoptions_create();
  rocksdb_ingestexternalfileoptions_set_move_files(options,
                                                   source == Source::kMove);
  std::vector<const char*> names;
  for (const std::string& path : paths) names.push_back(path.c_str());
  char* error = nullptr;
  rocksdb_ingest_external_file_cf(database.db(), database.Family(0),
                                  names.data(), names.size(), options, &error);
  Check(error, "ingestion");
  rocksdb_ingestexternalfileoptions_destroy(options);
}

std::vector<std::string> PreparedFiles(const Flags& flags) {
  std::vector<std::string> paths;
  const std::string& directory = flags.Value("ingest_dir");
  if (directory.empty()) Fail("--ingest_dir is needed");
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(directory, error)) {
    paths.push_back(entry.path());
  }
  if (error || paths.empty()) Fail("no tables in " + directory);
  std::sort(paths.begin(), paths.end());
  return paths;
}

// Each file has its part of all keys, so that it lies over much of the tree.
void PrepareIngestion(const std::string& name, Database* database) {
  const Flags& flags = database->flags();
  const std::string& directory = flags.Value("ingest_dir");
  if (directory.empty()) Fail("--ingest_dir is needed");
  std::filesystem::create_directories(directory);
  const uint64_t keys = flags.Number("num");
  const uint64_t entry = flags.Number("key_size") + flags.Number("value_size");
  const uint64_t bytes = flags.Number("ingest_bytes");
  const uint64_t files =
      std::clamp<uint64_t>(bytes / kPreparedFileBytes, 1, keys);
  const uint64_t share = keys / files;
  const uint64_t count = std::clamp<uint64_t>(bytes / files / entry, 1, share);
  for (uint64_t i = 0; i < files; ++i) {
    MakeFile(*database, FileName(directory, i),
             {.first = i * share, .count = count, .step = share / count});
  }
  printf("%-12s : %llu files of %llu keys\n", name.c_str(), Printed(files),
         Printed(count));
}

// A database of --files tables that do not overlap, without a compaction.
void FillFiles(const std::string& name, Database* database) {
  const Flags& flags = database->flags();
  const uint64_t keys = flags.Number("num");
  const uint64_t files = std::min<uint64_t>(flags.Number("files"), keys);
  const std::string directory = database->path() + ".made";
  std::filesystem::create_directories(directory);
  const uint64_t begin = NowNanos();
  std::vector<std::string> paths;
  for (uint64_t i = 0; i < files; ++i) {
    const uint64_t first = i * keys / files;
    paths.push_back(FileName(directory, i));
    MakeFile(*database, paths.back(),
             {.first = first, .count = (i + 1) * keys / files - first});
  }
  IngestFiles(*database, paths, Source::kMove);
  std::filesystem::remove_all(directory);
  printf("%-12s : %llu files of %llu keys in %.3f seconds\n", name.c_str(),
         Printed(files), Printed(keys),
         static_cast<double>(NowNanos() - begin) / 1e9);
}

}  // namespace c_bench
