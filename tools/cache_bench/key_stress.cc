#include "tools/cache_bench/key_stress.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "cache/cache_key.h"
#include "table/unique_id.h"

namespace ROCKSDB_NAMESPACE::cache_bench {

namespace {

// The engine's ids have these lengths.
constexpr size_t kSessionIdLength = 20;
constexpr size_t kDatabaseIdLength = 36;

// Both words of a block's key, mixed to one of which any bits may be kept.
uint64_t WordOf(const CacheKey& key) {
  uint64_t words[2];
  std::memcpy(words, key.AsSlice().data(), sizeof words);
  return words[0] ^ (words[1] * 0x9E3779B97F4A7C15u);
}

}  // namespace

KeyStress::KeyStress(const CacheKeyStress& settings, uint64_t seed)
    : settings_(settings), random_(seed) {}

std::string KeyStress::Draw(size_t length) {
  constexpr char kDigits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string text;
  for (size_t i = 0; i < length; ++i) text += kDigits[random_.Below(36)];
  return text;
}

void KeyStress::MakeAnew(Database* database) {
  database->id = Draw(kDatabaseIdLength);
  database->next_file = 1;
  OpenAgain(database);
}

void KeyStress::OpenAgain(Database* database) {
  database->session_id = Draw(kSessionIdLength);
}

uint64_t KeyStress::NextKey(Database* database) {
  const uint64_t file = database->next_file++;
  uint64_t word = 0;
  if (settings_.randomize) {
    word = random_.Next();
  } else if (settings_.footer_unique_id) {
    TableUniqueId id{};
    // Both parts were drawn here: there is nothing to refuse.
    if (InternalUniqueIdOf(database->id, database->session_id, file, &id)
            .ok()) {
      word = id[0] ^ (id[1] * 0x9E3779B97F4A7C15u);
    }
  } else {
    word = WordOf(FileCacheKey(database->session_id, file).WithOffset(0));
  }
  if (settings_.keep_bits < 64) {
    word &= (uint64_t{1} << settings_.keep_bits) - 1;
  }
  return std::max<uint64_t>(word, 1);
}

uint64_t KeyStress::RunOnce() {
  files_.assign(size_t{1} << settings_.table_bits, 0);
  databases_.assign(settings_.db_count, Database());
  for (Database& database : databases_) MakeAnew(&database);
  const uint64_t files =
      uint64_t{settings_.files_per_day} * settings_.days_per_run;
  const uint64_t files_of_process =
      settings_.restarts_per_day == 0
          ? UINT64_MAX
          : std::max<uint64_t>(
                1, settings_.files_per_day / settings_.restarts_per_day);
  uint64_t collisions = 0;
  for (uint64_t i = 0; i < files; ++i) {
    if (HappensEvery(files_of_process)) {
      // The cache is empty, and its files are opened by another session.
      for (Database& database : databases_) OpenAgain(&database);
      std::fill(files_.begin(), files_.end(), 0);
    }
    Database& database = databases_[random_.Below(databases_.size())];
    if (HappensEvery(settings_.reopen_nfiles)) {
      if (HappensEvery(settings_.newdb_nreopen)) {
        MakeAnew(&database);
      } else {
        OpenAgain(&database);
      }
    }
    const uint64_t key = NextKey(&database);
    // A file lives until another takes its place, which chance decides.
    uint64_t& place = files_[key & (files_.size() - 1)];
    if (place == key) ++collisions;
    place = key;
  }
  return collisions;
}

void KeyStress::PrintRun(uint64_t run, uint64_t collisions,
                         uint64_t all) const {
  const double days =
      static_cast<double>(run) * static_cast<double>(settings_.days_per_run);
  const double bytes = days * settings_.files_per_day *
                       static_cast<double>(settings_.file_size_mb) * 1048576.0;
  std::printf("Run %" PRIu64 ": %" PRIu64 " collisions, %" PRIu64 " in all",
              run, collisions, all);
  if (all > 0) {
    // With each bit more, half as many.
    const double unkept = std::pow(2.0, 128.0 - settings_.keep_bits);
    std::printf(", one in %g days or %g EB; with all bits one in %g days",
                days / static_cast<double>(all),
                bytes / static_cast<double>(all) / 1e18,
                days / static_cast<double>(all) * unkept);
  }
  std::printf("\n");
  std::fflush(stdout);
}

void KeyStress::Run() {
  std::printf("%u files a day of %u databases, %" PRIu64
              " at a time, %u bits of their keys\n",
              settings_.files_per_day, settings_.db_count,
              uint64_t{1} << settings_.table_bits, settings_.keep_bits);
  uint64_t all = 0;
  for (uint64_t run = 1; all < settings_.min_collision; ++run) {
    const uint64_t collisions = RunOnce();
    all += collisions;
    PrintRun(run, collisions, all);
  }
}

}  // namespace ROCKSDB_NAMESPACE::cache_bench
