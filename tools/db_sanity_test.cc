// db_sanity_test: writes databases of several kinds into a directory, or finds
// them there again: `create` by one build and `verify` by another tell whether
// the second reads what the first wrote.

#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/options.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"
#include "rocksdb/version.h"
#include "tools/common/exit_status.h"

namespace {

namespace rdb = ROCKSDB_NAMESPACE;

constexpr int kKeys = 20000;

std::string KeyOf(int number) {
  char text[32];
  std::snprintf(text, sizeof text, "key%010d", number);
  return text;
}

std::string ValueOf(int number) {
  // Lengths from none on, of text that can be compressed.
  return std::string(static_cast<size_t>(number % 97), 'v') +
         std::to_string(number * 7919LL);
}

// Bytewise, but backwards, under a name of its own.
class BackwardComparator final : public rdb::Comparator {
 public:
  const char* Name() const override { return "db_sanity_test.Backward"; }
  int Compare(const rdb::Slice& a, const rdb::Slice& b) const override {
    return -a.compare(b);
  }
  void FindShortestSeparator(std::string*, const rdb::Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

struct SanityKind {
  const char* name;
  std::function<void(rdb::Options*)> prepare;
};

void UseCompression(rdb::CompressionType type, uint32_t format_version,
                    rdb::Options* options) {
  rdb::BlockBasedTableOptions table;
  if (format_version != 0) table.format_version = format_version;
  options->table_factory.reset(rdb::NewBlockBasedTableFactory(table));
  options->compression = type;
}

void UsePlainTables(rdb::Options* options) {
  options->allow_mmap_reads = true;
  options->prefix_extractor.reset(rdb::NewFixedPrefixTransform(8));
  options->table_factory.reset(rdb::NewPlainTableFactory());
}

void UseBloomFilters(rdb::Options* options) {
  rdb::BlockBasedTableOptions table;
  table.filter_policy.reset(rdb::NewBloomFilterPolicy(10));
  options->table_factory.reset(rdb::NewBlockBasedTableFactory(table));
}

std::vector<SanityKind> SanityKinds() {
  static const BackwardComparator backward;
  const auto compressed = [](rdb::CompressionType type, uint32_t version) {
    return [type, version](rdb::Options* options) {
      UseCompression(type, version, options);
    };
  };
  return {
      {"Basic", [](rdb::Options*) {}},
      {"SpecialComparator",
       [](rdb::Options* options) { options->comparator = &backward; }},
      {"Zlib", compressed(rdb::kZlibCompression, 0)},
      {"ZlibVersion2", compressed(rdb::kZlibCompression, 2)},
      {"LZ4", compressed(rdb::kLZ4Compression, 0)},
      {"LZ4HC", compressed(rdb::kLZ4HCCompression, 0)},
      {"ZSTD", compressed(rdb::kZSTD, 0)},
      {"PlainTable", &UsePlainTables},
      {"BloomFilter", &UseBloomFilters},
  };
}

rdb::Status CreateDatabase(const rdb::Options& options,
                           const std::string& path) {
  rdb::Status s = rdb::DestroyDB(path, options);
  if (!s.ok()) return s;
  rdb::DB* opened = nullptr;
  s = rdb::DB::Open(options, path, &opened);
  if (!s.ok()) return s;
  const std::unique_ptr<rdb::DB> db(opened);
  for (int i = 0; i < kKeys && s.ok(); ++i) {
    s = db->Put(rdb::WriteOptions(), KeyOf(i), ValueOf(i));
  }
  if (s.ok()) s = db->Flush(rdb::FlushOptions());
  return s.ok() ? db->Close() : s;
}

rdb::Status VerifyDatabase(const rdb::Options& options,
                           const std::string& path) {
  rdb::DB* opened = nullptr;
  rdb::Status s = rdb::DB::OpenForReadOnly(options, path, &opened);
  if (!s.ok()) return s;
  const std::unique_ptr<rdb::DB> db(opened);
  for (int i = 0; i < kKeys; ++i) {
    std::string value;
    s = db->Get(rdb::ReadOptions(), KeyOf(i), &value);
    if (!s.ok()) return s;
    if (value != ValueOf(i))
      return rdb::Status::Corruption("wrong value", KeyOf(i));
  }
  rdb::ReadOptions all;
  all.total_order_seek = true;
  const std::unique_ptr<rdb::Iterator> it(db->NewIterator(all));
  int count = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
  s = it->status();
  if (s.ok() && count != kKeys) {
    s = rdb::Status::Corruption("expected " + std::to_string(kKeys) + " keys",
                                "found " + std::to_string(count));
  }
  return s;
}

int Usage(const char* program) {
  std::fprintf(stderr, "USAGE: %s <path> [create|verify]\n", program);
  return 1;
}

int Version() {
  std::printf("db_sanity_test version %s\n",
              rdb::GetRocksVersionAsString().c_str());
  return tools::ExitStatus(0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--version") return Version();
  if (argc != 3) return Usage(argv[0]);
  const std::string command = argv[2];
  const bool creates = command == "create";
  if (!creates && command != "verify") return Usage(argv[0]);
  const std::string directory = argv[1];
  rdb::Status s = rdb::Env::Default()->CreateDirIfMissing(directory);
  if (!s.ok()) {
    std::fprintf(stderr, "%s: %s\n", directory.c_str(), s.ToString().c_str());
    return 1;
  }
  std::fprintf(stderr, creates ? "Creating...\n" : "Verifying...\n");
  bool is_sane = true;
  for (const SanityKind& kind : SanityKinds()) {
    rdb::Options options;
    options.create_if_missing = true;
    kind.prepare(&options);
    const std::string path = directory + "/" + kind.name;
    s = creates ? CreateDatabase(options, path) : VerifyDatabase(options, path);
    std::fprintf(stderr, "%s -- %s\n", kind.name, s.ok() ? "OK" : "FAIL");
    if (!s.ok()) std::fprintf(stderr, "  %s\n", s.ToString().c_str());
    is_sane = is_sane && s.ok();
  }
  return is_sane ? 0 : 1;
}
