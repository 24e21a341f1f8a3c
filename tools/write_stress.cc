// write_stress: writes keys whose beginnings change as time passes, while
// iterators are held for long, and looks at the end whether the directory has
// just the files that the database knows. Made to be killed and started again
// on the same database.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/metadata.h"
#include "rocksdb/options.h"
#include "tools/common/flags.h"
#include "tools/db_bench/random.h"

namespace {

namespace rdb = ROCKSDB_NAMESPACE;
using rdb::bench::Random;

struct Settings {
  int key_size = 10;
  int value_size = 100;
  std::string db;
  bool destroy_db = true;
  int runtime_sec = 600;
  int seed = 139;
  double prefix_mutate_period_sec = 1.0;
  double first_char_mutate_probability = 0.1;
  double second_char_mutate_probability = 0.2;
  double third_char_mutate_probability = 0.5;
  int iterator_hold_sec = 5;
  double sync_probability = 0.01;
  bool delete_obsolete_files_with_fullscan = false;
  bool low_open_files_mode = false;
};

constexpr size_t kPrefixBytes = 3;

[[noreturn]] void FailNow(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

char Letter(Random* random) {
  return static_cast<char>('a' + random->Below(26));
}

class WriteStress {
 public:
  WriteStress(const Settings& settings, rdb::DB* db)
      : settings_(settings), db_(*db) {}

  void Run() {
    std::thread writer([this] { Write(); });
    std::thread mutator([this] { MutatePrefix(); });
    std::thread reader([this] { HoldIterators(); });
    const auto start = std::chrono::steady_clock::now();
    while (settings_.runtime_sec < 0 ||
           std::chrono::steady_clock::now() - start <
               std::chrono::seconds(settings_.runtime_sec)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    is_over_.store(true);
    writer.join();
    mutator.join();
    reader.join();
  }

 private:
  std::string Prefix() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return prefix_;
  }
  void Write() {
    Random random(static_cast<uint64_t>(settings_.seed));
    while (!is_over_.load()) {
      std::string key = Prefix();
      while (key.size() < static_cast<size_t>(settings_.key_size)) {
        key.push_back(Letter(&random));
      }
      const std::string value(static_cast<size_t>(settings_.value_size),
                              Letter(&random));
      rdb::WriteOptions write;
      write.sync = random.Fraction() < settings_.sync_probability;
      const rdb::Status s = db_.Put(write, key, value);
      if (!s.ok()) FailNow("a write failed: " + s.ToString());
    }
  }
  void MutatePrefix() {
    Random random(static_cast<uint64_t>(settings_.seed) + 1);
    const double probabilities[kPrefixBytes] = {
        settings_.first_char_mutate_probability,
        settings_.second_char_mutate_probability,
        settings_.third_char_mutate_probability};
    while (Rest(settings_.prefix_mutate_period_sec)) {
      const std::lock_guard<std::mutex> lock(mutex_);
      for (size_t i = 0; i < kPrefixBytes; ++i) {
        if (random.Fraction() < probabilities[i]) prefix_[i] = Letter(&random);
      }
    }
  }
  void HoldIterators() {
    Random random(static_cast<uint64_t>(settings_.seed) + 2);
    do {
      const std::unique_ptr<rdb::Iterator> it(
          db_.NewIterator(rdb::ReadOptions()));
      it->SeekToFirst();
      const std::string start(1, Letter(&random));
      for (it->Seek(start); it->Valid() && !is_over_.load(); it->Next()) {
        if (random.Below(100) == 0) break;
      }
      Rest(settings_.iterator_hold_sec);
      // What it held is read on.
      for (int i = 0; i < 100 && it->Valid(); ++i) it->Next();
      if (!it->status().ok()) {
        FailNow("an iterator failed: " + it->status().ToString());
      }
    } while (!is_over_.load());
  }
  // False: the run is over.
  bool Rest(double seconds) {
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::duration<double>(seconds);
    while (!is_over_.load() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return !is_over_.load();
  }

  const Settings settings_;
  rdb::DB& db_;
  std::atomic<bool> is_over_{false};
  std::mutex mutex_;
  std::string prefix_ = "aaa";  // guarded by mutex_
};

// The directory has the tables that the database knows, and no other.
bool HasItsFiles(rdb::DB* db, const std::string& path) {
  rdb::WaitForCompactOptions wait;
  wait.flush = true;
  wait.wait_for_purge = true;
  rdb::Status s = db->WaitForCompact(wait);
  std::vector<std::string> children;
  if (s.ok()) s = rdb::Env::Default()->GetChildren(path, &children);
  if (!s.ok()) {
    std::fprintf(stderr, "%s\n", s.ToString().c_str());
    return false;
  }
  std::set<std::string> there, known;
  for (const std::string& name : children) {
    if (name.size() > 4 && name.substr(name.size() - 4) == ".sst") {
      there.insert("/" + name);
    }
  }
  std::vector<rdb::LiveFileMetaData> files;
  db->GetLiveFilesMetaData(&files);
  for (const rdb::LiveFileMetaData& file : files) known.insert(file.name);
  for (const std::string& name : there) {
    if (known.count(name) == 0) {
      std::fprintf(stderr, "leaked file: %s\n", name.c_str());
    }
  }
  for (const std::string& name : known) {
    if (there.count(name) == 0) {
      std::fprintf(stderr, "lost file: %s\n", name.c_str());
    }
  }
  return there == known;
}

// The status to end with, whose reason was told; none: the program goes on.
std::optional<int> ParseSettings(int argc, char** argv, Settings* settings) {
  tools::Flags flags;
  flags.Add("key_size", &settings->key_size, "bytes of a key");
  flags.Add("value_size", &settings->value_size, "bytes of a value");
  flags.Add("db", &settings->db, "the database; empty: a test directory's");
  flags.Add("destroy_db", &settings->destroy_db,
            "destroys what is there before it begins");
  flags.Add("runtime_sec", &settings->runtime_sec,
            "seconds that it runs; -1: for ever");
  flags.Add("seed", &settings->seed, "of the random numbers");
  flags.Add("prefix_mutate_period_sec", &settings->prefix_mutate_period_sec,
            "seconds between two changes of the keys' beginning");
  flags.Add("first_char_mutate_probability",
            &settings->first_char_mutate_probability,
            "that its first byte then changes");
  flags.Add("second_char_mutate_probability",
            &settings->second_char_mutate_probability, "that its second does");
  flags.Add("third_char_mutate_probability",
            &settings->third_char_mutate_probability, "that its third does");
  flags.Add("iterator_hold_sec", &settings->iterator_hold_sec,
            "seconds that an iterator is held");
  flags.Add("sync_probability", &settings->sync_probability,
            "that a write is synced");
  flags.Add("delete_obsolete_files_with_fullscan",
            &settings->delete_obsolete_files_with_fullscan,
            "old files are looked for in the directory each time");
  flags.Add("low_open_files_mode", &settings->low_open_files_mode,
            "few files stay open");
  const std::string usage =
      std::string("\nUSAGE:\n") + argv[0] + " [OPTIONS]...";
  if (!flags.Parse(usage.c_str(), argc, argv)) return flags.exit_status();
  if (settings->key_size < static_cast<int>(kPrefixBytes) ||
      settings->value_size < 0) {
    std::fprintf(stderr, "--key_size must be at least 3, --value_size 0.\n");
    return 1;
  }
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  if (const auto status = ParseSettings(argc, argv, &settings)) return *status;
  if (settings.db.empty()) {
    const rdb::Status found =
        rdb::Env::Default()->GetTestDirectory(&settings.db);
    if (!found.ok()) FailNow(found.ToString());
    settings.db += "/write_stress";
  }
  rdb::Options options;
  options.create_if_missing = true;
  options.write_buffer_size = 256 << 10;
  options.max_background_jobs = 4;
  if (settings.delete_obsolete_files_with_fullscan) {
    options.delete_obsolete_files_period_micros = 0;
  }
  if (settings.low_open_files_mode) options.max_open_files = 20;
  rdb::Status s;
  if (settings.destroy_db) s = rdb::DestroyDB(settings.db, options);
  rdb::DB* opened = nullptr;
  if (s.ok()) s = rdb::DB::Open(options, settings.db, &opened);
  if (!s.ok()) FailNow("could not open the database: " + s.ToString());
  const std::unique_ptr<rdb::DB> db(opened);
  WriteStress(settings, db.get()).Run();
  return HasItsFiles(db.get(), settings.db) ? 0 : 1;
}
