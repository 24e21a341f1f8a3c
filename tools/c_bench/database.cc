#include "tools/c_bench/database.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

#include "tools/c_bench/text.h"

namespace c_bench {

namespace {

constexpr int64_t kRefillMicros = 100 * 1000;
constexpr int32_t kFairness = 10;

std::vector<std::string> FamilyNames(int64_t count) {
  std::vector<std::string> names = {"default"};
  for (int64_t i = 1; i < count; ++i) {
    names.push_back("family" + std::to_string(i));
  }
  return names;
}

}  // namespace

Resident ReadResident() {
  Resident resident;
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "VmRSS:") status >> resident.now_kib;
    if (word == "VmHWM:") status >> resident.peak_kib;
  }
  return resident;
}

Database::Database(const Flags& flags)
    : flags_(flags), path_(flags.Value("db")) {
  rocksdb_options_t* base = rocksdb_options_create();
  if (flags.IsOn("statistics")) rocksdb_options_enable_statistics(base);
  const int64_t rate = flags.Number("rate_limiter_bytes_per_sec");
  if (rate > 0) {
    limiter_ = rocksdb_ratelimiter_create(rate, kRefillMicros, kFairness);
    rocksdb_options_set_ratelimiter(base, limiter_);
  }
  options_ = rocksdb_options_create();
  char* error = nullptr;
  const std::string text = flags.OptionText();
  rocksdb_get_options_from_string(base, text.c_str(), options_, &error);
  Check(error, "options " + text);
  rocksdb_options_set_create_missing_column_families(options_,
                                                     !flags.IsOn("readonly"));
  rocksdb_options_destroy(base);
}

Database::~Database() {
  Close();
  rocksdb_options_destroy(options_);
  if (limiter_ != nullptr) rocksdb_ratelimiter_destroy(limiter_);
}

void Database::OpenFamilies() {
  const auto names = FamilyNames(flags_.Number("num_column_families"));
  std::vector<const char*> name_pointers;
  for (const std::string& name : names) name_pointers.push_back(name.c_str());
  const std::vector<const rocksdb_options_t*> options(names.size(), options_);
  const int count = static_cast<int>(names.size());
  families_.resize(names.size());
  char* error = nullptr;
  if (flags_.IsOn("readonly")) {
    db_ = rocksdb_open_for_read_only_column_families(
        options_, path_.c_str(), count, name_pointers.data(), options.data(),
        families_.data(), /*error_if_wal_file_exists=*/0, &error);
  } else {
    db_ = rocksdb_open_column_families(options_, path_.c_str(), count,
                                       name_pointers.data(), options.data(),
                                       families_.data(), &error);
  }
  Check(error, path_);
}

void Database::Open() {
  if (db_ != nullptr) return;
  const uint64_t before_kib = ReadResident().now_kib;
  const auto begin = std::chrono::steady_clock::now();
  OpenFamilies();
  const std::chrono::duration<double, std::milli> took =
      std::chrono::steady_clock::now() - begin;
  const uint64_t after_kib = ReadResident().now_kib;
  printf("Opened in %.3f ms, by %llu KiB\n", took.count(),
         Printed(after_kib - std::min(before_kib, after_kib)));
}

void Database::Close() {
  if (db_ == nullptr) return;
  for (rocksdb_column_family_handle_t* family : families_) {
    rocksdb_column_family_handle_destroy(family);
  }
  families_.clear();
  rocksdb_close(db_);
  db_ = nullptr;
}

void Database::OpenFresh() {
  if (flags_.IsOn("use_existing_db")) return Open();
  Close();
  char* error = nullptr;
  rocksdb_destroy_db(options_, path_.c_str(), &error);
  Check(error, "destroy " + path_);
  Open();
}

uint64_t Database::Property(const std::string& name) const {
  uint64_t sum = 0;
  for (rocksdb_column_family_handle_t* family : families_) {
    uint64_t value = 0;
    if (rocksdb_property_int_cf(db_, family, name.c_str(), &value) == 0) {
      sum += value;
    }
  }
  return sum;
}

std::string Database::TextProperty(const std::string& name) const {
  char* text = rocksdb_property_value(db_, name.c_str());
  if (text == nullptr) return "";
  std::string result = text;
  rocksdb_free(text);
  return result;
}

void Database::Flush() const {
  rocksdb_flushoptions_t* options = rocksdb_flushoptions_create();
  for (rocksdb_column_family_handle_t* family : families_) {
    char* error = nullptr;
    rocksdb_flush_cf(db_, options, family, &error);
    Check(error, "flush");
  }
  rocksdb_flushoptions_destroy(options);
}

// By properties, as older releases have no call that waits.
void Database::WaitForCompaction(const std::atomic<bool>* is_stopped) const {
  const auto is_busy = [this] {
    for (const char* name :
         {"rocksdb.mem-table-flush-pending", "rocksdb.compaction-pending",
          "rocksdb.num-running-flushes", "rocksdb.num-running-compactions"}) {
      if (Property(name) != 0) return true;
    }
    return false;
  };
  // Between a job and the one that follows from it nothing may be pending for
  // a moment.
  for (int quiet = 0; quiet < 3; quiet = is_busy() ? 0 : quiet + 1) {
    if (is_stopped != nullptr && is_stopped->load()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::string Database::Statistics() const {
  if (!flags_.IsOn("statistics")) return "";
  char* text = rocksdb_options_statistics_get_string(options_);
  if (text == nullptr) return "";
  std::string result = text;
  rocksdb_free(text);
  return result;
}

}  // namespace c_bench
