// What a read costs through the C interface beyond one in C++: values of 100
// bytes, from the block cache.
//
//   c_get_cost DIRECTORY [ROUNDS]
//
// Both read the same keys in turns, a batch each, so that whatever disturbs the
// machine disturbs both; the medians of the batches are compared. Fails if
// rocksdb_get() costs more than 50 ns over DB::Get().

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/c.h"
#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/table.h"
#include "tools/common/exit_status.h"

namespace {

constexpr int kKeys = 20000;
constexpr int kReadsOfBatch = 5000;
constexpr double kAllowedNanos = 50;

std::string KeyOf(int i) {
  char key[17];
  snprintf(key, sizeof(key), "key%013d", i);
  return std::string(key, 16);
}

void DieIf(bool is_wrong, const std::string& what) {
  if (!is_wrong) return;
  fprintf(stderr, "c_get_cost: %s\n", what.c_str());
  exit(2);
}

// One way to read, and the nanoseconds of each batch.
struct Way {
  const char* name;
  std::function<bool(const std::string& key)> read;
  std::vector<double> nanos;

  void Batch(const std::vector<std::string>& keys) {
    const auto begin = std::chrono::steady_clock::now();
    bool is_right = true;
    for (const std::string& key : keys) is_right = read(key) && is_right;
    const std::chrono::duration<double, std::nano> took =
        std::chrono::steady_clock::now() - begin;
    DieIf(!is_right, std::string(name) + ": a wrong answer");
    nanos.push_back(took.count() / static_cast<double>(keys.size()));
  }
  double Median() {
    std::sort(nanos.begin(), nanos.end());
    return nanos[nanos.size() / 2];
  }
};

// Fills the database at `path` and compacts it into one level.
void Fill(rocksdb_t* db) {
  char* err = nullptr;
  const std::string value(100, 'v');
  rocksdb_writeoptions_t* options = rocksdb_writeoptions_create();
  for (int i = 0; i < kKeys; ++i) {
    const std::string key = KeyOf(i);
    rocksdb_put(db, options, key.data(), key.size(), value.data(), value.size(),
                &err);
    DieIf(err != nullptr, "cannot write");
  }
  rocksdb_writeoptions_destroy(options);
  rocksdb_compact_range(db, nullptr, 0, nullptr, 0);
}

rocksdb_options_t* NewOptions() {
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_block_based_table_options_t* table =
      rocksdb_block_based_options_create();
  rocksdb_cache_t* cache = rocksdb_cache_create_lru(256 << 20);
  rocksdb_block_based_options_set_block_cache(table, cache);
  rocksdb_block_based_options_set_filter_policy(
      table, rocksdb_filterpolicy_create_bloom(10));
  rocksdb_options_set_block_based_table_factory(options, table);
  rocksdb_cache_destroy(cache);
  rocksdb_block_based_options_destroy(table);
  return options;
}

// The same options, for a database opened in C++.
rocksdb::Options SameOptions() {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(256 << 20);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  rocksdb::Options options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

std::vector<Way> WaysOfC(rocksdb_t* db, rocksdb_readoptions_t* options) {
  const auto get = [db, options](const std::string& key) {
    char* err = nullptr;
    size_t size = 0;
    char* value = rocksdb_get(db, options, key.data(), key.size(), &size, &err);
    rocksdb_free(value);
    return size == 100;
  };
  const auto pinned = [db, options](const std::string& key) {
    char* err = nullptr;
    size_t size = 0;
    rocksdb_pinnableslice_t* value =
        rocksdb_get_pinned(db, options, key.data(), key.size(), &err);
    (void)rocksdb_pinnableslice_value(value, &size);
    rocksdb_pinnableslice_destroy(value);
    return size == 100;
  };
  return {{"rocksdb_get", get, {}}, {"rocksdb_get_pinned", pinned, {}}};
}

std::vector<Way> WaysOfCpp(rocksdb::DB* db) {
  const auto get = [db](const std::string& key) {
    std::string value;
    return db->Get(rocksdb::ReadOptions(), key, &value).ok() &&
           value.size() == 100;
  };
  const auto pinned = [db](const std::string& key) {
    rocksdb::PinnableSlice value;
    return db->Get(rocksdb::ReadOptions(), db->DefaultColumnFamily(), key,
                   &value)
               .ok() &&
           value.size() == 100;
  };
  return {{"DB::Get", get, {}}, {"DB::Get, pinned", pinned, {}}};
}

void Measure(int rounds, std::vector<Way>* ways) {
  std::mt19937 random(301);
  std::vector<std::string> keys(kReadsOfBatch);
  for (int round = 0; round < rounds; ++round) {
    for (std::string& key : keys) {
      key = KeyOf(static_cast<int>(random() % kKeys));
    }
    // Each way begins as often as another one.
    for (size_t i = 0; i < ways->size(); ++i) {
      (*ways)[(i + static_cast<size_t>(round)) % ways->size()].Batch(keys);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  DieIf(argc < 2, "c_get_cost DIRECTORY [ROUNDS]");
  const int rounds = argc > 2 ? std::max(atoi(argv[2]), 1) : 200;
  char* err = nullptr;
  // Two databases of the same content: one opened in C, one in C++.
  const std::string c_path = std::string(argv[1]) + "/c";
  const std::string cpp_path = std::string(argv[1]) + "/cpp";
  rocksdb_options_t* options = NewOptions();
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  for (const std::string& path : {c_path, cpp_path}) {
    std::filesystem::create_directories(path);
    rocksdb_t* db = rocksdb_open(options, path.c_str(), &err);
    DieIf(db == nullptr, "cannot open " + path);
    Fill(db);
    rocksdb_close(db);
  }
  rocksdb_t* c_db = rocksdb_open(options, c_path.c_str(), &err);
  std::unique_ptr<rocksdb::DB> cpp_db;
  const rocksdb::Status s = rocksdb::DB::Open(SameOptions(), cpp_path, &cpp_db);
  DieIf(c_db == nullptr || !s.ok(), "cannot open again");
  std::vector<Way> ways = WaysOfCpp(cpp_db.get());
  for (Way& way : WaysOfC(c_db, read)) ways.push_back(std::move(way));
  Measure(10, &ways);  // The caches fill.
  for (Way& way : ways) way.nanos.clear();
  Measure(rounds, &ways);
  for (Way& way : ways) printf("%-20s %8.1f ns\n", way.name, way.Median());
  const double more = ways[2].Median() - ways[0].Median();
  printf("C over C++           %+8.1f ns, pinned %+.1f ns; allowed: %.0f ns\n",
         more, ways[3].Median() - ways[1].Median(), kAllowedNanos);
  rocksdb_readoptions_destroy(read);
  rocksdb_close(c_db);
  rocksdb_options_destroy(options);
  return tools::ExitStatus(more <= kAllowedNanos ? 0 : 1);
}
